package cache

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

// maxKinds bounds the warnings about one operation: a store could give each error a
// text of its own.
const maxKinds = 6

// breaker is the circuit breaker of one operation of a shared store, lookups or
// uploads: it counts failures, and ends the operation for the rest of the build when
// there are too many. Its user holds a lock around every call.
type breaker struct {
	limits    *limits
	maxDenied int             // before any request has succeeded
	ctx       context.Context // done when the operation has ended
	end       context.CancelFunc

	kinds       []failureKind
	worked      bool          // a request has succeeded
	denied      int           // requests that failed with ErrDenied
	rejected    int           // objects that were wrong
	consecutive int           // failures since the last success
	lastFailure time.Time     // end of the last of those
	lost        time.Duration // time during which requests ran that failed
	lostUntil   time.Time     // what lost includes
}

// failureKind is the failures with one text.
type failureKind struct {
	text    string
	count   int
	denied  bool
	isFinal bool // it ended the operation
}

func newBreaker(limits *limits, maxDenied int) *breaker {
	b := &breaker{limits: limits, maxDenied: maxDenied}
	b.ctx, b.end = context.WithCancel(context.Background())
	return b
}

func (b *breaker) hasEnded() bool { return b.ctx.Err() != nil }

// record counts a request that ran from one time to another and returned err. It
// reports whether that ended the operation.
func (b *breaker) record(from, to time.Time, err error) (ended bool) {
	switch {
	case b.hasEnded(): // the request may have failed for that
		return false
	case err == nil, errors.Is(err, fs.ErrNotExist):
		b.worked, b.consecutive = true, 0
		return false
	case errors.Is(err, ErrDenied):
		b.denied++
		return b.fail(err, b.denied >= b.maxDenied && !b.worked)
	case errors.Is(err, ErrUnusable):
		return b.fail(err, true)
	}
	// Requests that ran at the same time fail for one reason. They count as one
	// failure, and so does the time that they took.
	if from.Before(b.lostUntil) {
		b.lost += max(to.Sub(b.lostUntil), 0)
	} else {
		b.lost += to.Sub(from)
	}
	if to.After(b.lostUntil) {
		b.lostUntil = to
	}
	if b.consecutive == 0 || !from.Before(b.lastFailure) {
		b.consecutive, b.lastFailure = b.consecutive+1, to
	}
	return b.fail(err, b.consecutive >= b.limits.failures || b.lost >= b.limits.lost)
}

// reject counts an object that was not what it should be.
func (b *breaker) reject(err error) {
	if b.hasEnded() {
		return
	}
	b.rejected++
	b.fail(err, b.rejected >= b.limits.rejected)
}

// fail counts a failure by its text. One that is final ends the operation.
func (b *breaker) fail(err error, isFinal bool) bool {
	text := err.Error()
	i := 0
	for i < len(b.kinds) && b.kinds[i].text != text {
		i++
	}
	switch {
	case i == maxKinds:
		i--
		b.kinds[i].text = "other errors"
	case i == len(b.kinds):
		b.kinds = append(b.kinds, failureKind{text: text})
	}
	b.kinds[i].count++
	b.kinds[i].denied = errors.Is(err, ErrDenied)
	b.kinds[i].isFinal = isFinal
	if isFinal {
		b.end()
	}
	return isFinal
}

// reportable returns the kinds of failures that users should know. Once an object could
// be read, a denial only means that the store does not have another.
func (b *breaker) reportable() []failureKind {
	var list []failureKind
	for _, k := range b.kinds {
		if k.isFinal || !k.denied || !b.worked {
			list = append(list, k)
		}
	}
	return list
}
