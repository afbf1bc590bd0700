package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"

	"github.com/precompress/precompress/precompress"
)

// errNotRegular is about a directory, a device or a FIFO in the place of a file.
var errNotRegular = errors.New("not a regular file")

// errTooLarge is about a file that is too large to be what it is named as.
var errTooLarge = errors.New("too large")

// openRegular opens a regular file. It does not wait for the other end of a FIFO,
// and reads nothing from a device.
func openRegular(name string, flag int) (*os.File, error) {
	// Looked at first: to open a device can do something.
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return nil, errNotRegular
	}
	f, err := os.OpenFile(name, flag|syscall.O_NONBLOCK, 0o666)
	if err != nil {
		return nil, withoutName(err)
	}
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		f.Close()
		return nil, errors.Join(err, errNotRegular)
	}
	return f, nil
}

// readRegular returns the bytes of a regular file that has at most limit.
func readRegular(name string, limit int64) ([]byte, error) {
	f, err := openRegular(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, withoutName(err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("%w: more than %s", errTooLarge, size(limit))
	}
	return data, nil
}

// withoutName returns what went wrong with a file that the message names by
// itself.
func withoutName(err error) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return path.Err
	case errors.As(err, &link):
		return link.Err
	}
	return err
}

// appendFile adds text to the end of a regular file, on a line of its own. The
// file is made if there is none.
func appendFile(name, text string) error {
	f, err := openRegular(name, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return fmt.Errorf("%s: %w", precompress.PrintablePath(name), err)
	}
	if !endsLine(name) {
		text = "\n" + text
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// endsLine reports whether a file is empty or ends with the end of a line. Of one
// that may not be read that is not known.
func endsLine(name string) bool {
	f, err := openRegular(name, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return err == nil
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] == '\n'
}
