package precompress_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/precompress/cache"
)

// memoryCache is a cache in memory. If it is shared, others write to it too.
type memoryCache struct {
	parallel int
	shared   bool
	latency  time.Duration

	mu      sync.Mutex
	entries map[cache.Key]cache.Entry
	asked   int // at this moment
	most    int // asked at a time
	hits    int
	misses  int
	refused int
	puts    int
}

func newMemoryCache() *memoryCache {
	return &memoryCache{parallel: 1, entries: make(map[cache.Key]cache.Entry)}
}

func (m *memoryCache) Parallel() int { return m.parallel }

func (m *memoryCache) Get(ctx context.Context, key cache.Key, valid func(cache.Entry) error) (cache.Entry, bool) {
	m.ask(1)
	defer m.ask(-1)
	if m.latency > 0 {
		select {
		case <-time.After(m.latency):
		case <-ctx.Done():
			return cache.Entry{}, false
		}
	}
	m.mu.Lock()
	e, found := m.entries[key]
	m.mu.Unlock()
	refused := found && m.shared && valid(e) != nil
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case refused:
		m.refused++
	case found:
		m.hits++
	default:
		m.misses++
	}
	return e, found && !refused
}

func (m *memoryCache) ask(n int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked += n
	m.most = max(m.most, m.asked)
}

func (m *memoryCache) Put(_ context.Context, key cache.Key, entry cache.Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.puts++
	m.entries[key] = entry
}

// counts returns the numbers of calls since it was last called.
func (m *memoryCache) counts() (hits, misses, puts int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	hits, misses, puts = m.hits, m.misses, m.puts
	m.hits, m.misses, m.puts = 0, 0, 0
	return
}

// someOf returns a copy of a cache with some entries removed at random.
func (m *memoryCache) someOf(seed uint64) *memoryCache {
	random := rand.New(rand.NewPCG(seed, 2))
	lossy := newMemoryCache()
	keys := slices.SortedFunc(maps.Keys(m.entries), func(a, b cache.Key) int { return strings.Compare(a.String(), b.String()) })
	for _, key := range keys {
		if random.IntN(2) == 0 {
			lossy.entries[key] = m.entries[key]
		}
	}
	return lossy
}

// mixed is a tree with every possible outcome of a coding, including siblings to
// adopt.
func mixed(t testing.TB) tree {
	js := text(3000, 1)
	return tree{
		"app.js": js, "copy/of/app.js": js, "copy/again.js": js,
		"style.css": text(700, 2), "tiny.txt": "a", "short.txt": "abcabcabcabcabcabcabcabcabcabcabcabcabcabc",
		"noise.dat": noise(80<<10, 3), "noise.txt": noise(900, 4), "copy/noise.dat": noise(80<<10, 3),
		"large.js":        text(150<<10, 5),
		"adopt.js":        text(2000, 6),
		"adopt.js.gz":     encode(t, manifest.Gzip, text(2000, 6)),
		"worse.js":        text(2000, 7),
		"worse.js.gz":     encodeFlushing(t, manifest.Gzip, text(2000, 7)),
		"grown.dat":       noise(70<<10, 8),
		"grown.dat.br":    encode(t, manifest.Brotli, noise(70<<10, 8)),
		"copy/app.js":     js,
		"copy/app.js.zst": encode(t, manifest.Zstd, js),
	}
}

