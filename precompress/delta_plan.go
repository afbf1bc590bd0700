package precompress

import (
	"context"
	"fmt"
	"maps"
	"path"
	"slices"

	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
)

// planDeltas decides about the deltas of all tasks, once the earlier releases are
// settled.
func (t *Tree) planDeltas(ctx context.Context, p *Plan) error {
	t.history.settle(p.Assets, t.opts.Keep)
	p.Releases = t.history.names()
	if len(p.Releases) == 0 {
		return nil
	}
	paths := make([]string, len(p.Assets))
	for i, task := range p.Assets {
		if task.encode {
			paths[i] = task.Path
		}
	}
	planner := &planner{Tree: t}
	faults := make([]map[string]error, len(paths))
	err := t.inDirectories(ctx, paths, func(i int, in *directory, err error) {
		if err != nil {
			in = t.rootDirectory() // faults show at the files
		}
		faults[i] = planner.planDeltasOf(ctx, in, p.Assets[i])
	})
	for i, faulty := range faults {
		p.Warnings = addWarnings(p.Warnings, t.deltaWarnings(p.Releases, faulty))
		p.Assets[i].faulty = faulty
	}
	p.Warnings = append(p.Warnings, t.unmatched(p.Assets)...)
	return err
}

// deltaWarnings returns what to say of files that could not be read, given by the
// name of their release. No build fails for them: a visitor who has one of them
// downloads the whole asset.
func (t *Tree) deltaWarnings(releases []string, faults map[string]error) (warnings []string) {
	for _, name := range releases {
		err := faults[name]
		if err == nil {
			continue
		}
		hint := "copy or archive that release anew"
		if t.history.isStored(name) {
			hint = "restore the store from a copy, or let later releases take its place"
		}
		warnings = append(warnings, fmt.Sprintf("%v; no delta is made from it: %s", err, hint))
	}
	return warnings
}

// unmatched returns a warning of each release that no asset has a file in, which
// hints at a mistake.
func (t *Tree) unmatched(tasks []*Task) (warnings []string) {
	of := make(map[string]bool)
	candidates := 0
	for _, task := range tasks {
		for _, name := range task.matched() {
			of[name] = true
		}
		if task.encode {
			candidates++
		}
	}
	for _, r := range t.history.used {
		switch {
		case of[r.name] || candidates == 0:
		case t.history.isStored(r.name):
			warnings = append(warnings, fmt.Sprintf("earlier release %q of the store matches no asset: a store goes with one tree; name another one for this tree", r.name))
		case len(r.byPath) == 0:
			warnings = append(warnings, fmt.Sprintf("earlier release %q has no file that could be a dictionary: look whether it is the right one", r.name))
		default:
			warnings = append(warnings, fmt.Sprintf("earlier release %q matches no asset: its paths must be those of the tree, as in an archive of what is in its directory", r.name))
		}
	}
	return warnings
}

// matched returns the names of the releases that have a file for the task.
func (t *Task) matched() []string {
	names := slices.Concat(t.Held, slices.Collect(maps.Keys(t.faulty)))
	for _, d := range t.Deltas {
		names = append(append(names, d.Release), d.Others...)
	}
	return names
}

// addWarnings adds those that are new: one file can be the dictionary of many.
func addWarnings(to, more []string) []string {
	for _, w := range more {
		if !slices.Contains(to, w) {
			to = append(to, w)
		}
	}
	return to
}

// wants reports whether a recorded delta is one of the task's.
func (t *Task) wants(d manifest.Delta) bool {
	return slices.ContainsFunc(t.Deltas, func(s DeltaStep) bool {
		return !s.refused && s.Coding == d.Coding && s.Dictionary == d.Dictionary
	})
}

// refusalOf returns why a recorded delta is not made again, "" if that has
// nothing to do with its dictionary.
func (t *Task) refusalOf(d manifest.Delta) Reason {
	for _, s := range t.Deltas {
		if s.refused && s.Coding == d.Coding && s.Dictionary == d.Dictionary {
			return s.Reason
		}
	}
	if t.faulty[d.Release] != nil {
		return ReasonDictionaryDamaged
	}
	return ""
}

