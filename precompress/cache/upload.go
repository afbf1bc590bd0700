package cache

import (
	"context"
	"time"
)

// put has an object stored in the background. The data must not change
// afterwards. If much is waiting already, put waits a while for room.
func (s *shared) put(key Key, data []byte) {
	s.count(&s.asked)
	if !s.mode.writes() || s.write.ctx.Err() != nil {
		return
	}
	size := int64(len(data))
	if size > MaxObject {
		s.count(&s.large)
		return
	}
	weight := min(max(size, s.limits.minimum), s.limits.queue)
	if !s.admit(weight) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		s.late++
		s.room.Release(weight)
		return
	}
	s.pending++
	s.size += size
	s.at.Go(func() {
		defer s.room.Release(weight)
		s.upload(key, data)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.pending--
		s.size -= size
	})
}

// admit takes room in the queue. It waits for it as long as all the waiting of
// the run has not become too much.
func (s *shared) admit(weight int64) bool {
	if s.room.TryAcquire(weight) {
		return true
	}
	s.mu.Lock()
	left := s.limits.wait - s.waited
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(s.write.ctx, left)
	defer cancel()
	from := time.Now()
	err := s.room.Acquire(ctx, weight)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waited += time.Since(from)
	if err != nil && !s.write.off() {
		s.busy++
	}
	return err == nil
}

// upload stores an object, when its turn comes.
func (s *shared) upload(key Key, data []byte) {
	select {
	case s.slots <- struct{}{}:
		defer func() { <-s.slots }()
	case <-s.write.ctx.Done():
	}
	if s.write.ctx.Err() == nil {
		ctx, cancel := context.WithTimeout(s.write.ctx, s.limits.put+s.limits.time(int64(len(data))))
		defer cancel()
		from := time.Now()
		err := s.remote.Put(ctx, key, data)
		s.mu.Lock()
		s.write.answered(from, time.Now(), err)
		if err == nil {
			s.stored++
		}
		s.mu.Unlock()
	}
}

func (s *shared) count(n *int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	*n++
}