// TestFromCache checks that a tree built with a cache is identical to one built
// without, manifest included, whatever entries the cache has.
func TestFromCache(t *testing.T) {
	for name, set := range map[string]func(*precompress.Options){
		"defaults":       func(*precompress.Options) {},
		"jobs":           func(o *precompress.Options) { o.Jobs = 8 },
		"min saving":     func(o *precompress.Options) { o.MinSaving = precompress.SavePercent(30) },
		"any saving":     func(o *precompress.Options) { o.MinSaving = precompress.SaveBytes(0) },
		"drop dominated": func(o *precompress.Options) { o.DropDominated = true },
		"one coding":     func(o *precompress.Options) { o.Codings = []manifest.Coding{manifest.Gzip} },
		"little memory":  func(o *precompress.Options) { o.MaxMemory = 150 << 20 },
		"out":            func(o *precompress.Options) { o.Out, o.OutOriginals = t.TempDir(), true },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			opts := fast()
			set(&opts)
			scratch := func(c precompress.Cache) (map[string]string, *precompress.Result) {
				if opts.Out != "" {
					opts.Out = t.TempDir()
				}
				opts.Cache = c
				dir := plant(t, mixed(t))
				report := build(t, dir, opts)
				made := dir
				if opts.Out != "" {
					made = opts.Out
				}
				wantTrue(t, dir, made)
				wantIdle(t, dir, opts)
				return contents(t, made), report
			}
			want, _ := scratch(nil)
			full := newMemoryCache()
			got, _ := scratch(full)
			sameSnapshot(t, want, got)
			if _, _, puts := full.counts(); puts != len(full.entries) {
				t.Errorf("%d encodings, %d of them different", puts, len(full.entries))
			}

			got, report := scratch(full)
			sameSnapshot(t, want, got)
			if hits, misses, puts := full.counts(); misses+puts > 0 || hits != len(full.entries) {
				t.Errorf("%d entries: %d hits, %d misses, %d encodings", len(full.entries), hits, misses, puts)
			}
			for _, a := range report.Assets {
				for _, v := range a.Variants {
					if !v.Cached {
						t.Errorf("%s, %s: %s, but not from the cache", a.Path, v.Coding, v.Status)
					}
				}
			}
			for seed := range uint64(3) {
				some := full.someOf(seed)
				some.shared, some.parallel = seed > 0, 20*int(seed)
				lost := len(full.entries) - len(some.entries)
				got, _ := scratch(some)
				sameSnapshot(t, want, got)
				if _, misses, puts := some.counts(); misses != lost || puts != lost || some.refused > 0 {
					t.Errorf("%d of %d entries lost: %d misses, %d encodings, %d refused", lost, len(full.entries), misses, puts, some.refused)
				}
			}
		})
	}
}

// TestCacheOfRepairs checks that a build of an existing tree takes what is missing
// from the cache, and does not look up what it keeps.
func TestCacheOfRepairs(t *testing.T) {
	opts := fast()
	c := newMemoryCache()
	opts.Cache = c
	dir := plant(t, tree{"a.js": text(900, 1), "b.js": text(900, 2)})
	build(t, dir, opts)
	want := contents(t, dir)
	c.counts()
	remove(t, dir, "a.js.br")
	flip(t, dir, "b.js.gz", 20)
	report := build(t, dir, opts)
	sameSnapshot(t, want, contents(t, dir))
	if hits, misses, puts := c.counts(); hits != 2 || misses+puts > 0 {
		t.Errorf("%d hits, %d misses, %d encodings", hits, misses, puts)
	}
	cached := map[manifest.Coding]int{}
	for _, total := range report.Totals() {
		cached[total.Coding] = total.Cached
	}
	sameSnapshot(t, map[manifest.Coding]int{manifest.Brotli: 1, manifest.Zstd: 0, manifest.Gzip: 1}, cached)
}

// TestForceWritesCache checks that a forced build encodes everything again, and
// replaces the cache's entries.
func TestForceWritesCache(t *testing.T) {
	opts := fast()
	c := newMemoryCache()
	opts.Cache = c
	dir := plant(t, tree{"a.js": text(900, 1)})
	build(t, dir, opts)
	want := maps.Clone(c.entries)
	for key := range c.entries {
		c.entries[key] = cache.Entry{Size: 5000}
	}
	c.counts()
	opts.Force = true
	build(t, dir, opts)
	sameSnapshot(t, want, c.entries)
	if hits, misses, puts := c.counts(); hits+misses > 0 || puts != 3 {
		t.Errorf("%d hits, %d misses, %d encodings", hits, misses, puts)
	}
	wantTrue(t, dir, dir)
}

// TestPoisonedCache checks that a bad entry in a shared cache neither gets into a
// tree nor prevents a build.
func TestPoisonedCache(t *testing.T) {
	js := text(900, 1)
	files := tree{"a.js": js}
	clean := plant(t, files)
	build(t, clean, fast())
	foreign := map[manifest.Coding]string{}
	for _, c := range manifest.Codings() {
		foreign[c] = encode(t, c, text(900, 2))
	}
	for name, poison := range map[string]func(manifest.Coding, cache.Entry) cache.Entry{
		"other content": func(c manifest.Coding, _ cache.Entry) cache.Entry {
			return cache.Entry{Size: int64(len(foreign[c])), Data: []byte(foreign[c])}
		},
		"other coding":   func(_ manifest.Coding, e cache.Entry) cache.Entry { e.Data = []byte(js); e.Size = 900; return e },
		"wrong size":     func(_ manifest.Coding, e cache.Entry) cache.Entry { e.Size--; return e },
		"truncated":      func(_ manifest.Coding, e cache.Entry) cache.Entry { e.Size--; e.Data = e.Data[:e.Size]; return e },
		"no data":        func(_ manifest.Coding, e cache.Entry) cache.Entry { e.Data = nil; return e },
		"empty data":     func(manifest.Coding, cache.Entry) cache.Entry { return cache.Entry{Data: []byte{}} },
		"incompressible": func(manifest.Coding, cache.Entry) cache.Entry { return cache.Entry{Incompressible: true} },
		"both":           func(_ manifest.Coding, e cache.Entry) cache.Entry { e.Incompressible = true; return e },
	} {
		t.Run(name, func(t *testing.T) {
			opts := fast()
			opts.Codings = manifest.Codings()[:1]
			for _, coding := range manifest.Codings() {
				opts.Codings[0] = coding
				c := newMemoryCache()
				opts.Cache, c.shared = c, true
				build(t, plant(t, files), opts)
				for key, e := range c.entries {
					c.entries[key] = poison(coding, e)
				}
				dir := plant(t, files)
				build(t, dir, opts)
				wantTrue(t, dir, dir)
				suffix := "a.js" + coding.Suffix()
				sameSnapshot(t, contents(t, clean)[suffix], contents(t, dir)[suffix])
				if c.refused != 1 {
					t.Errorf("%s: %d entries refused", coding, c.refused)
				}
			}
		})
	}
}

