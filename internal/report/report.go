// Package report makes a page of HTML of what a build left in a tree: how much each
// coding saves, where the bytes are, what became of every file and why, and what
// visitors download. The page needs nothing but itself.
package report

import (
	_ "embed"
	"io"

	"github.com/precompress/precompress/internal/page"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

//go:embed report.html
var body string

// Subject is what a report is about.
type Subject struct {
	// Name is the tree's, as the reader knows it.
	Name string
	// Plan is that of the tree (precompress.Tree.Plan), which knows what is on disk
	// and what is to be done.
	Plan *precompress.Plan
	// Problems are those of the plan (precompress.Tree.Problems). The report tells
	// of them before all else.
	Problems []precompress.Problem
	// Baseline is an earlier build to compare with, nil for none, and Names tells
	// which of its assets are which (precompress.Options.Fingerprint).
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

// Write writes the page: the same for the same subject, byte for byte. Names of
// files, which may be anything, stand in it as text. What fails before the page is
// made writes nothing.
func Write(w io.Writer, s Subject) error {
	return page.Page{Title: "Report: " + shown(s.Name), Body: body, Data: newView(s)}.Write(w)
}
