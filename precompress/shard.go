package precompress

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/precompress/precompress/manifest"
)

// Shard is one of Count parts of a tree's encodings, counted from 1. Machines
// that each run another part into a cache that they share need no word of each
// other: which encodings are whose follows from the contents of the tree and the
// options, whatever was built before. The zero value is no part but all.
type Shard struct{ Index, Count int }

func (s Shard) validate(cache Cache) error {
	switch {
	case s == Shard{}:
		return nil
	case s.Count < 1 || s.Index < 1 || s.Index > s.Count:
		return invalid("Shard", "there is no shard %d of %d: count from 1/%d to %d/%d", s.Index, s.Count, max(1, s.Count), max(1, s.Count), max(1, s.Count))
	case cache == nil:
		return invalid("Shard", "a shard only fills a cache, and none is in use: use one, or leave the shard out")
	}
	return nil
}

// ShardReport says what a run of a shard did.
type ShardReport struct {
	Shard
	// Encodings are those of this shard, sorted by path and coding.
	Encodings []ShardEncoding
	// Total is the number of encodings in all shards together. Of equal contents
	// each encoding counts once.
	Total int
	// Cost is what the encodings of this shard are taken to cost, TotalCost those
	// of all shards: about nanoseconds of one core.
	Cost, TotalCost int64
}

// ShardEncoding is one encoding that was a shard's to see to.
type ShardEncoding struct {
	Path   string // the first asset's that has this content
	Size   int64  // of the source, in bytes
	Coding manifest.Coding
	Level  int
	// Dictionary is [manifest.Dictionary.Short] of a delta's, else "".
	Dictionary string
	// Status is Written once the cache was told of it, Reused if the cache had it,
	// else Failed or Pending.
	Status Status
	Cost   int64
}

// Of returns how many of the shard's encodings have the given status.
func (r *ShardReport) Of(status Status) int {
	n := 0
	for _, e := range r.Encodings {
		if e.Status == status {
			n++
		}
	}
	return n
}

// unit is one encoding of one content.
type unit struct {
	task    *Task // the first of this content
	setting setting
	cost    int64
	status  Status
}

// units returns the encodings that the plan's candidates can lead to, whether or
// not they are needed: what other machines built before does not matter.
func (t *Tree) units(p *Plan) []*unit {
	type is struct {
		size    int64
		digest  manifest.Digest
		setting setting
	}
	var all []*unit
	seen := make(map[is]bool)
	first := make(map[is]*Task)
	for _, task := range p.Assets {
		content := is{size: task.Size, digest: task.Digest}
		if task.encode && first[content] == nil {
			first[content] = task
		}
		for _, step := range task.all() {
			if step.refused {
				continue
			}
			s := task.setting(step)
			one := is{task.Size, task.Digest, s}
			if !seen[one] {
				seen[one] = true
				all = append(all, &unit{task: first[content], setting: s, cost: encodingCost(s, task.Size), status: Pending})
			}
		}
	}
	return all
}

