package precompress

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"github.com/precompress/precompress/internal/osfile"
)

// realFolders tells where the folders of a tree really are. A recorded path
// may lead through a link that took a folder's place since: what stands there
// is another asset's, or nobody's in this tree.
type realFolders struct {
	root  *os.Root
	known map[string]realFolder
}

type realFolder struct {
	path   string
	inside bool // the tree, and there
}

func newRealFolders(root *os.Root) *realFolders {
	return &realFolders{root, make(map[string]realFolder)}
}

// file returns the path of a file after resolving the links among its folders.
// ok is false if they lead nowhere or out of the tree.
func (r *realFolders) file(name string) (real string, ok bool) {
	if r.root == nil {
		return "", false
	}
	dir := r.folder(path.Dir(name))
	return path.Join(dir.path, path.Base(name)), dir.inside
}

func (r *realFolders) folder(dir string) realFolder {
	if dir == "." {
		return realFolder{dir, true}
	}
	if known, found := r.known[dir]; found {
		return known
	}
	real := r.folder(path.Dir(dir))
	if real.inside {
		real.path = path.Join(real.path, path.Base(dir))
		real = r.resolve(real)
	}
	r.known[dir] = real
	return real
}

// resolve resolves a folder whose parents are resolved already.
func (r *realFolders) resolve(dir realFolder) realFolder {
	info, err := r.root.Lstat(dir.path)
	switch {
	case osfile.IsNotExist(err), errors.Is(err, syscall.ELOOP):
		return realFolder{}
	case err != nil || info.Mode()&fs.ModeSymlink == 0:
		return dir // a fault shows when its files are looked at
	}
	target, err := filepath.EvalSymlinks(filepath.Join(r.root.Name(), filepath.FromSlash(dir.path)))
	if err != nil {
		return realFolder{}
	}
	rel, inside := relative(r.root.Name(), target)
	return realFolder{filepath.ToSlash(rel), inside}
}