// deltas adds the deltas of the last build that no task wants to the plan's
// orphans. task is nil and gone is the reason if the asset is no candidate.
func (t *planner) deltas(ctx context.Context, p *Plan, a *manifest.Asset, task *Task, gone Reason) {
	for _, d := range a.Deltas {
		name := d.Name(a.Path)
		reason := ReasonDictionaryGone
		switch {
		case d.Omitted != "":
			continue
		case task == nil || !task.encode:
			reason = gone
		case task.wants(d):
			continue
		case task.refusalOf(d) != "":
			reason = task.refusalOf(d)
		case t.opts.usesDeltas() && !slices.Contains(t.opts.Deltas, d.Coding):
			reason = ReasonCodingNotChosen
		}
		t.orphan(ctx, p, a, name, asVariant(d), reason)
	}
}

// planDeltasOf decides about each delta of a task. The faults are those of
// releases.
func (t *planner) planDeltasOf(ctx context.Context, in *directory, task *Task) (faults map[string]error) {
	uses, held, faults := t.matches(ctx, in, task)
	task.Held = held
	best, unknown := task.plannedBest()
	for _, u := range uses {
		for _, c := range t.opts.Deltas {
			step := Step{Coding: c, Action: Encode, Reason: unknown, dictionary: u.dictionary, release: u.release.name}
			if reason := t.refusal(task, &step); reason != "" {
				step.Action, step.Reason, step.refused = Omit, reason, true
			} else {
				t.planDelta(ctx, in, task, &step, best)
			}
			if err := u.fault(ctx, &step); err != nil {
				step.Action, step.Reason, step.Size, step.refused = Omit, ReasonDictionaryDamaged, 0, true
				faults = addFault(faults, u.release.name, err)
			}
			task.Deltas = append(task.Deltas, DeltaStep{
				Step: step, Release: u.release.name, Others: u.others,
				Dictionary: u.sum, DictionaryPath: u.path, DictionarySize: u.size,
			})
		}
	}
	return faults
}

// refusal returns why no delta is looked for, "" if one is.
func (t *planner) refusal(task *Task, s *Step) Reason {
	switch {
	case s.dictionary.size > release.MaxFile:
		return ReasonDictionaryTooLarge
	case t.opts.MaxMemory != 0 && deltaNeed(task.Size, task.setting(s)) > t.opts.MaxMemory:
		return ReasonOverMemory
	case len(path.Base(s.name(task.Path))) > maxNameBytes:
		return ReasonNameTooLong
	}
	return ""
}

// planDelta decides about one delta, whose reason is set if it has to be weighed
// anew whatever is known of it.
func (t *planner) planDelta(ctx context.Context, in *directory, task *Task, s *Step, best int64) {
	record, reason := t.reusable(task, s)
	if reason != "" {
		s.Reason = reason
	}
	if s.Reason != "" {
		return
	}
	omission := weighDelta(best, record.Size, s.Coding, t.opts.MinSaving)
	sib, _ := t.observe(ctx, in.variants, in.name(s.name(task.Path))) // a fault shows when it is made
	decided := decide(record, omission, sib, task.attr)
	s.Action, s.Reason, s.Size, s.record = decided.Action, decided.Reason, decided.Size, decided.record
}

// plannedBest returns the bytes of the smallest representation that the task's
// variants will leave, the source's among them, or why that is not known yet.
func (t *Task) plannedBest() (size int64, unknown Reason) {
	size = t.Size
	for _, s := range t.Steps {
		switch {
		case s.Action == Omit, s.Action == Remove:
		case s.Action == Encode && s.Reason != ReasonMissing && s.Reason != ReasonDamaged && s.Reason != ReasonWindow:
			return 0, s.Reason
		default:
			size = min(size, s.Size)
		}
	}
	return size, ""
}

// weighDeltas decides which deltas that were encoded are kept, now that the
// asset's variants are weighed.
func (j *job) weighDeltas() {
	best := j.task.Size
	for i, s := range j.steps {
		o := &j.outcomes[i]
		switch {
		case s.dictionary != nil && s.Action == Encode && o.fault == nil:
			o.omission = weighDelta(best, o.size, s.Coding, j.opts.MinSaving)
		case s.dictionary != nil, s.Action == Omit, s.Action == Remove, o.fault != nil, o.omission != "":
		case s.Action == Encode:
			best = min(best, o.size)
		default:
			best = min(best, s.Size)
		}
	}
}

// weighDelta decides whether a delta is kept (""), given the smallest other
// representation. An answer with it has two field values more than one of the
// source: its coding, and what Vary names (RFC 9842, section 6.2).
func weighDelta(best, size int64, c manifest.Coding, saving Saving) manifest.Omission {
	fields := c.FieldSize() + int64(len(", Available-Dictionary"))
	if best-size > fields && saving.pays(best, size, c) {
		return ""
	}
	return manifest.Larger
}
