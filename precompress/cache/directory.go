package cache

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"syscall"
	"time"

	"github.com/precompress/precompress/internal/osfile"
)

// Directory is a cache directory. Several processes may use one at a time without
// locks: an entry is complete from the moment it has its name, and one that another
// process removed is a miss. The content of the directory is not trusted: links that
// lead out of it are not followed, and an entry that is not a regular file is a miss.
type Directory struct {
	root *os.Root
	now  func() time.Time
}

// Errors about directories that cannot be a cache.
var (
	// ErrNotCache: the directory is not empty and not a cache of precompress.
	ErrNotCache = errors.New("it is not empty and not a cache of precompress: choose another directory, or remove this one if nothing in it is of use")
	// ErrNotDirectory: it is something other than a directory.
	ErrNotDirectory = errors.New("it is not a directory")

	errDeadLink = fmt.Errorf("%w: a link leads to what is not there", ErrNotDirectory)
)

// marker marks a cache directory. Without it, nothing is stored in a directory or
// removed from it.
var marker = osfile.NewMarker("This directory is a cache of precompress.",
	`It holds the results of encoding files, so that the same bytes are never encoded
twice. It may be removed at any time; "precompress cache clear" empties it.`)

// OpenDirectory opens a cache directory for maintenance. The error wraps
// [fs.ErrNotExist] if there is none or it is empty, [ErrNotCache] if it holds something
// else, and [ErrNotDirectory] if it is not a directory.
func OpenDirectory(dir string) (*Directory, error) { return openDirectory(dir, false) }

// openDirectory opens a cache directory. With create, it is made if it is missing.
func openDirectory(dir string, create bool) (*Directory, error) {
	root, err := openRoot(dir, create)
	if err == nil {
		if err = adopt(root, create); err != nil {
			root.Close() // the error to report is the one above
		}
	}
	if err != nil {
		return nil, fmt.Errorf("cache directory %q: %w", dir, osfile.BareError(err))
	}
	return &Directory{root: root, now: time.Now}, nil
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
			err = errDeadLink // a parent is one
		}
	}
	if err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

// adopt makes sure that a directory is a cache. With create, an empty one becomes one.
func adopt(root *os.Root, create bool) error {
	marked, free, err := marker.Find(root)
	switch {
	case err != nil || marked:
		return err
	case !free:
		return ErrNotCache
	case !create:
		return fs.ErrNotExist // there is no cache yet
	}
	return marker.Write(root, 0o666)
}

// restoreMarker writes the marker again if it was removed while the directory was in
// use, as "rm -rf" does: without it, what was stored since would be no cache.
func (d *Directory) restoreMarker() error {
	if _, err := d.root.Lstat(osfile.MarkerName); !osfile.IsNotExist(err) {
		return err
	}
	return marker.Write(d.root, 0o666)
}

// Close closes the directory.
func (d *Directory) Close() error { return d.root.Close() }

// touchAfter is how old the time of an entry's last use may get before a hit renews
// it: exact enough to find the least recently used entries, and most hits cost no
// write.
const touchAfter = time.Hour

// get returns a key's entry. A missing entry is no error; nor is a damaged one, which
// is removed.
func (d *Directory) get(key Key) (e Entry, found bool, err error) {
	name := entryName(key)
	e, info, err := d.read(key)
	switch {
	case err == nil:
		if now := d.now(); now.Sub(info.ModTime()) > touchAfter {
			d.root.Chtimes(name, now, now) // best effort: who may write does it
		}
		return e, true, nil
	case osfile.IsNotExist(err):
		return Entry{}, false, nil
	case d.isDamage(name, err):
		d.root.Remove(name) // best effort: storing the entry replaces it
		return Entry{}, false, nil
	}
	return Entry{}, false, err
}

// read returns a key's entry after checking it, and the state of its file.
func (d *Directory) read(key Key) (Entry, fs.FileInfo, error) {
	file, info, err := osfile.OpenRegular(d.root, entryName(key), os.O_RDONLY)
	if err != nil {
		return Entry{}, nil, err
	}
	defer file.Close() // opened for reading: no write can fail
	// The header is checked first: only a true one gets memory for the rest.
	var header [headerSize]byte
	if _, err := io.ReadFull(file, header[:]); err != nil {
		return Entry{}, nil, shortRead(err)
	}
	length, err := storedLength(key, header[:])
	if err == nil && length != info.Size() {
		err = damaged("it has %d bytes in place of %d", info.Size(), length)
	}
	if err != nil {
		return Entry{}, nil, err
	}
	data := make([]byte, length)
	copy(data, header[:])
	if _, err := io.ReadFull(file, data[headerSize:]); err != nil {
		return Entry{}, nil, shortRead(err)
	}
	e, err := decodeEntry(key, data)
	return e, info, err
}

// shortRead marks the error of a file that ends early.
func shortRead(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return damaged("it is cut short")
	}
	return err
}

// isDamage reports whether reading an entry failed because of what its name belongs
// to, not because of the system.
func (d *Directory) isDamage(name string, err error) bool {
	if errors.Is(err, errDamaged) {
		return true
	}
	info, err := d.root.Lstat(name)
	return err == nil && !info.Mode().IsRegular()
}

// put stores the form of an entry.
func (d *Directory) put(key Key, form []byte) error {
	name := entryName(key)
	err := osfile.WriteFile(d.root, name, form, 0o666)
	if errors.Is(err, fs.ErrNotExist) {
		if err = d.root.Mkdir(groupOf(key), 0o777); err == nil || errors.Is(err, fs.ErrExist) {
			err = osfile.WriteFile(d.root, name, form, 0o666)
		}
	}
	if err == nil {
		return d.restoreMarker()
	}
	if _, _, readErr := d.read(key); readErr == nil {
		return nil // another process stored it, and on some systems has it open
	}
	return err
}
