package precompress

import (
	"cmp"
	"context"
	"slices"

	"golang.org/x/sync/semaphore"

	"github.com/precompress/precompress/internal/codec/zstdenc"
	"github.com/precompress/precompress/manifest"
)

const mebibyte = 1 << 20

// baseMemory is what a process needs beside the assets under work.
const baseMemory = 32 * mebibyte

// memoryNeed returns about how many bytes work on a source of the given size
// takes at its highest point: the source, its encoded forms, the largest of
// the working memories that come and go, and those that stay for the run.
func memoryNeed(size int64, s settings) int64 {
	var passing, staying int64
	for _, c := range s.codings {
		passes, stays := workspaceOf(c, s.levels[c], size)
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
		if level >= zstdenc.MinLevel {
			need := 12*mebibyte + 30*min(size, mebibyte) + 12*min(size, manifest.MaxWindow)
			if size > keptText {
				return need, 0
			}
			return 0, need
		}
		return 2 * min(size, manifest.MaxWindow), 44 * mebibyte
	}
	if level > maxFastGzip {
		return 0, 6*mebibyte + 24*min(size, mebibyte)
	}
	return 0, 2 * mebibyte
}

// deltaNeed is [memoryNeed] for a delta: the source and its encoded form, the
// dictionary, and the working memory of its encoder.
func deltaNeed(size int64, s setting) int64 {
	dictionary := s.dictionary.size
	if s.coding == manifest.DCZ {
		return baseMemory + 2*size + dictionary + 24*mebibyte + 14*(size+dictionary)
	}
	passing, _ := workspaceOf(manifest.Brotli, s.level, size)
	return baseMemory + 2*size + dictionary + passing + 16*mebibyte + 9*dictionary
}

// memoryNeed returns what the task needs at its highest point.
func (t *Task) memoryNeed() int64 {
	need := memoryNeed(t.Size, t.settings)
	for _, s := range t.Deltas {
		if !s.refused {
			need = max(need, deltaNeed(t.Size, t.setting(&s.Step)))
		}
	}
	return need
}

// restoreNeed returns about how many bytes restoring the task's variants and
// deltas from a cache takes.
func (t *Task) restoreNeed() int64 {
	need := restoreNeed(t.Size, t.settings)
	for _, s := range t.Deltas {
		need += t.Size/4 + s.DictionarySize
	}
	return need
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
		if task.encodes() || task.encode && t.opts.Shard != (Shard{}) {
			running++
			need := task.memoryNeed() - baseMemory
			largest = max(largest, need)
			total += need
		}
	}
	return baseMemory + max(largest, min(total, limit))
}

// minMemory is the least memory limit under which small files can be built,
// whatever rule is about them.
func minMemory(rules *ruleSet) int64 { return rules.memoryNeed(64 << 10) }

// memoryNeed returns the most that a source of the given size may need,
// whatever rule is about it.
func (s *ruleSet) memoryNeed(size int64) int64 {
	need := memoryNeed(size, s.base)
	for _, r := range s.rules {
		need = max(need, memoryNeed(size, s.base.with(r.settings)))
	}
	return need
}

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

// acquire waits for room for so many bytes, or for all there is if they are
// more. The caller calls release when done.
func (b *memoryBudget) acquire(ctx context.Context, need int64) (release func(), err error) {
	need = min(need, b.limit)
	if err := b.room.Acquire(ctx, need); err != nil {
		return nil, err
	}
	return func() { b.room.Release(need) }, nil
}

// restoreNeed returns about how many bytes restoring a source's variants from a
// cache takes: the source, the variants, and what decoding one of them does.
func restoreNeed(size int64, s settings) int64 {
	return size*int64(2+len(s.codings)) + 256<<10
}

// costliestFirst orders tasks so that no long one is left to the end.
func costliestFirst(tasks []*Task) []*Task {
	sorted := slices.Clone(tasks)
	slices.SortStableFunc(sorted, func(a, b *Task) int { return cmp.Compare(b.Size, a.Size) })
	return sorted
}
