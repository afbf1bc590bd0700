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

// view is what the template shows.
type view struct {
	Name             string
	Warnings         []precompress.Warning
	Failures         []string
	Problems         problemList
	Files            int
	Source, Smallest int64

	Totals    totalList
	Visitors  []visitor
	Parts     []*part
	Treemap   page.Figure
	Bins      []bin
	Histogram page.Figure
	Changes   *changes
	Codings   []manifest.Coding // columns of the rows
	Releases  releaseNames
	Rows      []row
	Skipped   skippedList
}

func newView(s Subject) view {
	assets, releases := s.Plan.Sizes(), newReleaseNames(s.Plan.Releases)
	v := view{
		Name:     shown(s.Name),
		Warnings: s.Plan.Warnings,
		Failures: failures(s.Plan.Failures),
		Problems: newProblemList(s.Plan, s.Problems),
		Files:    len(assets),
		Totals:   totals(s.Plan),
		Visitors: visitors(s.Plan, assets, releases),
		Bins:     bins(assets),
		Releases: releases,
		Skipped:  newSkippedList(s.Plan.Skipped, s.SkipText),
	}
	for i := range assets {
		v.Source += assets[i].Size
		v.Smallest += smallest(&assets[i])
	}
	v.Codings, v.Rows = rows(s.Plan, releases)
	tree := divide(assets)
	v.Parts = tree.leaves()
	v.Treemap = treemapFigure(tree, len(v.Parts))
	v.Histogram = histogramFigure(v.Bins)
	if s.Baseline != nil {
		v.Changes = newChanges(*s.Baseline, assets, s.Names)
	}
	return v
}

// smallest returns the bytes of an asset's smallest representation, as far as it is
// known.
func smallest(a *manifest.Asset) int64 {
	size := a.Size
	for _, v := range a.Variants {
		if v.Stored() {
			size = min(size, v.Size)
		}
	}
	return size
}

// sizeIn returns the bytes that a client gets an asset in that takes one coding only.
func sizeIn(a *manifest.Asset, c manifest.Coding) int64 {
	if v, ok := a.Variant(c); ok && v.Stored() {
		return v.Size
	}
	return a.Size
}

func failures(all []*precompress.Error) []string {
	var texts []string
	for _, f := range all {
		texts = append(texts, f.Error())
	}
	return texts
}

// skippedList are the files that are no assets, and how many of them for which
// reason.
type skippedList struct {
	Files   []skippedFile
	Reasons []string // with their numbers
}

// Title says how many there are.
func (l skippedList) Title() string {
	if len(l.Files) == 1 {
		return "1 file or directory"
	}
	return page.Comma(int64(len(l.Files))) + " files and directories"
}

type skippedFile struct{ Path, Reason string }

func newSkippedList(skipped []precompress.Skipped, text func(precompress.Reason) string) skippedList {
	if text == nil {
		text = precompress.Reason.Text
	}
	var list skippedList
	counts := map[string]int{}
	for _, s := range skipped {
		counts[text(s.Reason)]++
		list.Files = append(list.Files, skippedFile{shown(s.Path), text(s.Reason)})
	}
	for _, reason := range mostFrequent(counts) {
		list.Reasons = append(list.Reasons, fmt.Sprintf("%s (%s)", reason, page.Comma(int64(counts[reason]))))
	}
	return list
}

// mostFrequent returns texts, those with the largest numbers first.
func mostFrequent(counts map[string]int) []string {
	var all []string
	for text := range counts {
		all = append(all, text)
	}
	slices.SortFunc(all, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), strings.Compare(a, b))
	})
	return all
}
