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

// realDirectories tells where the directories of a tree really are. A recorded path
// may lead through a link that took a directory's place since: what stands there
// is another asset's, or nobody's in this tree.
type realDirectories struct {
	root  *os.Root
	known map[string]realDirectory
}

type realDirectory struct {
	path   string
	inside bool // the tree, and there
}

func newRealDirectories(root *os.Root) *realDirectories {
	return &realDirectories{root, make(map[string]realDirectory)}
}

// file returns the path of a file after resolving the links among its directories.
// ok is false if they lead nowhere or out of the tree.
func (r *realDirectories) file(name string) (real string, ok bool) {
	if r.root == nil {
		return "", false
	}
	dir := r.directory(path.Dir(name))
	return path.Join(dir.path, path.Base(name)), dir.inside
}

func (r *realDirectories) directory(dir string) realDirectory {
	if dir == "." {
		return realDirectory{dir, true}
	}
	if known, found := r.known[dir]; found {
		return known
	}
	real := r.directory(path.Dir(dir))
	if real.inside {
		real.path = path.Join(real.path, path.Base(dir))
		real = r.resolve(real)
	}
	r.known[dir] = real
	return real
}

// resolve resolves a directory whose parents are resolved already.
func (r *realDirectories) resolve(dir realDirectory) realDirectory {
	info, err := r.root.Lstat(dir.path)
	switch {
	case osfile.IsNotExist(err), errors.Is(err, syscall.ELOOP):
		return realDirectory{}
	case err != nil || info.Mode()&fs.ModeSymlink == 0:
		return dir // a fault shows when its files are looked at
	}
	target, err := filepath.EvalSymlinks(filepath.Join(r.root.Name(), filepath.FromSlash(dir.path)))
	if err != nil {
		return realDirectory{}
	}
	rel, inside := relative(r.root.Name(), target)
	return realDirectory{filepath.ToSlash(rel), inside}
}
