package report

import (
	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// visitor is what a visitor downloads to get all assets.
type visitor struct {
	// Accepts is the only coding that the browser accepts, "" if it accepts all and gets
	// the smallest representation.
	Accepts manifest.Coding
	// Release is the one that the browser has cached, "" for a first visit.
	Release string
	Deltas  bool // of a cached release
	Files   int
	Bytes   int64
}

// Class returns the class that gives the bar its color.
func (v visitor) Class() string {
	if v.Accepts == "" {
		return "smallest"
	}
	return string(v.Accepts)
}

// visitors returns first visits, by what the browser accepts, then visits with a cached
// release.
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
		name := names.short(r.Release)
		all = append(all,
			visitor{Release: name, Files: r.Assets, Bytes: r.Before},
			visitor{Release: name, Deltas: true, Files: r.Assets, Bytes: r.After})
	}
	return all
}
