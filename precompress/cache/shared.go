package cache

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// limits bound what a shared store may cost a build.
type limits struct {
	get      time.Duration // for one lookup
	put      time.Duration // for one upload, besides what its size takes at slowest
	slowest  int64         // bytes per second
	lost     time.Duration // for all lookups that fail, or all such uploads
	failures int           // consecutive ones
	denied   int           // lookups that are denied before any has succeeded
	rejected int           // objects that are not what they should be
	uploads  int           // at a time
	queue    int64         // bytes that wait for being uploaded
	minimum  int64         // bytes that an upload counts as at least
	wait     time.Duration // for room in the queue, in the whole build
	closing  time.Duration // for uploads at the end, besides what their number and size take
}

func defaultLimits() limits {
	return limits{
		get: 20 * time.Second, put: 20 * time.Second, slowest: 64 << 10,
		lost: 3 * time.Second, failures: 3, denied: 16, rejected: 8,
		uploads: 64, queue: 32 << 20, minimum: 32 << 10,
		wait: 5 * time.Second, closing: 5 * time.Second,
	}
}

// time is what bytes take at slowest.
func (l *limits) time(bytes int64) time.Duration {
	return time.Duration(float64(bytes) / float64(l.slowest) * float64(time.Second))
}

// sharedParallel is the number of lookups at a time: with it, 1,000 of them
// take a second if each takes 30 ms.
const sharedParallel = 32

// sharedStore stands between the cache and a store that may be slow, broken or hostile.
// Lookups that fail are misses; uploads happen in the background. Failures become
// warnings, and a store with too many is not used any more.
type sharedStore struct {
	remote  Remote
	mode    Mode
	limits  limits
	room    *semaphore.Weighted // in the queue of uploads
	slots   chan struct{}       // of uploads that are running
	uploads sync.WaitGroup      // queued or running

	mu            sync.Mutex // guards what follows
	lookups       *breaker
	storing       *breaker
	closed        bool
	lookupsEndAll bool          // failures of lookups ended uploads, too
	asked         int           // entries that were put
	stored        int           // of those
	waited        time.Duration // for room in the queue
	pending       int           // uploads that are queued or running
	pendingBytes  int64         // of those
	tooSlow       int           // entries dropped for lack of room in the queue
	tooLarge      int           // entries dropped because they exceed MaxObject
	tooLate       int           // entries dropped at the end
}

func newShared(remote Remote, mode Mode, l limits) *sharedStore {
	s := &sharedStore{remote: remote, mode: mode, limits: l}
	s.room = semaphore.NewWeighted(l.queue)
	s.slots = make(chan struct{}, l.uploads)
	s.lookups, s.storing = newBreaker(&s.limits, l.denied), newBreaker(&s.limits, 1)
	return s
}

// parallel returns the number of lookups at a time that are worthwhile.
func (s *sharedStore) parallel() int {
	if s.mode.reads() {
		return sharedParallel
	}
	return 1
}

// get returns the object of a key. Nothing of it has been checked: whoever finds it
// wrong calls reject.
func (s *sharedStore) get(ctx context.Context, key Key) ([]byte, bool) {
	if !s.mode.reads() || s.lookups.hasEnded() || ctx.Err() != nil {
		return nil, false
	}
	request, cancel := context.WithTimeout(ctx, s.limits.get)
	defer cancel()
	defer context.AfterFunc(s.lookups.ctx, cancel)()
	from := time.Now()
	data, err := s.remote.Get(request, key)
	if ctx.Err() != nil { // the build is over
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// A store that cannot be read for other reasons than permissions cannot be
	// written to either.
	if s.lookups.record(from, time.Now(), err) && !errors.Is(err, ErrDenied) {
		s.lookupsEndAll = s.mode.writes() && !s.storing.hasEnded()
		s.storing.end()
	}
	return data, err == nil
}

// reject counts an object from get that is damaged or does not belong to its key. The
// error's text is without the key.
func (s *sharedStore) reject(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lookups.reject(err)
}

// close waits until what was put is stored, drops what the store does not take in time,
// and returns warnings about the build.
func (s *sharedStore) close(ctx context.Context) []string {
	s.mu.Lock()
	s.closed = true
	l := &s.limits
	patience := l.closing + time.Duration(s.pending)*2*time.Second/time.Duration(l.uploads) + l.time(s.pendingBytes)
	s.mu.Unlock()

	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	stop := context.AfterFunc(limited, func() { s.dropUploads(ctx.Err() == nil) })
	s.uploads.Wait()
	stop()
	s.storing.end()
	s.lookups.end()
	return s.warnings()
}

// dropUploads ends uploads. With warn, those that are not done are counted for a
// warning.
func (s *sharedStore) dropUploads(warn bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if warn && !s.storing.hasEnded() {
		s.tooLate += s.pending
	}
	s.storing.end()
}

func (s *sharedStore) warnings() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	warn := func(format string, args ...any) {
		list = append(list, "shared cache "+s.remote.String()+": "+fmt.Sprintf(format, args...))
	}
	warnOf := func(b *breaker, operation, consequence string) {
		for _, k := range b.reportable() {
			text := fmt.Sprintf("%s failed %s: %s", operation, times(k.count), k.text)
			if k.isFinal {
				text += "; nothing more was " + consequence + " in this run"
			}
			warn("%s", text)
		}
	}
	consequence := "looked up"
	if s.lookupsEndAll {
		consequence = "looked up or stored"
	}
	warnOf(s.lookups, "lookup", consequence)
	warnOf(s.storing, "storing", "stored")
	for _, dropped := range []struct {
		count  int
		reason string
	}{
		{s.tooSlow, "the store was too slow"},
		{s.tooLate, "it took too long at the end"},
		{s.tooLarge, fmt.Sprintf("larger than %d MiB", MaxObject>>20)},
	} {
		if dropped.count > 0 {
			warn("%s not stored: %s", entries(dropped.count), dropped.reason)
		}
	}
	return list
}

// unstored returns the number of entries that were put and are not in the store.
func (s *sharedStore) unstored() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked - s.stored
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func entries(n int) string {
	if n == 1 {
		return "1 entry"
	}
	return fmt.Sprintf("%d entries", n)
}
