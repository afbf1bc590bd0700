package report

import (
	"github.com/precompress/precompress/internal/budget"
	"html/template"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// visitor is what somebody downloads who asks for all assets.
type visitor struct {
	// Accepts are codings that the client takes, none for one that takes whatever is
	// smallest.
	Accepts manifest.Coding
	// Release is the one that he holds, "" for a first visit.
	Release string
	Deltas  bool // with deltas
	Files   int
	Bytes   int64
	most    int64 // that any of them downloads
}

// Class is the one that the bar has its color from.
func (v visitor) Class() string {
	if v.Accepts == "" {
		return "smallest"
	}
	return string(v.Accepts)
}

// Strip draws the bytes next to those of the others.
func (v visitor) Strip() template.HTML { return strip(v.Class(), v.Bytes, v.most) }

// visitors returns first visitors, by what they accept, then those who hold one of
// the releases.
func visitors(p *precompress.Plan, assets []manifest.Asset, names releaseNames) []visitor {
	all := []visitor{{Accepts: budget.Identity}}
	totals := p.Totals()
	for i := len(totals) - 1; i >= 0; i-- {
		all = append(all, visitor{Accepts: totals[i].Coding})
	}
	all = append(all, visitor{})
	for i := range all {
		all[i].Files = len(assets)
		for k := range assets {
			if all[i].Accepts == "" {
				all[i].Bytes += smallest(&assets[k])
			} else {
				all[i].Bytes += sizeIn(&assets[k], all[i].Accepts)
			}
		}
	}
	for _, r := range p.Returning() {
		name := names.of(r.Release)
		all = append(all,
			visitor{Release: name, Files: r.Assets, Bytes: r.Before},
			visitor{Release: name, Deltas: true, Files: r.Assets, Bytes: r.After})
	}
	for i := range all {
		all[i].most = all[0].Bytes
	}
	return all
}
