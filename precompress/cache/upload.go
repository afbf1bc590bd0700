package cache

import (
	"context"
	"time"
)

// put stores an object in the background. The data must not change afterwards. If the
// queue is full, put waits a while for room.
func (s *sharedStore) put(key Key, data []byte) {
	s.count(&s.asked)
	if !s.mode.writes() || s.storing.hasEnded() {
		return
	}
	size := int64(len(data))
	if size > MaxObject {
		s.count(&s.tooLarge)
		return
	}
	weight := min(max(size, s.limits.minimum), s.limits.queue)
	if !s.admit(weight) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		s.tooLate++
		s.room.Release(weight)
		return
	}
	s.pending++
	s.pendingBytes += size
	s.uploads.Go(func() {
		defer s.room.Release(weight)
		s.upload(key, data)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pending--
		s.pendingBytes -= size
	})
}

// admit takes room in the queue, and reports whether there was some. It waits for it
// as long as all waiting of the build has not become too much.
func (s *sharedStore) admit(weight int64) bool {
	if s.room.TryAcquire(weight) {
		return true
	}
	s.mu.Lock()
	left := s.limits.wait - s.waited
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(s.storing.ctx, left)
	defer cancel()
	from := time.Now()
	err := s.room.Acquire(ctx, weight)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waited += time.Since(from)
	if err != nil && !s.storing.hasEnded() {
		s.tooSlow++
	}
	return err == nil
}

// upload waits for its turn and stores an object.
func (s *sharedStore) upload(key Key, data []byte) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-s.storing.ctx.Done():
	}
	if !s.storing.hasEnded() {
		ctx, cancel := context.WithTimeout(s.storing.ctx, s.limits.put+s.limits.time(int64(len(data))))
		defer cancel()
		from := time.Now()
		err := s.remote.Put(ctx, key, data)
		s.mu.Lock()
		s.storing.record(from, time.Now(), err)
		if err == nil {
			s.stored++
		}
		s.mu.Unlock()
	}
}

func (s *sharedStore) count(n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
}
