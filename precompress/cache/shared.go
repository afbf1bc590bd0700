package cache

import (
	"context"
	"sync"
)

// Mode is what may be done with a [Remote].
type Mode int

// Modes.
const (
	ReadWrite Mode = iota // the default
	ReadOnly
	WriteOnly
)

// sharedParallel is the number of lookups at a time.
const sharedParallel = 32

// shared is a [Remote] whose faults cost a warning.
type shared struct {
	remote Remote
	mode   Mode
	puts   sync.WaitGroup
}

func newShared(remote Remote, mode Mode) *shared { return &shared{remote: remote, mode: mode} }

func (s *shared) get(ctx context.Context, key Key) ([]byte, bool) {
	if s.mode == WriteOnly {
		return nil, false
	}
	data, err := s.remote.Get(ctx, key)
	return data, err == nil
}

func (s *shared) put(key Key, data []byte) {
	if s.mode != ReadOnly {
		s.puts.Go(func() { s.remote.Put(context.Background(), key, data) })
	}
}

func (s *shared) close(context.Context) []string {
	s.puts.Wait()
	return nil
}