// TestCacheOverNetwork checks that lookups in a slow cache run concurrently: for
// many sources, and for all codings of a source.
func TestCacheOverNetwork(t *testing.T) {
	opts := fast()
	c := newMemoryCache()
	opts.Cache = c
	files := tree{}
	for i := range 128 {
		files[string(rune('a'+i%26))+"/"+string(rune('a'+i/26))+".js"] = text(300, uint64(i))
	}
	build(t, plant(t, files), opts)
	c.parallel, c.latency = 32, 30*time.Millisecond
	dir := plant(t, files)
	synctest.Test(t, func(t *testing.T) {
		start := time.Now()
		report, err := precompress.Build(t.Context(), dir, opts)
		if err != nil || report.Err() != nil {
			t.Fatal(err, report)
		}
		if took := time.Since(start); took != 4*c.latency {
			t.Errorf("128 sources, 32 at a time, %v each: %v", c.latency, took)
		}
	})
	wantTrue(t, dir, dir)
}

// TestMemoryOfLookups checks that concurrent lookups hold no more sources in memory
// than the limit allows.
func TestMemoryOfLookups(t *testing.T) {
	const size = 2 << 20
	files := tree{}
	for i := range 12 {
		files[fmt.Sprintf("%d.dat", i)] = noise(size, uint64(i))
	}
	dir := plant(t, files)
	c := newMemoryCache()
	c.parallel, c.latency = 100, 30*time.Millisecond
	opts := fast()
	opts.Cache, opts.MaxMemory = c, 120<<20
	synctest.Test(t, func(t *testing.T) {
		report, err := precompress.Build(t.Context(), dir, opts)
		if err != nil || report.Err() != nil {
			t.Fatal(err, report)
		}
	})
	// Besides what any process needs, there is room for a few sources, each with the
	// largest encodings in three codings.
	if sources := c.most / 3; sources < 2 || sources*4*size > 88<<20 {
		t.Errorf("%d sources of %d bytes at a time, with %d bytes of memory", sources, size, opts.MaxMemory)
	}
}

// TestCancelledLookups checks that a cancelled run ends even if the cache hangs.
func TestCancelledLookups(t *testing.T) {
	dir := plant(t, tree{"a.js": text(900, 1), "b.js": text(900, 2)})
	opts := fast()
	c := newMemoryCache()
	c.parallel, c.latency = 8, time.Hour
	opts.Cache = c
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		report, err := precompress.Build(ctx, dir, opts)
		if err != nil || !errors.Is(report.Err(), context.DeadlineExceeded) {
			t.Errorf("error %v, report %v", err, report)
		}
		for name, what := range outcomes(report) {
			if what != "pending new" {
				t.Errorf("%s: %s", name, what)
			}
		}
	})
	wantNoTemp(t, dir)
	wantNoFiles(t, dir, siblings("a.js", "b.js")...)
	if _, err := os.Stat(filepath.Join(dir, manifest.Name)); err != nil {
		t.Error(err) // that the claims are in
	}
}

// TestAdoptDespiteProbe checks that a sibling which saves bytes is adopted even if
// the incompressibility test expects no gain, also if its result is from the cache.
func TestAdoptDespiteProbe(t *testing.T) {
	almost := noise(100<<10, 1)
	almost += almost[len(almost)-300:]
	opts := fast()
	opts.Cache = newMemoryCache()
	for range 2 {
		dir := plant(t, tree{"a.dat": almost, "a.dat.gz": encode(t, manifest.Gzip, almost)})
		got := outcomes(build(t, dir, opts))
		sameSnapshot(t, map[string]string{
			"a.dat.gz": "adopted new", "a.dat.br": "omitted incompressible", "a.dat.zst": "omitted incompressible",
		}, got)
	}
}
