package precompress_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestJobs checks that one job and eight give identical trees, manifest included, and
// results in the same order.
func TestJobs(t *testing.T) {
	var trees []map[string]string
	var reports []*precompress.Result
	for _, jobs := range []int{1, 8} {
		dir := copySite(t)
		opts := fast()
		opts.Jobs = jobs
		reports = append(reports, build(t, dir, opts))
		trees = append(trees, contents(t, dir))
		wantTrue(t, dir, dir)
		wantIdle(t, dir, opts)
	}
	sameSnapshot(t, trees[0], trees[1])
	sameSnapshot(t, reports[0], reports[1])
}

// TestProcessors checks that GOMAXPROCS does not change the output, since some
// encoders split work by it.
func TestProcessors(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	var trees []map[string]string
	for _, n := range []int{1, 2} {
		runtime.GOMAXPROCS(n)
		dir := plant(t, tree{"a.js": text(150<<10, 1), "b.js": text(70<<10, 2), "c.css": text(1000, 3)})
		opts := precompress.Options{Levels: map[manifest.Coding]int{manifest.Brotli: 10}}
		if testing.Short() {
			opts.Levels[manifest.Brotli] = 5
		}
		build(t, dir, opts)
		trees = append(trees, contents(t, dir))
	}
	sameSnapshot(t, trees[0], trees[1])
}

// TestFlippedByte checks that a flipped byte is repaired, wherever it is.
func TestFlippedByte(t *testing.T) {
	dir := plant(t, tree{"app.js": text(500, 1)})
	build(t, dir, fast())
	want := snapshot(t, dir)
	for _, s := range siblings("app.js") {
		for at := 0; at < len(want[s].Content); at += 37 {
			flip(t, dir, s, at)
			if plan(t, dir, fast()).UpToDate() {
				t.Fatalf("%s, byte %d: the flipped byte was not noticed", s, at)
			}
			build(t, dir, fast())
			sameSnapshot(t, want[s], snapshot(t, dir)[s])
		}
	}
}

// TestPlanIsTheRun checks that a run reports what its plan says, and that planning
// changes nothing.
func TestPlanIsTheRun(t *testing.T) {
	dir := copySite(t)
	for range 2 {
		before := snapshot(t, dir)
		p := plan(t, dir, fast())
		sameSnapshot(t, before, snapshot(t, dir))
		report := build(t, dir, fast())
		got := outcomes(report)
		for _, task := range p.Assets {
			for _, s := range task.Steps {
				name := task.Path + s.Coding.Suffix()
				ran := got[name] != "reused fresh" && got[name] != "omitted "+string(s.Reason)
				if ran != (s.Action == precompress.Encode) {
					t.Errorf("%s: planned %s (%s), reported %s", name, s.Action, s.Reason, got[name])
				}
			}
		}
		must(t, os.WriteFile(filepath.Join(dir, "robots.txt"), []byte(text(900, 4)), 0o644))
	}
}

// TestDropDominated checks that a repair of one coding compares all codings again, so
// that a second build does nothing.
func TestDropDominated(t *testing.T) {
	js := text(3000, 1)
	opts := fast()
	opts.DropDominated = true
	dir := plant(t, tree{"app.js": js})
	build(t, dir, opts)
	wantNoFiles(t, dir, "app.js.zst")
	want := contents(t, dir)
	for name, change := range map[string]func(){
		"the winner is missing":      func() { remove(t, dir, "app.js.br") },
		"the winner is damaged":      func() { flip(t, dir, "app.js.br", 20) },
		"a foreign one in its place": func() { overwrite(t, dir, tree{"app.js.zst": encode(t, manifest.Zstd, js)}) },
		"a level came and went": func() {
			other := opts
			other.Levels = maps.Clone(opts.Levels)
			other.Levels[manifest.Gzip] = 9
			build(t, dir, other)
		},
		"kept for a while": func() { build(t, dir, fast()) },
	} {
		t.Run(name, func(t *testing.T) {
			change()
			build(t, dir, opts)
			wantIdle(t, dir, opts)
			wantTrue(t, dir, dir)
			sameSnapshot(t, want, contents(t, dir))
		})
	}
}

// TestTwoBuildsAtOnce checks that the second of two concurrent builds of a tree waits,
// and then has nothing to do.
func TestTwoBuildsAtOnce(t *testing.T) {
	dir := copySite(t)
	var group sync.WaitGroup
	var mu sync.Mutex
	written := 0
	for range 4 {
		group.Go(func() {
			report, err := precompress.Build(t.Context(), dir, fast())
			if err != nil || report.Err() != nil {
				t.Errorf("%v, %v", err, report)
				return
			}
			mu.Lock()
			defer mu.Unlock()
			for _, total := range report.Totals() {
				if total.Files > total.Reused {
					written++
				}
			}
		})
	}
	group.Wait()
	if written != len(manifest.Codings()) {
		t.Errorf("%d variants were written, want those of one build", written)
	}
	wantTrue(t, dir, dir)

	tree, err := precompress.Open(t.Context(), dir, fast())
	must(t, err)
	defer tree.Close()
	ctx, cancel := context.WithCancel(t.Context())
	opts := fast()
	opts.Waiting = cancel
	if _, err := precompress.Build(ctx, dir, opts); !errors.Is(err, context.Canceled) {
		t.Errorf("error: %v", err)
	}
}

