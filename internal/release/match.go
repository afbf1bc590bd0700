package release

import (
	"cmp"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// Asset is a file of the tree that dictionaries are looked for.
type Asset struct {
	Path   string
	Size   int64 // in bytes
	SHA256 manifest.Dictionary
	// Read returns its bytes.
	Read func() ([]byte, error)
}

// Match is a dictionary for an asset, and where it is.
type Match struct {
	*Content
	Release string   // the newest one that has it
	Path    string   // in that release
	Others  []string // further releases that have it
}

// Match returns the dictionaries for an asset: of each release the file that
// corresponds to it, each content once. held are the releases that have the asset
// unchanged. failures are the releases whose file cannot be read, with the reason.
func (h *History) Match(ctx context.Context, asset Asset) (matches []*Match, held []string, failures map[string]error) {
	own := &ownSketch{asset: asset}
	for _, r := range h.used {
		c, file, err := h.matchIn(ctx, r, own)
		switch {
		case err != nil:
			if failures == nil {
				failures = make(map[string]error)
			}
			failures[r.name] = err
		case c == nil:
		case file.Path == asset.Path && c.sum == asset.SHA256 && c.size == asset.Size:
			held = append(held, r.name)
		default:
			matches = addMatch(matches, &Match{Content: c, Release: r.name, Path: file.Path})
		}
	}
	return matches, held, failures
}

// addMatch adds a dictionary unless its short name is taken: by the same content,
// or by bad luck by another.
func addMatch(matches []*Match, m *Match) []*Match {
	for _, known := range matches {
		if known.Content == m.Content {
			known.Others = append(known.Others, m.Release)
			return matches
		}
		if m.size <= MaxFile && known.sum.Short() == m.sum.Short() {
			return matches
		}
	}
	return append(matches, m)
}

// matchIn returns the file of a release that corresponds to an asset: the one of
// its path, or the most similar of those with its stable name; nil if there is none.
func (h *History) matchIn(ctx context.Context, r *earlier, own *ownSketch) (*Content, File, error) {
	f, found := r.byPath[own.asset.Path]
	if !found {
		candidates := candidatesFor(own.asset.Path, r.byStable[h.fingerprint.Stable(own.asset.Path)])
		if len(candidates) == 0 {
			return nil, File{}, nil
		}
		f = candidates[0]
		if len(candidates) > 1 {
			var err error
			if f, err = h.mostSimilar(ctx, r, candidates, own); err != nil {
				return nil, f, err
			}
		}
	}
	c, err := h.content(ctx, r, f)
	return c, f, err
}

// candidatesFor returns the files with the asset's extension, without those that are
// too large for a dictionary if there are others.
func candidatesFor(asset string, files []File) []File {
	var fit, tooLarge []File
	for _, f := range files {
		switch {
		case !strings.EqualFold(path.Ext(f.Path), path.Ext(asset)):
		case f.Size > MaxFile:
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

// mostSimilar returns the file that has most in common with the asset; among equals
// the one of the nearest size, then the first by path.
func (h *History) mostSimilar(ctx context.Context, r *earlier, candidates []File, own *ownSketch) (best File, err error) {
	of, err := own.get()
	if err != nil {
		return best, err
	}
	type scored struct {
		file   File
		common int
	}
	var all []scored
	for _, f := range candidates {
		s, err := h.sketch(ctx, r, f)
		if err != nil {
			return best, err
		}
		all = append(all, scored{f, of.common(s)})
	}
	distance := func(f File) int64 { return max(f.Size-own.asset.Size, own.asset.Size-f.Size) }
	first := slices.MinFunc(all, func(a, b scored) int {
		return cmp.Or(
			cmp.Compare(b.common, a.common),
			cmp.Compare(distance(a.file), distance(b.file)),
			strings.Compare(a.file.Path, b.file.Path))
	})
	return first.file, nil
}

// ownSketch is the sketch of an asset, made when it is first needed.
type ownSketch struct {
	asset Asset
	made  sketch
}

func (o *ownSketch) get() (sketch, error) {
	if o.made != nil {
		return o.made, nil
	}
	src, err := o.asset.Read()
	o.made = newSketch(src)
	return o.made, err
}

// sketch returns the sketch of a release's file.
func (h *History) sketch(ctx context.Context, r *earlier, f File) (sketch, error) {
	if s, found := h.knownSketch(f.SHA256); found {
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

func (h *History) knownSketch(sum manifest.Dictionary) (sketch, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	s, found := h.sketches[sum]
	return s, found
}
