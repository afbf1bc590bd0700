// Package osfile has what the packages that keep files of their own need of the
// system alike: opening, naming and locking.
package osfile

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// ErrNotRegular is about a name that something else than a regular file has.
var ErrNotRegular = errors.New("not a regular file")

// OpenRegular opens a regular file with the flags of [os.OpenFile]. It does not
// wait for the other end of a FIFO that has the file's name.
func OpenRegular(root *os.Root, name string, flag int) (*os.File, fs.FileInfo, error) {
	f, err := root.OpenFile(name, flag|syscall.O_NONBLOCK, 0)
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

// IsNotExist reports whether a file is missing, itself or a directory on its way.
func IsNotExist(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
