package precompress

import "github.com/precompress/precompress/manifest"

// Stored returns the assets with the sizes of the variants that the run left,
// sorted by path. Of variants, coding, size and omission are set; those that
// failed or were not reached are marked stale, their size is not known.
func (r *Report) Stored() []manifest.Asset {
	assets := make([]manifest.Asset, 0, len(r.Assets))
	for _, a := range r.Assets {
		stored := manifest.Asset{Path: a.Path, Size: a.Size, Digest: a.Digest}
		for _, v := range a.Variants {
			known := manifest.Variant{Coding: v.Coding, Size: v.Size}
			switch v.Status {
			case Omitted:
				known.Omitted = manifest.Larger
			case Failed, Pending:
				known.Size, known.Stale = 0, true
			}
			stored.Variants = append(stored.Variants, known)
		}
		assets = append(assets, stored)
	}
	return assets
}

// Stored returns the assets with the sizes of the variants that a run of the plan
// would leave, as [Report.Stored] does. Those that are to be encoded are marked
// stale.
func (p *Plan) Stored() []manifest.Asset {
	assets := make([]manifest.Asset, 0, len(p.Assets))
	for _, task := range p.Assets {
		if !task.encode {
			continue // only its original is copied
		}
		stored := manifest.Asset{Path: task.Path, Size: task.Size, Digest: task.Digest}
		for _, s := range task.Steps {
			known := manifest.Variant{Coding: s.Coding, Size: s.Size}
			switch s.Action {
			case Omit, Remove:
				known.Omitted = manifest.Larger
			case Encode:
				known.Size, known.Stale = 0, true
			}
			stored.Variants = append(stored.Variants, known)
		}
		assets = append(assets, stored)
	}
	return assets
}

// smallest returns the size in bytes of the smallest representation of an asset, as
// far as it is known: of a variant, or the source itself.
func smallest(a *manifest.Asset) int64 {
	size := a.Size
	for _, v := range a.Variants {
		if v.Stored() {
			size = min(size, v.Size)
		}
	}
	return size
}

// Totals returns the sums of each coding of what a run of the plan would leave, in
// the order of [manifest.Codings]. Variants that are to be encoded count as failed.
func (p *Plan) Totals() []Total {
	var r Report
	for _, task := range p.Assets {
		r.Assets = append(r.Assets, plannedReport(task))
	}
	return r.Totals()
}

// plannedReport returns the report of a task whose steps are done but for those
// that encode, which are pending.
func plannedReport(t *Task) AssetReport {
	a := t.report()
	for i, s := range t.all() {
		a.add(t, i, VariantReport{Coding: s.Coding, Status: plannedStatus(s.Action), Reason: s.Reason, Size: s.Size})
	}
	return a
}

func plannedStatus(a Action) Status {
	switch a {
	case Omit, Remove:
		return Omitted
	case Encode:
		return Pending
	}
	return Reused
}
