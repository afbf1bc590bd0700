package cache

import (
	"context"
	"errors"
	"fmt"
)

// MaxObject is the size in bytes of the largest object that is stored in or taken from
// a [Remote].
const MaxObject = 256 << 20

// Errors of a Remote that say more than that one request failed.
var (
	// ErrDenied: the store does not allow this operation on this object. Amazon S3
	// also says so of an object that is missing, to those who may not list the bucket.
	ErrDenied = errors.New("access denied")
	// ErrUnusable: no later request can succeed either, since the store does not know
	// the credentials or the bucket.
	ErrUnusable = errors.New("unusable store")
)

// Remote is a store that several machines share. Its methods are called from several
// goroutines at a time and return soon after ctx is done. What it returns is checked
// before it is used. The texts of its errors are shown to users, each of them once:
// they name the kind of failure, without the object's name and without secrets.
type Remote interface {
	// Get returns an object's bytes. The error wraps [io/fs.ErrNotExist] if the store
	// has no such object.
	Get(ctx context.Context, key Key) ([]byte, error)
	// Put stores an object, and replaces one with the same key.
	Put(ctx context.Context, key Key, data []byte) error
	// String returns the store's name for messages, without secrets.
	String() string
}

// Mode is what a build does with a [Remote].
type Mode int

// Modes.
const (
	ReadWrite Mode = iota // look entries up and store new ones
	ReadOnly              // look entries up only: for builds that are not trusted
	WriteOnly             // store entries only
)

// ParseMode returns the mode that [Mode.String] writes like this.
func ParseMode(s string) (Mode, error) {
	for _, m := range []Mode{ReadWrite, ReadOnly, WriteOnly} {
		if s == m.String() {
			return m, nil
		}
	}
	return 0, fmt.Errorf("%q is unknown: choose read, write or readwrite", s)
}

// String returns "readwrite", "read" or "write".
func (m Mode) String() string {
	switch m {
	case ReadOnly:
		return "read"
	case WriteOnly:
		return "write"
	}
	return "readwrite"
}

func (m Mode) reads() bool  { return m != WriteOnly }
func (m Mode) writes() bool { return m != ReadOnly }
