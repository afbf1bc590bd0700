package serve

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// opener opens a tree for an index. close releases it and may be called while files
// of the tree are open.
type opener func() (tree fs.FS, close func() error, err error)

// openFS is for any file system. Closing it is up to the caller.
func openFS(fsys fs.FS) opener {
	return func() (fs.FS, func() error, error) {
		return fsys, func() error { return nil }, nil
	}
}

// openDir opens the directory for every index, since it may have been replaced as a
// whole. The runtime closes the root of an earlier index when no request uses it any
// more.
func openDir(path string) opener {
	return func() (fs.FS, func() error, error) {
		root, err := os.OpenRoot(path)
		if err != nil {
			return nil, nil, err
		}
		return rootFS{root}, root.Close, nil
	}
}

// rootFS is a directory that symbolic links cannot lead out of. Unlike [os.Root.FS]
// it takes names that are not UTF-8.
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

// entryType returns the type of a directory entry or, for a symbolic link that is
// safe to follow, of its target. Not safe are links in any file system but a root,
// which may lead out of it, and links to directories, which may form cycles.
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

// errChanged is the error for a file that is not what it was when it was verified.
var errChanged = errors.New("the content has changed")

// sameState reports whether a file most likely has the same content in two states:
// the size and time are the same, and so is the file, where the system can tell.
func sameState(a, b fs.FileInfo) bool {
	if a.Size() != b.Size() || !a.ModTime().Equal(b.ModTime()) {
		return false
	}
	known := os.SameFile(a, a) // false for files of other file systems
	return !known || os.SameFile(a, b)
}

// seekable returns f if it can seek, or else a file that seeks by reading on and by
// opening again: files in a zip archive can only be read.
func seekable(tree fs.FS, name string, f fs.File) io.ReadSeekCloser {
	if s, ok := f.(io.ReadSeekCloser); ok {
		return s
	}
	return &reopener{tree: tree, name: name, file: f}
}

// reopener makes a file seekable that can only be read.
type reopener struct {
	tree fs.FS
	name string
	file fs.File
	at   int64 // of the file
	want int64 // where the next Read starts
}

func (r *reopener) Close() error { return r.file.Close() }

func (r *reopener) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += r.want
	case io.SeekEnd:
		info, err := r.file.Stat()
		if err != nil {
			return 0, err
		}
		offset += info.Size()
	}
	if offset < 0 {
		return 0, errors.New("seek before the start of the file")
	}
	r.want = offset
	return offset, nil
}

func (r *reopener) Read(p []byte) (int, error) {
	if r.want < r.at {
		f, err := r.tree.Open(r.name)
		if err != nil {
			return 0, err
		}
		r.file.Close()
		r.file, r.at = f, 0
	}
	skipped, err := io.CopyN(io.Discard, r.file, r.want-r.at)
	r.at += skipped
	if err != nil {
		return 0, err // io.EOF beyond the end, as a Read there has to return
	}
	n, err := r.file.Read(p)
	r.at += int64(n)
	r.want = r.at
	return n, err
}
