package cache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
)

// errNotRegular is about a name of ours that something else than a file has.
var errNotRegular = errors.New("not a regular file")

// openRegular opens a regular file. It does not wait for the other end of a
// FIFO that has the file's name.
func openRegular(root *os.Root, name string, flag int) (*os.File, fs.FileInfo, error) {
	f, err := root.OpenFile(name, flag|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		f.Close() // the error to report is the one above
		return nil, nil, err
	}
	return f, info, nil
}

// readFile returns a regular file's bytes, unless they are more than limit.
func readFile(root *os.Root, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := openRegular(root, name, os.O_RDONLY)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info.Size() > limit {
		return nil, nil, fmt.Errorf("%w: %d bytes are too many", ErrDamaged, info.Size())
	}
	data := make([]byte, info.Size())
	if _, err := io.ReadFull(f, data); err != nil {
		return nil, nil, err
	}
	return data, info, nil
}

// writeFile gives name its content, whole or not at all. Nothing is flushed to
// disk: what a power cut damages is noticed by its digest.
func writeFile(root *os.Root, name string, data []byte) error {
	temp := path.Join(path.Dir(name), newTempName())
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		root.Remove(temp) // best effort: pruning removes what is left
	}
	return err
}

// bareError strips the path that package os puts around a cause.
func bareError(err error) error {
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

// isNotExist tells whether a file is missing, itself or a folder on its way.
func isNotExist(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
