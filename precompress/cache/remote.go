package cache

import "context"

// Remote is a store that several machines share. Its methods are called from
// several goroutines at a time. Nothing it returns is believed before it was
// checked.
type Remote interface {
	// Get returns an object's bytes. The error wraps [io/fs.ErrNotExist] if
	// the store has no such object.
	Get(ctx context.Context, key Key) ([]byte, error)
	// Put stores an object, in place of one of the same key.
	Put(ctx context.Context, key Key, data []byte) error
	// String names the store in messages, without secrets.
	String() string
}
