package report

import (
	"strings"

	"github.com/precompress/precompress/internal/page"
	"github.com/precompress/precompress/precompress"
)

// mostProblems is how many problems are listed: a tree in which everything is stale
// has one for each coding of each asset.
const mostProblems = 200

// problemList is what is not as a build would leave it.
type problemList struct {
	Count  int
	Kinds  string // how many of each kind
	Listed []problem
	More   int  // beyond those listed
	Encode bool // anything is to be encoded, which the sums do not have
}

type problem struct{ Path, Coding, Kind, Text string }

func newProblemList(p *precompress.Plan, problems []precompress.Problem) problemList {
	list := problemList{Count: len(problems), Encode: p.Encodes()}
	counts := map[precompress.ProblemKind]int{}
	for _, p := range problems {
		counts[p.Kind]++
		if len(list.Listed) == mostProblems {
			list.More++
			continue
		}
		coding := strings.TrimSpace(string(p.Coding) + " " + p.Dictionary)
		if p.Kind == precompress.ProblemOrphan {
			coding = "" // the file's name says it
		}
		list.Listed = append(list.Listed, problem{shown(p.Path), coding, string(p.Kind), p.Text})
	}
	var kinds []string
	for _, k := range precompress.ProblemKinds() {
		if counts[k] > 0 {
			kinds = append(kinds, page.Comma(int64(counts[k]))+" "+string(k))
		}
	}
	list.Kinds = strings.Join(kinds, ", ")
	return list
}
