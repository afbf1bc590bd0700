package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/page"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// States of an asset, over all codings.
const (
	stateComplete = "stored in every coding"
	stateChosen   = "stored in every coding chosen for it"
	statePartly   = "omitted in some codings"
	stateOmitted  = "omitted in every coding"
	stateToDo     = "not up to date"
)

// row is an asset in the table.
type row struct {
	Path  string
	State string
	Size  int64
	Cells []cell // one for each coding that has a column
	Best  int64  // size of the smallest representation
	Notes []string
}

// cell is what is stored of an asset in one coding.
type cell struct {
	Coding manifest.Coding
	Sizes  []stored
	Best   bool // the smallest representation
}

// Smallest returns the size to sort by.
func (c cell) Smallest() int64 {
	return slices.MinFunc(c.Sizes, func(a, b stored) int { return cmp.Compare(a.Size, b.Size) }).Size
}

// stored is a stored file.
type stored struct {
	Size    int64
	Release string // of a delta's dictionary, if there are several releases
}

// rows returns the codings that have a column, and the rows.
func rows(p *precompress.Plan, names releaseNames) ([]manifest.Coding, []row) {
	var columns []manifest.Coding
	for _, c := range slices.Concat(manifest.Codings(), manifest.DeltaCodings()) {
		if slices.ContainsFunc(p.Assets, func(t *precompress.Task) bool { return usesCoding(t, c) }) {
			columns = append(columns, c)
		}
	}
	var all []row
	for _, task := range p.Assets {
		if len(task.Steps) > 0 || len(task.Deltas) > 0 {
			all = append(all, newRow(task, columns, names))
		}
	}
	return columns, all
}

func usesCoding(t *precompress.Task, c manifest.Coding) bool {
	return hasStep(t, c) ||
		slices.ContainsFunc(t.Deltas, func(d precompress.DeltaStep) bool { return d.Coding == c })
}

func newRow(task *precompress.Task, columns []manifest.Coding, names releaseNames) row {
	r := row{Path: page.Shown(task.Path), Size: task.Size, Best: task.Size, State: state(task, columns), Notes: notes(task, columns, names)}
	var best manifest.Coding
	for _, s := range task.Steps {
		if isStored(s) && s.Size < r.Best {
			r.Best, best = s.Size, s.Coding
		}
	}
	for _, c := range columns {
		r.Cells = append(r.Cells, cell{Coding: c, Best: c == best, Sizes: sizes(task, c, names)})
	}
	return r
}

// sizes returns the stored files of an asset in one coding.
func sizes(task *precompress.Task, c manifest.Coding, names releaseNames) []stored {
	var all []stored
	for _, s := range task.Steps {
		if s.Coding == c && isStored(s) {
			all = append(all, stored{Size: s.Size})
		}
	}
	for _, d := range task.Deltas {
		if d.Coding != c || !isStored(d.Step) {
			continue
		}
		file := stored{Size: d.Size}
		if len(names) > 1 {
			file.Release = names.short(d.Release)
		}
		all = append(all, file)
	}
	return all
}

func state(task *precompress.Task, columns []manifest.Coding) string {
	omitted := 0
	for _, s := range task.Steps {
		if s.Action == precompress.Omit {
			omitted++
		}
	}
	switch {
	case task.Work():
		return stateToDo
	case omitted == 0 && notChosen(task, columns) != nil:
		return stateChosen
	case omitted == 0:
		return stateComplete
	case omitted < len(task.Steps):
		return statePartly
	}
	return stateOmitted
}

// notes says why files are missing: each reason once, with the codings that it applies to.
func notes(task *precompress.Task, columns []manifest.Coding, names releaseNames) []string {
	var reasons []string
	codings := map[string][]string{} // by reason
	note := func(what string, s precompress.Step) {
		if s.Action == precompress.Keep {
			return
		}
		if s.Action == precompress.Omit && s.Size > 0 {
			what += fmt.Sprintf(" (%s)", page.Comma(s.Size))
		}
		reason := reasonText(s)
		if codings[reason] == nil {
			reasons = append(reasons, reason)
		}
		codings[reason] = append(codings[reason], what)
	}
	for _, s := range task.Steps {
		note(string(s.Coding), s)
	}
	for _, d := range task.Deltas {
		note(string(d.Coding)+" from "+names.short(d.Release), d.Step)
	}
	var all []string
	if task.CopyOriginal {
		all = append(all, "to copy: missing from the output directory")
	}
	for _, reason := range reasons {
		all = append(all, strings.Join(codings[reason], ", ")+": "+reason)
	}
	if left := notChosen(task, columns); left != nil {
		all = append(all, strings.Join(left, ", ")+" not chosen")
	}
	if len(task.Held) > 0 {
		var since []string
		for _, release := range task.Held {
			since = append(since, names.short(release))
		}
		all = append(all, "unchanged since "+strings.Join(since, ", "))
	}
	return all
}

// notChosen returns the codings of variants that other assets have, and that the settings do
// not choose for this one.
func notChosen(task *precompress.Task, columns []manifest.Coding) []string {
	var all []string
	for _, c := range columns {
		if !c.IsDelta() && !hasStep(task, c) {
			all = append(all, string(c))
		}
	}
	return all
}

func reasonText(s precompress.Step) string {
	switch s.Action {
	case precompress.Encode:
		return "to encode: " + s.Reason.Text()
	case precompress.Remove:
		return "to remove: " + s.Reason.Text()
	}
	return s.Reason.Text()
}
