package precompress

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
)

// use is a dictionary that an asset's deltas are made with, and where it is.
type use struct {
	*dictionary
	release *earlier // the newest that has it
	path    string   // there
	others  []string // names of further releases that have it
}

// matches returns the dictionaries for an asset: of each release the file that
// stands for it, each content once, and the names of the releases that have the
// asset unchanged. A release whose file cannot be read has a fault instead.
func (t *planner) matches(ctx context.Context, in *directory, task *Task) (uses []*use, held []string, faults map[string]error) {
	own := &ownSketch{planner: t, in: in, task: task}
	for _, r := range t.history.used {
		d, file, err := t.matchIn(ctx, r, own)
		switch {
		case err != nil:
			faults = addFault(faults, r.name, err)
		case d == nil:
		case file.Path == task.Path && d.sum == task.sum && d.size == task.Size:
			held = append(held, r.name)
		default:
			uses = addUse(uses, &use{dictionary: d, release: r, path: file.Path})
		}
	}
	return uses, held, faults
}

// addUse adds a dictionary unless there is one of its name: of its content, or by
// bad luck another's.
func addUse(uses []*use, u *use) []*use {
	for _, known := range uses {
		if known.dictionary == u.dictionary {
			known.others = append(known.others, u.release.name)
			return uses
		}
		if u.size <= release.MaxFile && known.sum.Short() == u.sum.Short() {
			return uses
		}
	}
	return append(uses, u)
}

// matchIn returns the file of a release that stands for an asset: the one of its
// path, or of those of its stable name the one that has most in common with it;
// nil if there is none.
func (t *planner) matchIn(ctx context.Context, r *earlier, own *ownSketch) (*dictionary, release.File, error) {
	if f, found := r.byPath[own.task.Path]; found {
		d, err := t.history.dictionary(ctx, r, f)
		return d, f, err
	}
	candidates := candidatesFor(own.task.Path, r.byStable[t.opts.Fingerprint.Stable(own.task.Path)])
	if len(candidates) == 0 {
		return nil, release.File{}, nil
	}
	f := candidates[0]
	if len(candidates) > 1 {
		var err error
		if f, err = t.closest(ctx, r, candidates, own); err != nil {
			return nil, f, err
		}
	}
	d, err := t.history.dictionary(ctx, r, f)
	return d, f, err
}

// candidatesFor returns the files that are of the asset's type, without those
// that are too large for a dictionary if there are others.
func candidatesFor(asset string, files []release.File) []release.File {
	var fit, tooLarge []release.File
	for _, f := range files {
		switch {
		case !strings.EqualFold(path.Ext(f.Path), path.Ext(asset)):
		case f.Size > release.MaxFile:
			tooLarge = append(tooLarge, f)
		default:
			fit = append(fit, f)
		}
	}
	if fit != nil {
		return fit
	}
	return tooLarge
}

// closest returns the file that has most in common with the asset; of equals the
// one of the nearest size, then the first by path.
func (t *planner) closest(ctx context.Context, r *earlier, candidates []release.File, own *ownSketch) (best release.File, err error) {
	of, err := own.get()
	if err != nil {
		return best, err
	}
	type scored struct {
		file   release.File
		common int
	}
	var all []scored
	for _, f := range candidates {
		s, err := t.history.sketch(ctx, r, f)
		if err != nil {
			return best, err
		}
		all = append(all, scored{f, of.common(s)})
	}
	first := slices.MinFunc(all, func(a, b scored) int {
		return cmp.Or(
			cmp.Compare(b.common, a.common),
			cmp.Compare(abs(a.file.Size-own.task.Size), abs(b.file.Size-own.task.Size)),
			strings.Compare(a.file.Path, b.file.Path))
	})
	return first.file, nil
}

// sketch is the hashes of some of a content's parts of 32 bytes, sorted: parts
// that two contents have in common are chosen in both or in none.
type sketch []uint64

func newSketch(content []byte) sketch {
	const shift, one = 2, 16 // the last 64/2 bytes count; of so many parts one is taken
	var s sketch
	var h uint64
	for _, b := range content {
		h = h<<shift + (uint64(b)+1)*0x9E3779B97F4A7C15
		if mixed := h * 0xD6E8FEB86659FD93; mixed>>32%one == 0 {
			s = append(s, mixed)
		}
	}
	slices.Sort(s)
	return slices.Compact(s)
}

// common returns the number of parts that two contents have in common.
func (s sketch) common(other sketch) (n int) {
	for len(s) > 0 && len(other) > 0 {
		switch c := cmp.Compare(s[0], other[0]); {
		case c < 0:
			s = s[1:]
		case c > 0:
			other = other[1:]
		default:
			n++
			s, other = s[1:], other[1:]
		}
	}
	return n
}

// ownSketch is the sketch of an asset, made when it is first asked for.
type ownSketch struct {
	*planner
	in   *directory
	task *Task
	made sketch
}

func (o *ownSketch) get() (sketch, error) {
	if o.made != nil {
		return o.made, nil
	}
	src, _, err := readStable(o.in.sources, o.in.name(o.task.Path))
	o.made = newSketch(src)
	return o.made, err
}

// sketch returns the sketch of a release's file.
func (h *history) sketch(ctx context.Context, r *earlier, f release.File) (sketch, error) {
	if s, found := h.sketchOf(f.SHA256); found {
		return s, nil
	}
	data, err := r.Read(ctx, f)
	if err != nil {
		return nil, err
	}
	sum, err := r.Sum(ctx, f) // known, now that it was read
	if err != nil {
		return nil, err
	}
	s := newSketch(data)
	h.mu.Lock()
	defer h.mu.Unlock()
	h.sketches[sum] = s
	return s, nil
}

func (h *history) sketchOf(sum manifest.Dictionary) (sketch, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, found := h.sketches[sum]
	return s, found
}

func abs(n int64) int64 { return max(n, -n) }
