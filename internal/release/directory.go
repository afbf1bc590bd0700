package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/precompress/precompress/internal/osfile"
)

// directory is a release that is a directory. Its root follows no link out of it.
type directory struct{ root *os.Root }

// openDirectory lists a directory. Files are read later.
func openDirectory(ctx context.Context, dir string, list *listing) ([]File, content, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, nil, osfile.BareError(err)
	}
	w := directoryWalk{ctx: ctx, root: root, list: list}
	if err := w.directory("."); err != nil {
		root.Close() // the error to report is the other one
		return nil, nil, err
	}
	return list.choose(w.files), directory{root}, nil
}

// directoryWalk walks through a directory. Everything that is not a regular file is left
// out, links included.
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

// entry adds one entry of a directory.
func (w *directoryWalk) entry(name string, e fs.DirEntry) error {
	if err := w.list.add(name); err != nil {
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

func (f directory) open(file File) (io.ReadCloser, error) {
	return osfile.OpenUnlinked(f.root, file.Path)
}

func (f directory) close() error { return f.root.Close() }
