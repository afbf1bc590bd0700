package precompress_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// generated is a tree with file sizes as uneven as those of a real one.
func generated() tree {
	files := tree{}
	for i := range 60 {
		files[fmt.Sprintf("app/%d/chunk.js", i)] = text(100+i*i*20, uint64(i))
	}
	for i := range 20 {
		files[fmt.Sprintf("copy/chunk-%d.js", i)] = text(100+i*i*20, uint64(i))
	}
	files["vendor.js"] = text(120<<10, 100)
	files["noise.dat"] = noise(70<<10, 1)
	return files
}

// fillShard adds one shard of a tree to the cache in the options.
func fillShard(ctx context.Context, dir string, opts precompress.Options, shard precompress.Shard) (*precompress.FillResult, error) {
	tree, err := precompress.OpenUnlocked(ctx, dir, opts)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	p, err := tree.Plan(ctx)
	if err != nil {
		return nil, err
	}
	return tree.FillCache(ctx, p, shard)
}

func mustFill(t *testing.T, dir string, opts precompress.Options, index, count int) *precompress.FillResult {
	t.Helper()
	report, err := fillShard(t.Context(), dir, opts, precompress.Shard{Index: index, Count: count})
	must(t, err)
	must(t, report.Err())
	return report
}

// TestShards checks that the shards of a tree are disjoint, complete and about even,
// whatever a machine has built before. A tree built from the cache that they filled
// is identical to one built by a single machine, manifest included.
func TestShards(t *testing.T) {
	for name, planted := range map[string]func() string{
		"site":      func() string { return copySite(t) },
		"generated": func() string { return plant(t, generated()) },
		"mixed":     func() string { return plant(t, mixed(t)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const count = 4
			single := planted()
			build(t, single, fast())
			c := newMemoryCache()
			opts := fast()
			opts.Cache = c
			seen := map[precompress.ShardEncoding]int{}
			var costs []int64
			var report *precompress.FillResult
			for i := range count {
				dir := planted()
				if i == 1 {
					build(t, dir, fast())
				}
				before := snapshot(t, dir)
				report = mustFill(t, dir, opts, i+1, count)
				sameSnapshot(t, before, snapshot(t, dir))
				if report.Shard != (precompress.Shard{Index: i + 1, Count: count}) {
					t.Errorf("shard %d: %+v", i+1, report)
				}
				for _, e := range report.Encodings {
					if e.Status != precompress.Written {
						t.Errorf("%s, %s: %s", e.Path, e.Coding, e.Status)
					}
					seen[e] = i + 1
				}
				costs = append(costs, report.Cost)
			}
			if len(seen) != report.Total {
				t.Errorf("the shards have %d different encodings, want %d", len(seen), report.Total)
			}
			if _, _, puts := c.counts(); puts != report.Total || len(c.entries) != puts {
				t.Errorf("%d encodings, %d of them different, of %d", puts, len(c.entries), report.Total)
			}
			var largest, sum int64
			for _, cost := range costs {
				largest, sum = max(largest, cost), sum+cost
			}
			if sum != report.TotalCost || float64(largest)*count > 1.3*float64(sum) {
				t.Errorf("costs %v of %d", costs, report.TotalCost)
			}

			assembled := planted()
			build(t, assembled, opts)
			sameSnapshot(t, contents(t, single), contents(t, assembled))
			if _, misses, puts := c.counts(); misses+puts > 0 {
				t.Errorf("the build from the cache has %d misses and %d encodings", misses, puts)
			}
		})
	}
}

// TestShardAgain checks that what the cache has is not encoded again, unless forced.
func TestShardAgain(t *testing.T) {
	dir := plant(t, tree{"a.js": text(900, 1), "b.js": text(2000, 2)})
	c := newMemoryCache()
	opts := fast()
	opts.Cache = c
	mustFill(t, dir, opts, 1, 1)
	c.counts()
	for force, want := range map[bool]precompress.Status{false: precompress.Reused, true: precompress.Written} {
		opts.Force = force
		report := mustFill(t, dir, opts, 1, 1)
		if n := report.Count(want); n != 6 || report.Total != 6 {
			t.Errorf("force %v: %+v", force, report)
		}
		if hits, misses, puts := c.counts(); misses > 0 || force != (puts == 6) || force != (hits == 0) {
			t.Errorf("force %v: %d hits, %d misses, %d encodings", force, hits, misses, puts)
		}
	}
}

// TestShardPerCoding checks that the codings of one file can be in different shards.
func TestShardPerCoding(t *testing.T) {
	dir := plant(t, tree{"a.js": text(900, 1)})
	opts := fast()
	opts.Cache = newMemoryCache()
	got := map[manifest.Coding]int{}
	for i := range 4 {
		report := mustFill(t, dir, opts, i+1, 4)
		for _, e := range report.Encodings {
			got[e.Coding]++
		}
		if len(report.Encodings) > 1 {
			t.Errorf("shard %d has %d of 3 encodings", i+1, len(report.Encodings))
		}
	}
	sameSnapshot(t, map[manifest.Coding]int{manifest.Brotli: 1, manifest.Zstd: 1, manifest.Gzip: 1}, got)
}

