package precompress

import (
	"cmp"
	"context"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/manifest"
)

// Shard is one of Count parts of a tree's encodings, counted from 1. Machines that
// each fill a shared cache with another part need not know of each other: which
// encodings a shard has depends only on the contents of the tree and the options, not
// on what was built before.
type Shard struct{ Index, Count int }

// Validate returns an error that wraps [ErrInvalidOptions] if there is no such part.
func (s Shard) Validate() error {
	if s.Count < 1 || s.Index < 1 || s.Index > s.Count {
		count := max(1, s.Count)
		return invalid("Shard", "there is no shard %d of %d: count from 1/%d to %d/%d", s.Index, s.Count, count, count, count)
	}
	return nil
}

// FillResult says what [Tree.FillCache] did.
type FillResult struct {
	Shard
	// Encodings are those of the shard, sorted by path, coding, level and dictionary.
	Encodings []ShardEncoding
	// Total counts the encodings of all shards together. Equal contents count once.
	Total int
	// Cost is the estimated cost of the shard's encodings, TotalCost that of all
	// shards: about nanoseconds of one core.
	Cost, TotalCost int64
	// Skipped, Failures, Warnings and Stopped are as in [Result].
	Skipped  []Skipped
	Failures []*Error
	Warnings []Warning
	Stopped  error
}

// ShardEncoding is one encoding of a shard.
type ShardEncoding struct {
	Path   string // of the first asset with this content
	Size   int64  // of the source in bytes
	Coding manifest.Coding
	Level  int
	// Dictionary is [manifest.Dictionary.Short] of a delta's dictionary, else "".
	Dictionary string
	// Status is Written if the encoding was put into the cache, Reused if the cache
	// had it, else Failed or Pending.
	Status Status
	Cost   int64 // estimated, as in [FillResult]
}

// Err returns nil if everything was done, else an error that joins the failures and
// Stopped.
func (r *FillResult) Err() error {
	return (&Result{Failures: r.Failures, Stopped: r.Stopped}).Err()
}

// Count returns the number of the shard's encodings with the given status.
func (r *FillResult) Count(status Status) int {
	n := 0
	for _, e := range r.Encodings {
		if e.Status == status {
			n++
		}
	}
	return n
}

// FillCache puts one part of the plan's encodings into [Options.Cache] and leaves the
// tree as it is. A build on any machine then finds them in the cache. The result is
// set even if some encodings failed; the error wraps [ErrInvalidOptions] if there is no
// cache or no such shard, and [ErrOtherTree] if another tree made the plan.
func (t *Tree) FillCache(ctx context.Context, p *Plan, shard Shard) (*FillResult, error) {
	if err := shard.Validate(); err != nil {
		return nil, err
	}
	if t.opts.Cache == nil {
		return nil, invalid("Cache", "filling a cache needs one: set the option")
	}
	if err := p.isFor(t); err != nil {
		return nil, err
	}
	memory := newMemoryBudget(t.opts)
	f := &filler{tree: t, encodings: newEncodings(t, memory), memory: memory, progress: &progress{report: t.opts.Progress}, read: readStable}
	f.failures = slices.Clone(p.Failures)
	all := unitsOf(p.Assets)
	mine := shard.share(all)
	f.fill(ctx, groupUnits(mine))
	result := &FillResult{
		Shard: shard, Total: len(all),
		Skipped:  p.Skipped,
		Failures: f.failures,
		Warnings: slices.Concat(p.Warnings, fallbackWarnings(f.encodings.encoder)),
		Stopped:  context.Cause(ctx),
	}
	result.count(all, mine)
	return result, nil
}

// count adds the encodings and costs to the result.
func (r *FillResult) count(all, mine []*unit) {
	for _, u := range all {
		r.TotalCost += u.cost
	}
	for _, u := range mine {
		r.Cost += u.cost
		r.Encodings = append(r.Encodings, ShardEncoding{u.task.Path, u.task.Size, u.params.Coding, u.params.Level, u.params.ShortName(), u.status, u.cost})
	}
	slices.SortFunc(r.Encodings, func(a, b ShardEncoding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Coding), string(b.Coding)), cmp.Compare(a.Level, b.Level), strings.Compare(a.Dictionary, b.Dictionary))
	})
	sortFailures(r.Failures)
}

// unit is one encoding of one content.
type unit struct {
	task   *Task // the first with this content
	params codec.Params
	cost   int64
	status Status
}

// unitsOf returns the encodings that building the tasks can need. Whether they are
// needed does not matter: other machines may have built other parts before.
func unitsOf(tasks []*Task) []*unit {
	type key struct {
		size   int64
		digest manifest.Digest
		params codec.Params
	}
	var all []*unit
	seen := make(map[key]bool)
	first := make(map[key]*Task)
	for _, task := range tasks {
		content := key{size: task.Size, digest: task.Digest}
		if task.encode && first[content] == nil {
			first[content] = task
		}
		for _, step := range task.all() {
			if step.refused {
				continue
			}
			p := task.paramsOf(step)
			one := key{task.Size, task.Digest, p}
			if !seen[one] {
				seen[one] = true
				all = append(all, &unit{task: first[content], params: p, cost: codec.Cost(p, task.Size), status: Pending})
			}
		}
	}
	return all
}

