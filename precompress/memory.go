package precompress

import (
	"context"
	"slices"

	"golang.org/x/sync/semaphore"

	"github.com/precompress/precompress/manifest"
)

const mebibyte = 1 << 20

// baseMemory is what a process needs beside the assets under work.
const baseMemory = 32 * mebibyte

// memoryNeed returns about how many bytes work on a source of the given size
// takes at its highest point: the source, its encoded forms, the largest of
// the working memories that come and go, and those that stay for the run.
func memoryNeed(size int64, o Options) int64 {
	var passing, staying int64
	for _, c := range o.Codings {
		passes, stays := workspaceOf(c, o.Levels[c], size)
		passing = max(passing, passes)
		staying += stays
	}
	return baseMemory + 2*size + passing + staying
}

// workspaceOf is an encoder's working memory in bytes, fitted to measured
// peaks of whole processes: what is garbage once a source is encoded, and what
// is kept for the next.
func workspaceOf(c manifest.Coding, level int, size int64) (passes, stays int64) {
	switch c {
	case manifest.Brotli:
		window := int64(1) << brotliWindow(size)
		if level < 10 {
			return 4*mebibyte + 4*window, 0
		}
		return 4*mebibyte + 6*window + 21*min(size, window)/2, 0
	case manifest.Zstd:
		return 2 * min(size, manifest.MaxWindow), 44 * mebibyte
	}
	return 0, 2 * mebibyte
}

// PeakMemory returns about how many bytes a process needs to run the plan on
// this tree: what its costliest tasks take at the same time.
func (t *Tree) PeakMemory(p *Plan) int64 {
	limit := newMemoryBudget(t.opts).limit
	var total, largest int64
	running := 0
	for _, task := range costliestFirst(p.Assets) {
		if running == t.opts.Jobs {
			break
		}
		if task.encodes() {
			running++
			need := memoryNeed(task.Size, t.opts) - baseMemory
			largest = max(largest, need)
			total += need
		}
	}
	return baseMemory + max(largest, min(total, limit))
}

// minMemory is the least memory limit under which small files can be built.
func minMemory(o Options) int64 { return memoryNeed(64<<10, o) }

// memoryBudget lets work begin while its need fits the limit. Work that needs
// more than the limit gets all of it: it runs alone.
type memoryBudget struct {
	limit int64
	room  *semaphore.Weighted
}

func newMemoryBudget(o Options) *memoryBudget {
	limit := o.MaxMemory
	if limit == 0 {
		limit = DefaultMemory
	}
	return &memoryBudget{limit - baseMemory, semaphore.NewWeighted(limit - baseMemory)}
}

// acquire waits for room for a source of the given size. The caller calls
// release when done.
func (b *memoryBudget) acquire(ctx context.Context, size int64, o Options) (release func(), err error) {
	need := min(memoryNeed(size, o)-baseMemory, b.limit)
	if err := b.room.Acquire(ctx, need); err != nil {
		return nil, err
	}
	return func() { b.room.Release(need) }, nil
}

// costliestFirst orders tasks so that no long one is left to the end.
func costliestFirst(tasks []*Task) []*Task {
	sorted := slices.Clone(tasks)
	slices.SortStableFunc(sorted, func(a, b *Task) int {
		switch {
		case a.Size > b.Size:
			return -1
		case a.Size < b.Size:
			return 1
		}
		return 0
	})
	return sorted
}
