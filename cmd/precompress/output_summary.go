package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// Limits of a summary; GitHub shows at most 1 MiB.
const (
	largestChanges  = 10        // changes that are listed
	largestOverruns = 10        // rows about budgets
	longestName     = 200       // characters of a name; the middle of others is left out
	maxSummary      = 256 << 10 // bytes, after which no tree is added
)

// summary is what the Markdown says about one tree.
type summary struct {
	dir        string
	assets     []manifest.Asset
	totals     []precompress.Total
	returning  []precompress.Returning
	over       []budget.Overrun
	comparison *budget.Comparison // nil if there is nothing to compare with
	since      string
	problems   []precompress.Problem
	failures   int
	checked    bool // not built
	stopped    bool
}

// markdown returns the summary as GitHub renders it. Names from the file system
// stand in it as nothing but text.
func (s *summary) markdown() string {
	var text strings.Builder
	fmt.Fprintf(&text, "### precompress: %s\n\n", markdownCode(s.dir))
	var bytes int64
	for _, a := range s.assets {
		bytes += a.Size
	}
	fmt.Fprintf(&text, "%s, %s%s\n\n", count(len(s.assets), "asset"), size(bytes), s.state())
	for i, t := range s.totals {
		if i == 0 {
			text.WriteString("| coding | files | before | after | saved | omitted |\n|---|---:|---:|---:|---:|---:|\n")
		}
		fmt.Fprintf(&text, "| %s | %s | %s | %s | %s | %s |\n", t.Coding, humanize.Comma(int64(t.Files)),
			size(t.Before), size(t.After), saved(t.Before, t.After), humanize.Comma(int64(t.Omitted)))
	}
	if len(s.totals) > 0 {
		text.WriteString("\n")
	}
	s.visitors(&text)
	s.budgets(&text)
	s.changes(&text)
	return text.String()
}

// compare adds what changed since an earlier build.
func (s *summary) compare(before []manifest.Asset, since string, names manifest.Fingerprint) {
	c := budget.Compare(before, s.assets, names)
	s.comparison, s.since = &c, since
}

// state says how things stand.
func (s *summary) state() string {
	var parts []string
	switch {
	case s.stopped:
		parts = append(parts, "**stopped before all was done**")
	case s.checked && len(s.problems) == 0 && s.failures == 0:
		parts = append(parts, "up to date")
	case len(s.problems) > 0:
		parts = append(parts, "**not up to date**: "+problemCounts(s.problems))
	}
	if s.failures > 0 {
		parts = append(parts, fmt.Sprintf("**%s**", count(s.failures, "failure")))
	}
	if parts == nil {
		return ""
	}
	return "; " + strings.Join(parts, "; ")
}

func (s *summary) budgets(text *strings.Builder) {
	if len(s.over) == 0 {
		return
	}
	text.WriteString("**Over budget**\n\n| budget | file | coding | bytes | limit | excess |\n|---|---|---|---:|---:|---:|\n")
	over := slices.Clone(s.over)
	slices.SortStableFunc(over, func(a, b budget.Overrun) int { return cmp.Compare(b.Excess(), a.Excess()) })
	for _, o := range over[:min(largestOverruns, len(over))] {
		file := "total of " + count(o.Assets, "file")
		if o.Path != "" {
			file = markdownCode(o.Path)
		}
		fmt.Fprintf(text, "| %s | %s | %s | %s | %s | %s |\n", markdownCode(o.Budget.Text), file, countedIn(o.Coding),
			humanize.Comma(o.Bytes), humanize.Comma(o.Budget.Limit), humanize.Comma(o.Excess()))
	}
	text.WriteString("\n")
	if more := len(over) - largestOverruns; more > 0 {
		fmt.Fprintf(text, "and %s more over budget, by no more than these\n\n", humanize.Comma(int64(more)))
	}
}

// leftOutOfSummary says how many trees a summary that is long enough has no room
// for.
func leftOutOfSummary(n int) string {
	return fmt.Sprintf("and %s, left out to keep this short\n\n", count(n, "more directory"))
}

func (s *summary) changes(text *strings.Builder) {
	if s.comparison == nil {
		return
	}
	since := s.since
	if since != "the last build" {
		since = markdownCode(since)
	}
	all := s.comparison.Changes
	if len(all) == 0 {
		fmt.Fprintf(text, "No size changed since %s.\n\n", since)
	} else {
		fmt.Fprintf(text, "**Largest changes since %s**, in bytes of the smallest representation\n\n", since)
		text.WriteString("| asset | before | after | change |\n|---|---:|---:|---:|\n")
		for _, c := range all[:min(largestChanges, len(all))] {
			fmt.Fprintf(text, "| %s | %s | %s | %s |\n", changeName(c), extent(c.Before), extent(c.After), delta(c))
		}
		text.WriteString("\n")
	}
	if more := len(all) - largestChanges; more > 0 {
		var rest int64
		for _, c := range all[largestChanges:] {
			rest += c.Delta()
		}
		fmt.Fprintf(text, "and %s, %s bytes together\n\n", count(more, "smaller change"), signed(rest))
	}
	if n := s.comparison.Unknown; n > 0 {
		fmt.Fprintf(text, "%s not compared: not built yet, or failed\n\n", count(n, "asset"))
	}
}

