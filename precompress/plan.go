package precompress

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/precompress/precompress/manifest"
)

// Plan says what a run would do, and why. Making one changes nothing.
type Plan struct {
	// Assets has a task for every candidate, sorted by path; see [Task.Work].
	Assets []*Task
	// Orphans are files of ours to remove, sorted by path.
	Orphans []Orphan
	// Skipped are the files that are not candidates, sorted by path.
	Skipped []Skipped
	// Failures are files and directories that could not be looked at, sorted by path
	// and coding.
	Failures []*Error
	// Warnings are about the tree as a whole.
	Warnings []string
	// Releases are the names of the earlier releases that deltas are made for,
	// the newest first.
	Releases []string
	// Before is the manifest of the last build, empty if there is none.
	Before *manifest.Manifest

	beforeBytes []byte // of the manifest file, nil if there is none
	// untouched are records of assets that could not be looked at, unseen are
	// the files of other records of which that is true.
	untouched []manifest.Asset
	unseen    []Orphan
	// recordsChange is set if the manifest would change although no other
	// file does.
	recordsChange bool
}

// Task is one asset and what to do about each of its codings.
type Task struct {
	Path   string
	Size   int64
	Digest manifest.Digest
	Steps  []Step
	// Deltas are what to do about each delta, sorted by release, the newest first,
	// then by coding.
	Deltas []DeltaStep
	// Held are the releases that have the asset, under its path and unchanged.
	Held []string
	// CopyOriginal is set if the output directory lacks the right copy of the
	// source.
	CopyOriginal bool

	settings
	attr     *attributes
	prev     *manifest.Asset     // nil if not built before
	sum      manifest.Dictionary // SHA-256 of the source, if a release may have the same
	faulty   map[string]error    // by release: its file for the task cannot be read
	match    string              // the URL pattern to record; see [manifest.Asset]
	encode   bool                // a candidate; else only its original is copied
	original bool                // the output directory is to hold a copy
}

// Work reports whether running the task would change anything on disk.
func (t *Task) Work() bool {
	return t.CopyOriginal || slices.ContainsFunc(t.all(), func(s *Step) bool {
		return s.Action != Keep && s.Action != Omit
	})
}

// Encodes reports whether running the plan would encode anything.
func (p *Plan) Encodes() bool {
	return slices.ContainsFunc(p.Assets, func(t *Task) bool {
		return slices.ContainsFunc(t.all(), func(s *Step) bool { return s.Action == Encode })
	})
}

// UpToDate reports whether running the plan would change nothing.
func (p *Plan) UpToDate() bool {
	return len(p.Failures) == 0 && !p.changesFiles() && !p.recordsChange
}

func (p *Plan) changesFiles() bool {
	return len(p.Orphans) > 0 || slices.ContainsFunc(p.Assets, (*Task).Work)
}

