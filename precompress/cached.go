package precompress

import (
	"context"

	"github.com/precompress/precompress/precompress/cache"
)

// Cache keeps what encodings came to, beyond one tree. Its methods are called
// from several goroutines at a time and do not fail: what cannot be read is not
// there, what cannot be stored is encoded again one day. They return soon after
// ctx is done. The bytes of an entry are not changed any more, by neither side.
// Package cache has implementations.
type Cache interface {
	// Get returns the entry of a key. Before an entry from a source that
	// others write to is returned, valid must have accepted it.
	Get(ctx context.Context, key cache.Key, valid func(cache.Entry) error) (cache.Entry, bool)
	// Put keeps an entry. Storing it elsewhere may go on after the return.
	Put(ctx context.Context, key cache.Key, entry cache.Entry)
	// Parallel is the number of sources to look up at a time: more than one per
	// core if lookups wait for a network. All codings of a source are then looked
	// up at once.
	Parallel() int
}
