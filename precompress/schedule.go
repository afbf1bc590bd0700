package precompress

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/errgroup"
)

// work does the tasks that change something. Those that the cache has the encodings
// for come first: they wait for the cache more than for a processor, and should not
// keep an encoder waiting.
func (r *run) work(ctx context.Context) {
	groups := groupDuplicates(r.plan.Assets)
	for _, d := range groups {
		r.progress.add(len(d.tasks), int64(len(d.tasks))*d.size)
	}
	r.progress.begin()
	if r.tree.opts.Cache != nil && !r.tree.opts.Force {
		groups = r.restoreAll(ctx, groups)
	}
	r.encodeAll(ctx, groups)
}

// restoreAll does the tasks that the cache has the encodings for, and returns the
// others.
func (r *run) restoreAll(ctx context.Context, groups []*duplicates) []*duplicates {
	var group errgroup.Group
	group.SetLimit(max(r.tree.opts.Jobs, r.tree.opts.Cache.Parallel()))
	var in *directory
	defer func() { in.close() }()
	for _, d := range groups {
		if !d.tasks[0].encodes() {
			continue
		}
		release, err := r.memory.acquire(ctx, d.restoreNeed())
		if err != nil {
			break // ctx is done
		}
		in = in.next(r.tree, d.tasks[0].Path)
		where := in.use()
		group.Go(func() error {
			defer release()
			defer where.close()
			r.restore(ctx, d, where)
			return nil
		})
	}
	group.Wait() // no function returns an error: tasks that fail stay in their group
	return slices.DeleteFunc(groups, func(d *duplicates) bool { return len(d.tasks) == 0 })
}

// restore does the tasks that the cache has all encodings for. A task that fails
// stays: encoding it will show the error again. in is the directory of the first.
func (r *run) restore(ctx context.Context, d *duplicates, in *directory) {
	d.fromCache = true
	var left []*Task
	for _, task := range d.tasks {
		if !in.holds(task.Path) {
			in = r.tree.rootDirectory()
		}
		if res, err := r.attempt(ctx, d, task, in); err == nil {
			r.finish(task, res)
		} else {
			left = append(left, task)
		}
	}
	d.tasks, d.fromCache = left, false
	if d.set != nil {
		d.set.forget() // until there is memory to encode the rest
	}
}

// encodeAll does the tasks of the groups, the most expensive first, so that no long
// one is left for the end.
func (r *run) encodeAll(ctx context.Context, groups []*duplicates) {
	slices.SortStableFunc(groups, func(a, b *duplicates) int { return cmp.Compare(b.size, a.size) })
	var group errgroup.Group
	group.SetLimit(r.tree.opts.Jobs)
	for _, d := range groups {
		// Reserved in this order, too: if a large task waited behind small ones, it
		// would have to share the memory with the encoders that they leave.
		if err := r.reserve(ctx, d, d.tasks[0]); err != nil {
			break // ctx is done
		}
		group.Go(func() error {
			defer d.free()
			for _, task := range d.tasks {
				if res, ok := r.do(ctx, d, task); ok {
					r.finish(task, res)
				}
			}
			return nil
		})
	}
	group.Wait() // no function returns an error: errors are in the results
}

// finish keeps the result of a task and reports progress.
func (r *run) finish(task *Task, res taskResult) {
	r.results[r.index[task]] = res
	r.progress.done(task.Size)
}
