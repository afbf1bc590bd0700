package precompress

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"sync"

	"github.com/precompress/precompress/manifest"
)

// Run carries out a plan of this tree. The report is set even if some files
// failed ([Report.Err]); the error is for what kept the run from ending
// orderly: the manifest could not be written. If ctx ends or the disk is full,
// Run stops early and the manifest says what is true by then. With
// [Options.Shard] it fills the cache and leaves the tree as it is.
func (t *Tree) Run(ctx context.Context, p *Plan) (*Report, error) {
	if t.look {
		return nil, errLook
	}
	if t.opts.Shard != (Shard{}) {
		return t.runShard(ctx, p), nil
	}
	r := newRun(t, p)
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.stop = stop
	r.removeOrphans(working)
	if err := r.claim(); err != nil {
		r.fullDisk(err)
		report, _ := r.collect(working)
		return report, err
	}
	r.work(working)
	r.removeEmptyDirectories()
	report, m := r.collect(working)
	if !p.UpToDate() || report.Stopped != nil {
		if err := t.saveManifest(m); err != nil {
			return report, err
		}
	}
	r.storeRelease(working, report)
	return report, nil
}

// run is one run of a plan.
type run struct {
	*planner
	plan    *Plan
	codecs  codecs
	memory  *memoryBudget
	results []result      // in the order of plan.Assets
	at      map[*Task]int // of its result
	stop    context.CancelCauseFunc
	// checking has room for the entries of a cache that are decoded at a time.
	checking chan struct{}

	// What tests put something else in the place of: readStable of a source, and
	// encodeVerified.
	read   func(root *os.Root, name string) ([]byte, fs.FileInfo, error)
	encode func(ctx context.Context, s setting, src []byte) ([]byte, error)

	mu       sync.Mutex // guards what follows
	progress Progress
	removed  []Removed
	failures []*Error // of the run as a whole
	remain   []Orphan // that were not removed and are still ours
	warnings []string // beside those of the plan
}

// errLook is about a tree of [OpenToLook].
var errLook = errors.New("the tree was opened to look only")

// result is what became of one task.
type result struct {
	asset    AssetReport
	record   *manifest.Asset // nil if there is nothing to record
	failures []*Error
}

func newRun(t *Tree, p *Plan) *run {
	r := &run{
		planner:  &planner{Tree: t},
		plan:     p,
		memory:   newMemoryBudget(t.opts),
		results:  make([]result, len(p.Assets)),
		at:       make(map[*Task]int),
		checking: make(chan struct{}, t.opts.Jobs),
		read:     readStable,
	}
	r.encode = r.encodeVerified
	r.failures = append(r.failures, p.Failures...)
	r.remain = append(r.remain, p.unseen...)
	for i, task := range p.Assets {
		r.at[task] = i
		r.results[i] = idleResult(task)
		if task.Work() {
			r.results[i] = pendingResult(task)
		}
	}
	return r
}

// encodeVerified encodes src and compares what that decodes to.
func (r *run) encodeVerified(ctx context.Context, s setting, src []byte) ([]byte, error) {
	if s.dictionary == nil {
		return r.codecs.encodeVerified(ctx, s.coding, s.level, src)
	}
	dictionary, err := s.dictionary.read(ctx)
	if err != nil {
		return nil, err
	}
	return r.codecs.encodeDeltaVerified(ctx, s, src, dictionary)
}

// failDeltas notes the releases that could not be read for a task that was planned
// anew.
func (r *run) failDeltas(task *Task, faults map[string]error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.warnings = addWarnings(r.warnings, r.deltaWarnings(r.plan.Releases, faults))
	if task.faulty = faults; task.prev == nil {
		return
	}
	for _, d := range task.prev.Deltas {
		if d.Omitted == "" && !task.wants(d) && task.refusalOf(d) != "" {
			r.remain = append(r.remain, Orphan{Path: d.Name(task.Path)}) // the next run removes it
		}
	}
}

// done counts a task as done and tells the caller of it.
func (r *run) done(task *Task) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if task != nil {
		r.progress.Assets++
		r.progress.Bytes += task.Size
	}
	if r.opts.Progress != nil && r.progress.TotalAssets > 0 {
		r.opts.Progress(r.progress)
	}
}

