package cache

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"
)

// limits are what a shared store may cost.
type limits struct {
	get      time.Duration // one lookup
	put      time.Duration // one upload, and what its size takes at slowest
	slowest  int64         // bytes per second
	lost     time.Duration // all lookups that failed, or all such uploads
	row      int           // faults one after the other
	denied   int           // lookups that are denied before any is answered
	rejected int           // objects that are not what they should be
	uploads  int           // at a time
	queue    int64         // bytes that wait for being uploaded
	minimum  int64         // bytes that an upload counts as at least
	wait     time.Duration // the build, in all, for room in the queue
	closing  time.Duration // uploads at the end, and what their number and size take
}

func defaultLimits() limits {
	return limits{
		get: 20 * time.Second, put: 20 * time.Second, slowest: 64 << 10,
		lost: 3 * time.Second, row: 3, denied: 16, rejected: 8,
		uploads: 64, queue: 32 << 20, minimum: 32 << 10,
		wait: 5 * time.Second, closing: 5 * time.Second,
	}
}

// sharedParallel is the number of lookups at a time: with it, 1,000 of them
// take a second if each takes 30 ms.
const sharedParallel = 32

// shared stands between the cache and a store that may be slow, broken or
// hostile. Lookups that fail are misses; uploads happen in the background.
// Faults become warnings, and a store with many is let alone.
type shared struct {
	remote Remote
	mode   Mode
	limits limits
	room   *semaphore.Weighted // of the queue
	slots  chan struct{}       // of uploads at work
	at     sync.WaitGroup      // uploads queued or at work

	mu          sync.Mutex
	read, write *breaker
	closed      bool
	silenced    bool          // faults of lookups ended uploads too
	asked       int           // entries that were put
	stored      int           // of those
	waited      time.Duration // for room in the queue
	pending     int           // uploads queued or at work
	size        int64         // of those
	busy        int           // entries dropped for want of room
	large       int           // entries dropped because they exceed MaxObject
	late        int           // entries dropped at the end
}

func newShared(remote Remote, mode Mode) *shared {
	return newSharedLimits(remote, mode, defaultLimits())
}

func newSharedLimits(remote Remote, mode Mode, l limits) *shared {
	s := &shared{remote: remote, mode: mode, limits: l}
	s.room = semaphore.NewWeighted(l.queue)
	s.slots = make(chan struct{}, l.uploads)
	s.read, s.write = newBreaker(&s.limits, l.denied), newBreaker(&s.limits, 1)
	return s
}

// parallel is the number of lookups at a time that make sense.
func (s *shared) parallel() int {
	if s.mode.reads() {
		return sharedParallel
	}
	return 1
}

// get returns the object of a key. It has not been checked in any way: whoever
// finds it wrong calls rejected.
func (s *shared) get(ctx context.Context, key Key) ([]byte, bool) {
	if !s.mode.reads() || s.read.ctx.Err() != nil || ctx.Err() != nil {
		return nil, false
	}
	request, cancel := context.WithTimeout(ctx, s.limits.get)
	defer cancel()
	defer context.AfterFunc(s.read.ctx, cancel)()
	from := time.Now()
	data, err := s.remote.Get(request, key)
	if ctx.Err() != nil { // the run is over
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	// A store that cannot be read for other reasons than permissions cannot be
	// written to either.
	if s.read.answered(from, time.Now(), err) && !errors.Is(err, ErrDenied) {
		s.silenced = s.mode.writes() && !s.write.off()
		s.write.end()
	}
	return data, err == nil
}

// rejected says that an object which get returned is damaged or does not belong
// to its key. The error's text is without the key.
func (s *shared) rejected(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read.reject(err)
}

// close waits until what was put is stored, gives up what the store does not
// take, and returns what there is to say about the run.
func (s *shared) close(ctx context.Context) []string {
	s.mu.Lock()
	s.closed = true
	l := &s.limits
	patience := l.closing + time.Duration(s.pending)*2*time.Second/time.Duration(l.uploads) + l.time(s.size)
	s.mu.Unlock()

	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	stop := context.AfterFunc(limited, func() { s.giveUp(ctx.Err() == nil) })
	s.at.Wait()
	stop()
	s.write.end()
	s.read.end()
	return s.warnings()
}

// giveUp ends uploads, and counts those that were not done if that is to be
// told.
func (s *shared) giveUp(tell bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if tell && !s.write.off() {
		s.late += s.pending
	}
	s.write.end()
}

// time is what bytes take at slowest.
func (l *limits) time(bytes int64) time.Duration {
	return time.Duration(float64(bytes) / float64(l.slowest) * float64(time.Second))
}

func (s *shared) warnings() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	warn := func(n int, format string, args ...any) {
		if n > 0 {
			list = append(list, "shared cache "+s.remote.String()+": "+fmt.Sprintf(format, args...))
		}
	}
	tell := func(b *breaker, verb, rest string) {
		for _, f := range b.told() {
			warn(f.times, "%s %s: %s", verb, times(f.times), f.text)
			if f.last {
				list[len(list)-1] += rest
			}
		}
	}
	rest := "; nothing more was looked up in this run"
	if s.silenced {
		rest = "; nothing more was looked up or stored in this run"
	}
	tell(s.read, "lookup failed", rest)
	tell(s.write, "storing failed", "; nothing more was stored in this run")
	warn(s.busy, "not stored, as it took entries too slowly: %s", entries(s.busy))
	warn(s.late, "not stored, as it took too long at the end: %s", entries(s.late))
	warn(s.large, "not stored, as larger than %d MiB: %s", MaxObject>>20, entries(s.large))
	return list
}

// unstored returns how many entries that were put are not in the store.
func (s *shared) unstored() int {
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
