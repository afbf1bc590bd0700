package precompress

import (
	"context"
	"errors"

	"github.com/precompress/precompress/manifest"
)

// process does all of one task. ok is false if ctx ended before it was done;
// what is on disk then is whole, and the task stays pending.
func (r *run) process(ctx context.Context, b *batch, task *Task) (res result, ok bool) {
	for attempt := 1; ; attempt++ {
		if err := r.reserve(ctx, b, task); err != nil {
			return result{}, false // ctx is done
		}
		res, err := r.attempt(ctx, b, task, r.rootDirectory())
		switch {
		case err == nil:
			return res, true
		case ctx.Err() != nil:
			return result{}, false
		case errors.Is(err, ErrSourceChanged) && attempt == 1:
			// The source was edited since it was planned: plan it anew.
			again, fault := r.planAgain(ctx, task)
			if fault != nil {
				return failedResult(task, fault), true
			}
			task = again
		default:
			return failedResult(task, &Error{Op: "read", Path: task.Path, Err: bareError(err)}), true
		}
	}
}

// planAgain plans a task anew. Steps that the first plan found done are done
// still or found undone now.
func (r *run) planAgain(ctx context.Context, task *Task) (*Task, *Error) {
	src := source{path: task.Path, settings: task.settings}
	if !task.encode {
		src.skip = ReasonExcluded
	}
	again, fault := r.planner.plan(ctx, r.rootDirectory(), src, r.plan.Before)
	if fault == nil && task.encode {
		r.failDeltas(again, r.planDeltasOf(ctx, r.rootDirectory(), again))
	}
	return again, fault
}

// attempt does a task with the source as it is now. It fails if the source
// cannot be read or is not the one that was planned, and while the batch is being
// restored if the cache lacks an encoding.
func (r *run) attempt(ctx context.Context, b *batch, task *Task, in *directory) (result, error) {
	job := &job{run: r, batch: b, task: task, in: in, res: result{
		asset:  task.report(),
		record: &manifest.Asset{Path: task.Path, Size: task.Size, Digest: task.Digest, Match: task.match},
	}}
	job.steps = task.all()
	if task.encodes() {
		if err := job.encodeSteps(ctx); err != nil {
			return result{}, err
		}
	}
	if task.original {
		if err := job.copyOriginal(ctx); err != nil {
			return result{}, err
		}
	}
	for i := range job.steps {
		job.finish(i)
	}
	return job.res, nil
}

// job is one attempt at a task.
type job struct {
	*run
	batch    *batch
	task     *Task
	in       *directory // that the source is in, or the root's
	steps    []*Step    // of task
	outcomes []outcome  // in the order of steps; nil if nothing is encoded
	res      result
}

