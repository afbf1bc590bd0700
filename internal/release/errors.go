package release

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/klauspost/compress/zstd"
)

// Errors that callers distinguish. They are wrapped in errors that name the release and
// the file.
var (
	// ErrDamaged: content that ends early, or is not what was recorded.
	ErrDamaged = errors.New("it is damaged")
	// ErrFormat: a file that is not an archive, or not one that can be read.
	ErrFormat = errors.New("not a readable archive")
	// ErrIsStore: a store of releases in place of one release.
	ErrIsStore = errors.New("it is a store of releases")
	// ErrNotStore: a directory that is not empty and not a store of releases.
	ErrNotStore = errors.New("it is not empty and not a store of releases of precompress; name another directory")
	// ErrNotDirectory: a store that is not a directory.
	ErrNotDirectory = errors.New("it is not a directory; name one, or a name that is free")
	// ErrVersion: a store that another version of this package wrote.
	ErrVersion = errors.New("another version of precompress wrote it: use that version, or remove the directory to start again")

	// errTooLarge: a file of more than [MaxFile] bytes. It is listed, but cannot be
	// read; the rest of its release can.
	errTooLarge = errors.New("it is too large for a dictionary")
	// errUnsafe: an entry that the archive of a release has no reason to have. The
	// whole archive is refused.
	errUnsafe = errors.New("unsafe entry")
	// errLimit: more than the limits allow.
	errLimit = errors.New("over a limit")
	// errTwice: two entries have one name, and which of them was meant is unknown.
	errTwice = fmt.Errorf("%w: two entries have this name; create the archive again", errUnsafe)
)

// overLimit returns the error for a limit that was exceeded.
func overLimit(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errLimit, fmt.Sprintf(format, args...))
}

// cutShort marks the error of content that ends early.
func cutShort(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it ends early", ErrDamaged)
	}
	return err
}

// archiveError translates the errors of the packages that unpack to those of this one.
func archiveError(err error) error {
	var ofSystem *fs.PathError
	switch {
	case err == nil, err == io.EOF: // the end of an entry
		return err
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return fmt.Errorf("%w: it ends early; copy or create it again", ErrDamaged)
	case errors.Is(err, zstd.ErrWindowSizeExceeded), errors.Is(err, zstd.ErrDecoderSizeExceeded):
		return overLimit("it needs a zstd window of over %d bytes; compress it with a smaller one", maxWindow)
	case errors.Is(err, tar.ErrHeader):
		return fmt.Errorf("%w: it is not a tar archive, or damaged: %w", ErrFormat, err)
	case errors.As(err, &ofSystem), isOwn(err):
		return err
	}
	return fmt.Errorf("%w: %w; copy or create it again", ErrDamaged, err)
}

// isOwn reports whether an error needs no translation.
func isOwn(err error) bool {
	for _, own := range []error{ErrDamaged, ErrFormat, errTooLarge, errUnsafe, errLimit, context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, own) {
			return true
		}
	}
	return false
}

// shorten returns an entry's name for a message.
func shorten(name string) string {
	if len(name) > 200 {
		return name[:200] + "…"
	}
	return name
}