// changeName names the assets of one stable name, and how many they are if
// that is not one.
func changeName(c budget.Change) string {
	name := markdownCode(c.Name)
	if c.Before.Files > 1 || c.After.Files > 1 {
		name += fmt.Sprintf(" (%d → %d files)", c.Before.Files, c.After.Files)
	}
	return name
}

func extent(e budget.Extent) string {
	if e.Files == 0 {
		return "–"
	}
	return humanize.Comma(e.Smallest)
}

func delta(c budget.Change) string {
	switch {
	case c.Before.Files == 0:
		return signed(c.Delta()) + " (new)"
	case c.After.Files == 0:
		return signed(c.Delta()) + " (gone)"
	case c.Before.Smallest == 0:
		return signed(c.Delta())
	}
	return fmt.Sprintf("%s (%+.1f %%)", signed(c.Delta()), 100*float64(c.Delta())/float64(c.Before.Smallest))
}

func signed(n int64) string {
	if n > 0 {
		return "+" + humanize.Comma(n)
	}
	return humanize.Comma(n)
}

// countedIn names the coding that bytes were counted in.
func countedIn(c manifest.Coding) string {
	if c == "" {
		return "smallest"
	}
	return string(c)
}

// markdownCode returns a name as code in Markdown. What could mean something in
// Markdown or HTML is written as a character reference, which never does.
func markdownCode(name string) string {
	var text strings.Builder
	text.WriteString("<code>")
	for _, r := range shortened(printable(name)) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("/- ", r) || r > unicode.MaxASCII {
			text.WriteRune(r)
		} else {
			fmt.Fprintf(&text, "&#%d;", r)
		}
	}
	text.WriteString("</code>")
	return text.String()
}

// shortened returns a name with its middle left out if it is very long.
func shortened(name string) string {
	runes := []rune(name)
	if len(runes) <= longestName {
		return name
	}
	const half = longestName / 2
	return string(runes[:half]) + "…" + string(runes[len(runes)-half:])
}

// summaryFailed says that the summary could not be written.
func (o *output) summaryFailed(err error, fromEnvironment bool) {
	if fromEnvironment {
		text := fmt.Sprintf("the summary (%s) could not be written: %v", summaryVariable, err)
		if o.json != nil {
			o.json.warnings = append(o.json.warnings, text)
		}
		o.message("warning: %s", text)
		return
	}
	text := fmt.Sprintf("the summary could not be written: %v", err)
	if o.json != nil {
		o.json.failure("summary", text)
	}
	o.message("%s: %s", o.red("failed"), text)
}

// audited prints a line for every file and total that is over budget, with
// --quiet too, and says which budgets could not be checked for every asset.
func (o *output) audited(dir string, a audited) {
	if o.json != nil {
		o.json.overBudget(a.over)
	}
	for _, x := range a.over {
		o.finding(overrunText(x) + "\n")
	}
	for _, u := range a.unknown {
		text := fmt.Sprintf("the budget %s leaves out %s whose size is not known: not built yet, or failed",
			printable(u.budget.Text), count(u.assets, "asset"))
		if o.json != nil {
			o.json.warning(text)
		}
		o.warnings(dir, []string{text})
	}
}

// overrunText says what is over budget, and by how much.
func overrunText(x budget.Overrun) string {
	what := printable(x.Path) + ": " + string(x.Coding)
	if x.Path == "" {
		what = "total of " + count(x.Assets, "file") + ": " + countedIn(x.Coding)
	}
	return fmt.Sprintf("%s: over budget: %s bytes, %s over the limit of %s (%s)", what,
		humanize.Comma(x.Bytes), humanize.Comma(x.Excess()), humanize.Comma(x.Budget.Limit), printable(x.Budget.Text))
}

// idleBudget says that a budget matches no asset of any tree.
func (o *output) idleBudget(b budget.Budget) {
	text := fmt.Sprintf("the budget %s matches no asset: correct its glob (files that are skipped do not count)", printable(b.Text))
	if o.json != nil {
		o.json.failure("budget", text)
	}
	o.message("%s: %s", o.red("failed"), text)
}

// audited is the result of checking a tree against every budget.
type audited struct {
	over    []budget.Overrun
	unknown []unknownSizes
}

// unknownSizes is a budget that could not be checked for so many assets.
type unknownSizes struct {
	budget budget.Budget
	assets int
}

// visitors adds to a summary what visitors of earlier releases download.
func (s *summary) visitors(text *strings.Builder) {
	if len(s.returning) == 0 {
		return
	}
	text.WriteString("**Returning visitors**\n\n| release | changed assets | download | instead of | saved |\n|---|---:|---:|---:|---:|\n")
	for _, r := range s.returning {
		fmt.Fprintf(text, "| %s | %s | %s | %s | %s |\n", markdownCode(r.Release), humanize.Comma(int64(r.Assets)), size(r.After), size(r.Before), saved(r.Before, r.After))
	}
	text.WriteString("\n")
}

// problemCounts says how many problems there are of each kind.
func problemCounts(problems []precompress.Problem) string {
	kinds := make(map[precompress.ProblemKind]int)
	for _, x := range problems {
		kinds[x.Kind]++
	}
	var parts []string
	for _, kind := range precompress.ProblemKinds() {
		if kinds[kind] > 0 {
			parts = append(parts, humanize.Comma(int64(kinds[kind]))+" "+string(kind))
		}
	}
	return count(len(problems), "problem") + " (" + strings.Join(parts, ", ") + ")"
}
