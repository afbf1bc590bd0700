package precompress

import (
	"cmp"
	"context"
	"crypto/sha256"
	"runtime/debug"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/precompress/precompress/manifest"
)

// batch is tasks whose sources have the same size and digest. They are worked on
// one after another, and what was encoded for one is handed on to the next.
type batch struct {
	tasks     []*Task
	size      int64 // of each source
	content   *content
	restoring bool // from the cache alone

	held    int64 // bytes of memory reserved; -1 for none
	release func()
}

// batches groups the tasks that change something, in the plan's order.
func (r *run) batches() []*batch {
	type bytes struct {
		size   int64
		digest manifest.Digest
	}
	var all []*batch
	same := make(map[bytes]*batch)
	for _, task := range r.plan.Assets {
		if !task.Work() {
			continue
		}
		is := bytes{task.Size, task.Digest}
		if b := same[is]; b != nil && task.encodes() {
			b.tasks = append(b.tasks, task)
			continue
		}
		b := &batch{tasks: []*Task{task}, size: task.Size, held: -1}
		all = append(all, b)
		if task.encodes() {
			same[is] = b
		}
	}
	return all
}

// contentOf returns what is known of the content of src, whose size and digest
// are the batch's unless it was edited. Digests of 64 bits can be the same by
// bad luck: what counts is the one of 256.
func (b *batch) contentOf(src []byte, cached bool) *content {
	if !cached && len(b.tasks) == 1 {
		return newContent([sha256.Size]byte{}) // for nobody else
	}
	sum := sha256.Sum256(src)
	if b.content == nil || b.content.sum != sum {
		b.content = newContent(sum)
	}
	return b.content
}

// work processes the tasks that change something; the others are reported as
// they stand. What the cache has comes first: it takes little of anything but
// patience, of which no encoder should have to have any.
func (r *run) work(ctx context.Context) {
	batches := r.batches()
	for _, b := range batches {
		r.progress.TotalAssets += len(b.tasks)
		r.progress.TotalBytes += int64(len(b.tasks)) * b.size
	}
	r.done(nil)
	if r.opts.Cache != nil && !r.opts.Force {
		batches = r.restore(ctx, batches)
	}
	r.encodeAll(ctx, batches)
}

// restore does the tasks whose encodings the cache has, and returns the others.
func (r *run) restore(ctx context.Context, batches []*batch) []*batch {
	var group errgroup.Group
	group.SetLimit(max(r.opts.Jobs, r.opts.Cache.Parallel()))
	var in *directory
	defer func() { in.close() }()
	for _, b := range batches {
		if !b.tasks[0].encodes() {
			continue
		}
		release, err := r.memory.acquire(ctx, b.restoreNeed())
		if err != nil {
			break // ctx is done
		}
		in = in.next(r.Tree, b.tasks[0].Path)
		where := in.use()
		group.Go(func() error {
			defer release()
			defer where.close()
			r.restoreBatch(ctx, b, where)
			return nil
		})
	}
	group.Wait() // no task returns an error: it stays in its batch
	return slices.DeleteFunc(batches, func(b *batch) bool { return len(b.tasks) == 0 })
}

// restoreBatch does the tasks of one batch that the cache has all encodings for.
// Those with a fault stay: to encode them shows it again. The directory is that of
// the first.
func (r *run) restoreBatch(ctx context.Context, b *batch, in *directory) {
	b.restoring = true
	var left []*Task
	for _, task := range b.tasks {
		if !in.holds(task.Path) {
			in = r.rootDirectory()
		}
		if res, err := r.attempt(ctx, b, task, in); err == nil {
			r.finished(task, res)
		} else {
			left = append(left, task)
		}
	}
	b.tasks, b.restoring = left, false
	if b.content != nil {
		b.content.forget() // until there is memory to encode the rest
	}
}

// encodeAll does the tasks of batches, the costliest first, so that no long one
// is left to the end.
func (r *run) encodeAll(ctx context.Context, batches []*batch) {
	slices.SortStableFunc(batches, func(a, b *batch) int { return cmp.Compare(b.size, a.size) })
	var group errgroup.Group
	group.SetLimit(r.opts.Jobs)
	for _, b := range batches {
		// In this order too: a large task that waited behind small ones would
		// add to the encoders that they leave.
		if err := r.reserve(ctx, b, b.tasks[0]); err != nil {
			break // ctx is done
		}
		group.Go(func() error {
			defer b.free()
			for _, task := range b.tasks {
				if res, ok := r.process(ctx, b, task); ok {
					r.finished(task, res)
				}
			}
			return nil
		})
	}
	group.Wait() // no task returns an error: faults are in its result
}

// finished keeps the result of a task and tells the caller that it is done.
func (r *run) finished(task *Task, res result) {
	r.results[r.at[task]] = res
	r.done(task)
}

// reserve waits for the memory that a task of the batch needs, unless the batch
// holds it already. A large one gets the room of the encoders that are kept for
// others too.
func (r *run) reserve(ctx context.Context, b *batch, task *Task) error {
	need := task.memoryNeed() - baseMemory
	if !task.encodes() || b.held == need {
		return ctx.Err()
	}
	b.free()
	release, err := r.memory.acquire(ctx, need)
	if err != nil {
		return err
	}
	b.held, b.release = need, release
	if r.isLarge(task.Size) {
		r.makeRoom()
	}
	return nil
}

// free gives back the memory that the batch holds.
func (b *batch) free() {
	if b.held >= 0 {
		b.release()
	}
	b.held = -1
}

// isLarge reports whether work on a source of this size may take most of the
// memory there is.
func (r *run) isLarge(size int64) bool { return r.rules.memoryNeed(size) > r.memory.limit/2 }

// memoryNeed returns what the costliest of the batch's tasks needs.
func (b *batch) memoryNeed() (need int64) {
	for _, t := range b.tasks {
		need = max(need, t.memoryNeed())
	}
	return need
}

// restoreNeed returns what restoring the variants of the batch's tasks needs.
func (b *batch) restoreNeed() (need int64) {
	for _, t := range b.tasks {
		need = max(need, t.restoreNeed())
	}
	return need
}

// makeRoom lets go of encoders that are kept for other tasks. Under a limit of
// the user's, it also has the memory of what is done given back: the brotli
// encoder keeps its own in pools, which two collections empty.
func (r *run) makeRoom() {
	r.codecs.zstd.clear()
	r.codecs.optimal.clear()
	r.codecs.deflate.clear()
	if r.opts.MaxMemory != 0 {
		debug.FreeOSMemory()
		debug.FreeOSMemory()
	}
}
