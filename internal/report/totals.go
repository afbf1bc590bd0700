package report

import (
	"slices"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// total is the sum over all files of one coding.
type total struct {
	Coding        manifest.Coding
	Files         int
	Before, After int64 // bytes of the sources of the files, and of the files
	Omitted, ToDo int
	NotChosen     int // assets that the settings do not choose the coding for
}

// totalList has variants, then deltas.
type totalList []total

// HasToDo reports whether a build would encode something.
func (l totalList) HasToDo() bool {
	return slices.ContainsFunc(l, func(t total) bool { return t.ToDo > 0 })
}

// HasNotChosen reports whether a coding is not chosen for some assets.
func (l totalList) HasNotChosen() bool {
	return slices.ContainsFunc(l, func(t total) bool { return t.NotChosen > 0 })
}

// HasDeltas reports whether there are deltas.
func (l totalList) HasDeltas() bool {
	return slices.ContainsFunc(l, func(t total) bool { return t.Coding.IsDelta() })
}

// totals sums up. Deltas count once for each dictionary.
func totals(p *precompress.Plan) totalList {
	var all totalList
	for _, t := range p.Totals() {
		one := total{Coding: t.Coding, Files: t.Files, Before: t.Before, After: t.After, Omitted: t.Omitted, ToDo: t.Failed}
		for _, task := range p.Assets {
			if len(task.Steps) > 0 && !hasStep(task, t.Coding) {
				one.NotChosen++
			}
		}
		all = append(all, one)
	}
	for _, c := range manifest.DeltaCodings() {
		if t := deltaTotal(p, c); t.Files+t.Omitted+t.ToDo > 0 {
			all = append(all, t)
		}
	}
	return all
}

func deltaTotal(p *precompress.Plan, c manifest.Coding) total {
	t := total{Coding: c}
	for _, task := range p.Assets {
		for _, d := range task.Deltas {
			switch {
			case d.Coding != c:
			case d.Action == precompress.Encode:
				t.ToDo++
			case isStored(d.Step):
				t.Files++
				t.Before += task.Size
				t.After += d.Size
			default:
				t.Omitted++
			}
		}
	}
	return t
}
