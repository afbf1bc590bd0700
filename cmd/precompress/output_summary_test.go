package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestSummaryOverruns: a summary lists the ten that are most over budget.
func TestSummaryOverruns(t *testing.T) {
	limit, err := budget.Parse("*.js=100")
	if err != nil {
		t.Fatal(err)
	}
	s := summary{dir: "site"}
	for i := range 25 {
		s.over = append(s.over, budget.Overrun{Budget: limit, Path: fmt.Sprintf("%d.js", i), Coding: manifest.Brotli, Bytes: int64(200 + i), Assets: 1})
	}
	text := s.markdown()
	if rows := strings.Count(text, "| br |"); rows != largestOverruns {
		t.Errorf("%d rows, want %d", rows, largestOverruns)
	}
	first, last := strings.Index(text, "| 224 | 100 | 124 |"), strings.Index(text, "| 215 | 100 | 115 |")
	if first < 0 || last < first || !strings.Contains(text, "\nand 15 more over budget, by no more than these\n") {
		t.Error(text)
	}
}

// TestSummaryBounds: neither long names nor many trees make a summary that GitHub
// refuses.
func TestSummaryBounds(t *testing.T) {
	long := strings.Repeat("_<\n", 1000)
	limit, err := budget.Parse(strings.Repeat("*", 1000) + "=100")
	if err != nil {
		t.Fatal(err)
	}
	s := summary{dir: long, comparison: &budget.Comparison{}, since: long}
	for range 1000 {
		s.over = append(s.over, budget.Overrun{Budget: limit, Path: long, Bytes: 200, Assets: 1})
		s.comparison.Changes = append(s.comparison.Changes, budget.Change{Name: long, After: budget.Extent{Files: 1, Smallest: 5}})
	}
	r := &sizeReview{sizeFlags: sizeFlags{summary: "SUMMARY.md"}}
	for range 1000 {
		r.add(nil, s)
	}
	if r.text.Len() > 512<<10 || r.leftOut == 0 {
		t.Errorf("%d bytes, %d trees left out", r.text.Len(), r.leftOut)
	}
	if !strings.Contains(r.text.String(), "…") {
		t.Error("nothing says that names are shortened")
	}
}

// TestCheckOrder: lines about one asset are in the order of codings, whether there
// is something wrong or not.
func TestCheckOrder(t *testing.T) {
	var stdout strings.Builder
	out := &output{stdout: &stdout, verbose: true}
	task := &precompress.Task{Path: "a.js", Steps: []precompress.Step{
		{Coding: manifest.Brotli, Action: precompress.Keep},
		{Coding: manifest.Zstd, Action: precompress.Touch},
		{Coding: manifest.Gzip, Action: precompress.Omit},
	}}
	problems := []precompress.Problem{{Path: "a.js", Coding: manifest.Zstd, Kind: precompress.ProblemMetadata}}
	out.check("site", &precompress.Plan{Assets: []*precompress.Task{task}}, problems, audited{})
	br, zstd, gzip := strings.Index(stdout.String(), "a.js: br: "), strings.Index(stdout.String(), "a.js: zstd: "), strings.Index(stdout.String(), "a.js: gzip: ")
	if br < 0 || zstd < br || gzip < zstd {
		t.Error(stdout.String())
	}
}

// TestLeftOutOfSummary: one directory is no plural, and several have the right one.
func TestLeftOutOfSummary(t *testing.T) {
	for n, want := range map[int]string{1: "and 1 more directory, ", 2000: "and 2,000 more directories, "} {
		if got := leftOutOfSummary(n); !strings.HasPrefix(got, want) {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}