// removeOrphans removes what the plan found to be ours and unwanted, unless it
// changed since.
func (r *run) removeOrphans(ctx context.Context) {
	for _, o := range r.plan.Orphans {
		if ctx.Err() != nil {
			r.remain = append(r.remain, o)
			continue
		}
		if !o.leftover {
			sib, err := r.observe(ctx, r.variants, o.Path)
			if err == nil && !sib.matches(manifest.Variant{Size: o.Size, Digest: o.digest}) {
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
	r.failures = append(r.failures, &Error{Op: "remove", Path: o.Path, Err: bareError(err)})
	r.remain = append(r.remain, o)
}

// remove removes a file of ours.
func (r *run) remove(name string, size int64, reason Reason) error {
	if err := r.variants.Remove(name); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.removed = append(r.removed, Removed{Path: name, Size: size, Reason: reason})
	return nil
}

// removeEmptyDirectories removes the directories of a tree of variants alone that
// removing files left empty. It comes last, when nothing is written any more.
func (r *run) removeEmptyDirectories() {
	if r.opts.Out == "" {
		return
	}
	for _, file := range r.removed {
		for dir := path.Dir(file.Path); dir != "." && r.variants.Remove(dir) == nil; {
			dir = path.Dir(dir)
		}
	}
}

// collect puts the results in order and makes the manifest of what is on disk.
func (r *run) collect(ctx context.Context) (*Report, *manifest.Manifest) {
	report := &Report{
		Removed:  r.removed,
		Skipped:  r.plan.Skipped,
		Failures: r.failures,
		Warnings: slices.Concat(addWarnings(slices.Clone(r.plan.Warnings), r.warnings), r.codecs.replaced.warnings()),
		Releases: r.plan.Releases,
		Stopped:  context.Cause(ctx),
	}
	m := &manifest.Manifest{Assets: append([]manifest.Asset(nil), r.plan.untouched...)}
	for i, res := range r.results {
		if r.plan.Assets[i].encode {
			report.Assets = append(report.Assets, res.asset)
		}
		report.Failures = append(report.Failures, res.failures...)
		if res.record != nil {
			m.Assets = append(m.Assets, *res.record)
		}
	}
	r.recordRemaining(m)
	report.sort()
	return report, m
}

// recordRemaining keeps the records of orphans that could not be removed, so
// that a later run still knows them as ours.
func (r *run) recordRemaining(m *manifest.Manifest) {
	remain := make(map[string]bool)
	for _, o := range r.remain {
		remain[o.Path] = true
	}
	if len(remain) == 0 {
		return
	}
	at := make(map[string]int)
	for i, a := range m.Assets {
		at[a.Path] = i
	}
	for _, before := range r.plan.Before.Assets {
		left := before
		left.Original = remain[before.Path] && before.Original
		keepStale(&left, remain)
		if i, found := at[before.Path]; found {
			m.Assets[i].Variants = append(m.Assets[i].Variants, left.Variants...)
			m.Assets[i].Deltas = append(m.Assets[i].Deltas, left.Deltas...)
			m.Assets[i].Original = m.Assets[i].Original || left.Original
		} else if left.Original || left.Variants != nil || left.Deltas != nil {
			m.Assets = append(m.Assets, left)
		}
	}
}

// saveManifest writes the manifest unless the file holds it already.
func (t *Tree) saveManifest(m *manifest.Manifest) error {
	data, err := m.Encode()
	if err != nil {
		return err
	}
	old, err := t.record.read()
	if err == nil && string(old) == string(data) {
		return nil
	}
	err = writeAtomic(t.record.root, t.record.name, nil, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	if err != nil {
		return &Error{Op: "write", Path: t.record.name, Err: bareError(err)}
	}
	return nil
}

// fullDisk stops the run if err says that nothing more can be written.
func (r *run) fullDisk(err error) {
	if errors.Is(err, ErrDiskFull) {
		r.stop(ErrDiskFull)
	}
}