// Plan looks at every source and variant of the tree and decides what a run
// has to do. It fails only if the manifest cannot be read or ctx is done;
// faults of single files are in the plan.
func (t *Tree) Plan(ctx context.Context) (*Plan, error) {
	p := &Plan{}
	var found *scan
	var group errgroup.Group
	group.Go(func() (err error) {
		p.Before, p.beforeBytes, err = t.loadManifest(p)
		return err
	})
	group.Go(func() (err error) {
		found, err = t.discover(ctx)
		return err
	})
	var warnings []string
	group.Go(func() (err error) {
		warnings, err = t.reopenHistory(ctx)
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	p.Warnings = append(p.Warnings, warnings...)
	p.Failures = found.failures
	p.Skipped = found.skipped
	if t.opts.Out == "" {
		found.files = slices.DeleteFunc(found.files, func(s source) bool { return isOutput(p.Before, s.path) })
	}
	if err := t.planAssets(ctx, p, found); err != nil {
		return nil, err
	}
	if err := t.planDeltas(ctx, p); err != nil {
		return nil, err
	}
	t.planOrphans(ctx, p, found)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := t.planLeftovers(ctx, p, found); err != nil {
		return nil, err
	}
	p.recordsChange = !p.changesFiles() && !bytes.Equal(p.beforeBytes, p.idleManifest())
	p.sort()
	return p, nil
}

// sort puts the lists in their documented order. A file that is to be removed
// is not called skipped as well.
func (p *Plan) sort() {
	goes := make(map[string]bool)
	for _, o := range p.Orphans {
		goes[o.Path] = true
	}
	p.Skipped = slices.DeleteFunc(p.Skipped, func(s Skipped) bool { return goes[s.Path] })
	slices.SortFunc(p.Skipped, func(a, b Skipped) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(p.Orphans, func(a, b Orphan) int { return strings.Compare(a.Path, b.Path) })
	sortFailures(p.Failures)
}

// isOutput reports whether the last build wrote the file of this path: with its
// source gone it looks like any other file.
func isOutput(before *manifest.Manifest, name string) bool {
	if from, short, coding, ok := manifest.SplitDelta(name); ok {
		asset, found := before.Lookup(from)
		if !found {
			return false
		}
		d, found := asset.Delta(short, coding)
		return found && d.Omitted == ""
	}
	from, coding, ok := manifest.SplitSuffix(name)
	if !ok {
		return false
	}
	asset, found := before.Lookup(from)
	if !found {
		return false
	}
	v, found := asset.Variant(coding)
	return found && v.Omitted == ""
}

// planAssets plans the files found, in parallel.
func (t *Tree) planAssets(ctx context.Context, p *Plan, found *scan) error {
	planned, err := t.planFiles(ctx, p.Before, found.files)
	if err != nil {
		return err
	}
	for i, src := range found.files {
		if src.skip != "" {
			p.Skipped = append(p.Skipped, Skipped{Path: src.path, Reason: src.skip})
		}
		if fault := planned[i].fault; fault != nil {
			p.Failures = append(p.Failures, fault)
			found.unread = append(found.unread, src.path)
		}
		if planned[i].task != nil {
			p.Assets = append(p.Assets, planned[i].task)
		}
	}
	return nil
}

// planned is a file's task or why it has none; neither, if it needs none.
type planned struct {
	task  *Task
	fault *Error
}

// planFiles plans files in parallel.
func (t *Tree) planFiles(ctx context.Context, before *manifest.Manifest, files []source) ([]planned, error) {
	planner := &planner{Tree: t}
	out := make([]planned, len(files))
	paths := make([]string, len(files))
	for i, src := range files {
		if src.skip == "" || t.opts.OutOriginals {
			paths[i] = src.path
		}
	}
	err := t.inDirectories(ctx, paths, func(i int, in *directory, err error) {
		if err != nil {
			out[i].fault = &Error{Op: "read", Path: paths[i], Err: bareError(err)}
			return
		}
		out[i].task, out[i].fault = planner.plan(ctx, in, files[i], before)
	})
	return out, err
}

// planner plans one asset at a time, in several goroutines.
type planner struct {
	*Tree
	hasher hasher
}

// plan decides about one source. A source that is not a candidate is planned
// only for the copy of its original.
func (t *planner) plan(ctx context.Context, in *directory, src source, before *manifest.Manifest) (*Task, *Error) {
	var also []io.Writer
	sum := sha256.New()
	if src.info == nil || t.history.mayHold(src.path, src.info.Size()) {
		also = append(also, sum)
	}
	digest, info, err := t.hasher.file(ctx, in.sources, in.name(src.path), also...)
	if err != nil {
		return nil, &Error{Op: "read", Path: src.path, Err: bareError(err)}
	}
	task := &Task{Path: src.path, Size: info.Size(), Digest: digest, attr: attributesOf(info), encode: src.skip == "", settings: src.settings}
	task.prev, _ = before.Lookup(src.path)
	if t.opts.OutOriginals {
		if hiddenName(src.path) && src.skip != "" {
			return nil, nil // never copied where it could be served
		}
		task.original, task.CopyOriginal = true, !t.isCopy(ctx, in, task)
	}
	if task.encode {
		task.sum = manifest.Dictionary(sum.Sum(nil))
		task.match = t.opts.matchPattern(src.path, task.Size)
		t.planSteps(ctx, in, task)
	}
	return task, nil
}

func (t *planner) isCopy(ctx context.Context, in *directory, task *Task) bool {
	if in.variants == nil || t.opts.Force {
		return false
	}
	copied, err := t.observe(ctx, in.variants, in.name(task.Path))
	return err == nil && copied.holds(task) && sameAttributes(copied.info, task.attr)
}

// planSteps decides about each coding of a task.
func (t *planner) planSteps(ctx context.Context, in *directory, task *Task) {
	var steps []Step
	var known []candidate // what earlier builds measured, beside its step
	var knownAt []int
	for i, c := range task.codings {
		step := Step{Coding: c, Action: Encode}
		var record manifest.Variant
		record, step.Reason = t.reusable(task, &step)
		steps = append(steps, step)
		if step.Reason == "" {
			known = append(known, candidate{c, record.Size, record.Omitted == manifest.Incompressible})
			knownAt = append(knownAt, i)
		}
	}
	for k, omission := range weigh(task.Size, known, t.opts.MinSaving, t.opts.DropDominated) {
		step := &steps[knownAt[k]]
		record, _ := task.prev.Variant(step.Coding)
		// A sibling that cannot be read matches no record; running the step
		// that this leads to says what is wrong with it.
		sib, _ := t.observeVariant(ctx, in.variants, in.name(task.Path), step.Coding)
		*step = decide(record, omission, sib, task.attr)
	}
	if t.opts.DropDominated && slices.ContainsFunc(steps, func(s Step) bool { return s.Action == Encode }) {
		encodeAll(steps)
	}
	task.Steps = steps
}

// encodeAll encodes every coding anew because one of them is: they are weighed
// against each other.
func encodeAll(steps []Step) {
	for i, s := range steps {
		if s.Action != Encode {
			steps[i].Action, steps[i].Reason = Encode, ReasonSettingsChanged
		}
	}
}

// reusable returns the last build's record of a step's file and why it no longer
// holds, "" if it does.
func (t *planner) reusable(task *Task, s *Step) (manifest.Variant, Reason) {
	switch {
	case t.opts.Force:
		return manifest.Variant{}, ReasonForced
	case task.prev == nil:
		return manifest.Variant{}, ReasonNew
	}
	record, found := s.recorded(task.prev)
	switch {
	case task.sourceChanged():
		return record, ReasonSourceChanged
	case !found:
		return record, ReasonNew
	case record.Stale:
		return record, ReasonUnfinished
	case record.Level != task.level(s.Coding):
		return record, ReasonSettingsChanged
	case record.Encoder != t.encoderID(s.Coding, record.Level):
		return record, ReasonEncoderChanged
	}
	return record, ""
}

// decide compares a coding's record, which still holds, and what weighing it
// says with the file on disk.
func decide(record manifest.Variant, omission manifest.Omission, sib sibling, attr *attributes) Step {
	step := Step{Coding: record.Coding, Size: record.Size, record: record}
	keep := omission == ""
	if !keep {
		step.record.Omitted, step.record.Digest = omission, 0
	}
	switch {
	case keep && !record.Stored():
		step.Action, step.Reason = Encode, ReasonSettingsChanged
	case keep && !sib.exists:
		step.Action, step.Reason = Encode, ReasonMissing
	case keep && !sib.matches(record):
		step.Action, step.Reason = Encode, ReasonDamaged
	case keep && errors.Is(sib.form, manifest.ErrWindow):
		step.Action, step.Reason = Encode, ReasonWindow
	case keep && sib.form != nil:
		step.Action, step.Reason = Encode, ReasonDamaged
	case keep && !sameAttributes(sib.info, attr):
		step.Action, step.Reason = Touch, ReasonMetadata
	case keep:
		step.Action, step.Reason = Keep, ReasonFresh
	case !sib.exists:
		step.Action, step.Reason = Omit, Reason(omission)
	case sib.matches(record):
		step.Action, step.Reason = Remove, Reason(omission)
	default:
		step.Action, step.Reason = Encode, ReasonForeign
	}
	return step
}

// record returns what the manifest says of the asset once its steps are done,
// none of which encodes.
func (t *Task) record() manifest.Asset {
	a := manifest.Asset{Path: t.Path, Size: t.Size, Digest: t.Digest, Original: t.original, Match: t.match}
	for _, s := range t.all() {
		s.enter(&a, s.record)
	}
	return a
}

// idleManifest returns the manifest's bytes after a run that has nothing to do.
func (p *Plan) idleManifest() []byte {
	m := manifest.Manifest{Assets: slices.Clone(p.untouched)}
	for _, task := range p.Assets {
		m.Assets = append(m.Assets, task.record())
	}
	data, err := m.Encode()
	if err != nil {
		return nil // a name that no manifest can hold: not idle
	}
	return data
}