// TestCancel checks that a run that is cancelled during a long encoding stops
// promptly, with a true manifest and no temporary files.
func TestCancel(t *testing.T) {
	dir := plant(t, tree{"large.js": text(12<<20, 1), "small.js": text(2000, 2), "old.js": text(2000, 3)})
	opts := precompress.Options{Exclude: []string{"large.js"}}
	build(t, dir, opts)
	old := contents(t, dir)
	overwrite(t, dir, tree{"old.js": text(2000, 4)})
	remove(t, dir, "small.js.br")

	opts = precompress.Options{Jobs: 1} // the largest first: the others are not reached
	ctx, cancel := context.WithCancel(t.Context())
	var cancelled time.Time
	opts.Progress = func(precompress.Progress) {
		time.AfterFunc(300*time.Millisecond, func() { cancelled = time.Now(); cancel() })
	}
	report, err := precompress.Build(ctx, dir, opts)
	must(t, err)
	if cancelled.IsZero() {
		t.Skip("this machine encodes the test's file too fast")
	}
	if took := time.Since(cancelled); took > 5*time.Second {
		t.Errorf("stopped after %v", took)
	}
	if !errors.Is(report.Stopped, context.Canceled) || !errors.Is(report.Err(), context.Canceled) || len(report.Failures) > 0 {
		t.Errorf("stopped: %v, failures %v", report.Stopped, report.Failures)
	}
	if got := outcomes(report); got["large.js.br"] != "pending new" || got["old.js.gz"] != "pending source-changed" || got["small.js.gz"] != "pending fresh" {
		t.Errorf("outcomes: %v", got)
	}
	wantNoTemp(t, dir)
	for _, a := range loadManifest(t, dir).Assets { // is true of the files, if not of changed sources
		for _, v := range a.Variants {
			data, err := os.ReadFile(filepath.Join(dir, a.Path+v.Coding.Suffix()))
			if err != nil || manifest.Sum(data) != v.Digest || string(data) != old[a.Path+v.Coding.Suffix()] {
				t.Errorf("%s %s differs from its record: %v", a.Path, v.Coding, err)
			}
		}
	}
	wantNoFiles(t, dir, siblings("large.js")...)
	remove(t, dir, "old.js") // what was recorded is still ours
	opts = fast()
	opts.Exclude = []string{"large.js"}
	build(t, dir, opts)
	wantNoFiles(t, dir, siblings("old.js")...)
	wantTrue(t, dir, dir)
}

// TestEditedAfterPlan checks that a source that is edited, truncated or removed
// between plan and run is planned again, and recorded as it is by then.
func TestEditedAfterPlan(t *testing.T) {
	for name, edit := range map[string]func(dir string){
		"edited, size and mtime kept": func(dir string) { plantIn(t, dir, tree{"app.js": text(2000, 9)}) },
		"shrunk":                      func(dir string) { overwrite(t, dir, tree{"app.js": "x"}) },
		"variant replaced": func(dir string) {
			overwrite(t, dir, tree{"app.js": text(2000, 9)})
			remove(t, dir, "app.js.br")
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := plant(t, tree{"app.js": text(2000, 1), "other.js": text(2000, 2)})
			build(t, dir, fast())
			opts := fast()
			opts.Force = true
			tree, err := precompress.Open(t.Context(), dir, opts)
			must(t, err)
			p, err := tree.Plan(t.Context())
			must(t, err)
			edit(dir)
			report, err := tree.Run(t.Context(), p)
			must(t, err)
			must(t, report.Err())
			must(t, tree.Close())
			wantTrue(t, dir, dir)
			build(t, dir, fast())
			wantAsFromScratch(t, dir, fast())
		})
	}
}

// TestCancelledBefore checks that a build that is cancelled before it begins does
// nothing.
func TestCancelledBefore(t *testing.T) {
	dir := plant(t, base())
	before := snapshot(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := precompress.Build(ctx, dir, fast()); !errors.Is(err, context.Canceled) {
		t.Errorf("error: %v", err)
	}
	sameSnapshot(t, before, snapshot(t, dir))
}

// TestMaxMemory checks that a source that needs more memory than the limit is
// skipped, and that none is skipped with the default limit.
func TestMaxMemory(t *testing.T) {
	dir := plant(t, tree{"huge.js": "", "small.js": text(2000, 1)})
	must(t, os.Truncate(filepath.Join(dir, "huge.js"), 200<<20)) // sparse
	opts := fast()
	opts.MaxMemory = 300 << 20
	report := build(t, dir, opts)
	if got := skips(report.Skipped)["huge.js"]; got != precompress.ReasonOverMemory {
		t.Errorf("huge.js: %q", got)
	}
	wantFiles(t, dir, siblings("small.js")...)
	wantTrue(t, dir, dir)

	tree, err := precompress.OpenReadOnly(t.Context(), dir, fast())
	must(t, err)
	defer tree.Close()
	p, err := tree.Plan(t.Context())
	must(t, err)
	if peak := p.PeakMemory(); peak < 400<<20 {
		t.Errorf("peak memory of a 200 MB file: %d", peak)
	}
}

// TestProgress checks that progress never decreases, and ends with everything done.
func TestProgress(t *testing.T) {
	dir := copySite(t)
	opts := fast()
	opts.Jobs = 4
	var last precompress.Progress
	opts.Progress = func(p precompress.Progress) {
		if p.Assets < last.Assets || p.Bytes < last.Bytes || last.TotalBytes > 0 && p.TotalBytes != last.TotalBytes {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}
	build(t, dir, opts)
	if last.Assets == 0 || last.Assets != last.TotalAssets || last.Bytes != last.TotalBytes {
		t.Errorf("last: %+v", last)
	}
}
