package precompress

import (
	"slices"

	"github.com/precompress/precompress/manifest"
)

// Sizes returns the assets with the sizes of the variants that the run left, sorted
// by path. Coding, size and omission of the variants are set. Those that failed or
// were not reached are marked stale, because their size is not known.
func (r *Result) Sizes() []manifest.Asset {
	assets := make([]manifest.Asset, 0, len(r.Assets))
	for _, a := range r.Assets {
		asset := manifest.Asset{Path: a.Path, Size: a.Size, Digest: a.Digest}
		for _, v := range a.Variants {
			variant := manifest.Variant{Coding: v.Coding, Size: v.Size}
			switch v.Status {
			case Omitted:
				variant.Omitted = manifest.Larger
			case Failed, Pending:
				variant.Size, variant.Stale = 0, true
			}
			asset.Variants = append(asset.Variants, variant)
		}
		assets = append(assets, asset)
	}
	return assets
}

// Sizes returns the assets with the sizes of the variants that a run of the plan
// would leave, as [Result.Sizes] does. Those that would be encoded are marked stale.
func (p *Plan) Sizes() []manifest.Asset { return p.forecast().Sizes() }

// Totals returns the sums of each coding that a run of the plan would leave, in the
// order of [manifest.Codings]. Variants that would be encoded count as failed.
func (p *Plan) Totals() []Total { return p.forecast().Totals() }

// Returning returns what visitors would download after a run of the plan, as
// [Result.Returning] does. Variants and deltas that would be encoded count as if
// there were none.
func (p *Plan) Returning() []Returning { return p.forecast().Returning() }

// forecast returns the result of a run that does everything except encoding.
func (p *Plan) forecast() *Result {
	r := &Result{Releases: p.Releases}
	for _, task := range p.Assets {
		if !task.encode {
			continue // only its original is copied
		}
		a := newAssetResult(task)
		for i, s := range task.all() {
			a.add(task, i, VariantResult{Coding: s.Coding, Status: forecastStatus(s.Action), Reason: s.Reason, Size: s.Size})
		}
		r.Assets = append(r.Assets, a)
	}
	return r
}

func forecastStatus(a Action) Status {
	switch a {
	case Omit, Remove:
		return Omitted
	case Encode:
		return Pending
	}
	return Reused
}

// newAssetResult returns the result of a task without any step.
func newAssetResult(t *Task) AssetResult {
	return AssetResult{Path: t.Path, Size: t.Size, Digest: t.Digest, Held: t.Held}
}

// add adds what became of the step of a task with the given index in [Task.all].
func (a *AssetResult) add(t *Task, i int, v VariantResult) {
	if i < len(t.Steps) {
		a.Variants = append(a.Variants, v)
		return
	}
	s := t.Deltas[i-len(t.Steps)]
	a.Deltas = append(a.Deltas, DeltaResult{
		Coding: s.Coding, Release: s.Release, Others: s.Others,
		Dictionary: s.Dictionary, DictionaryPath: s.DictionaryPath, DictionarySize: s.DictionarySize,
		Status: v.Status, Reason: v.Reason, Size: v.Size, Cached: v.Cached,
	})
}

// Returning is what a visitor who holds all of an earlier release downloads of the
// assets that changed since.
type Returning struct {
	Release string
	// Assets counts them.
	Assets int
	// Before is the sum of the bytes of their smallest representations without deltas,
	// After of those with deltas.
	Before, After int64
}

// Returning returns what visitors download who hold one of the releases, in the order
// of Releases. If a variant failed, the bytes of the source count.
func (r *Result) Returning() []Returning {
	assets := r.Sizes()
	all := make([]Returning, 0, len(r.Releases))
	for _, name := range r.Releases {
		sum := Returning{Release: name}
		for i, a := range r.Assets {
			if slices.Contains(a.Held, name) {
				continue
			}
			size := smallest(&assets[i])
			delta := size
			for _, d := range a.Deltas {
				if d.isOf(name) && d.isStored() {
					delta = min(delta, d.Size)
				}
			}
			sum.Assets++
			sum.Before += size
			sum.After += delta
		}
		all = append(all, sum)
	}
	return all
}

// isOf reports whether a release has the delta's dictionary.
func (d *DeltaResult) isOf(release string) bool {
	return d.Release == release || slices.Contains(d.Others, release)
}

// isStored reports whether the run left a file.
func (d *DeltaResult) isStored() bool {
	return d.Status == Written || d.Status == Reused || d.Status == Adopted
}

// smallest returns the size in bytes of the smallest representation of an asset, the
// source included, as far as it is known.
func smallest(a *manifest.Asset) int64 {
	size := a.Size
	for _, v := range a.Variants {
		if v.Stored() {
			size = min(size, v.Size)
		}
	}
	return size
}
