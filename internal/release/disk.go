package release

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/precompress/precompress/internal/osfile"
)

// disk is the directory of a store. Every change to it goes through here.
type disk struct {
	root *os.Root
	// before is called before each step of a change, for tests: an error ends the
	// change there, and nothing is tidied up, as if the process were killed.
	before func(op, name string) error
}

func (d *disk) step(op, name string) error {
	if d.before == nil {
		return nil
	}
	return d.before(op, name)
}

// read returns a regular file's bytes, unless they are more than limit.
func (d *disk) read(name string, limit int64) ([]byte, error) {
	f, err := openRegular(d.root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read-only: nothing can be lost
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%w: it has over %d bytes", ErrDamaged, limit)
	}
	return data, err
}

// write gives name its content, whole or not at all, and makes its directory. What a
// power cut damages is noticed by its digest: nothing is flushed to disk.
func (d *disk) write(name string, data []byte) error {
	if err := d.mkdir(path.Dir(name)); err != nil {
		return err
	}
	temp := path.Join(path.Dir(name), osfile.TempName())
	if err := d.step("create", temp); err != nil {
		return err
	}
	f, err := d.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	if err := d.step("write", temp); err != nil {
		f.Close()
		return err
	}
	_, err = f.Write(data)
	err = errors.Join(err, f.Close())
	if err == nil {
		if err := d.step("rename", name); err != nil {
			return err
		}
		err = d.root.Rename(temp, name)
	}
	if err != nil {
		d.root.Remove(temp) // best effort: Keep removes what is left
	}
	return err
}

func (d *disk) mkdir(name string) error {
	if name == "." {
		return nil
	}
	if info, err := d.root.Lstat(name); err == nil && info.IsDir() {
		return nil
	}
	if err := d.step("mkdir", name); err != nil {
		return err
	}
	return d.root.MkdirAll(name, 0o700)
}

// remove removes a file, which may be gone already.
func (d *disk) remove(name string) error {
	if err := d.step("remove", name); err != nil {
		return err
	}
	if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// names returns the names in a directory, none if it is missing.
func (d *disk) names(dir string) ([]string, error) {
	f, err := d.root.Open(dir)
	if osfile.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return f.Readdirnames(-1)
}

// isLowerHex reports whether s has nothing but lower-case hexadecimal digits.
func isLowerHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }
