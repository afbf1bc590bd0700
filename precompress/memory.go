package precompress

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/semaphore"

	"github.com/precompress/precompress/internal/codec"
)

// memoryNeed returns about how many bytes the task takes at its highest point.
func (t *Task) memoryNeed() int64 {
	need := codec.Memory(t.Size, t.variants())
	for _, s := range t.Deltas {
		if !s.refused {
			need = max(need, codec.DeltaMemory(t.Size, t.paramsOf(&s.Step)))
		}
	}
	return need
}

// restoreNeed returns about how many bytes restoring the task's variants and deltas
// from a cache takes: the source, the variants, and what decoding one of them takes.
func (t *Task) restoreNeed() int64 {
	need := t.Size*int64(2+len(t.codings)) + 256<<10
	for _, s := range t.Deltas {
		need += t.Size/4 + s.DictionarySize
	}
	return need
}

// PeakMemory returns about how many bytes a process needs to run the plan, or, if the
// tree is unlocked, to fill a cache with all of it: what the most expensive tasks take
// at the same time.
func (p *Plan) PeakMemory() int64 {
	if p.tree == nil {
		return 0
	}
	limit := newMemoryBudget(p.tree.opts).limit
	var total, largest int64
	running := 0
	sorted := slices.SortedStableFunc(slices.Values(p.Assets), func(a, b *Task) int { return cmp.Compare(b.Size, a.Size) })
	for _, task := range sorted {
		if running == p.tree.opts.Jobs {
			break
		}
		if task.encodes() || task.encode && p.tree.mode == unlocked {
			running++
			need := task.memoryNeed()
			largest = max(largest, need)
			total += need
		}
	}
	return baseMemory + max(largest, min(total, limit))
}

// memoryBudget lets work begin while it fits the limit. Work that needs more than the
// limit gets all of it and runs alone.
type memoryBudget struct {
	limit int64 // in bytes, without baseMemory
	room  *semaphore.Weighted
}

func newMemoryBudget(o Options) *memoryBudget {
	limit := o.MaxMemory
	if limit == 0 {
		limit = DefaultMemory
	}
	return &memoryBudget{limit - baseMemory, semaphore.NewWeighted(limit - baseMemory)}
}

// acquire waits for room for need bytes, or for all there is if need is more. The
// caller calls release when done.
func (b *memoryBudget) acquire(ctx context.Context, need int64) (release func(), err error) {
	need = min(need, b.limit)
	if err := b.room.Acquire(ctx, need); err != nil {
		return nil, err
	}
	return func() { b.room.Release(need) }, nil
}
