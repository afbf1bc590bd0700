package report

import (
	"html/template"
	"slices"

	"github.com/precompress/precompress/internal/page"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// total is what one coding comes to.
type total struct {
	Coding        manifest.Coding
	Files         int
	Before, After int64 // bytes of the sources of these files, and of the files
	Omitted, ToDo int
	NotChosen     int // assets that the settings leave out
}

// totalList has the codings in the order of reports.
type totalList []total

// HasToDo reports whether anything is to be encoded.
func (l totalList) HasToDo() bool {
	return slices.ContainsFunc(l, func(t total) bool { return t.ToDo > 0 })
}

// HasNotChosen reports whether a coding is left out for some assets.
func (l totalList) HasNotChosen() bool {
	return slices.ContainsFunc(l, func(t total) bool { return t.NotChosen > 0 })
}

// HasDeltas reports whether there are codings of deltas among them.
func (l totalList) HasDeltas() bool {
	return slices.ContainsFunc(l, func(t total) bool { return t.Coding.IsDelta() })
}

// Strip draws the bytes after as a part of those before.
func (t total) Strip() template.HTML { return strip(string(t.Coding), t.After, t.Before) }

// strip draws a bar whose mark is so much of the whole.
func strip(class string, n, whole int64) template.HTML {
	const width, height = 200, 14
	return page.Strip(width, height, func(c *page.Canvas) {
		c.Rect("track", 0, 0, width, height, "")
		if whole > 0 && n > 0 {
			c.Rect("mark "+class, 0, 0, max(1, width*float64(n)/float64(whole)), height, "")
		}
	})
}

// totals returns the sums of the codings of variants, then of deltas, which count
// once for each dictionary.
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

// isStored reports whether the file is there and right.
func isStored(s precompress.Step) bool {
	return s.Action == precompress.Keep || s.Action == precompress.Touch
}
