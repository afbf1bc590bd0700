// Package osfile is the one place for what every package that reads or writes files has
// to get right: opening a regular file without hanging on a FIFO, writing a file whole
// or not at all, naming temporary files, marking and locking directories.
//
// Names are those of an [FS]: relative to an [*os.Root], or plain paths with [Paths].
// Errors are those of package os, with path and operation; [BareError] strips these for
// messages that say them already.
package osfile

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// FS is where files are. An [*os.Root] is one, and so is [Paths].
type FS interface {
	OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error)
	Stat(name string) (fs.FileInfo, error)
	Lstat(name string) (fs.FileInfo, error)
	Chmod(name string, mode fs.FileMode) error
	Chtimes(name string, atime, mtime time.Time) error
	Rename(from, to string) error
	Remove(name string) error
}

// Paths is the FS of plain paths, as package os takes them.
type Paths struct{}

var _, _ FS = Paths{}, (*os.Root)(nil)

// OpenFile is [os.OpenFile].
func (Paths) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	return os.OpenFile(name, flag, perm)
}

// Stat is [os.Stat].
func (Paths) Stat(name string) (fs.FileInfo, error) { return os.Stat(name) }

// Lstat is [os.Lstat].
func (Paths) Lstat(name string) (fs.FileInfo, error) { return os.Lstat(name) }

// Chmod is [os.Chmod].
func (Paths) Chmod(name string, mode fs.FileMode) error { return os.Chmod(name, mode) }

// Chtimes is [os.Chtimes].
func (Paths) Chtimes(name string, atime, mtime time.Time) error {
	return os.Chtimes(name, atime, mtime)
}

// Rename is [os.Rename].
func (Paths) Rename(from, to string) error { return os.Rename(from, to) }

// Remove is [os.Remove].
func (Paths) Remove(name string) error { return os.Remove(name) }

var (
	// ErrNotRegular: the name is that of a directory, a device, a FIFO, ….
	ErrNotRegular = errors.New("not a regular file")
	// ErrTooLarge: the file has more bytes than the caller takes.
	ErrTooLarge = errors.New("too large")
)

// OpenRegular opens a regular file with the flags of [os.OpenFile] and returns its
// state. The error is [ErrNotRegular] if the name is that of anything else; it never
// waits for the other end of a FIFO. A file that it creates gets the mode 0o666 before
// the umask.
func OpenRegular(fsys FS, name string, flag int) (*os.File, fs.FileInfo, error) {
	// Opening a device can have effects of its own. Files of a root need no look
	// before: whoever walked the tree has seen what they are.
	if _, isPlain := fsys.(Paths); isPlain {
		if info, err := fsys.Stat(name); err == nil && !info.Mode().IsRegular() {
			return nil, nil, ErrNotRegular
		}
	}
	f, err := fsys.OpenFile(name, flag|syscall.O_NONBLOCK, 0o666)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		f.Close() // the error to report is the one above
		return nil, nil, err
	}
	return f, info, nil
}

// OpenUnlinked opens a regular file for reading. Unlike [OpenRegular], it does not
// follow a link of that name: the error is [ErrNotRegular].
func OpenUnlinked(fsys FS, name string) (*os.File, error) {
	info, err := fsys.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = ErrNotRegular
	}
	if err != nil {
		return nil, err
	}
	f, _, err := OpenRegular(fsys, name, os.O_RDONLY)
	return f, err
}

// ReadFile returns the content of a regular file of at most limit bytes. The error
// wraps [ErrTooLarge] if it has more.
func ReadFile(fsys FS, name string, limit int64) ([]byte, error) {
	f, _, err := OpenRegular(fsys, name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close() // opened for reading: no write can fail
	return ReadAll(f, limit)
}

// ReadAll is [io.ReadAll] for at most limit bytes. The error is [ErrTooLarge] if there
// are more.
func ReadAll(r io.Reader, limit int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err == nil && int64(len(data)) > limit {
		return nil, ErrTooLarge
	}
	return data, err
}

// ContextReader reads until its context is done.
type ContextReader struct {
	Ctx context.Context
	io.Reader
}

// Read fails with the context's error once the context is done.
func (r ContextReader) Read(p []byte) (int, error) {
	if err := r.Ctx.Err(); err != nil {
		return 0, err
	}
	return r.Reader.Read(p)
}

// BareError strips the path and operation that package os puts around a cause,
// for messages that say them already.
func BareError(err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		return pe.Err
	case errors.As(err, &le):
		return le.Err
	}
	return err
}

// IsNotExist reports whether a file is missing, or a directory of its path is.
func IsNotExist(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
