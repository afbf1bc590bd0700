package precompress

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
)

// openHistory opens the earlier releases, in place of those of an earlier plan.
func (t *Tree) openHistory(ctx context.Context) (warnings []Warning, err error) {
	err = t.history.Close()
	t.history = nil
	if err != nil {
		return nil, &Error{Op: OpClose, Err: err}
	}
	opts := release.HistoryOptions{
		Want:        func(path string) bool { return t.selection.reason(path) == "" },
		Fingerprint: t.opts.Fingerprint,
	}
	if t.opts.usesDeltas() {
		opts.Named, opts.Store = t.opts.Previous, t.opts.Releases
	}
	history, damaged, err := release.OpenHistory(ctx, opts)
	if err != nil {
		return nil, &Error{Op: OpRead, Err: err}
	}
	t.history = history
	for _, err := range damaged {
		warnings = append(warnings, Warning{WarnRelease, t.opts.Releases, err.Error()})
	}
	return warnings, nil
}

// planDeltas decides about the deltas of all tasks.
func (t *Tree) planDeltas(ctx context.Context, p *Plan) error {
	t.history.Settle(releaseSources(p.Assets), t.opts.Keep)
	p.Releases = t.history.Names()
	if len(p.Releases) == 0 {
		return nil
	}
	paths := make([]string, len(p.Assets))
	for i, task := range p.Assets {
		if task.encode {
			paths[i] = task.Path
		}
	}
	err := t.inDirectories(ctx, paths, func(i int, in *directory, err error) {
		if err != nil {
			in = t.rootDirectory() // the error shows at the files
		}
		t.planDeltasOf(ctx, in, p.Assets[i])
	})
	for _, task := range p.Assets {
		p.Warnings = appendNew(p.Warnings, t.unreadableWarnings(p.Releases, task)...)
	}
	p.Warnings = append(p.Warnings, t.unmatchedWarnings(p)...)
	return err
}

// releaseSources returns the candidates of the tree as files of a release.
func releaseSources(tasks []*Task) []release.Source {
	var sources []release.Source
	for _, t := range tasks {
		if t.encode {
			sources = append(sources, release.Source{Path: t.Path, Size: t.Size, Digest: t.Digest})
		}
	}
	return sources
}

// unreadableWarnings are about the files of releases that cannot be read for a task.
// No build fails for them: a visitor who has one of them downloads the whole asset.
func (t *Tree) unreadableWarnings(releases []string, task *Task) (warnings []Warning) {
	for _, name := range releases {
		err := task.unreadable[name]
		if err == nil {
			continue
		}
		hint := "copy or archive that release again"
		if t.history.IsStored(name) {
			hint = "restore the store from a copy, or wait until later releases have replaced it"
		}
		warnings = append(warnings, Warning{WarnRelease, name, fmt.Sprintf("%v; no delta is made from it: %s", err, hint)})
	}
	return warnings
}

// unmatchedWarnings are about the releases that no asset has a file in, which is
// probably a mistake.
func (t *Tree) unmatchedWarnings(p *Plan) (warnings []Warning) {
	matched := make(map[string]bool)
	candidates := 0
	for _, task := range p.Assets {
		for _, name := range task.releases() {
			matched[name] = true
		}
		if task.encode {
			candidates++
		}
	}
	for _, name := range p.Releases {
		text := ""
		switch {
		case matched[name] || candidates == 0:
			continue
		case t.history.IsStored(name):
			text = fmt.Sprintf("earlier release %q of the store matches no asset: a store belongs to one tree; name another one for this tree", name)
		case t.history.IsEmpty(name):
			text = fmt.Sprintf("earlier release %q has no file that could be a dictionary: check whether it is the right one", name)
		default:
			text = fmt.Sprintf("earlier release %q matches no asset: its paths must be those of the tree, as in an archive of the content of the directory", name)
		}
		warnings = append(warnings, Warning{WarnUnmatched, name, text})
	}
	return warnings
}

