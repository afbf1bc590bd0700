package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// built prints what a build did to one tree.
func (o *output) built(dir string, r *precompress.Result, empty bool) {
	if o.json != nil {
		o.json.report(dir, r)
	}
	o.result("%s", o.heading(dir, r))
	if o.verbose {
		o.reasons(r)
	}
	o.table(r.Totals())
	o.returning(r.Returning())
	o.removed(r.Removed)
	o.warnings(dir, warningTexts(r.Warnings))
	o.failures(dir, r.Failures)
	if empty {
		o.empty(dir)
	}
	if r.Stopped != nil {
		pending := 0
		for _, a := range r.Assets {
			if isPending(a) {
				pending++
			}
		}
		o.stopped(dir, count(pending, "asset"))
	}
}

func (o *output) empty(dir string) {
	o.message("%s: holds nothing to compress (--fail-if-empty): see with --verbose what was skipped", printable(dir))
}

func (o *output) heading(dir string, r *precompress.Result) string {
	var bytes int64
	for _, a := range r.Assets {
		bytes += a.Size
	}
	if len(r.Assets) == 0 {
		return fmt.Sprintf("%s: nothing to compress\n", o.bold(printable(dir)))
	}
	return fmt.Sprintf("%s: %s, %s\n", o.bold(printable(dir)), count(len(r.Assets), "asset"), size(bytes))
}

