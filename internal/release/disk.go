package release

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"

	"github.com/precompress/precompress/internal/osfile"
)

// marker marks the directory of a store. Without it, nothing is stored in a directory
// or removed from it.
var marker = osfile.NewMarker("This directory is a store of earlier releases of precompress.",
	`It holds what was deployed before, so that the next release can be sent as the
difference to it. Without it the next build makes no such differences.`)

// disk is the directory of a store. Every change to it goes through here. It is an
// [osfile.FS].
type disk struct {
	*os.Root
	// before is called before each step of a change, for tests: after an error, the
	// directory stays as if the process had been killed.
	before func(op, name string) error
}

// openDisk opens the directory of a store. It returns nil if the directory is missing.
func openDisk(dir string) (*disk, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, syscall.ENOTDIR), err == nil && !info.IsDir():
		return nil, ErrNotDirectory
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &disk{Root: root}, nil
}

// isMarked reports whether the directory is a store. If it is not, and cannot become
// one either, the error is [ErrNotStore].
func (d *disk) isMarked() (bool, error) {
	marked, free, err := marker.Find(d)
	if err == nil && !marked && !free {
		err = ErrNotStore
	}
	return marked, err
}

// mark makes a free directory a store.
func (d *disk) mark() error {
	marked, err := d.isMarked()
	if err != nil || marked {
		return err
	}
	return marker.Write(d, 0o600)
}

func (d *disk) step(op, name string) error {
	if d.before == nil {
		return nil
	}
	return d.before(op, name)
}

// OpenFile implements [osfile.FS].
func (d *disk) OpenFile(name string, flag int, perm fs.FileMode) (*os.File, error) {
	if flag&os.O_CREATE == 0 {
		return d.Root.OpenFile(name, flag, perm)
	}
	if err := d.step("create", name); err != nil {
		return nil, err
	}
	f, err := d.Root.OpenFile(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if err := d.step("write", name); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Rename implements [osfile.FS].
func (d *disk) Rename(from, to string) error {
	if err := d.step("rename", to); err != nil {
		return err
	}
	return d.Root.Rename(from, to)
}

// Remove implements [osfile.FS]. The file may be gone already.
func (d *disk) Remove(name string) error {
	if err := d.step("remove", name); err != nil {
		return err
	}
	if err := d.Root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// read returns the content of a regular file of at most limit bytes. The error wraps
// [ErrDamaged] if it has more.
func (d *disk) read(name string, limit int64) ([]byte, error) {
	f, err := osfile.OpenUnlinked(d, name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // opened for reading: no write can fail
	data, err := osfile.ReadAll(f, limit)
	if errors.Is(err, osfile.ErrTooLarge) {
		err = fmt.Errorf("%w: it has over %d bytes", ErrDamaged, limit)
	}
	return data, err
}

// write writes a file, whole or not at all, and makes its directory. What a power
// failure damages, its digest detects.
func (d *disk) write(name string, data []byte) error {
	dir := path.Dir(name)
	if info, err := d.Lstat(dir); err != nil || !info.IsDir() {
		if err := d.step("mkdir", dir); err != nil {
			return err
		}
		if err := d.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return osfile.WriteFile(d, name, data, 0o600)
}

// names returns the names in a directory, none if it is missing.
func (d *disk) names(dir string) ([]string, error) {
	f, err := d.Open(dir)
	if osfile.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close() // opened for reading: no write can fail
	return f.Readdirnames(-1)
}

// makeDirectory makes the directory of a store, open to its owner alone: whoever can
// write to it can put bytes into deltas.
func makeDirectory(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	return os.MkdirAll(dir, 0o700)
}

// lock waits until no other process changes the store in dir, or ctx is done.
func lock(ctx context.Context, dir string) (unlock func() error, err error) {
	sum := sha256.Sum256([]byte(osfile.RealPath(dir)))
	unlock, err = osfile.Lock(ctx, dir, fmt.Sprintf("precompress-releases-%x.lock", sum[:8]), nil)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", osfile.BareError(err))
	}
	return unlock, nil
}
