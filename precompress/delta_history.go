package precompress

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
)

// history is the earlier releases that deltas are made from.
type history struct {
	previous []*earlier     // of [Options.Previous]
	stored   []*earlier     // of the store, the newest first
	used     []*earlier     // those of both that count, the newest first
	store    *release.Store // nil if there is none

	mu       sync.Mutex // guards what follows
	contents map[manifest.Dictionary]*dictionary
	sketches map[manifest.Dictionary]sketch
}

// earlier is an earlier release.
type earlier struct {
	*release.Release
	name     string // of no other
	byPath   map[string]release.File
	byStable map[string][]release.File
}

// openHistory opens the earlier releases of the options. Warnings are about
// releases of the store that cannot be used.
func (t *Tree) openHistory(ctx context.Context) (_ *history, warnings []string, err error) {
	h := &history{contents: make(map[manifest.Dictionary]*dictionary), sketches: make(map[manifest.Dictionary]sketch)}
	defer func() {
		if err != nil {
			h.close()
		}
	}()
	if !t.opts.usesDeltas() {
		return h, nil, nil
	}
	names := make(map[string]bool)
	for _, path := range t.opts.Previous {
		r, err := release.Open(ctx, path, release.Options{Want: t.mayBeDictionary})
		if err != nil {
			return nil, nil, &Error{Op: "read", Err: err}
		}
		h.previous = append(h.previous, t.newEarlier(r, names))
	}
	if t.opts.Releases == "" {
		return h, nil, nil
	}
	if h.store, err = release.OpenStore(t.opts.Releases); err != nil {
		return nil, nil, &Error{Op: "read", Err: err}
	}
	for _, r := range h.store.Releases() {
		h.stored = append(h.stored, t.newEarlier(r, names))
	}
	for _, err := range h.store.Damaged() {
		warnings = append(warnings, err.Error())
	}
	return h, warnings, nil
}

// reopenHistory opens the earlier releases in place of those of an earlier plan.
func (t *Tree) reopenHistory(ctx context.Context) (warnings []string, err error) {
	err = t.history.close()
	t.history = nil
	if err != nil {
		return nil, &Error{Op: "close", Err: err}
	}
	t.history, warnings, err = t.openHistory(ctx)
	return warnings, err
}

// mayBeDictionary reports whether a file of an earlier release could be the
// dictionary of a file of the tree.
func (t *Tree) mayBeDictionary(name string) bool {
	return t.match.file(name) == "" && !t.rules.excludes(name)
}

// newEarlier returns a release with the names of its files in order. names are
// those of releases before it.
func (t *Tree) newEarlier(r *release.Release, names map[string]bool) *earlier {
	e := &earlier{r, r.Name, make(map[string]release.File), make(map[string][]release.File)}
	for n := 2; names[e.name]; n++ {
		e.name = fmt.Sprintf("%s (%d)", r.Name, n)
	}
	names[e.name] = true
	for _, f := range r.Files() {
		if f.Size == 0 || !t.mayBeDictionary(f.Path) {
			continue
		}
		e.byPath[f.Path] = f
		stable := t.opts.Fingerprint.Stable(f.Path)
		e.byStable[stable] = append(e.byStable[stable], f)
	}
	return e
}

// settle chooses the releases that count, now that the contents of the tree are
// known. A release of the store that has the same is the tree itself, from an
// earlier build, and is none that anyone comes back from.
func (h *history) settle(tasks []*Task, keep int) {
	h.used = slices.Clone(h.previous)
	sources := releaseSources(tasks)
	for _, r := range h.stored {
		if keep > 0 && !r.Same(sources) {
			h.used = append(h.used, r)
			keep--
		}
	}
}

// releaseSources returns the candidates of the tree as files of a release.
func releaseSources(tasks []*Task) []release.Source {
	var sources []release.Source
	for _, t := range tasks {
		if t.encode {
			sources = append(sources, release.Source{Path: t.Path, Size: t.Size, Digest: t.Digest})
		}
	}
	return sources
}

// names returns the names of the releases that count.
func (h *history) names() []string {
	var names []string
	for _, r := range h.used {
		names = append(names, r.name)
	}
	return names
}

// isStored reports whether the release of that name is one of the store.
func (h *history) isStored(name string) bool {
	return slices.ContainsFunc(h.stored, func(r *earlier) bool { return r.name == name })
}

// mayHold reports whether a release may have a file unchanged, by its size.
func (h *history) mayHold(path string, size int64) bool {
	if h == nil {
		return false
	}
	has := func(r *earlier) bool {
		f, found := r.byPath[path]
		return found && f.Size == size
	}
	return slices.ContainsFunc(h.previous, has) || slices.ContainsFunc(h.stored, has)
}

// dictionary returns a file of a release as a dictionary.
func (h *history) dictionary(ctx context.Context, r *earlier, f release.File) (*dictionary, error) {
	if f.Size > release.MaxFile {
		return &dictionary{size: f.Size, from: r.Release, file: f}, nil
	}
	sum, err := r.Sum(ctx, f)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.contents[sum] == nil {
		h.contents[sum] = &dictionary{sum: sum, size: f.Size, from: r.Release, file: f}
	}
	return h.contents[sum], nil
}

func (h *history) close() error {
	if h == nil {
		return nil
	}
	var errs []error
	for _, r := range h.previous {
		errs = append(errs, r.Close())
	}
	if h.store != nil {
		errs = append(errs, h.store.Close())
	}
	return errors.Join(errs...)
}
