package cache

import (
	"context"
	"errors"
)

// MaxObject is the size in bytes of the largest object that is stored in or
// taken from a [Remote].
const MaxObject = 256 << 20

// Faults of a Remote that tell more than that one request failed.
var (
	// ErrDenied: the store does not allow this operation on this object.
	// Amazon S3 also says so of an object that is not there, to those who may
	// not list the bucket.
	ErrDenied = errors.New("access denied")
	// ErrUnusable: no later request can fare better, since the store does not
	// know the credentials or the bucket.
	ErrUnusable = errors.New("unusable store")
)

// Remote is a store that several machines share. Its methods are called from
// several goroutines at a time and return soon after ctx is done. Nothing it
// returns is believed before it was checked. The texts of its errors are shown
// to users, one time each: they tell the kind of fault, without the object's
// name and without secrets.
type Remote interface {
	// Get returns an object's bytes. The error wraps [io/fs.ErrNotExist] if
	// the store has no such object.
	Get(ctx context.Context, key Key) ([]byte, error)
	// Put stores an object, in place of one of the same key.
	Put(ctx context.Context, key Key, data []byte) error
	// String names the store in messages, without secrets.
	String() string
}
