package precompress

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/precompress/precompress/internal/osfile"
)

// directory gives access to the files of one directory of the tree without walking
// its path again for each of them: an [os.Root] opens every directory on the way, so
// that no link can lead it outside.
type directory struct {
	sources  *os.Root
	variants *os.Root // nil if there are none yet
	prefix   string   // of the paths of its files
	users    atomic.Int32
	shared   bool // its handles are the tree's, and stay open
	// names are those in the directory of variants, in lower case; nil until they are
	// needed.
	names map[string]bool
}

// rootDirectory returns access to every file from the root of the tree.
func (t *Tree) rootDirectory() *directory {
	return &directory{sources: t.sources, variants: t.variants, shared: true}
}

// openDirectory opens the directory of a file. The caller closes it; it stays open
// until all users have.
func (t *Tree) openDirectory(file string) (*directory, error) {
	dir := path.Dir(file)
	f := &directory{prefix: directoryPrefix(file)}
	f.users.Store(1)
	var err error
	if f.sources, err = t.sources.OpenRoot(dir); err != nil {
		return nil, err
	}
	switch t.variants {
	case nil:
	case t.sources:
		f.variants = f.sources
	default:
		// If it is missing, it holds no variants.
		if f.variants, err = t.variants.OpenRoot(dir); err != nil && !osfile.IsNotExist(err) {
			f.sources.Close()
			return nil, err
		}
	}
	return f, nil
}

// next returns the directory of a file: this one, or another in its place, after
// closing this one. If there is no such directory, or none for variants yet, it is
// the root's.
func (f *directory) next(t *Tree, file string) *directory {
	if f.holds(file) {
		return f
	}
	f.close()
	in, err := t.openDirectory(file)
	if err == nil && in.variants != nil {
		return in
	}
	if err == nil {
		in.close()
	}
	return t.rootDirectory()
}

// name returns the path of a file relative to this directory.
func (f *directory) name(path string) string { return path[len(f.prefix):] }

// holds reports whether the file of this path is directly in this directory.
func (f *directory) holds(path string) bool { return f != nil && directoryPrefix(path) == f.prefix }

// use adds a user, which calls close.
func (f *directory) use() *directory {
	f.users.Add(1)
	return f
}

// taken reports whether the directory of variants has a file of this name, or of one
// that a file system may take for the same. Listing a directory once is cheaper than
// asking for each of many names. It is for one goroutine.
func (f *directory) taken(path string) (taken, known bool) {
	if f.shared {
		return false, false // there may be many directories below it
	}
	if f.names == nil {
		entries, err := readDir(f.variants, ".")
		if err != nil {
			return false, false
		}
		f.names = make(map[string]bool, len(entries))
		for _, e := range entries {
			f.names[strings.ToLower(e.Name())] = true
		}
	}
	return f.names[strings.ToLower(f.name(path))], true
}

func (f *directory) close() {
	if f == nil || f.shared || f.users.Add(-1) > 0 {
		return
	}
	f.sources.Close() // read-only handles: nothing can be lost
	if f.variants != nil {
		f.variants.Close()
	}
}

// inDirectories calls do for the indices of paths, several at a time, with the
// directory of each, or the error of opening it. Files of one directory follow each
// other and share its handle, so that few are open at a time. Empty paths are left
// out. It fails only if ctx is done.
func (t *Tree) inDirectories(ctx context.Context, paths []string, do func(i int, in *directory, err error)) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(t.opts.Jobs)
	var in *directory
	defer func() { in.close() }()
	for _, i := range byDirectory(paths) {
		if paths[i] == "" {
			continue
		}
		if !in.holds(paths[i]) {
			in.close()
			var err error
			if in, err = t.openDirectory(paths[i]); err != nil {
				in = nil
				do(i, nil, err)
				continue
			}
		}
		where := in.use()
		group.Go(func() error {
			defer where.close()
			do(i, where, nil)
			return ctx.Err()
		})
	}
	return group.Wait()
}

// byDirectory returns the indices of paths, those of one directory together.
func byDirectory(paths []string) []int {
	order := make([]int, len(paths))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return strings.Compare(directoryPrefix(paths[a]), directoryPrefix(paths[b]))
	})
	return order
}

// directoryPrefix returns the directory of a path with its slash, "" for the root.
func directoryPrefix(name string) string { return name[:strings.LastIndex(name, "/")+1] }

// readDir returns the entries of a directory sorted by name.
func readDir(root *os.Root, dir string) ([]fs.DirEntry, error) {
	f, err := root.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1)
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, err
}
