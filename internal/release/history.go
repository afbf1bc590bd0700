package release

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/precompress/precompress/manifest"
)

// History is the earlier releases of a tree: those that are named and those of a
// store. It finds the dictionaries that the tree's assets can be encoded with. Its
// methods may be called from several goroutines at a time, except Settle and Close.
// A nil History is one without releases.
type History struct {
	fingerprint manifest.Fingerprint
	named       []*earlier // the newest first, as all lists of releases here
	stored      []*earlier
	used        []*earlier // of both
	store       *Store     // nil if there is none

	mu       sync.Mutex // guards what follows
	contents map[manifest.Dictionary]*Content
	sketches map[manifest.Dictionary]sketch
}

// HistoryOptions say where the earlier releases of a tree are.
type HistoryOptions struct {
	// Named are directories or archives, the newest first.
	Named []string
	// Store is the directory of a [Store], "" for none.
	Store string
	// Want reports whether a file, by its path in a release, can be the dictionary of
	// a file of the tree.
	Want func(path string) bool
	// Fingerprint finds files of two releases that are the same asset under different
	// names.
	Fingerprint manifest.Fingerprint
}

// earlier is a release with its files by name.
type earlier struct {
	*Release
	name     string // unique in the history
	byPath   map[string]File
	byStable map[string][]File // by the path without fingerprint
}

// OpenHistory opens the releases. damaged are the reasons why releases of the store
// cannot be used.
func OpenHistory(ctx context.Context, opts HistoryOptions) (_ *History, damaged []error, err error) {
	h := &History{
		fingerprint: opts.Fingerprint,
		contents:    make(map[manifest.Dictionary]*Content),
		sketches:    make(map[manifest.Dictionary]sketch),
	}
	defer func() {
		if err != nil {
			h.Close()
		}
	}()
	names := make(map[string]bool)
	for _, path := range opts.Named {
		r, err := openRelease(ctx, path, options{want: opts.Want})
		if err != nil {
			return nil, nil, err
		}
		h.named = append(h.named, newEarlier(r, opts, names))
	}
	if opts.Store == "" {
		return h, nil, nil
	}
	if h.store, err = OpenStore(opts.Store); err != nil {
		return nil, nil, err
	}
	for _, r := range h.store.Releases() {
		h.stored = append(h.stored, newEarlier(r, opts, names))
	}
	return h, h.store.Damaged(), nil
}

// newEarlier indexes the files of a release. names are those of the releases before
// it.
func newEarlier(r *Release, opts HistoryOptions, names map[string]bool) *earlier {
	e := &earlier{r, r.Name, make(map[string]File), make(map[string][]File)}
	for n := 2; names[e.name]; n++ {
		e.name = fmt.Sprintf("%s (%d)", r.Name, n)
	}
	names[e.name] = true
	for _, f := range r.Files() {
		if f.Size == 0 || !opts.Want(f.Path) {
			continue
		}
		e.byPath[f.Path] = f
		stable := opts.Fingerprint.Stable(f.Path)
		e.byStable[stable] = append(e.byStable[stable], f)
	}
	return e
}

// Close closes the releases and the store.
func (h *History) Close() error {
	if h == nil {
		return nil
	}
	var errs []error
	for _, r := range h.named {
		errs = append(errs, r.Close())
	}
	if h.store != nil {
		errs = append(errs, h.store.Close())
	}
	return errors.Join(errs...)
}

// Settle chooses the releases to use, now that the tree's files are known: all that
// are named, and the newest of the store, keep at most. A release of the store with
// the same files is an earlier build of this tree, and nobody comes back from it.
func (h *History) Settle(tree []Source, keep int) {
	h.used = slices.Clone(h.named)
	for _, r := range h.stored {
		if keep > 0 && !r.Same(tree) {
			h.used = append(h.used, r)
			keep--
		}
	}
}

// Names returns the names of the releases in use, the newest first.
func (h *History) Names() []string {
	var names []string
	for _, r := range h.used {
		names = append(names, r.name)
	}
	return names
}

// IsStored reports whether the release of that name is one of the store.
func (h *History) IsStored(name string) bool {
	return slices.ContainsFunc(h.stored, func(r *earlier) bool { return r.name == name })
}

// IsEmpty reports whether the release of that name in use has no file that can be a
// dictionary.
func (h *History) IsEmpty(name string) bool {
	return slices.ContainsFunc(h.used, func(r *earlier) bool { return r.name == name && len(r.byPath) == 0 })
}

// MayHold reports whether a release has a file of that path and size in bytes.
func (h *History) MayHold(path string, size int64) bool {
	if h == nil {
		return false
	}
	has := func(r *earlier) bool {
		f, found := r.byPath[path]
		return found && f.Size == size
	}
	return slices.ContainsFunc(h.named, has) || slices.ContainsFunc(h.stored, has)
}

// HasStore reports whether there is a store to add the tree to.
func (h *History) HasStore() bool { return h != nil && h.store != nil }

// Add adds the tree's files to the store and removes the oldest releases from it,
// so that the tree and keep earlier ones stay.
func (h *History) Add(ctx context.Context, tree []Source, keep int) error {
	if _, err := h.store.Add(ctx, "", tree); err != nil {
		return err
	}
	return h.store.Keep(ctx, keep+1)
}

// Content is a content of earlier releases: a dictionary. A history has one value
// for each content.
type Content struct {
	sum  manifest.Dictionary
	size int64
	from *Release
	file File

	once sync.Once
	err  error // why it cannot be read, known after once
}

// content returns the content of a file of a release. A file that is too large for
// a dictionary has no SHA-256.
func (h *History) content(ctx context.Context, r *earlier, f File) (*Content, error) {
	if f.Size > MaxFile {
		return &Content{size: f.Size, from: r.Release, file: f}, nil
	}
	sum, err := r.Sum(ctx, f)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.contents[sum] == nil {
		h.contents[sum] = &Content{sum: sum, size: f.Size, from: r.Release, file: f}
	}
	return h.contents[sum], nil
}

// Sum returns the SHA-256.
func (c *Content) Sum() manifest.Dictionary { return c.sum }

// Size returns the size in bytes.
func (c *Content) Size() int64 { return c.size }

// Check returns nil if the content can be read and has the SHA-256 that its release
// recorded. A content whose SHA-256 was not recorded has been read to learn it, and
// is not read again.
func (c *Content) Check(ctx context.Context) error {
	c.once.Do(func() {
		if c.file.SHA256 != [32]byte{} {
			c.err = c.from.Check(ctx, c.file)
		}
	})
	return c.err
}

// Read returns the bytes. They have the SHA-256 of Sum; the error wraps
// [ErrDamaged] if they do not any more.
func (c *Content) Read(ctx context.Context) ([]byte, error) {
	data, err := c.from.Read(ctx, c.file)
	if err == nil && sha256.Sum256(data) != c.sum {
		err = fmt.Errorf("earlier release %q: file %q: %w", c.from.Name, c.file.Path, ErrDamaged)
	}
	return data, err
}
