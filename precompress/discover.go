package precompress

import (
	"context"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// source is a regular file of the tree.
type source struct {
	path string
	info fs.FileInfo
	// skip is why it is no candidate, "" if it is one.
	skip Reason
}

// Skipped is a file or folder that is not built.
type Skipped struct {
	Path   string
	Reason Reason
}

// scan is what one walk of the tree found.
type scan struct {
	files     []source
	skipped   []Skipped // other than files
	leftovers []string  // temporary files of an interrupted run
	failures  []*Error
	unread    []string // folders that could not be read
}

// walker is one walk. Folders are visited once, in order of their names,
// those behind symbolic links after all others.
type walker struct {
	*Tree
	scan
	visited []fs.FileInfo // folders; filled only if links are followed
	links   []string      // links to folders
}

// discover walks the tree of sources.
func (t *Tree) discover(ctx context.Context) (*scan, error) {
	w := &walker{Tree: t}
	if err := w.folder(ctx, "."); err != nil {
		return nil, err
	}
	for len(w.links) > 0 {
		link := w.links[0]
		w.links = w.links[1:]
		if err := w.linkedFolder(ctx, link); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(w.files, func(a, b source) int { return strings.Compare(a.path, b.path) })
	return &w.scan, nil
}

// folder walks one folder and those in it. It fails only if ctx is done.
func (w *walker) folder(ctx context.Context, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	entries, err := readDir(w.sources, dir)
	if err != nil {
		w.fail("read folder", dir, err)
		w.unread = append(w.unread, dir)
		return nil
	}
	if w.opts.FollowSymlinks {
		if info, err := w.sources.Stat(dir); err == nil {
			w.visited = append(w.visited, info)
		}
	}
	regular := make(map[string]bool, len(entries))
	for _, e := range entries {
		regular[e.Name()] = e.Type().IsRegular() || w.opts.FollowSymlinks && e.Type()&fs.ModeSymlink != 0
	}
	for _, e := range entries {
		if err := w.entry(ctx, path.Join(dir, e.Name()), e, regular); err != nil {
			return err
		}
	}
	return nil
}

// entry looks at one entry of a folder; regular tells which names of that
// folder may be sources.
func (w *walker) entry(ctx context.Context, name string, e fs.DirEntry, regular map[string]bool) error {
	base := e.Name()
	from, _, isSibling := manifest.SplitSuffix(base)
	switch {
	case e.IsDir():
		if w.match.prunes(name) {
			w.skip(name+"/", folderReason(name))
			return nil
		}
		return w.folder(ctx, name)
	case isTempName(base):
		w.leftovers = append(w.leftovers, name)
	case base == manifest.Name, name == w.record.inTree:
	case isSibling && regular[from]:
	case e.Type().IsRegular():
		w.regularFile(name, w.sources.Lstat)
	case e.Type()&fs.ModeSymlink == 0:
		w.skip(name, ReasonNotRegular)
	case !w.opts.FollowSymlinks:
		w.skip(name, ReasonSymlink)
	default:
		w.link(name)
	}
	return nil
}

func (w *walker) link(name string) {
	info, err := w.sources.Stat(name)
	switch {
	case err != nil:
		w.skip(name, ReasonSymlinkAway)
	case info.IsDir():
		w.links = append(w.links, name)
	case info.Mode().IsRegular():
		w.regularFile(name, w.sources.Stat)
	default:
		w.skip(name, ReasonNotRegular)
	}
}

// linkedFolder walks the folder behind a link unless it is walked already in
// its own place or through another link.
func (w *walker) linkedFolder(ctx context.Context, name string) error {
	info, err := w.sources.Stat(name)
	if err != nil {
		w.fail("read folder", name, err)
		w.unread = append(w.unread, name)
		return nil
	}
	if slices.ContainsFunc(w.visited, func(v fs.FileInfo) bool { return os.SameFile(v, info) }) {
		w.skip(name, ReasonSymlinkWalked)
		return nil
	}
	if w.match.prunes(name) {
		w.skip(name+"/", folderReason(name))
		return nil
	}
	return w.folder(ctx, name)
}

func (w *walker) regularFile(name string, stat func(string) (fs.FileInfo, error)) {
	info, err := stat(name)
	if err != nil {
		w.fail("read", name, err)
		return
	}
	skip := w.match.file(name)
	if skip == "" {
		skip = w.opts.sizeReason(info.Size())
	}
	if skip == "" && len(path.Base(name))+len(manifest.Zstd.Suffix()) > maxNameBytes {
		skip = ReasonNameTooLong
	}
	w.files = append(w.files, source{path: name, info: info, skip: skip})
}

// maxNameBytes is the longest file name on the file systems in use.
const maxNameBytes = 255

// sizeReason returns why a source of this size is not built, or "".
func (o Options) sizeReason(size int64) Reason {
	switch {
	case size < o.MinSize, !o.MinSaving.mayPay(size, o.Codings):
		return ReasonTooSmall
	case size > o.MaxSize:
		return ReasonTooLarge
	case o.MaxMemory != 0 && memoryNeed(size, o) > o.MaxMemory:
		return ReasonOverMemory
	}
	return ""
}

func (w *walker) skip(name string, reason Reason) {
	w.skipped = append(w.skipped, Skipped{Path: name, Reason: reason})
}

func (w *walker) fail(op, name string, err error) {
	w.failures = append(w.failures, &Error{Op: op, Path: name, Err: bareError(err)})
}

func folderReason(name string) Reason {
	if hiddenName(name) {
		return ReasonHidden
	}
	return ReasonExcluded
}

// readDir returns the entries of a folder sorted by name.
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
