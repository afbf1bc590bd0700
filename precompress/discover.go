package precompress

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// source is a regular file of the tree.
type source struct {
	path     string
	info     fs.FileInfo
	skip     Reason   // why it is no candidate, "" if it is one
	settings settings // how it is encoded
}

// scan is what one walk of the tree found.
type scan struct {
	files     []source
	skipped   []Skipped // other than files
	leftovers []string  // temporary files of an interrupted run
	failures  []*Error
	unread    []string // directories that could not be read
}

// walker is one walk. Directories are visited once, in order of their names,
// those behind symbolic links after all others.
type walker struct {
	tree *Tree
	scan
	visited []fs.FileInfo // directories; filled only if links are followed
	links   []string      // links to directories
}

// discover walks the tree of sources.
func (t *Tree) discover(ctx context.Context) (*scan, error) {
	w := &walker{tree: t}
	if err := w.directory(ctx, "."); err != nil {
		return nil, err
	}
	for len(w.links) > 0 {
		link := w.links[0]
		w.links = w.links[1:]
		if err := w.linkedDirectory(ctx, link); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(w.files, func(a, b source) int { return strings.Compare(a.path, b.path) })
	return &w.scan, nil
}

// directory walks one directory and then those in it. It fails only if ctx is done.
func (w *walker) directory(ctx context.Context, dir string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	below, err := w.entries(dir)
	if err != nil {
		w.fail(OpReadDirectory, dir, err)
		w.unread = append(w.unread, dir)
		return nil
	}
	for _, name := range below {
		if err := w.directory(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// entries looks at the entries of one directory and returns the directories in it to
// walk.
func (w *walker) entries(dir string) (below []string, err error) {
	root, err := w.tree.sources.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	list, err := readDir(root, ".")
	if err != nil {
		return nil, err
	}
	if w.tree.opts.FollowSymlinks {
		if info, err := root.Stat("."); err == nil {
			w.visited = append(w.visited, info)
		}
	}
	regular := make(map[string]bool, len(list))
	for _, e := range list {
		regular[e.Name()] = e.Type().IsRegular() || w.tree.opts.FollowSymlinks && e.Type()&fs.ModeSymlink != 0
	}
	for _, e := range list {
		name := path.Join(dir, e.Name())
		switch {
		case !e.IsDir():
			w.entry(name, e, regular)
		case w.prunes(name):
			w.skip(name+"/", directoryReason(name))
		default:
			below = append(below, name)
		}
	}
	return below, nil
}

// prunes reports whether the directory of this path need not be walked. One that is
// excluded still holds originals to copy.
func (w *walker) prunes(name string) bool {
	return w.tree.selection.prunes(name) && (!w.tree.opts.OutOriginals || hiddenName(name))
}

// entry looks at one entry that is not a directory. regular has the names in its
// directory that may be sources.
func (w *walker) entry(name string, e fs.DirEntry, regular map[string]bool) {
	base := e.Name()
	from, _, isSibling := manifest.SplitSuffix(base)
	asset, _, _, isDelta := manifest.SplitDelta(base)
	switch {
	case osfile.IsTempName(base):
		w.leftovers = append(w.leftovers, name)
	case base == manifest.Name, name == w.tree.manifest.inTree:
	case isSibling && regular[from], isDelta && regular[asset]:
	case e.Type().IsRegular():
		info, err := e.Info()
		w.regularFile(name, info, err)
	case e.Type()&fs.ModeSymlink == 0:
		w.skip(name, ReasonNotRegular)
	case !w.tree.opts.FollowSymlinks:
		w.skip(name, ReasonSymlink)
	default:
		w.link(name)
	}
}

func (w *walker) link(name string) {
	info, err := w.tree.sources.Stat(name)
	switch {
	case errors.Is(err, fs.ErrPermission):
		w.fail(OpRead, name, err)
		w.unread = append(w.unread, name)
	case err != nil:
		w.skip(name, ReasonSymlinkAway)
	case info.IsDir():
		w.links = append(w.links, name)
	case info.Mode().IsRegular():
		w.regularFile(name, info, nil)
	default:
		w.skip(name, ReasonNotRegular)
	}
}

// linkedDirectory walks the directory that a link leads to, unless that was walked
// already in its own place or through another link.
func (w *walker) linkedDirectory(ctx context.Context, name string) error {
	info, err := w.tree.sources.Stat(name)
	if err != nil {
		w.fail(OpReadDirectory, name, err)
		w.unread = append(w.unread, name)
		return nil
	}
	if slices.ContainsFunc(w.visited, func(v fs.FileInfo) bool { return os.SameFile(v, info) }) {
		w.skip(name, ReasonSymlinkWalked)
		return nil
	}
	if w.prunes(name) {
		w.skip(name+"/", directoryReason(name))
		return nil
	}
	return w.directory(ctx, name)
}

func (w *walker) regularFile(name string, info fs.FileInfo, err error) {
	if err != nil {
		w.fail(OpRead, name, err)
		return
	}
	src := source{path: name, info: info, skip: w.tree.selection.reason(name)}
	if src.skip == "" {
		src.settings = w.tree.selection.rules.of(name)
		src.skip = w.tree.opts.sizeReason(info.Size(), src.settings)
	}
	if src.skip == "" && len(path.Base(name))+src.settings.longestSuffix() > maxNameBytes {
		src.skip = ReasonNameTooLong
	}
	w.files = append(w.files, src)
}

// maxNameBytes is the longest file name on the file systems in use.
const maxNameBytes = 255

// sizeReason returns why a source of this size is not built, or "".
func (o Options) sizeReason(size int64, s settings) Reason {
	switch {
	case size < o.MinSize, !o.MinSaving.mayPay(size, s.codings):
		return ReasonTooSmall
	case size > o.MaxSize:
		return ReasonTooLarge
	case o.MaxMemory != 0 && baseMemory+codec.Memory(size, s.variants()) > o.MaxMemory:
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

func directoryReason(name string) Reason {
	if hiddenName(name) {
		return ReasonHidden
	}
	return ReasonExcluded
}