// TestShardFaults checks that an unreadable file is a failure of its shard, and that
// the others continue.
func TestShardFaults(t *testing.T) {
	dir := plant(t, tree{"a.js": text(900, 1), "b.js": text(2000, 2)})
	opts := fast()
	opts.Cache = newMemoryCache()
	tree, err := precompress.OpenUnlocked(t.Context(), dir, opts)
	must(t, err)
	defer tree.Close()
	p, err := tree.Plan(t.Context())
	must(t, err)
	overwrite(t, dir, map[string]string{"a.js": text(901, 3)})
	report, err := tree.FillCache(t.Context(), p, precompress.Shard{Index: 1, Count: 1})
	must(t, err)
	if len(report.Failures) != 1 || report.Failures[0].Path != "a.js" || !errors.Is(report.Err(), precompress.ErrSourceChanged) {
		t.Errorf("failures: %v", report.Failures)
	}
	if failed, written := report.Count(precompress.Failed), report.Count(precompress.Written); failed != 3 || written != 3 {
		t.Errorf("%d failed, %d written", failed, written)
	}
}

// TestShardsAtOnce checks that a shard does not wait for a build of the same tree, nor
// a build for a shard.
func TestShardsAtOnce(t *testing.T) {
	dir := plant(t, tree{"a.js": text(900, 1)})
	shard := fast()
	shard.Cache = newMemoryCache()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	shard.Waiting = func() { t.Error("the shard waits"); cancel() }
	for _, open := range []func(context.Context, string, precompress.Options) (*precompress.Tree, error){precompress.Open, precompress.OpenUnlocked} {
		busy, err := open(ctx, dir, fast())
		must(t, err)
		report, err := fillShard(ctx, dir, shard, precompress.Shard{Index: 1, Count: 1})
		if err != nil || report.Err() != nil || len(report.Encodings) != 3 {
			t.Errorf("error %v, report %+v", err, report)
		}
		must(t, busy.Close())
	}
}

// TestShardOfMany checks that if there are more shards than encodings, the first
// shards have one each.
func TestShardOfMany(t *testing.T) {
	dir := plant(t, tree{"a.js": text(900, 1)})
	opts := fast()
	opts.Cache = newMemoryCache()
	for index, want := range map[int]int{1: 1, 3: 1, 4: 0, math.MaxInt: 0} {
		if report := mustFill(t, dir, opts, index, math.MaxInt); len(report.Encodings) != want || report.Total != 3 {
			t.Errorf("shard %d: %+v", index, report)
		}
	}
}

// TestShardCancelled checks that a cancelled shard reports what it did not encode.
func TestShardCancelled(t *testing.T) {
	dir := plant(t, tree{"a.js": text(900, 1), "b.js": text(2000, 2)})
	c := newMemoryCache()
	c.parallel, c.latency = 8, time.Hour
	opts := fast()
	opts.Cache = c
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		report, err := fillShard(ctx, dir, opts, precompress.Shard{Index: 1, Count: 1})
		if err != nil || !errors.Is(report.Err(), context.DeadlineExceeded) || report.Count(precompress.Pending) != 6 {
			t.Errorf("error %v, report %+v", err, report)
		}
	})
}

// TestShardOptions checks that an invalid shard, or one without a cache to fill, is
// an error before anything is written.
func TestShardOptions(t *testing.T) {
	dir := plant(t, tree{"a.js": text(900, 1)})
	for _, shard := range []precompress.Shard{{Index: 0, Count: 2}, {Index: 3, Count: 2}, {Index: 1}, {Index: -1, Count: -1}} {
		if err := shard.Validate(); !errors.Is(err, precompress.ErrInvalidOptions) {
			t.Errorf("%+v: %v", shard, err)
		}
		if _, err := fillShard(t.Context(), dir, precompress.Options{Cache: newMemoryCache()}, shard); !errors.Is(err, precompress.ErrInvalidOptions) {
			t.Errorf("%+v: filled: %v", shard, err)
		}
	}
	opts := precompress.Options{}
	if _, err := fillShard(t.Context(), dir, opts, precompress.Shard{Index: 1, Count: 2}); !errors.Is(err, precompress.ErrInvalidOptions) {
		t.Errorf("without a cache: %v", err)
	}
	out := filepath.Join(t.TempDir(), "out")
	opts.Cache, opts.Out = newMemoryCache(), out
	mustFill(t, dir, opts, 1, 2)
	if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the shard created the output directory: %v", err)
	}
}
