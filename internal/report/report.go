// Package report makes an HTML page about what a build left in a tree: how much each
// coding saves, where the bytes are, what was stored of every file and why not more, and
// what visitors download. The page loads nothing else.
package report

import (
	_ "embed"
	"io"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/internal/page"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

//go:embed report.html
var body string

// Subject is what a report is about.
type Subject struct {
	// Name is the name of the tree, as the reader knows it.
	Name string
	// Plan is the plan of the tree (precompress.Tree.Plan): what is on disk, and what a
	// build would do.
	Plan *precompress.Plan
	// Problems are those of the plan (precompress.Tree.Problems). They are on top of the
	// page.
	Problems []precompress.Problem
	// Baseline is an earlier build to compare with, nil for none. Names says which of
	// its assets correspond (precompress.Options.Fingerprint).
	Baseline *Baseline
	Names    manifest.Fingerprint
	// SkipText returns the text for the reason why a file is skipped; nil means
	// [precompress.Reason.Text].
	SkipText func(precompress.Reason) string
}

// Baseline is an earlier build.
type Baseline struct {
	Name   string
	Assets []manifest.Asset // of its manifest
}

// Write writes the page, which is the same, byte for byte, for the same subject. Names of
// files may be hostile: the page shows them as text. If the page cannot be made, nothing is
// written.
func Write(w io.Writer, s Subject) error {
	return page.Page{Title: "Report: " + page.Shown(s.Name), Body: body, Data: newView(s)}.Write(w)
}

// view is the data of the template.
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
		Name:     page.Shown(s.Name),
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
		v.Changes = newChanges(page.Shown(s.Baseline.Name), budget.Compare(s.Baseline.Assets, assets, s.Names))
	}
	return v
}

func failures(all []*precompress.Error) []string {
	var texts []string
	for _, f := range all {
		texts = append(texts, f.Error())
	}
	return texts
}