// encodeSteps reads the source, encodes what the plan says and weighs all
// codings of the asset. Nothing is written yet.
func (j *job) encodeSteps(ctx context.Context) error {
	src, info, err := j.run.read(j.in.sources, j.in.name(j.task.Path))
	if err != nil {
		return err
	}
	if manifest.Sum(src) != j.task.Digest {
		return ErrSourceChanged
	}
	c := j.batch.contentOf(src, j.opts.Cache != nil)
	settings := j.task.chosen()
	j.lookUp(ctx, c, src, settings)
	if j.batch.restoring && c.lacks(settings) {
		return errNotInCache
	}
	j.outcomes = make([]outcome, len(j.steps))
	for i, step := range j.steps {
		if step.Action == Encode {
			j.outcomes[i] = j.encodeStep(ctx, step, c, src)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	j.weigh()
	j.weighDeltas()
	now, err := j.in.sources.Stat(j.in.name(j.task.Path))
	if err != nil {
		return err
	}
	if !sameState(info, now) {
		return ErrSourceChanged
	}
	j.task.attr = attributesOf(now)
	return nil
}

// errNotInCache is about a task that cannot be done without encoding.
var errNotInCache = errors.New("not in the cache")

// chosen are the settings that a task's steps encode in.
func (t *Task) chosen() []setting {
	var all []setting
	for _, s := range t.all() {
		if s.Action == Encode {
			all = append(all, t.setting(s))
		}
	}
	return all
}

// finish brings one step's file in line with what was decided, and records it.
func (j *job) finish(i int) {
	step := j.steps[i]
	name := step.name(j.task.Path)
	var fault *Error
	report := VariantReport{Coding: step.Coding, Reason: step.Reason, Size: step.Size}
	record := step.record
	switch step.Action {
	case Keep:
		report.Status = Reused
	case Omit:
		report.Status = Omitted
	case Touch:
		report.Status = Reused
		fault = j.touch(name)
	case Remove:
		report.Status = Omitted
		fault = j.drop(name, step.Size, step.Reason)
	case Encode:
		report, record, fault = j.store(step, name, &j.outcomes[i])
	}
	if fault != nil {
		fault.Path, fault.Coding = j.task.Path, step.Coding
		report.Status, report.Cached = Failed, false
		j.res.failures = append(j.res.failures, fault)
		j.fullDisk(fault)
		var found bool
		if record, found = j.task.unfinished(step); found {
			record.Stale = record.Stale || j.task.sourceChanged() || errors.Is(fault, ErrForeign)
		} else {
			j.res.asset.add(j.task, i, report)
			return
		}
	}
	j.res.asset.add(j.task, i, report)
	step.enter(j.res.record, record)
}

// unfinished returns what to record of a step that was not done: what the last
// build recorded of a file for the content that the source had then.
func (t *Task) unfinished(s *Step) (record manifest.Variant, found bool) {
	if s.Action == Keep || s.Action == Omit {
		return s.record, true
	}
	record, found = s.recorded(t.prev)
	if !found || record.Omitted != "" || s.Reason == ReasonMissing {
		return manifest.Variant{}, false
	}
	record.Stale = record.Stale || s.Reason == ReasonDamaged || s.Reason == ReasonWindow || s.Reason == ReasonForeign
	return record, true
}

func (t *Task) sourceChanged() bool {
	return t.prev != nil && (t.prev.Size != t.Size || t.prev.Digest != t.Digest)
}

// report returns a report of the asset without any step.
func (t *Task) report() AssetReport {
	return AssetReport{Path: t.Path, Size: t.Size, Digest: t.Digest, Held: t.Held}
}

// pendingResult is the result of a task that a run does not get to. What the
// last build recorded stays, for the source as it was then.
func pendingResult(t *Task) result {
	res := result{asset: t.report()}
	record := manifest.Asset{Path: t.Path, Size: t.Size, Digest: t.Digest, Match: t.match}
	if t.prev != nil {
		record.Size, record.Digest, record.Original = t.prev.Size, t.prev.Digest, t.prev.Original
	}
	for i, s := range t.all() {
		status := Pending
		if s.refused {
			status = Omitted
		}
		res.asset.add(t, i, VariantReport{Coding: s.Coding, Status: status, Reason: s.Reason, Size: s.Size})
		if v, found := t.unfinished(s); found {
			s.enter(&record, v)
		}
	}
	if len(record.Variants) > 0 || len(record.Deltas) > 0 || record.Original {
		res.record = &record
	}
	return res
}

// idleResult is the result of a task that has nothing to do.
func idleResult(t *Task) result {
	record := t.record()
	res := result{asset: t.report(), record: &record}
	for i, s := range t.all() {
		status := Reused
		if s.Action == Omit {
			status = Omitted
		}
		res.asset.add(t, i, VariantReport{Coding: s.Coding, Status: status, Reason: s.Reason, Size: s.Size})
	}
	return res
}

// failedResult is the result of a task whose source could not be worked on.
func failedResult(t *Task, fault *Error) result {
	res := pendingResult(t)
	for i := range res.asset.Variants {
		res.asset.Variants[i].Status = Failed
	}
	for i := range res.asset.Deltas {
		res.asset.Deltas[i].Status = Failed
	}
	res.failures = []*Error{fault}
	return res
}
