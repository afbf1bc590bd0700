package cache

import (
	"context"
	"errors"
	"io/fs"
	"time"
)

// maxKinds bounds the warnings about one operation: a store could give each
// fault a text of its own.
const maxKinds = 6

// breaker counts the faults of one operation, lookups or uploads, and ends that
// operation for the rest of the run when they become too many. Its user holds a
// lock around every call.
type breaker struct {
	limits    *limits
	maxDenied int             // before any request is answered
	ctx       context.Context // done when the operation was ended
	end       context.CancelFunc

	kinds    []fault
	worked   bool          // some request was answered as it should be
	denied   int           // requests that failed with ErrDenied
	rejected int           // objects that turned out to be wrong
	row      int           // faults one after the other
	rowEnd   time.Time     // when the last of them was noticed
	lost     time.Duration // time during which requests ran that failed
	lostTo   time.Time     // what lost counts up to
}

// fault is a kind of fault, and how often it was met.
type fault struct {
	text   string
	times  int
	denied bool
	last   bool // it ended the operation
}

func newBreaker(limits *limits, maxDenied int) *breaker {
	b := &breaker{limits: limits, maxDenied: maxDenied}
	b.ctx, b.end = context.WithCancel(context.Background())
	return b
}

func (b *breaker) off() bool { return b.ctx.Err() != nil }

// answered notes a request that began and ended at these times. It tells
// whether the operation has ended by it.
func (b *breaker) answered(from, to time.Time, err error) (ended bool) {
	switch {
	case b.off(): // the request may have failed for that
		return false
	case err == nil, errors.Is(err, fs.ErrNotExist):
		b.worked, b.row = true, 0
		return false
	case errors.Is(err, ErrDenied):
		b.denied++
		return b.note(err, b.denied >= b.maxDenied && !b.worked)
	case errors.Is(err, ErrUnusable):
		return b.note(err, true)
	}
	// Requests that ran at the same time fail for one reason: they count as one
	// fault, and the time that they took as well.
	if from.Before(b.lostTo) {
		b.lost += max(to.Sub(b.lostTo), 0)
	} else {
		b.lost += to.Sub(from)
	}
	if to.After(b.lostTo) {
		b.lostTo = to
	}
	if b.row == 0 || !from.Before(b.rowEnd) {
		b.row, b.rowEnd = b.row+1, to
	}
	return b.note(err, b.row >= b.limits.row || b.lost >= b.limits.lost)
}

// reject notes an object that was not what it should be.
func (b *breaker) reject(err error) {
	if b.off() {
		return
	}
	b.rejected++
	b.note(err, b.rejected >= b.limits.rejected)
}

func (b *breaker) note(err error, last bool) bool {
	text := err.Error()
	i := 0
	for i < len(b.kinds) && b.kinds[i].text != text {
		i++
	}
	switch {
	case i == maxKinds:
		i--
		b.kinds[i].text = "other faults"
	case i == len(b.kinds):
		b.kinds = append(b.kinds, fault{text: text})
	}
	b.kinds[i].times++
	b.kinds[i].denied = errors.Is(err, ErrDenied)
	b.kinds[i].last = last
	if last {
		b.end()
	}
	return last
}

// told returns the kinds of faults that are worth a word. Once an object could
// be read, denials are how the store says that others are not there.
func (b *breaker) told() []fault {
	var list []fault
	for _, f := range b.kinds {
		if f.last || !f.denied || !b.worked {
			list = append(list, f)
		}
	}
	return list
}
