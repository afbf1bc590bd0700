package cache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"syscall"

	"github.com/precompress/precompress/internal/osfile"
)

// The marker tells backup programs that the directory is a cache, people what it
// is, and us that it is ours: without it, nothing is stored in or removed from
// a directory. The first line is that of https://bford.info/cachedir/.
const (
	markerName   = "CACHEDIR.TAG"
	markerPrefix = `Signature: 8a477f597d28d172789f06886806bc55
# This directory is a cache of precompress.
`
	markerText = markerPrefix + `# It holds what encoding files came to, so that the same bytes are never encoded
# twice. It may be removed at any time; "precompress cache clear" empties it.
`
)

// What cannot be used as a cache directory.
var (
	// ErrNotCache: a directory that is not empty, and no cache of ours.
	ErrNotCache = errors.New("it is not empty and not a cache of precompress: choose another directory, or remove this one if nothing in it is of use")
	// ErrNotDirectory: something else than a directory.
	ErrNotDirectory = errors.New("it is not a directory")
)

// isMarked reports whether the directory is a cache of ours.
func isMarked(root *os.Root) (bool, error) {
	data, _, err := readFile(root, markerName, 4096)
	switch {
	case err == nil:
		return strings.HasPrefix(string(data), markerPrefix), nil
	case osfile.IsNotExist(err), errors.Is(err, osfile.ErrNotRegular), errors.Is(err, ErrDamaged):
		return false, nil
	}
	if info, statErr := root.Lstat(markerName); statErr == nil && !info.Mode().IsRegular() {
		return false, nil // a link that leads nowhere, or out of the directory
	}
	return false, err
}

// remark gives back a marker that was removed while the directory was in use, as
// "rm -rf" does: what was stored since would make it a directory that is no cache.
func (f *Directory) remark() error {
	if _, err := f.root.Lstat(markerName); !osfile.IsNotExist(err) {
		return err
	}
	return writeFile(f.root, markerName, []byte(markerText))
}

// mark makes an empty directory a cache. It may be one that another process is
// marking at the same time.
func mark(root *os.Root) error {
	free, err := isFree(root)
	if err != nil {
		return err
	}
	if !free {
		// The other process may have done it in the meantime.
		if marked, err := isMarked(root); err != nil || marked {
			return err
		}
		return ErrNotCache
	}
	return writeFile(root, markerName, []byte(markerText))
}

// adopt makes an unmarked directory a cache, or says why it is none.
func adopt(root *os.Root, create bool) error {
	if create {
		return mark(root)
	}
	free, err := isFree(root)
	switch {
	case err != nil:
		return err
	case free:
		return fs.ErrNotExist // there is no cache yet
	}
	return ErrNotCache
}

// isFree reports whether a directory holds nothing that anybody could miss.
func isFree(root *os.Root) (bool, error) {
	dir, err := root.Open(".")
	if err != nil {
		return false, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(16)
	if err != nil && err != io.EOF {
		return false, err
	}
	for _, name := range names {
		// The root of a file system has the directory lost+found.
		if !osfile.IsTempName(name) && name != "lost+found" {
			return false, nil
		}
	}
	return len(names) < 16, nil
}

// openDirectory opens a cache directory. With create it is made where it is missing;
// else the error wraps [fs.ErrNotExist].
func openDirectory(dir string, create bool) (*os.Root, error) {
	root, err := openRoot(dir, create)
	if err == nil {
		var marked bool
		if marked, err = isMarked(root); err == nil && !marked {
			err = adopt(root, create)
		}
		if err != nil {
			root.Close() // a read-only handle: nothing can be lost
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cache directory %q: %w", dir, osfile.BareError(err))
	}
	return root, nil
}

// openRoot opens a directory. One that it makes is open to its owner alone: whoever
// can write to it can put bytes into sites.
func openRoot(dir string, create bool) (*os.Root, error) {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, syscall.ENOTDIR), err == nil && !info.IsDir():
		return nil, ErrNotDirectory
	case err != nil && !errors.Is(err, fs.ErrPermission) && isLink(dir):
		return nil, errDeadLink
	case errors.Is(err, fs.ErrNotExist) && create:
		if err = os.MkdirAll(dir, 0o700); errors.Is(err, fs.ErrExist) {
			err = errDeadLink // on the way
		}
	}
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

// errDeadLink is about the name of a directory that is a link.
var errDeadLink = fmt.Errorf("%w: a link leads to what is not there", ErrNotDirectory)

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}