// planDeltasOf decides about each delta of a task.
func (t *Tree) planDeltasOf(ctx context.Context, in *directory, task *Task) {
	read := func() ([]byte, error) {
		src, _, err := readStable(in.sources, in.name(task.Path))
		return src, err
	}
	matches, held, unreadable := t.history.Match(ctx, release.Asset{Path: task.Path, Size: task.Size, SHA256: task.sum, Read: read})
	task.Held, task.unreadable = held, unreadable
	smallest, unknown := task.smallestPlanned()
	for _, m := range matches {
		for _, c := range t.opts.Deltas {
			step := Step{Coding: c, Action: Encode, Reason: unknown, dictionary: m.Content, release: m.Release}
			if reason := t.refuseDelta(task, &step); reason != "" {
				step.Action, step.Reason, step.refused = Omit, reason, true
			} else {
				t.planDelta(ctx, in, task, &step, smallest)
			}
			if err := checkDictionary(ctx, &step, m.Content); err != nil {
				step.Action, step.Reason, step.Size, step.refused = Omit, ReasonDictionaryDamaged, 0, true
				task.addUnreadable(m.Release, err)
			}
			task.Deltas = append(task.Deltas, DeltaStep{
				Step: step, Release: m.Release, Others: m.Others,
				Dictionary: m.Sum(), DictionaryPath: m.Path, DictionarySize: m.Size(),
			})
		}
	}
}

// checkDictionary returns why a step cannot have the dictionary that it needs to
// encode, which is better known now than when half of the work is done.
func checkDictionary(ctx context.Context, s *Step, dictionary *release.Content) error {
	if s.Action != Encode {
		return nil
	}
	return dictionary.Check(ctx)
}

// addUnreadable notes the first error of a release.
func (t *Task) addUnreadable(release string, err error) {
	if t.unreadable == nil {
		t.unreadable = make(map[string]error)
	}
	if t.unreadable[release] == nil {
		t.unreadable[release] = err
	}
}

// refuseDelta returns why no delta is tried, "" if one is.
func (t *Tree) refuseDelta(task *Task, s *Step) Reason {
	switch {
	case s.dictionary.Size() > release.MaxFile:
		return ReasonDictionaryTooLarge
	case t.opts.MaxMemory != 0 && baseMemory+codec.DeltaMemory(task.Size, task.paramsOf(s)) > t.opts.MaxMemory:
		return ReasonOverMemory
	case len(path.Base(s.fileName(task.Path))) > maxNameBytes:
		return ReasonNameTooLong
	}
	return ""
}

// planDelta decides about one delta. If its reason is set, it has to be weighed again
// whatever is known of it.
func (t *Tree) planDelta(ctx context.Context, in *directory, task *Task, s *Step, smallest int64) {
	record, reason := t.reusable(task, s)
	if reason != "" {
		s.Reason = reason
	}
	if s.Reason != "" {
		return
	}
	omission := weighDelta(smallest, record.Size, s.Coding, t.opts.MinSaving)
	sib, _ := t.hasher.observe(ctx, in.variants, in.name(s.fileName(task.Path))) // an error shows when it is made
	decided := decide(record, omission, sib, task.attr)
	s.Action, s.Reason, s.Size, s.record = decided.Action, decided.Reason, decided.Size, decided.record
}

// unwantedDelta returns why a recorded delta of an asset is not wanted any more, ""
// if it is. task is nil and gone is the reason if the asset is no candidate.
func (t *Tree) unwantedDelta(d manifest.Delta, task *Task, gone Reason) Reason {
	switch {
	case task == nil || !task.encode:
		return gone
	case task.wants(d):
		return ""
	case task.refusalOf(d) != "":
		return task.refusalOf(d)
	case t.opts.usesDeltas() && !slices.Contains(t.opts.Deltas, d.Coding):
		return ReasonCodingNotChosen
	}
	return ReasonDictionaryGone
}
