package precompress

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/precompress/precompress/internal/osfile"
)

// requireDirectory returns an error if dir is no directory.
func requireDirectory(dir string) error {
	info, err := os.Stat(dir)
	if err != nil {
		return &Error{Op: OpOpen, Path: dir, Err: bareError(err)}
	}
	if !info.IsDir() {
		return &Error{Op: OpOpen, Path: dir, Err: ErrNotDirectory}
	}
	return nil
}

// apart refuses a tree and an output directory where one contains the other,
// also through links.
func apart(dir, out string) error {
	_, outInside := relative(dir, out)
	_, dirInside := relative(out, dir)
	if outInside || dirInside {
		return invalid("Out", "the output directory %q and the tree %q contain one another: choose a directory outside, or none for siblings", out, dir)
	}
	return nil
}

// relative returns path relative to dir, and whether it is dir or inside it, after
// resolving the links in both.
func relative(dir, path string) (string, bool) {
	rel, err := filepath.Rel(osfile.RealPath(dir), osfile.RealPath(path))
	inside := err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
	return rel, inside
}

// linkResolver finds out where the recorded files of a tree are now. A path may
// lead through a link that has replaced a directory since: the file there belongs to
// another asset, or is not in this tree at all.
type linkResolver struct {
	root  *os.Root // nil if there is no tree yet
	known map[string]resolvedDirectory
}

type resolvedDirectory struct {
	path   string
	inside bool // it exists and is inside the tree
}

func newLinkResolver(root *os.Root) *linkResolver {
	return &linkResolver{root, make(map[string]resolvedDirectory)}
}

// file returns the path of a file after resolving the links among its directories.
// ok is false if they lead nowhere or out of the tree.
func (r *linkResolver) file(name string) (resolved string, ok bool) {
	if r.root == nil {
		return "", false
	}
	dir := r.directory(path.Dir(name))
	return path.Join(dir.path, path.Base(name)), dir.inside
}

func (r *linkResolver) directory(dir string) resolvedDirectory {
	if dir == "." {
		return resolvedDirectory{dir, true}
	}
	if known, found := r.known[dir]; found {
		return known
	}
	resolved := r.directory(path.Dir(dir))
	if resolved.inside {
		resolved.path = path.Join(resolved.path, path.Base(dir))
		resolved = r.follow(resolved)
	}
	r.known[dir] = resolved
	return resolved
}

// follow resolves a directory whose parents are resolved already.
func (r *linkResolver) follow(dir resolvedDirectory) resolvedDirectory {
	info, err := r.root.Lstat(dir.path)
	switch {
	case osfile.IsNotExist(err), errors.Is(err, syscall.ELOOP):
		return resolvedDirectory{}
	case err != nil || info.Mode()&fs.ModeSymlink == 0:
		return dir // an error shows when its files are read
	}
	target, err := filepath.EvalSymlinks(filepath.Join(r.root.Name(), filepath.FromSlash(dir.path)))
	if err != nil {
		return resolvedDirectory{}
	}
	rel, inside := relative(r.root.Name(), target)
	return resolvedDirectory{filepath.ToSlash(rel), inside}
}