// share returns the units of one of count shards: the costliest first, each goes
// to the shard that has the least by then.
func (s Shard) share(units []*unit) []*unit {
	sorted := slices.SortedFunc(slices.Values(units), func(a, b *unit) int {
		return cmp.Or(
			cmp.Compare(b.cost, a.cost),
			cmp.Compare(a.task.Digest, b.task.Digest),
			cmp.Compare(a.task.Size, b.task.Size),
			strings.Compare(string(a.setting.coding), string(b.setting.coding)),
			cmp.Compare(a.setting.level, b.setting.level),
			strings.Compare(a.setting.dictionaryName(), b.setting.dictionaryName()))
	})
	// Shards beyond as many as there are units get none.
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

// part is the units of one content, and the batch that stands for it.
type part struct {
	*batch
	units []*unit
}

// pending are the settings of the part's units that are still to be seen to.
func (p *part) pending() []setting {
	var settings []setting
	for _, u := range p.units {
		if u.status == Pending {
			settings = append(settings, u.setting)
		}
	}
	return settings
}

// parts groups units by content, the largest first.
func parts(units []*unit) []*part {
	var all []*part
	of := make(map[*Task]*part)
	for _, u := range units {
		p := of[u.task]
		if p == nil {
			p = &part{batch: &batch{tasks: []*Task{u.task}, size: u.task.Size, held: -1}}
			of[u.task] = p
			all = append(all, p)
		}
		p.units = append(p.units, u)
	}
	slices.SortStableFunc(all, func(a, b *part) int { return cmp.Compare(b.size, a.size) })
	return all
}

// runShard has the cache filled with the shard's encodings. It leaves the tree
// alone: siblings and manifest are for the run that finds all of them there.
func (t *Tree) runShard(ctx context.Context, p *Plan) *Report {
	r := newRun(t, p)
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.stop = stop
	all := t.units(p)
	mine := t.opts.Shard.share(all)
	r.fill(working, parts(mine))
	report := &Report{
		Skipped:  p.Skipped,
		Failures: r.failures,
		Warnings: slices.Concat(p.Warnings, r.codecs.replaced.warnings()),
		Stopped:  context.Cause(working),
		Shard:    &ShardReport{Shard: t.opts.Shard, Total: len(all)},
	}
	for _, u := range all {
		report.Shard.TotalCost += u.cost
	}
	for _, u := range mine {
		report.Shard.Cost += u.cost
		report.Shard.Encodings = append(report.Shard.Encodings, ShardEncoding{u.task.Path, u.task.Size, u.setting.coding, u.setting.level, u.setting.short(), u.status, u.cost})
	}
	report.sort()
	return report
}

// fill looks up what the cache has and encodes the rest.
func (r *run) fill(ctx context.Context, parts []*part) {
	for _, p := range parts {
		r.progress.TotalAssets++
		r.progress.TotalBytes += p.size
	}
	r.done(nil)
	if !r.opts.Force {
		room := func(b *batch) int64 { return b.restoreNeed() }
		r.eachPart(ctx, parts, max(r.opts.Jobs, r.opts.Cache.Parallel()), room, r.findPart)
	}
	parts = slices.DeleteFunc(parts, func(p *part) bool { return p.pending() == nil })
	room := func(b *batch) int64 { return b.memoryNeed() - baseMemory }
	r.eachPart(ctx, parts, r.opts.Jobs, room, r.encodePart)
}

// eachPart calls do for every part, so many at a time, once there is room in
// memory for a source of that size.
func (r *run) eachPart(ctx context.Context, parts []*part, jobs int, room func(*batch) int64, do func(context.Context, *part, []byte)) {
	var group errgroup.Group
	group.SetLimit(jobs)
	for _, p := range parts {
		release, err := r.memory.acquire(ctx, room(p.batch))
		if err != nil {
			break // ctx is done
		}
		group.Go(func() error {
			defer release()
			if src, err := r.readPart(p); err != nil {
				r.failPart(p, p.pending(), &Error{Op: "read", Path: p.tasks[0].Path, Err: bareError(err)})
			} else {
				do(ctx, p, src)
			}
			if p.pending() == nil {
				r.done(p.tasks[0])
			}
			return nil
		})
	}
	group.Wait() // faults are in the failures
}

// readPart reads a part's source, which must be what the plan saw: which shard
// is to encode it follows from that.
func (r *run) readPart(p *part) ([]byte, error) {
	task := p.tasks[0]
	src, _, err := r.read(r.sources, task.Path)
	if err == nil && manifest.Sum(src) != task.Digest {
		err = ErrSourceChanged
	}
	return src, err
}

// findPart looks up a part's encodings.
func (r *run) findPart(ctx context.Context, p *part, src []byte) {
	c := p.contentOf(src, true)
	r.lookUp(ctx, c, src, p.pending())
	for _, u := range p.units {
		if _, known := c.known[u.setting]; known {
			u.status = Reused
		}
	}
	c.forget()
}

// encodePart encodes what is pending of a part.
func (r *run) encodePart(ctx context.Context, p *part, src []byte) {
	if r.isLarge(p.size) {
		r.makeRoom()
	}
	c := p.contentOf(src, true)
	for _, s := range p.pending() {
		_, err := r.encoding(ctx, c, s, src)
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			r.failPart(p, []setting{s}, &Error{Op: "encode", Path: p.tasks[0].Path, Coding: s.coding, Err: err})
			continue
		}
		p.mark(s, Written)
	}
}

func (p *part) mark(s setting, status Status) {
	for _, u := range p.units {
		if u.setting == s {
			u.status = status
		}
	}
}

// failPart notes a fault of a part in the given settings.
func (r *run) failPart(p *part, settings []setting, fault *Error) {
	for _, s := range settings {
		p.mark(s, Failed)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, fault)
}
