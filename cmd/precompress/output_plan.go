package main

import (
	"strings"

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
	o.result("%s: %s\n", o.bold(precompress.PrintablePath(dir)), planSummary(p))
	o.warnings(dir, p.Warnings)
	o.failures(dir, p.Failures)
	if empty {
		o.empty(dir)
	}
}

func (o *output) task(task *precompress.Task) {
	name := precompress.PrintablePath(task.Path)
	if task.CopyOriginal {
		o.result("  %s: copy (the output folder lacks it)\n", name)
	}
	for _, s := range task.Steps {
		if o.verbose || !idle(s) {
			o.result("  %s: %s: %s (%s)\n", name, s.Coding, s.Action, s.Reason.Text())
		}
	}
}

func (o *output) orphans(orphans []precompress.Orphan) {
	for _, f := range orphans {
		o.result("  %s: remove (%s)\n", precompress.PrintablePath(f.Path), f.Reason.Text())
	}
}

func idle(s precompress.Step) bool {
	return s.Action == precompress.Keep || s.Action == precompress.Omit
}

// planSummary says in one line how much there is to do.
func planSummary(p *precompress.Plan) string {
	if p.UpToDate() {
		return "up to date (" + count(len(p.Assets), "asset") + ")"
	}
	variants, copies := 0, 0
	for _, task := range p.Assets {
		if task.CopyOriginal {
			copies++
		}
		for _, s := range task.Steps {
			if !idle(s) {
				variants++
			}
		}
	}
	var parts []string
	add := func(n int, what, todo string) {
		if n > 0 {
			parts = append(parts, count(n, what)+" "+todo)
		}
	}
	add(variants, "variant", "to see to")
	add(copies, "original", "to copy")
	add(len(p.Orphans), "file", "to remove")
	add(len(p.Failures), "path", "that cannot be read")
	if len(parts) == 0 {
		parts = []string{"the manifest to write"}
	}
	return "not up to date: " + strings.Join(parts, ", ")
}

// cleanPlan prints what clean would do to one tree.
func (o *output) cleanPlan(dir string, p *precompress.Plan) {
	if o.json != nil {
		o.json.plan(dir, p)
	}
	if o.verbose {
		for _, f := range p.Orphans {
			o.result("  %s: remove\n", precompress.PrintablePath(f.Path))
		}
	}
	todo := count(len(p.Orphans), "file") + " to remove, and the manifest"
	if len(p.Orphans) == 0 && len(p.Before.Assets) == 0 {
		todo = "nothing of ours to remove"
	}
	o.result("%s: %s\n", o.bold(precompress.PrintablePath(dir)), todo)
	o.stays(dir, p.Skipped)
	o.warnings(dir, p.Warnings)
	o.failures(dir, p.Failures)
}
