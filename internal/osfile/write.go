package osfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Names of temporary files: no server sends a name of this kind, and a later run
// recognizes them.
const (
	tempPrefix = ".precompress-"
	tempSuffix = ".tmp"
)

// TempName returns the name of a temporary file that nobody else writes to.
func TempName() string { return fmt.Sprintf("%s%016x%s", tempPrefix, rand.Uint64(), tempSuffix) }

// IsTempName reports whether the last element of a path is the name of a temporary
// file: one that is being written, or that a killed process left.
func IsTempName(base string) bool {
	middle, isPrefix := strings.CutPrefix(base, tempPrefix)
	middle, isSuffix := strings.CutSuffix(middle, tempSuffix)
	return isPrefix && isSuffix && len(middle) == 16 && IsLowerHex(middle)
}

// IsLowerHex reports whether s has only lower-case hexadecimal digits, as the names of
// files that are named by a digest.
func IsLowerHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

// WriteFile is [os.WriteFile], except that the file gets its content whole or not at
// all. See [Write].
func WriteFile(fsys FS, name string, data []byte, perm fs.FileMode) error {
	return write(fsys, name, perm, nil, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Write gives a file the content that fill writes, whole or not at all: whoever opens
// the name finds the old file or the new one. The content goes to a temporary file in
// the same directory, which then gets the name. Without attributes (nil), the file
// gets the mode 0o666 before the umask, and the time of writing.
//
// If that fails, name is as it was and the temporary file is removed. Only a process
// that is killed leaves one: see [IsTempName]. Nothing is flushed to disk: what a
// power failure damages, digests detect.
func Write(fsys FS, name string, attr *Attributes, fill func(io.Writer) error) error {
	perm := fs.FileMode(0o666)
	if attr != nil {
		perm = 0o600 // nobody else may read the file until it has its mode
	}
	return write(fsys, name, perm, attr, fill)
}

func write(fsys FS, name string, perm fs.FileMode, attr *Attributes, fill func(io.Writer) error) error {
	temp := tempFor(name)
	f, err := fsys.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	err = fill(f)
	if err == nil && attr != nil {
		err = f.Chmod(attr.Mode)
	}
	err = errors.Join(err, f.Close())
	if err == nil && attr != nil && !attr.ModTime.IsZero() {
		err = fsys.Chtimes(temp, attr.ModTime, attr.ModTime)
	}
	if err == nil {
		err = fsys.Rename(temp, name)
	}
	if err != nil {
		fsys.Remove(temp) // best effort: a later run removes what is left
	}
	return err
}

// CanWrite returns the error that [Write] would meet when it creates its temporary
// file. It creates one and removes it.
func CanWrite(fsys FS, name string) error {
	temp := tempFor(name)
	f, err := fsys.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), fsys.Remove(temp))
}

// tempFor returns the path of a new temporary file in the directory of a file.
func tempFor(name string) string {
	dir, _ := filepath.Split(name)
	return dir + TempName()
}

// Attributes are what a file has besides its content.
type Attributes struct {
	Mode    fs.FileMode // permission bits
	ModTime time.Time   // zero: the time of writing
}

// AttributesOf returns the attributes of a file, for another that takes them over.
// Times that the system's call cannot set (nanoseconds since 1970 in 64 bits) become
// the nearest that it can.
func AttributesOf(info fs.FileInfo) *Attributes {
	mtime := info.ModTime()
	if latest := time.Unix(0, math.MaxInt64); mtime.After(latest) {
		mtime = latest
	}
	if earliest := time.Unix(0, math.MinInt64); mtime.Before(earliest) {
		mtime = earliest
	}
	return &Attributes{info.Mode().Perm(), mtime}
}

// Match reports whether a file has these attributes.
func (a *Attributes) Match(info fs.FileInfo) bool {
	return info.Mode().Perm() == a.Mode && info.ModTime().Equal(a.ModTime)
}

// Set gives a file these attributes. info is its state so far: what it has already is
// not set again.
func (a *Attributes) Set(fsys FS, name string, info fs.FileInfo) error {
	if info.Mode().Perm() != a.Mode {
		if err := fsys.Chmod(name, a.Mode); err != nil {
			return err
		}
	}
	if !info.ModTime().Equal(a.ModTime) {
		return fsys.Chtimes(name, a.ModTime, a.ModTime)
	}
	return nil
}
