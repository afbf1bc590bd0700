package precompress

import (
	"context"
	"errors"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// do does all of one task. ok is false if ctx was done before that: what is on disk
// then is whole, and the task stays pending.
func (r *run) do(ctx context.Context, d *duplicates, task *Task) (res taskResult, ok bool) {
	for attempt := 1; ; attempt++ {
		if err := r.reserve(ctx, d, task); err != nil {
			return taskResult{}, false // ctx is done
		}
		res, err := r.attempt(ctx, d, task, r.tree.rootDirectory())
		switch {
		case err == nil:
			return res, true
		case ctx.Err() != nil:
			return taskResult{}, false
		case errors.Is(err, ErrSourceChanged) && attempt == 1:
			again, failure := r.planAgain(ctx, task)
			if failure != nil {
				return failedResult(task, failure), true
			}
			task = again
		default:
			return failedResult(task, &Error{Op: OpRead, Path: task.Path, Err: bareError(err)}), true
		}
	}
}

// reserve waits for the memory that a task needs, unless its group holds it already.
// A large task also gets the memory that encoders keep for others.
func (r *run) reserve(ctx context.Context, d *duplicates, task *Task) error {
	need := task.memoryNeed()
	if !task.encodes() || d.reserved == need {
		return ctx.Err()
	}
	d.free()
	release, err := r.memory.acquire(ctx, need)
	if err != nil {
		return err
	}
	d.reserved, d.release = need, release
	if r.encodings.isLarge(task.Size) {
		r.encodings.freeMemory()
	}
	return nil
}

// planAgain plans a task again whose source was edited since it was planned. Steps
// that the first plan found done are done still or found undone now.
func (r *run) planAgain(ctx context.Context, task *Task) (*Task, *Error) {
	src := source{path: task.Path, settings: task.settings}
	if !task.encode {
		src.skip = ReasonExcluded
	}
	in := r.tree.rootDirectory()
	again, failure := r.planner.file(ctx, in, src)
	if failure == nil && task.encode && len(r.plan.Releases) > 0 {
		r.tree.planDeltasOf(ctx, in, again)
		r.noteUnreadable(again)
	}
	return again, failure
}

// noteUnreadable notes the releases that could not be read for a task that was
// planned again. Deltas that are not wanted any more for that reason stay recorded,
// so that the next run removes them.
func (r *run) noteUnreadable(task *Task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = appendNew(r.warnings, r.tree.unreadableWarnings(r.plan.Releases, task)...)
	if task.before == nil {
		return
	}
	for _, d := range task.before.Deltas {
		if d.Omitted == "" && !task.wants(d) && task.refusalOf(d) != "" {
			r.remain = append(r.remain, Orphan{Path: d.Name(task.Path)})
		}
	}
}

// attempt does a task with the source as it is now. It fails if the source cannot be
// read or is not the one that was planned, and, if only the cache may be used, with
// errNotInCache.
func (r *run) attempt(ctx context.Context, d *duplicates, task *Task, in *directory) (taskResult, error) {
	record := task.newRecord()
	w := &writer{run: r, task: task, in: in, res: taskResult{asset: newAssetResult(task), record: &record}}
	steps := task.all()
	encoded := make([]encodedStep, len(steps))
	if task.encodes() {
		if err := r.encodeSteps(ctx, d, w, encoded); err != nil {
			return taskResult{}, err
		}
	}
	if task.original {
		if err := w.copyOriginal(ctx); err != nil {
			return taskResult{}, err
		}
	}
	for i, step := range steps {
		w.finishStep(i, step, &encoded[i])
	}
	return w.res, nil
}

// encodeSteps reads the source, encodes it as the steps say, and weighs the results.
// Nothing is written yet.
func (r *run) encodeSteps(ctx context.Context, d *duplicates, w *writer, encoded []encodedStep) error {
	task, in := w.task, w.in
	src, info, err := r.read(in.sources, in.name(task.Path))
	if err != nil {
		return err
	}
	if manifest.Sum(src) != task.Digest {
		return ErrSourceChanged
	}
	set := d.encodingsOf(src, r.tree.opts.Cache != nil)
	wanted := task.encodings()
	r.encodings.lookUp(ctx, set, src, wanted)
	if d.fromCache && set.lacks(wanted) {
		return errNotInCache
	}
	for i, step := range task.all() {
		if step.Action == Encode {
			encoded[i] = w.encodeStep(ctx, step, set, src)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	weighSteps(task, encoded, r.tree.opts)
	now, err := in.sources.Stat(in.name(task.Path))
	if err != nil {
		return err
	}
	if !sameState(info, now) {
		return ErrSourceChanged
	}
	task.attr = osfile.AttributesOf(now)
	return nil
}

// errNotInCache is about a task that cannot be done without encoding.
var errNotInCache = errors.New("not in the cache")

// weighSteps decides which of the encoded steps are kept. If the codings do not depend
// on each other, those that were not encoded stay as planned.
func weighSteps(task *Task, encoded []encodedStep, opts Options) {
	var candidates []candidate
	var index []int
	for i, step := range task.Steps {
		e := &encoded[i]
		if step.Action == Encode && e.failure == nil {
			candidates = append(candidates, candidate{step.Coding, e.size, e.incompressible})
			index = append(index, i)
		}
	}
	for k, omission := range weigh(task.Size, candidates, opts.MinSaving, opts.DropDominated) {
		encoded[index[k]].omission = omission
	}
	smallest := task.Size
	for i, s := range task.all() {
		e := &encoded[i]
		switch {
		case s.dictionary != nil && s.Action == Encode && e.failure == nil:
			e.omission = weighDelta(smallest, e.size, s.Coding, opts.MinSaving)
		case s.dictionary != nil, s.Action == Omit, s.Action == Remove, e.failure != nil, e.omission != "":
		case s.Action == Encode:
			smallest = min(smallest, e.size)
		default:
			smallest = min(smallest, s.Size)
		}
	}
}
