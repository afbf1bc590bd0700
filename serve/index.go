package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/precompress/precompress/manifest"
)

// index is what is known of a tree at one time: its names, at once; what
// their content is, from the first use of each on. Building it reads directories
// and the manifest, no other file and no file's state, so that it takes a
// fraction of a second for a hundred thousand files.
type index struct {
	tree     fs.FS
	close    func() error
	opts     *Options
	names    map[string]node
	manifest *manifest.Manifest // nil if the tree has none
	notFound *asset             // nil if there is none
	fallback *asset
	memory   atomic.Int64 // bytes of content kept
}

// node is what a name stands for. The names are paths in the tree; "dir/" is an
// alias of the directory's index page, and so is "" of the root's.
type node struct {
	asset *asset
	dir   bool
}

// asset is a name that can be asked for.
type asset struct {
	path     string
	source   bool            // the tree has a file of this name
	siblings codingSet       // the tree has files named after this and a coding
	deltas   []string        // files that are named as deltas of this
	listed   *manifest.Asset // nil if the manifest, if any, does not list it
	mu       sync.Mutex      // held while resolving
	resolved atomic.Pointer[resolved]
}

// codingSet is a set of the codings of package manifest.
type codingSet uint8

func (s *codingSet) add(c manifest.Coding) { *s |= 1 << slices.Index(manifest.Codings(), c) }

func (s codingSet) has(c manifest.Coding) bool {
	return s&(1<<slices.Index(manifest.Codings(), c)) != 0
}

// newIndex builds the index of a tree.
func newIndex(open opener, opts *Options) (*index, error) {
	tree, closeTree, err := open()
	if err != nil {
		return nil, err
	}
	ix := &index{tree: tree, close: closeTree, opts: opts, names: make(map[string]node)}
	if err := ix.build(); err != nil {
		closeTree()
		return nil, err
	}
	return ix, nil
}

func (ix *index) build() (err error) {
	if ix.manifest, err = readManifest(ix.tree); err != nil {
		return err
	}
	if err := ix.walk("."); err != nil {
		return err
	}
	for name, n := range ix.names {
		if n.asset != nil && path.Base(name) == ix.opts.Index && !strings.HasSuffix(name, "/") {
			ix.names[strings.TrimSuffix(name, ix.opts.Index)] = node{asset: n.asset}
		}
	}
	if ix.notFound, err = ix.page("NotFound", ix.opts.NotFound); err != nil {
		return err
	}
	ix.fallback, err = ix.page("Fallback", ix.opts.Fallback)
	return err
}

// page finds a page that an option names. While a tree is being developed a
// page may be missing.
func (ix *index) page(option, name string) (*asset, error) {
	if name == "" {
		return nil, nil
	}
	n := ix.names[strings.TrimPrefix(name, "/")]
	if n.asset == nil && !ix.opts.Dev {
		return nil, &OptionError{option, fmt.Errorf("%s: %w", name, fs.ErrNotExist)}
	}
	return n.asset, nil
}

// OptionError is an error about [Options].
type OptionError struct {
	Field string // as Go writes it, such as "Fallback"
	Err   error
}

// Error returns a text such as "option Fallback: app.html: file does not exist".
func (e *OptionError) Error() string { return "option " + e.Field + ": " + e.Err.Error() }

// Unwrap returns the cause.
func (e *OptionError) Unwrap() error { return e.Err }

// readManifest returns nil for a tree without one. A manifest that cannot be
// read is an error: what it would have said of stale variants is not known.
func readManifest(tree fs.FS) (*manifest.Manifest, error) {
	// Looked at first: reading a FIFO would wait for a writer.
	info, err := fs.Stat(tree, manifest.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s: not a regular file", manifest.Name)
	}
	if err != nil {
		return nil, err
	}
	data, err := fs.ReadFile(tree, manifest.Name)
	if err != nil {
		return nil, err
	}
	m, err := manifest.Decode(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", manifest.Name, err)
	}
	return m, nil
}

// walk enters a directory's names and those below it.
func (ix *index) walk(dir string) error {
	entries, err := fs.ReadDir(ix.tree, dir)
	if dir != "." && (errors.Is(err, fs.ErrPermission) || errors.Is(err, fs.ErrNotExist)) {
		return nil // not ours to serve, or gone since its parent was read
	}
	if err != nil {
		return err
	}
	files := make([]string, 0, len(entries))
	for _, e := range entries {
		if ix.hidden(dir, e.Name()) {
			continue
		}
		name := path.Join(dir, e.Name())
		switch t := entryType(ix.tree, name, e); {
		case t.IsDir():
			ix.names[name] = node{dir: true}
			if err := ix.walk(name); err != nil {
				return err
			}
		case t.IsRegular():
			files = append(files, name)
		}
	}
	ix.enter(files)
	return nil
}

