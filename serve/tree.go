package serve

import (
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// opener opens a tree for one index. close releases it and may be called while
// files of the tree are open.
type opener func() (tree fs.FS, close func() error, err error)

// openFS serves any file system. It is the caller's to close.
func openFS(fsys fs.FS) opener {
	return func() (fs.FS, func() error, error) {
		return fsys, func() error { return nil }, nil
	}
}

// openDir opens the directory anew for every index, so that one that was replaced
// as a whole is found. A root that an earlier index has opened is closed by the
// runtime, once the last request that uses it is gone.
func openDir(path string) opener {
	return func() (fs.FS, func() error, error) {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, nil, err
		}
		return rootFS{root}, root.Close, nil
	}
}

// rootFS is a directory that no symbolic link leads out of. Unlike
// [os.Root.FS] it takes names that are not UTF-8.
type rootFS struct{ root *os.Root }

var (
	_ fs.ReadDirFS = rootFS{}
	_ fs.StatFS    = rootFS{}
)

func (r rootFS) Open(name string) (fs.File, error) { return r.root.Open(name) }

func (r rootFS) Stat(name string) (fs.FileInfo, error) { return r.root.Stat(name) }

func (r rootFS) ReadDir(name string) ([]fs.DirEntry, error) {
	d, err := r.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	entries, err := d.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}

// entryType returns the type of a directory entry, of a link's target where it
// is safe to follow. Only a root knows where a link leads: in any other file
// system links are left alone, and so are links to directories, which could lead in
// circles.
func entryType(tree fs.FS, name string, e fs.DirEntry) fs.FileMode {
	if _, ok := tree.(rootFS); !ok || e.Type()&fs.ModeSymlink == 0 {
		return e.Type()
	}
	info, err := fs.Stat(tree, name)
	if err != nil || info.IsDir() {
		return fs.ModeSymlink
	}
	return info.Mode().Type()
}

// openRegular opens a file for reading and returns its state.
func openRegular(tree fs.FS, name string) (fs.File, fs.FileInfo, error) {
	f, err := tree.Open(name)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("open %s: not a regular file: %w", name, fs.ErrNotExist)
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// sameState reports whether two states are most likely of the same content: the
// same file, where the system can tell, of the same size and time.
func sameState(a, b fs.FileInfo) bool {
	if a.Size() != b.Size() || !a.ModTime().Equal(b.ModTime()) {
		return false
	}
	known := os.SameFile(a, a) // false for files of other file systems
	return !known || os.SameFile(a, b)
}
