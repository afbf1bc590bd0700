package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"
	"golang.org/x/term"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// output is the only part of the command that formats anything. Its rules:
// results go to standard output, sorted by path; messages, faults and progress
// go to standard error; names from the file system are quoted unless
// printable; with --json, standard output gets one object at the end and
// nothing else.
type output struct {
	stdout, stderr io.Writer
	quiet, verbose bool
	color          bool
	json           *jsonOutput // nil without --json
	err            error       // the first fault of writing to stdout
}

// configure takes over the flags that concern output.
func (o *output) configure(f *buildFlags) error {
	o.quiet, o.verbose = f.quiet, f.verbose
	switch f.color {
	case "always":
		o.color = true
	case "never":
		o.color = false
	case "auto":
		o.color = isTerminal(o.stdout) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	default:
		return usageError{fmt.Errorf("--color %q: choose auto, always or never", f.color)}
	}
	if f.quiet && f.verbose {
		return usageError{errors.New("--quiet and --verbose contradict each other: give one of them")}
	}
	if f.json {
		o.json = &jsonOutput{}
	}
	return nil
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// result prints to standard output, unless that is not for people.
func (o *output) result(format string, args ...any) {
	if o.quiet || o.json != nil {
		return
	}
	o.print(fmt.Sprintf(format, args...))
}

func (o *output) print(text string) {
	if _, err := io.WriteString(o.stdout, text); err != nil && o.err == nil {
		o.err = err
		o.message("cannot write the result: %v", err)
	}
}

// message prints a line to standard error.
func (o *output) message(format string, args ...any) {
	fmt.Fprintf(o.stderr, "precompress: "+format+"\n", args...)
}

// fault prints what ended the command, in one line with a hint.
func (o *output) fault(err error, code int) {
	if code == exitInterrupted {
		o.message("interrupted; what was written is whole")
		return
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	text = strings.TrimPrefix(text, precompress.ErrInvalidOptions.Error()+": ")
	switch {
	case errors.Is(err, precompress.ErrNotDirectory):
		text += ": name the folder that holds the assets"
	case code == exitUsage && errors.Is(err, fs.ErrNotExist):
		text += ": check the name, or run the build that makes it first"
	case code == exitUsage && strings.HasPrefix(text, "unknown "):
		text += ": see precompress --help"
	}
	o.message("%s", text)
}

func (o *output) waiting(dir string) {
	if !o.quiet {
		o.message("%s: another run is at work on this folder; waiting for it", precompress.PrintablePath(dir))
	}
}

// report prints what a build did to one tree.
func (o *output) report(dir string, r *precompress.Report, empty bool) {
	if o.json != nil {
		o.json.report(dir, r)
	}
	o.result("%s", o.heading(dir, r))
	if o.verbose {
		o.reasons(r)
	}
	o.table(r.Totals())
	o.removed(r.Removed)
	o.warnings(dir, r.Warnings)
	o.failures(dir, r.Failures)
	if empty {
		o.message("%s: holds nothing to compress (--fail-if-empty)", precompress.PrintablePath(dir))
	}
	o.stopped(dir, r)
}

func (o *output) heading(dir string, r *precompress.Report) string {
	var bytes int64
	for _, a := range r.Assets {
		bytes += a.Size
	}
	return fmt.Sprintf("%s: %s, %s\n", o.bold(precompress.PrintablePath(dir)), count(len(r.Assets), "asset"), size(bytes))
}

// table prints one line per coding.
func (o *output) table(totals []precompress.Total) {
	if len(totals) == 0 {
		return
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "coding\tfiles\tbefore\tafter\tsaved\tomitted\treused\t")
	for _, t := range totals {
		fmt.Fprintf(w, "%-6s\t%d\t%s\t%s\t%s\t%d\t%d\t\n",
			t.Coding, t.Files, size(t.Before), size(t.After), saved(t.Before, t.After), t.Omitted, t.Reused)
	}
	w.Flush() // to a strings.Builder: cannot fail
	o.result("%s", text.String())
}

// reasons prints a line for every asset and coding, then for what was skipped.
func (o *output) reasons(r *precompress.Report) {
	for _, a := range r.Assets {
		for _, v := range a.Variants {
			change := ""
			if v.Status != precompress.Omitted && v.Size > 0 {
				change = fmt.Sprintf(" %s -> %s", size(a.Size), size(v.Size))
			}
			o.result("  %s: %s: %s%s (%s)\n", precompress.PrintablePath(a.Path), v.Coding, v.Status, change, v.Reason.Text())
		}
	}
	o.skipped(r.Skipped)
}

func (o *output) skipped(skipped []precompress.Skipped) {
	for _, s := range skipped {
		o.result("  %s: skipped (%s)\n", precompress.PrintablePath(s.Path), s.Reason.Text())
	}
}

// removed prints how many files were removed, and with --verbose which.
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
			o.result("  %s: removed (%s)\n", precompress.PrintablePath(r.Path), r.Reason.Text())
		}
	}
	parts := make([]string, 0, len(order))
	for _, reason := range order {
		part := reason.Text()
		if len(order) > 1 {
			part = fmt.Sprintf("%d: %s", why[reason], part)
		}
		parts = append(parts, part)
	}
	o.result("removed %s (%s)\n", count(len(removed), "file"), strings.Join(parts, "; "))
}

