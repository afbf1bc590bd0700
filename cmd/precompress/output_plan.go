package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// plan prints what a build would do to one tree.
func (o *output) plan(dir string, p *precompress.Plan, empty bool) {
	if o.json != nil {
		o.json.plan(dir, p)
	}
	for _, task := range p.Assets {
		o.task(task)
	}
	o.orphans(p.Orphans)
	if o.verbose {
		o.skipped(p.Skipped)
	}
	o.result("%s: %s\n", o.bold(printable(dir)), planSummary(p))
	o.warnings(dir, warningTexts(p.Warnings))
	o.failures(dir, p.Failures)
	if empty {
		o.empty(dir)
	}
}

// task prints a line for everything that there is to do about an asset, with --verbose
// also for what stays.
func (o *output) task(task *precompress.Task) {
	path := printable(task.Path)
	if task.CopyOriginal {
		o.result("  %s: copy (the output directory lacks it)\n", path)
	}
	step := func(name string, a precompress.Action, r precompress.Reason) {
		if o.verbose || !isIdle(a) {
			o.result("  %s: %s: %s (%s)\n", path, name, a, reasonText(r))
		}
	}
	for _, s := range task.Steps {
		step(string(s.Coding), s.Action, s.Reason)
	}
	for _, s := range task.Deltas {
		step(deltaName(s.Coding, s.DictionaryPath, s.Release), s.Action, s.Reason)
	}
}

func (o *output) orphans(orphans []precompress.Orphan) {
	for _, f := range orphans {
		o.result("  %s: remove (%s)\n", printable(f.Path), reasonText(f.Reason))
	}
}

func isIdle(a precompress.Action) bool {
	return a == precompress.Keep || a == precompress.Omit
}

// planSummary says in one line how much there is to do.
func planSummary(p *precompress.Plan) string {
	if p.UpToDate() {
		return "up to date (" + count(len(p.Assets), "asset") + ")"
	}
	variants, deltas := make(map[string]int), make(map[string]int)
	copies := 0
	for _, task := range p.Assets {
		if task.CopyOriginal {
			copies++
		}
		for _, s := range task.Steps {
			variants[toDo(s.Action)]++
		}
		for _, s := range task.Deltas {
			deltas[toDo(s.Action)]++
		}
	}
	var parts []string
	add := func(n int, what, todo string) {
		if n > 0 {
			parts = append(parts, count(n, what)+" "+todo)
		}
	}
	for _, todo := range []string{"to encode", "to update", "to remove"} {
		add(variants[todo], "variant", todo)
		add(deltas[todo], "delta", todo)
	}
	add(copies, "original", "to copy")
	add(len(p.Orphans), "file", "to remove")
	add(len(p.Failures), "path", "that cannot be read")
	if len(parts) == 0 {
		parts = []string{"the manifest to write"}
	}
	return "not up to date: " + strings.Join(parts, ", ")
}

// toDo says what there is to do for a step, "" for nothing.
func toDo(a precompress.Action) string {
	switch a {
	case precompress.Keep, precompress.Omit:
		return ""
	case precompress.Encode:
		return "to encode"
	case precompress.Remove:
		return "to remove"
	}
	return "to update"
}

// check prints what is wrong with one tree, a line each; with --verbose the
// variants that are right as well.
func (o *output) check(dir string, p *precompress.Plan, problems []precompress.Problem, audit audited) {
	if o.json != nil {
		o.json.check(dir, p, problems)
	}
	lines := make([]checkLine, 0, len(problems))
	for _, x := range problems {
		coding := checkedCoding(x.Coding, x.Dictionary)
		if x.Kind == precompress.ProblemOrphan {
			coding = "" // the path is the file's and says it
		}
		lines = append(lines, checkLine{x.Path, coding, string(x.Kind), x.Text})
	}
	if o.verbose {
		lines = append(lines, fineLines(p)...)
		slices.SortStableFunc(lines, func(a, b checkLine) int {
			return cmp.Or(strings.Compare(a.path, b.path), cmp.Compare(codingRank(a.coding), codingRank(b.coding)))
		})
	}
	for _, l := range lines {
		coding := ""
		if l.coding != "" {
			coding = l.coding + ": "
		}
		o.result("%s: %s%s: %s\n", printable(l.path), coding, l.word, l.text)
	}
	o.audited(dir, audit)
	o.result("%s: %s\n", o.bold(printable(dir)), checkSummary(p, problems, audit.over))
	o.warnings(dir, warningTexts(p.Warnings))
	o.failures(dir, p.Failures)
}

