package cache

import (
	"context"
	"fmt"
	"sync"
)

// shared is a [Remote] whose faults cost a warning.
type shared struct {
	remote Remote
	mode   Mode
	puts   sync.WaitGroup

	mu    sync.Mutex // guards fault
	fault string     // of the first object that was wrong
}

func newShared(remote Remote, mode Mode) *shared { return &shared{remote: remote, mode: mode} }

// parallel is the number of lookups at a time that make sense.
func (s *shared) parallel() int {
	if s.mode.reads() {
		return 32
	}
	return 1
}

func (s *shared) get(ctx context.Context, key Key) ([]byte, bool) {
	if !s.mode.reads() {
		return nil, false
	}
	data, err := s.remote.Get(ctx, key)
	return data, err == nil
}

// rejected says that an object which get returned is not what it should be.
func (s *shared) rejected(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.fault == "" {
		s.fault = fmt.Sprintf("shared cache %s: %v", s.remote, err)
	}
}

func (s *shared) put(key Key, data []byte) {
	if s.mode.writes() {
		s.puts.Go(func() { s.remote.Put(context.Background(), key, data) })
	}
}

func (s *shared) close(context.Context) []string {
	s.puts.Wait()
	if s.fault == "" {
		return nil
	}
	return []string{s.fault}
}
