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

// index is what is known of a tree: all names at once, their content from the first
// use of each. Building it reads the manifest and the directories, but neither other
// files nor their states, and so takes a fraction of a second for a hundred thousand
// files.
type index struct {
	tree     fs.FS
	close    func() error
	opts     *Options
	names    map[string]node
	manifest *manifest.Manifest // nil if the tree has none
	notFound *entry             // nil if there is none
	fallback *entry             // nil if there is none
	memory   atomic.Int64       // bytes of content kept
}

// node is a file or a directory. Its name is its path in the tree. "dir/" is an alias
// of the directory's index page, and "" of the root's.
type node struct {
	entry *entry
	dir   bool
}

// entry is an asset, as far as the index knows it.
type entry struct {
	path     string
	source   bool            // the tree has a file with this name
	siblings codingSet       // of the files in the tree that are named as variants
	deltas   []string        // the files in the tree that are named as deltas
	listed   *manifest.Asset // nil unless the manifest lists it
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
		if n.entry != nil && path.Base(name) == ix.opts.Index && !strings.HasSuffix(name, "/") {
			ix.names[strings.TrimSuffix(name, ix.opts.Index)] = node{entry: n.entry}
		}
	}
	if ix.notFound, err = ix.page("NotFound", ix.opts.NotFound); err != nil {
		return err
	}
	ix.fallback, err = ix.page("Fallback", ix.opts.Fallback)
	return err
}

// page finds the page that an option names. In Dev mode it may be missing.
func (ix *index) page(option, name string) (*entry, error) {
	if name == "" {
		return nil, nil
	}
	n := ix.names[strings.TrimPrefix(name, "/")]
	if n.entry == nil && !ix.opts.Dev {
		return nil, &OptionError{option, fmt.Errorf("%s: %w", name, fs.ErrNotExist)}
	}
	return n.entry, nil
}

// readManifest returns nil for a tree without a manifest. One that cannot be read is
// an error: without it, stale variants might be sent.
func readManifest(tree fs.FS) (*manifest.Manifest, error) {
	// The type comes first: reading a FIFO would wait for a writer.
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

// walk adds the names in a directory and below it.
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
	ix.addFiles(files)
	return nil
}

// hidden reports whether a directory entry is not served because of its name.
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

// addFiles adds the regular files of a directory: variants and deltas to the entries
// of their sources, all others as entries.
func (ix *index) addFiles(files []string) {
	isFile := make(map[string]bool, len(files))
	for _, name := range files {
		isFile[name] = true
	}
	for _, name := range files {
		if ix.addDelta(name, isFile) {
			continue
		}
		source, coding, ok := manifest.SplitSuffix(name)
		switch {
		case ok && isFile[source]:
			if !isAttached(source, isFile) {
				ix.add(source).siblings.add(coding)
			}
		case ok && ix.isOrphan(source, coding):
			if ix.opts.VariantOnly {
				ix.add(source).siblings.add(coding)
			}
		default:
			ix.add(name).source = true
		}
	}
}

// addDelta adds a delta to the entry of its asset. It returns false for a file that
// is no delta.
func (ix *index) addDelta(name string, isFile map[string]bool) bool {
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
	e := ix.add(source)
	e.deltas = append(e.deltas, name)
	return true
}

// isAttached reports whether a file is a variant or a delta of another file. Variants
// and deltas of such a file are not served.
func isAttached(name string, isFile map[string]bool) bool {
	if source, _, ok := manifest.SplitSuffix(name); ok && isFile[source] {
		return true
	}
	source, _, _, ok := manifest.SplitDelta(name)
	return ok && isFile[source]
}

// isOrphanDelta is [index.isOrphan] for a delta. Without a manifest, its asset must
// have variants.
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

// isOrphan reports whether a file is a variant, and not an asset of its own, if its
// name has a variant's suffix but the tree has no source for it.
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

// add returns the entry of the given path and makes one if there is none.
func (ix *index) add(name string) *entry {
	if n := ix.names[name]; n.entry != nil {
		return n.entry
	}
	e := &entry{path: name}
	if ix.manifest != nil {
		e.listed, _ = ix.manifest.Lookup(name)
	}
	ix.names[name] = node{entry: e}
	return e
}

// entries returns every entry once, sorted by path.
func (ix *index) entries() []*entry {
	all := make([]*entry, 0, len(ix.names))
	for name, n := range ix.names {
		if n.entry != nil && n.entry.path == name {
			all = append(all, n.entry)
		}
	}
	slices.SortFunc(all, func(a, b *entry) int { return strings.Compare(a.path, b.path) })
	return all
}
