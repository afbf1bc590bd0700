package main

import (
	"os"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// sizeReview is what build and check do with the sizes of their trees: check them
// against budgets, compare them with an earlier build, and sum them up in a file.
type sizeReview struct {
	sizeFlags // summary is "" if none is written, baseline is "" if none is used

	names           manifest.Fingerprint
	fromEnvironment bool             // the summary's file
	refused         error            // why the file of the environment gets no summary
	before          []manifest.Asset // of the baseline
	matched         []int            // assets per budget
	text            strings.Builder  // the summary
	leftOut         int              // trees that are not in it
}

// newSizeReview checks the flags and reads the baseline, before anything is written.
func newSizeReview(flags *buildFlags, dirs []string) (*sizeReview, error) {
	r := &sizeReview{sizeFlags: flags.sizes, names: flags.options.Fingerprint, matched: make([]int, len(flags.sizes.budgets))}
	if err := r.chooseSummary(flags, dirs); err != nil {
		return nil, err
	}
	for _, b := range r.budgets {
		chosen := flags.options.Codings
		if b.Coding != "" && b.Coding != budget.Identity && chosen != nil && !slices.Contains(chosen, b.Coding) {
			return nil, usageErrorf("budget codings", "--budget: %q counts %s, which --codings leaves out: name it there, or count another", b.Text, b.Coding)
		}
	}
	return r, r.loadBaseline(flags, len(dirs))
}

// chooseSummary finds out which file the summary goes to, if any. What the
// configuration file or the environment says holds for every run: where there cannot be
// a summary, there is none. A flag that has no effect is refused.
func (r *sizeReview) chooseSummary(flags *buildFlags, dirs []string) error {
	switch {
	case flags.dryRun && flags.origins.onCommandLine("summary") && r.summary != noSummary:
		return usageErrorf("summary", "--summary and --dry-run contradict each other: a dry run writes nothing")
	case r.summary == noSummary, flags.dryRun:
		r.summary = ""
	case r.summary == "":
		r.summary = os.Getenv(summaryVariable)
		r.fromEnvironment = true
	}
	if r.summary == "" {
		return nil
	}
	err := refuseFile(r.summary, reservedByBuild(flags, dirs, r.baseline))
	if err != nil && r.fromEnvironment {
		r.summary, r.refused = "", err
		return nil
	}
	if err != nil {
		return usageErrorf("summary", "--summary: %w", err)
	}
	return nil
}

// loadBaseline reads the baseline, if the summary has a use for one.
func (r *sizeReview) loadBaseline(flags *buildFlags, dirs int) error {
	switch {
	case r.baseline == "":
		return nil
	case r.summary == "" && (!flags.origins.onCommandLine("baseline") || r.refused != nil):
		r.baseline = ""
		return nil
	case r.summary == "" && flags.dryRun:
		return usageErrorf("baseline", "--baseline and --dry-run contradict each other: a dry run writes no summary that could compare")
	case r.summary == "":
		return usageErrorf("baseline", "--baseline is used by the summary only: name a file with --summary")
	case dirs > 1:
		return usageErrorf("baseline", "a baseline goes with one tree, not with %d: build or check each on its own", dirs)
	}
	var err error
	r.before, err = readBaseline(r.baseline)
	return err
}

// readBaseline returns the assets of the manifest that --baseline names.
func readBaseline(file string) ([]manifest.Asset, error) {
	m, err := readManifest("baseline", file, "name the manifest of an earlier build, or leave it out until there is one")
	if err != nil {
		return nil, err
	}
	return m.Assets, nil
}

// isIdle reports whether there is nothing to do.
func (r *sizeReview) isIdle() bool { return len(r.budgets) == 0 && r.summary == "" }

// audit checks assets against every budget.
func (r *sizeReview) audit(assets []manifest.Asset) audited {
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
func (r *sizeReview) built(out *output, dir string, plan *precompress.Plan, report *precompress.Result) (isOver bool) {
	if r.isIdle() {
		return false
	}
	assets := report.Sizes()
	audit := r.audit(assets)
	out.audited(dir, audit)
	r.add(plan.Before.Assets, summary{
		dir: dir, assets: assets, totals: report.Totals(), returning: report.Returning(),
		over: audit.over, failures: len(report.Failures), stopped: report.Stopped != nil,
	})
	return len(audit.over) > 0
}

// planned reviews what a build would leave, and reports whether it is over budget.
func (r *sizeReview) planned(out *output, dir string, plan *precompress.Plan) (isOver bool) {
	if r.isIdle() {
		return false
	}
	audit := r.audit(plan.Sizes())
	out.audited(dir, audit)
	return len(audit.over) > 0
}

// checked reviews what was found in a tree, and returns what to print about budgets.
func (r *sizeReview) checked(dir string, plan *precompress.Plan, problems []precompress.Problem) audited {
	if r.isIdle() {
		return audited{}
	}
	assets := plan.Sizes()
	audit := r.audit(assets)
	r.add(nil, summary{
		dir: dir, assets: assets, totals: plan.Totals(), returning: plan.Returning(),
		over: audit.over, problems: problems, failures: len(plan.Failures), checked: true,
	})
	return audit
}

// add adds a tree to the summary, if one is written, with what changed since the
// baseline, or since the last build if no baseline is named.
func (r *sizeReview) add(last []manifest.Asset, s summary) {
	switch {
	case r.summary == "":
		return
	case r.text.Len() > maxSummary:
		r.leftOut++
		return
	case r.baseline != "":
		s.compare(r.before, r.baseline, r.names)
	case len(last) > 0:
		s.compare(last, "the last build", r.names)
	}
	r.text.WriteString(s.markdown())
}

// finish writes the summary and finds budgets that match nothing, once all trees are
// done with the given result.
func (r *sizeReview) finish(out *output, result error) error {
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