// hidden reports whether a directory entry is never served, whatever it is.
func (ix *index) hidden(dir, name string) bool {
	switch {
	case dir == "." && name == manifest.Name:
		return true
	case strings.HasPrefix(name, ".precompress-") && strings.HasSuffix(name, ".tmp"):
		return true // being written by a build
	case name[0] == '.':
		return !ix.opts.Dotfiles && (dir != "." || name != ".well-known")
	}
	return false
}

// enter enters the regular files of one directory, the siblings among them with
// their sources.
func (ix *index) enter(files []string) {
	isFile := make(map[string]bool, len(files))
	for _, name := range files {
		isFile[name] = true
	}
	for _, name := range files {
		if ix.enterDelta(name, isFile) {
			continue
		}
		source, coding, ok := manifest.SplitSuffix(name)
		switch {
		case ok && isFile[source]:
			if !isAttached(source, isFile) {
				ix.entry(source).siblings.add(coding)
			}
		case ok && ix.isOrphan(source, coding):
			if ix.opts.VariantOnly {
				ix.entry(source).siblings.add(coding)
			}
		default:
			ix.entry(name).source = true
		}
	}
}

// enterDelta enters a file with its asset if it is a delta of one; else, it
// returns false.
func (ix *index) enterDelta(name string, isFile map[string]bool) bool {
	source, short, coding, ok := manifest.SplitDelta(name)
	if !ok {
		return false
	}
	if isFile[source] && isAttached(source, isFile) {
		return true
	}
	if !isFile[source] {
		if !ix.isOrphanDelta(source, short, coding, isFile) {
			return false
		}
		if !ix.opts.VariantOnly {
			return true
		}
	}
	a := ix.entry(source)
	a.deltas = append(a.deltas, name)
	return true
}

// isAttached reports whether a file belongs to another one, as a sibling or a
// delta. What is named after such a file belongs to nothing that is served.
func isAttached(name string, isFile map[string]bool) bool {
	if source, _, ok := manifest.SplitSuffix(name); ok && isFile[source] {
		return true
	}
	source, _, _, ok := manifest.SplitDelta(name)
	return ok && isFile[source]
}

// isOrphanDelta does for a delta without a source what isOrphan does for a
// variant. Without a manifest, its asset must have variants.
func (ix *index) isOrphanDelta(source, short string, c manifest.Coding, isFile map[string]bool) bool {
	if ix.manifest != nil {
		listed, ok := ix.manifest.Lookup(source)
		if !ok {
			return false
		}
		d, ok := listed.Delta(short, c)
		return ok && d.Stored()
	}
	return slices.ContainsFunc(manifest.Codings(), func(c manifest.Coding) bool {
		return isFile[source+c.Suffix()] && ix.isOrphan(source, c)
	})
}

// isOrphan reports whether a file whose name ends like a variant's, but which has
// no source beside it, is a variant all the same, and not a file of its own.
func (ix *index) isOrphan(source string, c manifest.Coding) bool {
	if ix.manifest != nil {
		listed, ok := ix.manifest.Lookup(source)
		if !ok {
			return false
		}
		v, ok := listed.Variant(c)
		return ok && v.Stored()
	}
	return ix.opts.VariantOnly && path.Ext(source) != ".tar"
}

// entry returns the asset of the given path, a new one if need be.
func (ix *index) entry(name string) *asset {
	if n := ix.names[name]; n.asset != nil {
		return n.asset
	}
	a := &asset{path: name}
	if ix.manifest != nil {
		a.listed, _ = ix.manifest.Lookup(name)
	}
	ix.names[name] = node{asset: a}
	return a
}

// assets returns every asset once, sorted by path.
func (ix *index) assets() []*asset {
	all := make([]*asset, 0, len(ix.names))
	for name, n := range ix.names {
		if n.asset != nil && n.asset.path == name {
			all = append(all, n.asset)
		}
	}
	slices.SortFunc(all, func(a, b *asset) int { return strings.Compare(a.path, b.path) })
	return all
}