// table prints one line per coding.
func (o *output) table(totals []precompress.Total) {
	if len(totals) == 0 {
		return
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	// The column of a cache shows where there is something to show.
	cached := slices.ContainsFunc(totals, func(t precompress.Total) bool { return t.Cached > 0 })
	fmt.Fprint(w, "coding\tfiles\tbefore\tafter\tsaved\tomitted\treused\t")
	if cached {
		fmt.Fprint(w, "cached\t")
	}
	for _, t := range totals {
		fmt.Fprintf(w, "\n%-6s\t%s\t%s\t%s\t%s\t%s\t%s\t", t.Coding, humanize.Comma(int64(t.Files)),
			size(t.Before), size(t.After), saved(t.Before, t.After), humanize.Comma(int64(t.Omitted)), humanize.Comma(int64(t.Reused)))
		if cached {
			fmt.Fprintf(w, "%s\t", humanize.Comma(int64(t.Cached)))
		}
	}
	fmt.Fprintln(w)
	w.Flush() // to a strings.Builder: cannot fail
	o.result("%s", text.String())
}

// reasons prints a line for every asset and coding, then for what was skipped.
func (o *output) reasons(r *precompress.Result) {
	for _, a := range r.Assets {
		for _, v := range a.Variants {
			o.encoding(&a, string(v.Coding), v)
		}
		for _, d := range a.Deltas {
			o.encoding(&a, deltaName(d.Coding, d.DictionaryPath, d.Release),
				precompress.VariantResult{Status: d.Status, Reason: d.Reason, Size: d.Size, Cached: d.Cached})
		}
	}
	o.skipped(r.Skipped)
}

// encoding prints a line for a variant or a delta of an asset.
func (o *output) encoding(a *precompress.AssetResult, name string, v precompress.VariantResult) {
	change, from := "", ""
	if v.Status != precompress.Omitted && v.Size > 0 {
		change = fmt.Sprintf(" %s -> %s", size(a.Size), size(v.Size))
	}
	if v.Cached {
		from = ", from the cache"
	}
	o.result("  %s: %s: %s%s (%s%s)\n", printable(a.Path), name, v.Status, change, reasonText(v.Reason), from)
}

func (o *output) skipped(skipped []precompress.Skipped) {
	for _, s := range skipped {
		o.result("  %s: skipped (%s)\n", printable(s.Path), reasonText(s.Reason))
	}
}

// reasonText is the text of a reason with the flag that has to do with it.
func reasonText(r precompress.Reason) string {
	switch r {
	case precompress.ReasonSymlink:
		return r.Text() + " (see --follow-symlinks)"
	case precompress.ReasonCopyNotChosen:
		return r.Text() + " (--out-originals)"
	}
	return r.Text()
}

// removed prints how many files were removed and why, and with --verbose which.
func (o *output) removed(removed []precompress.Removed) {
	if len(removed) == 0 {
		return
	}
	why := make(map[precompress.Reason]int)
	var order []precompress.Reason
	for _, r := range removed {
		if why[r.Reason]++; why[r.Reason] == 1 {
			order = append(order, r.Reason)
		}
		if o.verbose {
			o.result("  %s: removed (%s)\n", printable(r.Path), reasonText(r.Reason))
		}
	}
	parts := make([]string, 0, len(order))
	for _, reason := range order {
		part := reasonText(reason)
		if len(order) > 1 {
			part = fmt.Sprintf("%s: %s", humanize.Comma(int64(why[reason])), part)
		}
		parts = append(parts, part)
	}
	o.result("removed %s (%s)\n", count(len(removed), "file"), strings.Join(parts, "; "))
}

func (o *output) warnings(dir string, warnings []string) {
	for _, w := range warnings {
		o.message("warning: %s: %s", printable(dir), w)
	}
}

// failures prints every failure, with a hint where there is one.
func (o *output) failures(dir string, failures []*precompress.Error) {
	for _, f := range failures {
		hint := ""
		if errors.Is(f, precompress.ErrForeign) {
			hint = " (remove it, or replace it with --force)"
		}
		o.message("%s: %s: %s%s", o.red("failed"), printable(dir), f, hint)
	}
}

// treeFailed prints why a tree could not be worked on, unless that is errFailed: then
// everything is said. The command goes on with the next tree.
func (o *output) treeFailed(dir string, err error) error {
	if err == errFailed {
		return err
	}
	var failure *precompress.Error
	if !errors.As(err, &failure) {
		failure = &precompress.Error{Err: new(origins).explain(err)}
	}
	if o.json != nil {
		o.json.treeFailed(dir, failure)
	}
	o.failures(dir, []*precompress.Error{failure})
	return errFailed
}

func (o *output) stopped(dir, left string) {
	o.message("%s: stopped with %s to go: run it again to continue", printable(dir), left)
}

// cleaned prints what clean did to one tree.
func (o *output) cleaned(dir string, p *precompress.CleanPlan, r *precompress.Result) {
	if o.json != nil {
		o.json.report(dir, r)
	}
	if o.verbose {
		for _, f := range r.Removed {
			o.result("  %s: removed\n", printable(f.Path))
		}
	}
	did := "nothing of ours to remove"
	if len(r.Removed) > 0 {
		did = "removed " + count(len(r.Removed), "file")
	}
	o.result("%s: %s\n", o.bold(printable(dir)), did)
	o.stays(dir, p.Skipped)
	o.warnings(dir, warningTexts(r.Warnings))
	o.failures(dir, r.Failures)
}

// stays prints which files clean leaves, and why.
func (o *output) stays(dir string, skipped []precompress.Skipped) {
	for _, s := range skipped {
		o.message("%s: %s stays: %s", printable(dir), printable(s.Path), reasonText(s.Reason))
	}
}

// returning prints a line per earlier release.
func (o *output) returning(all []precompress.Returning) {
	for _, r := range all {
		name := printable(r.Release)
		if r.Assets == 0 {
			o.result("a returning visitor (release %s) downloads nothing: no asset changed\n", name)
			continue
		}
		o.result("a returning visitor (release %s) downloads %s instead of %s (%s changed)\n", name, size(r.After), size(r.Before), count(r.Assets, "asset"))
	}
}

// deltaName distinguishes the deltas of one asset.
func deltaName(c manifest.Coding, dictionaryPath, release string) string {
	return fmt.Sprintf("%s from %s of release %s", c, printable(dictionaryPath), printable(release))
}

// isPending reports whether a run that was stopped did not get to all of an asset.
func isPending(a precompress.AssetResult) bool {
	return slices.ContainsFunc(a.Variants, func(v precompress.VariantResult) bool { return v.Status == precompress.Pending }) ||
		slices.ContainsFunc(a.Deltas, func(d precompress.DeltaResult) bool { return d.Status == precompress.Pending })
}