func (o *output) warnings(dir string, warnings []string) {
	for _, w := range warnings {
		o.message("warning: %s: %s", precompress.PrintablePath(dir), w)
	}
}

// failures prints every fault with a hint where there is one.
func (o *output) failures(dir string, failures []*precompress.Error) {
	for _, f := range failures {
		hint := ""
		if errors.Is(f, precompress.ErrForeign) {
			hint = " (remove it, or replace it with --force)"
		}
		o.message("%s: %s: %s%s", o.red("failed"), precompress.PrintablePath(dir), f, hint)
	}
}

func (o *output) stopped(dir string, r *precompress.Report) {
	if r.Stopped == nil {
		return
	}
	pending := 0
	for _, a := range r.Assets {
		for _, v := range a.Variants {
			if v.Status == precompress.Pending {
				pending++
				break
			}
		}
	}
	o.message("%s: stopped (%v), %s not reached", precompress.PrintablePath(dir), r.Stopped, count(pending, "asset"))
}

// plan prints what a run would do.
func (o *output) plan(dir string, p *precompress.Plan) {
	if o.json != nil {
		o.json.plan(dir, p)
	}
	variants := 0
	for _, task := range p.Assets {
		name := precompress.PrintablePath(task.Path)
		if task.CopyOriginal {
			o.result("  %s: copy (the output folder lacks it)\n", name)
		}
		for _, s := range task.Steps {
			idle := s.Action == precompress.Keep || s.Action == precompress.Omit
			if !idle {
				variants++
			}
			if !idle || o.verbose {
				o.result("  %s: %s: %s (%s)\n", name, s.Coding, s.Action, s.Reason.Text())
			}
		}
	}
	for _, orphan := range p.Orphans {
		o.result("  %s: remove (%s)\n", precompress.PrintablePath(orphan.Path), orphan.Reason.Text())
	}
	if o.verbose {
		o.skipped(p.Skipped)
	}
	o.warnings(dir, p.Warnings)
	o.failures(dir, p.Failures)
	if p.UpToDate() {
		o.result("%s: up to date (%s)\n", o.bold(precompress.PrintablePath(dir)), count(len(p.Assets), "asset"))
		return
	}
	o.result("%s: not up to date: %s and %s to see to\n", o.bold(precompress.PrintablePath(dir)),
		count(variants, "variant"), count(len(p.Orphans), "orphan"))
}

// cleaned prints what clean did to one tree.
func (o *output) cleaned(dir string, p *precompress.Plan, r *precompress.Report) {
	if o.json != nil {
		o.json.report(dir, r)
	}
	if o.verbose {
		o.skipped(p.Skipped)
	}
	name := o.bold(precompress.PrintablePath(dir))
	if len(r.Removed) == 0 && len(r.Failures) == 0 {
		o.result("%s: nothing of ours to remove\n", name)
	} else {
		o.result("%s: ", name)
		o.removed(r.Removed)
	}
	for _, s := range p.Skipped {
		o.message("%s: %s stays: %s", precompress.PrintablePath(dir), precompress.PrintablePath(s.Path), s.Reason.Text())
	}
	o.warnings(dir, r.Warnings)
	o.failures(dir, r.Failures)
}

// finish ends a command's output.
func (o *output) finish(command string, ok bool) {
	if o.json != nil {
		o.print(o.json.text(command, ok))
	}
}

func (o *output) version(version string, encoders map[manifest.Coding]string) {
	o.result("precompress %s\n", version)
	for _, c := range manifest.Codings() {
		o.result("  %-4s %s\n", c, encoders[c])
	}
}

func (o *output) bold(s string) string { return o.paint("1", s) }
func (o *output) red(s string) string  { return o.paint("31", s) }

func (o *output) paint(code, s string) string {
	if !o.color {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// size formats a count of bytes for people.
func size(n int64) string { return humanize.Bytes(uint64(n)) }

func saved(before, after int64) string {
	if before == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(before-after)/float64(before))
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%s %ss", humanize.Comma(int64(n)), what)
}
