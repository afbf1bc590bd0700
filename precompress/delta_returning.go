package precompress

import "slices"

// Returning is what a visitor who holds all of an earlier release downloads of
// the assets that he does not hold unchanged.
type Returning struct {
	Release string
	// Assets is their number.
	Assets int
	// Before is the bytes of their smallest representations without deltas,
	// After of those with deltas.
	Before, After int64
}

// Returning returns what visitors download who hold one of the releases, in the
// order of Releases. Of what failed the source's bytes count.
func (r *Report) Returning() []Returning {
	stored := r.Stored()
	all := make([]Returning, 0, len(r.Releases))
	for _, name := range r.Releases {
		sum := Returning{Release: name}
		for i, a := range r.Assets {
			if slices.Contains(a.Held, name) {
				continue
			}
			size := smallest(&stored[i])
			delta := size
			for _, d := range a.Deltas {
				if d.isOf(name) && d.stored() {
					delta = min(delta, d.Size)
				}
			}
			sum.add(size, delta)
		}
		all = append(all, sum)
	}
	return all
}

// Returning returns what visitors would download after a run of the plan, as
// [Report.Returning] does. Variants and deltas that are to be encoded count as
// if there were none.
func (p *Plan) Returning() []Returning {
	r := Report{Releases: p.Releases}
	for _, task := range p.Assets {
		if task.encode {
			r.Assets = append(r.Assets, plannedReport(task))
		}
	}
	return r.Returning()
}

func (r *Returning) add(before, after int64) {
	r.Assets++
	r.Before += before
	r.After += after
}

// isOf reports whether a release has the delta's dictionary.
func (d *DeltaReport) isOf(release string) bool {
	return d.Release == release || slices.Contains(d.Others, release)
}

// stored reports whether the run left a file.
func (d *DeltaReport) stored() bool {
	return d.Status == Written || d.Status == Reused || d.Status == Adopted
}
