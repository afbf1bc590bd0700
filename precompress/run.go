package precompress

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/manifest"
)

// run is one run of a plan: what its tasks share.
type run struct {
	tree      *Tree
	plan      *Plan
	planner   *assetPlanner // for sources that are edited after they were planned
	encodings *encodings
	memory    *memoryBudget
	progress  *progress
	results   []taskResult // in the order of plan.Assets
	index     map[*Task]int
	stop      context.CancelCauseFunc
	// read is readStable, unless a test replaces it.
	read func(root *os.Root, name string) ([]byte, fs.FileInfo, error)

	mu       sync.Mutex // guards what follows
	removed  []Removed
	failures []*Error  // of the run as a whole
	remain   []Orphan  // that were not removed and are still ours
	warnings []Warning // in addition to those of the plan
}

func newRun(t *Tree, p *Plan) *run {
	memory := newMemoryBudget(t.opts)
	r := &run{
		tree:      t,
		plan:      p,
		planner:   &assetPlanner{t, p.Before},
		encodings: newEncodings(t, memory),
		memory:    memory,
		progress:  &progress{report: t.opts.Progress},
		results:   make([]taskResult, len(p.Assets)),
		index:     make(map[*Task]int),
		read:      readStable,
		failures:  slices.Clone(p.Failures),
		remain:    slices.Clone(p.unread),
	}
	for i, task := range p.Assets {
		r.index[task] = i
		r.results[i] = idleResult(task)
		if task.Work() {
			r.results[i] = pendingResult(task)
		}
	}
	return r
}

// progress counts the assets that are done and reports it, from one goroutine at a
// time.
type progress struct {
	report func(Progress) // may be nil
	mu     sync.Mutex
	Progress
}

// add adds assets that need work, before any is done.
func (p *progress) add(assets int, bytes int64) {
	p.TotalAssets += assets
	p.TotalBytes += bytes
}

func (p *progress) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.tell()
}

func (p *progress) done(bytes int64) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.Assets++
	p.Bytes += bytes
	p.tell()
}

func (p *progress) tell() {
	if p.report != nil && p.TotalAssets > 0 {
		p.report(p.Progress)
	}
}

// stopIfDiskFull stops the run if err means that nothing more can be written.
func (r *run) stopIfDiskFull(err error) {
	if errors.Is(err, ErrDiskFull) {
		r.stop(ErrDiskFull)
	}
}

// removeOrphans removes the orphans of the plan, except those that changed since.
func (r *run) removeOrphans(ctx context.Context) {
	for _, o := range r.plan.Orphans {
		if ctx.Err() != nil {
			r.remain = append(r.remain, o)
			continue
		}
		if !o.leftover {
			sib, err := r.tree.hasher.observe(ctx, r.tree.variants, o.Path)
			if err == nil && !sib.has(o.Size, o.digest) {
				continue
			}
			if ctx.Err() != nil {
				r.remain = append(r.remain, o)
				continue
			}
			if err != nil {
				r.keepOrphan(o, err)
				continue
			}
		}
		if err := r.remove(o.Path, o.Size, o.Reason); err != nil {
			r.keepOrphan(o, err)
		}
	}
}

// keepOrphan reports an orphan that could not be removed and is still ours.
func (r *run) keepOrphan(o Orphan, err error) {
	r.failures = append(r.failures, &Error{Op: OpRemove, Path: o.Path, Err: bareError(err)})
	r.remain = append(r.remain, o)
}

// remove removes a file of ours.
func (r *run) remove(name string, size int64, reason Reason) error {
	if err := r.tree.variants.Remove(name); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.removed = append(r.removed, Removed{Path: name, Size: size, Reason: reason})
	return nil
}

// removeEmptyDirectories removes the directories of the output directory that are
// empty now because files were removed. It comes last, when nothing is written any
// more.
func (r *run) removeEmptyDirectories() {
	if r.tree.opts.Out == "" {
		return
	}
	for _, file := range r.removed {
		for dir := path.Dir(file.Path); dir != "." && r.tree.variants.Remove(dir) == nil; {
			dir = path.Dir(dir)
		}
	}
}

// collect returns the result and the manifest of what is on disk.
func (r *run) collect(ctx context.Context) (*Result, *manifest.Manifest) {
	result := &Result{
		Removed:  r.removed,
		Skipped:  r.plan.Skipped,
		Failures: r.failures,
		Warnings: slices.Concat(appendNew(slices.Clone(r.plan.Warnings), r.warnings...), fallbackWarnings(r.encodings.encoder)),
		Releases: r.plan.Releases,
		Stopped:  context.Cause(ctx),
	}
	m := &manifest.Manifest{Assets: slices.Clone(r.plan.untouched)}
	for i, res := range r.results {
		if r.plan.Assets[i].encode {
			result.Assets = append(result.Assets, res.asset)
		}
		result.Failures = append(result.Failures, res.failures...)
		if res.record != nil {
			m.Assets = append(m.Assets, *res.record)
		}
	}
	r.recordRemaining(m)
	result.sort()
	return result, m
}

// fallbackWarnings are about the encoders whose output was wrong and replaced.
func fallbackWarnings(encoder *codec.Encoder) (warnings []Warning) {
	for _, f := range encoder.Fallbacks() {
		text := fmt.Sprintf("%s %d: the output of the encoder was wrong %d times, as verifying it found; another encoder replaced it, and what is stored is right; please report this",
			f.Coding, f.Level, f.Count)
		warnings = append(warnings, Warning{Kind: WarnEncoder, Text: text})
	}
	return warnings
}

// recordRemaining keeps the records of orphans that could not be removed, so that a
// later run still knows that they are ours.
func (r *run) recordRemaining(m *manifest.Manifest) {
	remain := make(map[string]bool)
	for _, o := range r.remain {
		remain[o.Path] = true
	}
	if len(remain) == 0 {
		return
	}
	index := make(map[string]int)
	for i, a := range m.Assets {
		index[a.Path] = i
	}
	for _, before := range r.plan.Before.Assets {
		left := onlyStale(before, remain)
		if i, found := index[before.Path]; found {
			m.Assets[i].Variants = append(m.Assets[i].Variants, left.Variants...)
			m.Assets[i].Deltas = append(m.Assets[i].Deltas, left.Deltas...)
			m.Assets[i].Original = m.Assets[i].Original || left.Original
		} else if left.Original || left.Variants != nil || left.Deltas != nil {
			m.Assets = append(m.Assets, left)
		}
	}
}

// onlyStale returns an asset's record with only the files of the given names, marked
// stale: they are not to be sent.
func onlyStale(a manifest.Asset, names map[string]bool) manifest.Asset {
	variants, deltas := a.Variants, a.Deltas
	a.Original = a.Original && names[a.Path]
	a.Variants, a.Deltas = nil, nil
	for _, v := range variants {
		if v.Stale = true; names[a.Path+v.Coding.Suffix()] {
			a.Variants = append(a.Variants, v)
		}
	}
	for _, d := range deltas {
		if d.Stale = true; names[d.Name(a.Path)] {
			a.Deltas = append(a.Deltas, d)
		}
	}
	return a
}