// share returns the units of the shard: each unit, the most expensive first, goes to
// the shard that costs least so far.
func (s Shard) share(units []*unit) []*unit {
	sorted := slices.SortedFunc(slices.Values(units), func(a, b *unit) int {
		return cmp.Or(
			cmp.Compare(b.cost, a.cost),
			cmp.Compare(a.task.Digest, b.task.Digest),
			cmp.Compare(a.task.Size, b.task.Size),
			strings.Compare(string(a.params.Coding), string(b.params.Coding)),
			cmp.Compare(a.params.Level, b.params.Level),
			strings.Compare(a.dictionary(), b.dictionary()))
	})
	// With more shards than units, the last shards get none.
	load := make([]int64, min(s.Count, len(sorted)))
	var mine []*unit
	for _, u := range sorted {
		least := 0
		for i := range load {
			if load[i] < load[least] {
				least = i
			}
		}
		load[least] += u.cost
		if least == s.Index-1 {
			mine = append(mine, u)
		}
	}
	return mine
}

// dictionary returns the SHA-256 of the dictionary, "" if there is none.
func (u *unit) dictionary() string {
	if u.params.Dictionary == nil {
		return ""
	}
	return u.params.Dictionary.Sum().String()
}

// unitGroup is the units of one content.
type unitGroup struct {
	*duplicates
	units []*unit
}

// groupUnits groups units by content, the largest first.
func groupUnits(units []*unit) []*unitGroup {
	var all []*unitGroup
	byTask := make(map[*Task]*unitGroup)
	for _, u := range units {
		g := byTask[u.task]
		if g == nil {
			g = &unitGroup{duplicates: newDuplicates(u.task)}
			byTask[u.task] = g
			all = append(all, g)
		}
		g.units = append(g.units, u)
	}
	slices.SortStableFunc(all, func(a, b *unitGroup) int { return cmp.Compare(b.size, a.size) })
	return all
}

// pending returns the parameters of the units that are not done.
func (g *unitGroup) pending() []codec.Params {
	var all []codec.Params
	for _, u := range g.units {
		if u.status == Pending {
			all = append(all, u.params)
		}
	}
	return all
}

// mark sets the status of the units with the given parameters.
func (g *unitGroup) mark(p codec.Params, status Status) {
	for _, u := range g.units {
		if u.params == p {
			u.status = status
		}
	}
}

// filler fills a cache.
type filler struct {
	tree      *Tree
	encodings *encodings
	memory    *memoryBudget
	progress  *progress
	read      func(root *os.Root, name string) ([]byte, fs.FileInfo, error)

	mu       sync.Mutex // guards failures
	failures []*Error
}

// fill looks up what the cache has and encodes the rest.
func (f *filler) fill(ctx context.Context, groups []*unitGroup) {
	for _, g := range groups {
		f.progress.add(1, g.size)
	}
	f.progress.begin()
	jobs := f.tree.opts.Jobs
	if !f.tree.opts.Force {
		f.each(ctx, groups, max(jobs, f.tree.opts.Cache.Parallel()), (*Task).restoreNeed, f.find)
	}
	groups = slices.DeleteFunc(groups, func(g *unitGroup) bool { return g.pending() == nil })
	f.each(ctx, groups, jobs, (*Task).memoryNeed, f.encode)
}

// each calls do for every group with its source, jobs at a time, once there is memory
// for it.
func (f *filler) each(ctx context.Context, groups []*unitGroup, jobs int, need func(*Task) int64, do func(context.Context, *unitGroup, []byte)) {
	var group errgroup.Group
	group.SetLimit(jobs)
	for _, g := range groups {
		task := g.tasks[0]
		release, err := f.memory.acquire(ctx, need(task))
		if err != nil {
			break // ctx is done
		}
		group.Go(func() error {
			defer release()
			if src, err := f.source(task); err != nil {
				f.fail(g, g.pending(), &Error{Op: OpRead, Path: task.Path, Err: bareError(err)})
			} else {
				do(ctx, g, src)
			}
			if g.pending() == nil {
				f.progress.done(task.Size)
			}
			return nil
		})
	}
	group.Wait() // no function returns an error: errors are failures
}

// source reads the source of a task. It must be the one that was planned: the shards
// depend on it.
func (f *filler) source(task *Task) ([]byte, error) {
	src, _, err := f.read(f.tree.sources, task.Path)
	if err == nil && manifest.Sum(src) != task.Digest {
		err = ErrSourceChanged
	}
	return src, err
}

// find looks up the units of a group in the cache.
func (f *filler) find(ctx context.Context, g *unitGroup, src []byte) {
	set := g.encodingsOf(src, true)
	f.encodings.lookUp(ctx, set, src, g.pending())
	for _, u := range g.units {
		if _, known := set.known[u.params]; known {
			u.status = Reused
		}
	}
	set.forget()
}

// encode encodes what is pending of a group.
func (f *filler) encode(ctx context.Context, g *unitGroup, src []byte) {
	if f.encodings.isLarge(g.size) {
		f.encodings.freeMemory()
	}
	set := g.encodingsOf(src, true)
	for _, p := range g.pending() {
		_, err := f.encodings.get(ctx, set, p, src)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			f.fail(g, []codec.Params{p}, &Error{Op: OpEncode, Path: g.tasks[0].Path, Coding: p.Coding, Err: err})
			continue
		}
		g.mark(p, Written)
	}
}

// fail adds a failure of the units with the given parameters.
func (f *filler) fail(g *unitGroup, all []codec.Params, failure *Error) {
	for _, p := range all {
		g.mark(p, Failed)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.failures = append(f.failures, failure)
}
