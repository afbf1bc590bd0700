package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/page"
	"github.com/precompress/precompress/precompress"
)

// mostProblems is how many problems are listed: a tree in which everything is stale has
// one for each coding of each asset.
const mostProblems = 200

// problemList is what differs from what a build would leave.
type problemList struct {
	Count  int
	Kinds  string // how many of each kind
	Listed []problem
	More   int  // that are not listed
	Encode bool // a build would encode something, which the totals do not include
}

type problem struct{ Path, Coding, Kind, Text string }

func newProblemList(p *precompress.Plan, problems []precompress.Problem) problemList {
	list := problemList{Count: len(problems), Encode: p.Encodes()}
	counts := tally{}
	for _, p := range problems {
		counts[string(p.Kind)]++
		if len(list.Listed) == mostProblems {
			list.More++
			continue
		}
		coding := strings.TrimSpace(string(p.Coding) + " " + p.Dictionary)
		if p.Kind == precompress.ProblemOrphan {
			coding = "" // the file's name says it
		}
		list.Listed = append(list.Listed, problem{page.Shown(p.Path), coding, string(p.Kind), p.Text})
	}
	var kinds []string
	for _, k := range precompress.ProblemKinds() {
		if counts[string(k)] > 0 {
			kinds = append(kinds, string(k))
		}
	}
	list.Kinds = counts.text(kinds)
	return list
}

// skippedList are the files that are not assets.
type skippedList struct {
	Files   []skippedFile
	Reasons string // with their numbers
}

type skippedFile struct{ Path, Reason string }

func newSkippedList(skipped []precompress.Skipped, text func(precompress.Reason) string) skippedList {
	if text == nil {
		text = precompress.Reason.Text
	}
	var list skippedList
	counts := tally{}
	for _, s := range skipped {
		reason := text(s.Reason)
		counts[reason]++
		list.Files = append(list.Files, skippedFile{page.Shown(s.Path), reason})
	}
	var reasons []string
	for _, reason := range counts.mostFrequent() {
		reasons = append(reasons, fmt.Sprintf("%s (%s)", reason, page.Comma(int64(counts[reason]))))
	}
	list.Reasons = strings.Join(reasons, "; ")
	return list
}

// tally counts things by kind.
type tally map[string]int

// mostFrequent returns the kinds, the most frequent first.
func (t tally) mostFrequent() []string {
	return slices.SortedFunc(maps.Keys(t), func(a, b string) int {
		return cmp.Or(cmp.Compare(t[b], t[a]), strings.Compare(a, b))
	})
}

// text returns the numbers of kinds, as in "3 stale, 1 missing".
func (t tally) text(kinds []string) string {
	var parts []string
	for _, kind := range kinds {
		parts = append(parts, page.Comma(int64(t[kind]))+" "+kind)
	}
	return strings.Join(parts, ", ")
}
