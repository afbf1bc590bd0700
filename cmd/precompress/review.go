package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// summaryVariable names the file that a step of GitHub Actions may append
// Markdown to.
const summaryVariable = "GITHUB_STEP_SUMMARY"

// noSummary stands for no summary, whatever the environment says.
const noSummary = "none"

// review is what build and check do with sizes once they are known: hold them
// against budgets, compare them with an earlier build, sum them up in a file.
type review struct {
	summary  string // the file, "" for none
	baseline string
	budgets  []budget.Budget

	names           manifest.Fingerprint
	flags           *pflag.FlagSet   // that the command line was parsed with
	fromEnvironment bool             // the summary's file
	refused         error            // why the file of the environment gets none
	before          []manifest.Asset // of the baseline
	matched         []int            // assets per budget
	text            strings.Builder  // the summary
	leftOut         int              // trees that are not in it
}

func (r *review) register(fs *pflag.FlagSet) {
	r.flags = fs
	fs.Var(parsedListValue{"BUDGET", r.addBudget}, "budget", "exit with 3 if files are over this: GLOB=SIZE[:CODING][:total] (repeatable), as in 'assets/*.js=170kB:br'")
	fs.Var(parsedValue{"FILE", "$" + summaryVariable, func(s string) error { return nameValue{"FILE", &r.summary}.Set(s) }}, "summary", "append a summary in Markdown to FILE; none for no summary")
	fs.Var(nameValue{"FILE", &r.baseline}, "baseline", "compare with this manifest of an earlier build instead of the one in the tree")
}

// parsedListValue is a flag that may be given several times, each time with one
// value.
type parsedListValue struct {
	kind string
	add  func(string) error
}

func (v parsedListValue) String() string     { return "" }
func (v parsedListValue) Set(s string) error { return v.add(s) }
func (v parsedListValue) Type() string       { return v.kind }

func (r *review) addBudget(text string) error {
	b, err := budget.Parse(text)
	if err != nil {
		return errors.New(bareText(err))
	}
	r.budgets = append(r.budgets, b)
	return nil
}

// prepare checks what was asked for and reads the baseline, before anything is
// written.
func (r *review) prepare(flags *buildFlags, dirs []string) error {
	if err := r.chooseSummary(flags, dirs); err != nil {
		return err
	}
	for _, b := range r.budgets {
		chosen := flags.options.Codings
		if b.Coding != "" && b.Coding != budget.Identity && chosen != nil && !slices.Contains(chosen, b.Coding) {
			return usageError{fmt.Errorf("--budget: %q counts %s, which --codings leaves out: name it there, or count another", b.Text, b.Coding)}
		}
	}
	r.names = flags.options.Fingerprint
	r.matched = make([]int, len(r.budgets))
	return r.loadBaseline(flags, len(dirs))
}

// isIdle reports whether nothing was asked for.
func (r *review) isIdle() bool { return len(r.budgets) == 0 && r.summary == "" }

// audited is what holding a tree against every budget came to.
type audited struct {
	over    []budget.Overrun
	unknown []unknownSizes
}

// unknownSizes is a budget that could not be held against so many assets.
type unknownSizes struct {
	budget budget.Budget
	assets int
}

// audit holds assets against every budget.
func (r *review) audit(assets []manifest.Asset) audited {
	var all audited
	for i, b := range r.budgets {
		audit := b.Audit(assets, r.names)
		r.matched[i] += audit.Matched
		all.over = append(all.over, audit.Over...)
		if audit.Unknown > 0 {
			all.unknown = append(all.unknown, unknownSizes{b, audit.Unknown})
		}
	}
	return all
}

// built reviews what a build left, and reports whether it is over budget.
func (r *review) built(out *output, dir string, plan *precompress.Plan, report *precompress.Report) (isOver bool) {
	if r.isIdle() {
		return false
	}
	assets := report.Sizes()
	audit := r.audit(assets)
	out.audited(dir, audit)
	if r.summary != "" {
		s := summary{dir: dir, assets: assets, totals: report.Totals(), returning: report.Returning(), over: audit.over, failures: len(report.Failures), stopped: report.Stopped != nil}
		r.compare(&s, plan.Before.Assets)
		r.add(s)
	}
	return len(audit.over) > 0
}

// planned reviews what a build would leave, and reports whether it is over budget.
func (r *review) planned(out *output, dir string, plan *precompress.Plan) (isOver bool) {
	if r.isIdle() {
		return false
	}
	audit := r.audit(plan.Sizes())
	out.audited(dir, audit)
	return len(audit.over) > 0
}

// checked reviews what was found in a tree, and returns what is to be told of it.
func (r *review) checked(dir string, plan *precompress.Plan, problems []precompress.Problem) audited {
	if r.isIdle() {
		return audited{}
	}
	assets := plan.Sizes()
	audit := r.audit(assets)
	if r.summary != "" {
		s := summary{dir: dir, assets: assets, totals: plan.Totals(), returning: plan.Returning(), over: audit.over, problems: problems, failures: len(plan.Failures), checked: true}
		r.compare(&s, nil)
		r.add(s)
	}
	return audit
}

// add adds a tree to the summary.
func (r *review) add(s summary) {
	if r.text.Len() > maxSummary {
		r.leftOut++
		return
	}
	r.text.WriteString(s.markdown())
}

// compare adds to a summary what changed since the baseline, or since the last
// build if no baseline is named.
func (r *review) compare(s *summary, last []manifest.Asset) {
	before, since := r.before, r.baseline
	if since == "" {
		before, since = last, "the last build"
	}
	if r.baseline != "" || len(last) > 0 {
		c := budget.Compare(before, s.assets, r.names)
		s.comparison, s.since = &c, since
	}
}

// finish writes the summary and finds budgets that are about nothing, once all
// trees had their turn with the given result.
func (r *review) finish(out *output, result error) error {
	if result == nil || isVerdict(result) {
		for i, b := range r.budgets {
			if r.matched[i] == 0 {
				out.idleBudget(b)
				result = errFailed
			}
		}
	}
	if r.refused != nil {
		out.summaryFailed(r.refused, true)
	}
	if r.text.Len() == 0 {
		return result
	}
	if r.leftOut > 0 {
		r.text.WriteString(leftOutOfSummary(r.leftOut))
	}
	if err := appendFile(r.summary, r.text.String()); err != nil {
		out.summaryFailed(err, r.fromEnvironment)
		if !r.fromEnvironment && (result == nil || isVerdict(result)) {
			result = errFailed
		}
	}
	return result
}
