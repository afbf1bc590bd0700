package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"

	"github.com/precompress/precompress/internal/osfile"
)

// directory is a release that is a directory. No link leads out of it: an [os.Root]
// opens every file.
type directory struct{ root *os.Root }

// openDirectory lists a directory. Nothing is read before it is asked for.
func openDirectory(ctx context.Context, dir string, opts Options) ([]File, content, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, osfile.BareError(err)
	}
	w := directoryWalk{ctx: ctx, root: root, list: newListing(opts)}
	if err := w.directory("."); err != nil {
		root.Close() // a read-only handle: nothing can be lost
		return nil, nil, err
	}
	exists := func(path string) bool { return w.list.exists[path] }
	files := slices.DeleteFunc(w.files, func(f File) bool { return isOurs(f.Path, exists) })
	slices.SortFunc(files, byPath)
	return files, directory{root}, nil
}

// directoryWalk is one walk of a directory. Links and what else is no regular file are
// left out.
type directoryWalk struct {
	ctx   context.Context
	root  *os.Root
	list  *listing
	files []File
}

func (w *directoryWalk) directory(dir string) error {
	f, err := w.root.Open(dir)
	if err != nil {
		return fmt.Errorf("directory %q: %w", dir, osfile.BareError(err))
	}
	defer f.Close()
	var below []string
	for {
		entries, err := f.ReadDir(1024)
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if err := w.entry(name, e); err != nil {
				return fmt.Errorf("file %q: %w", name, err)
			}
			if e.IsDir() && !isHidden(name) {
				below = append(below, name)
			}
		}
		switch {
		case w.ctx.Err() != nil:
			return w.ctx.Err()
		case errors.Is(err, io.EOF):
			return w.all(below)
		case err != nil:
			return fmt.Errorf("directory %q: %w", dir, osfile.BareError(err))
		}
	}
}

func (w *directoryWalk) all(dirs []string) error {
	for _, dir := range dirs {
		if err := w.directory(dir); err != nil {
			return err
		}
	}
	return nil
}

// entry notes one entry of a directory.
func (w *directoryWalk) entry(name string, e fs.DirEntry) error {
	if err := w.list.more(name); err != nil {
		return err
	}
	if !e.Type().IsRegular() || isHidden(name) {
		return nil
	}
	w.list.exists[name] = true
	if !w.list.want(name) {
		return nil
	}
	info, err := e.Info()
	if err != nil {
		return osfile.BareError(err)
	}
	w.files = append(w.files, File{Path: name, Size: info.Size()})
	return nil
}

func (f directory) open(file File) (io.ReadCloser, error) { return openRegular(f.root, file.Path) }

func (f directory) close() error { return f.root.Close() }

// openRegular opens a regular file to be read, and not what a link in its place
// leads to.
func openRegular(root *os.Root, name string) (*os.File, error) {
	info, err := root.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		err = osfile.ErrNotRegular
	}
	if err != nil {
		return nil, err
	}
	f, _, err := osfile.OpenRegular(root, name, os.O_RDONLY)
	return f, err
}