// codingRank is the place in lists of what a [checkLine] calls a coding; what is
// about none comes first.
func codingRank(coding string) int {
	name, _, _ := strings.Cut(coding, " ")
	return slices.Index(slices.Concat(manifest.Codings(), manifest.DeltaCodings()), manifest.Coding(name))
}

// checkLine is a line of what check prints.
type checkLine struct {
	path   string
	coding string
	word   string
	text   string
}

// checkedCoding names a coding, and of a delta the dictionary as the file's name
// has it.
func checkedCoding(c manifest.Coding, dictionary string) string {
	return strings.TrimSuffix(string(c)+" "+dictionary, " ")
}

// fineLines returns lines for what is as it should be, and for what is skipped.
func fineLines(p *precompress.Plan) []checkLine {
	var lines []checkLine
	for _, task := range p.Assets {
		for _, s := range task.Steps {
			if isIdle(s.Action) {
				lines = append(lines, checkLine{task.Path, string(s.Coding), fineWord(s.Action), reasonText(s.Reason)})
			}
		}
		for _, s := range task.Deltas {
			if isIdle(s.Action) {
				lines = append(lines, checkLine{task.Path, checkedCoding(s.Coding, s.Dictionary.Short()), fineWord(s.Action), reasonText(s.Reason)})
			}
		}
	}
	for _, s := range p.Skipped {
		lines = append(lines, checkLine{s.Path, "", "skipped", reasonText(s.Reason)})
	}
	return lines
}

func fineWord(a precompress.Action) string {
	if a == precompress.Keep {
		return "fresh"
	}
	return "omitted"
}

// checkSummary says in one line how much is wrong.
func checkSummary(p *precompress.Plan, problems []precompress.Problem, over []budget.Overrun) string {
	text := "up to date (" + count(len(p.Assets), "asset") + ")"
	if !p.UpToDate() {
		var parts []string
		if len(problems) > 0 {
			parts = append(parts, problemCounts(problems))
		}
		if len(p.Failures) > 0 {
			parts = append(parts, count(len(p.Failures), "path")+" that cannot be read")
		}
		text = "not up to date: " + strings.Join(parts, ", ")
	}
	if len(over) > 0 {
		text += ", " + humanize.Comma(int64(len(over))) + " over budget"
	}
	return text
}

// cleanPlan prints what clean would do to one tree.
func (o *output) cleanPlan(dir string, p *precompress.CleanPlan) {
	if o.json != nil {
		o.json.cleanPlan(dir, p)
	}
	if o.verbose {
		for _, f := range p.Orphans {
			o.result("  %s: remove\n", printable(f.Path))
		}
	}
	todo := count(len(p.Orphans), "file") + " to remove, and the manifest"
	if len(p.Orphans) == 0 && len(p.Before.Assets) == 0 {
		todo = "nothing of ours to remove"
	}
	o.result("%s: %s\n", o.bold(printable(dir)), todo)
	o.stays(dir, p.Skipped)
	o.warnings(dir, warningTexts(p.Warnings))
	o.failures(dir, p.Failures)
}

// reported says which page was written about one tree.
func (o *output) reported(dir, file string, p *precompress.Plan, problems []precompress.Problem, length int) {
	if file != standardOutput {
		var bytes int64
		assets := p.Sizes()
		for _, a := range assets {
			bytes += a.Size
		}
		o.result("%s: %s, %s: see %s (%s)\n", o.bold(printable(dir)), count(len(assets), "asset"), size(bytes), printable(file), size(int64(length)))
	}
	warnings := warningTexts(p.Warnings)
	if len(problems) > 0 {
		text := "not up to date: " + problemCounts(problems)
		if p.Encodes() {
			text += ": the page counts variants that are yet to be encoded as missing"
		}
		warnings = append([]string{text}, warnings...)
	}
	o.warnings(dir, warnings)
	o.failures(dir, p.Failures)
}
