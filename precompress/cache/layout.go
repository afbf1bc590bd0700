package cache

import (
	"context"
	"encoding/hex"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/precompress/precompress/internal/osfile"
)

// A cache directory holds
//
//	CACHEDIR.TAG                      the marker
//	growth                            an estimate of its size, see size.go
//	0a/0a…64 hexadecimal digits       entries, named by their keys
//	0a/.precompress-….tmp             entries that are being written
//
// and nothing else of ours: files of other names are never opened and never removed.
// The directories of entries are called groups.

// groupOf returns the name of the group of a key's entry.
func groupOf(k Key) string { return hex.EncodeToString(k[:1]) }

// entryName returns the path of a key's entry in the cache directory.
func entryName(k Key) string { return groupOf(k) + "/" + k.String() }

// isGroup reports whether a name in the cache directory is that of a group.
func isGroup(name string) bool { return len(name) == 2 && osfile.IsLowerHex(name) }

// parseEntryName returns the key whose entry has this name in this group.
func parseEntryName(group, name string) (key Key, ok bool) {
	if len(name) != 2*len(key) || !osfile.IsLowerHex(name) || !strings.HasPrefix(name, group) {
		return key, false
	}
	_, err := hex.Decode(key[:], []byte(name))
	return key, err == nil
}

// storedFile is the file of an entry, or a temporary one.
type storedFile struct {
	name string // its path in the cache directory
	key  Key    // of an entry
	size int64  // on disk, see diskSize
	used time.Time
}

// contents is what a walk through the cache directory found.
type contents struct {
	entries, temps []storedFile // sorted by name
	groups         []string     // names
	// misplaced are the names of directories that should be entries, and of other
	// things that should be groups.
	misplaced []string
	size      int64 // of entries and temporary files on disk, in bytes
}

// blockSize is the unit in bytes in which most file systems allocate space.
const blockSize = 4096

// diskSize returns the size on disk of a file of n bytes. If only their bytes counted,
// small entries would take many times the limit.
func diskSize(n int64) int64 { return (n + blockSize - 1) / blockSize * blockSize }

// walk lists the cache directory. Directories and files that are not ours, or that
// cannot be read, are skipped.
func (d *Directory) walk(ctx context.Context) (contents, error) {
	var c contents
	top, err := d.list(".")
	if err != nil {
		return c, err
	}
	for _, e := range top {
		name := e.Name()
		switch {
		case isGroup(name) && e.IsDir():
			if err := ctx.Err(); err != nil {
				return c, err
			}
			d.walkGroup(&c, name)
		case isGroup(name):
			c.misplaced = append(c.misplaced, name)
		case osfile.IsTempName(name):
			c.add(e, name, nil)
		}
	}
	return c, nil
}

func (d *Directory) walkGroup(c *contents, group string) {
	files, err := d.list(group)
	if err != nil {
		return // it is not ours, or was removed meanwhile
	}
	c.groups = append(c.groups, group)
	for _, file := range files {
		name := group + "/" + file.Name()
		key, isEntry := parseEntryName(group, file.Name())
		switch {
		case isEntry && file.IsDir():
			c.misplaced = append(c.misplaced, name)
		case isEntry:
			c.add(file, name, &key)
		case osfile.IsTempName(file.Name()):
			c.add(file, name, nil)
		}
	}
}

// add adds a file: an entry if it has a key, else a temporary one.
func (c *contents) add(file fs.DirEntry, name string, key *Key) {
	info, err := file.Info()
	if err != nil || info.IsDir() {
		return // removed meanwhile, or not ours
	}
	f := storedFile{name: name, used: info.ModTime()}
	if info.Mode().IsRegular() {
		f.size = diskSize(info.Size())
	}
	c.size += f.size
	if key == nil {
		c.temps = append(c.temps, f)
		return
	}
	f.key = *key
	c.entries = append(c.entries, f)
}

// list returns the entries of a directory, sorted by name.
func (d *Directory) list(name string) ([]fs.DirEntry, error) {
	// A FIFO may have taken the directory's place.
	dir, err := d.root.OpenFile(name, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close() // opened for reading: no write can fail
	found, err := dir.ReadDir(-1)
	slices.SortFunc(found, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return found, err
}
