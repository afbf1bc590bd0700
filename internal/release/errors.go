package release

import (
	"errors"
	"fmt"
	"io"
)

// Faults that callers tell apart. They are wrapped in errors that name the
// release and the file.
var (
	// ErrTooLarge: a file of more than [MaxFile] bytes. It is listed, but cannot
	// be read; the rest of its release can.
	ErrTooLarge = errors.New("it is too large for a dictionary")
	// ErrDamaged: content that is cut short, or not what was recorded.
	ErrDamaged = errors.New("it is damaged")
	// ErrUnsafe: an entry that the archive of a release has no reason to have. The
	// archive as a whole is refused.
	ErrUnsafe = errors.New("unsafe entry")
	// ErrLimit: more than [Limits] allow.
	ErrLimit = errors.New("over a limit")
	// ErrFormat: a file that is no archive, or not one that can be read.
	ErrFormat = errors.New("not a readable archive")
	// ErrNotStore: a directory that is not empty, and no store of ours.
	ErrNotStore = errors.New("it is not empty and not a store of releases of precompress; name another directory")
	// ErrNotDirectory: a store that is not a directory.
	ErrNotDirectory = errors.New("it is not a directory; name one, or a name that is free")
	// ErrVersion: a store that another version of this package wrote.
	ErrVersion = errors.New("another version of precompress wrote it: use that version, or remove the directory to start anew")
)

// cutShort marks the error of content that ends early.
func cutShort(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it ends early", ErrDamaged)
	}
	return err
}
