package precompress

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress/cache"
)

// countEncodings builds a tree and returns the number of encodings by coding.
func countEncodings(t *testing.T, dir string, opts Options, between func(*Plan)) map[manifest.Coding]int {
	t.Helper()
	opts.Levels = map[manifest.Coding]int{manifest.Brotli: 1, manifest.Zstd: 1, manifest.Gzip: 1}
	tree, err := Open(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	p, err := tree.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	between(p)
	r := newRun(tree, p)
	var mu sync.Mutex
	count := make(map[manifest.Coding]int)
	encode := r.encodings.encode
	r.encodings.encode = func(ctx context.Context, p codec.Params, src []byte) ([]byte, error) {
		mu.Lock()
		count[p.Coding]++
		mu.Unlock()
		return encode(ctx, p, src)
	}
	ctx, stop := context.WithCancelCause(t.Context())
	r.stop = stop
	r.work(ctx)
	report, m := r.collect(ctx)
	if err := report.Err(); err != nil {
		t.Fatal(err)
	}
	if err := tree.manifest.save(m); err != nil {
		t.Fatal(err)
	}
	return count
}

// noCache is a cache that is always empty.
type noCache struct{}

func (noCache) Get(context.Context, cache.Key, func(cache.Entry) error) (cache.Entry, bool) {
	return cache.Entry{}, false
}
func (noCache) Put(context.Context, cache.Key, cache.Entry) {}
func (noCache) Parallel() int                               { return 4 }

func repeated(line string) []byte {
	var b []byte
	for i := range 100 {
		b = fmt.Appendf(b, "%s %d\n", line, i*i)
	}
	return b
}

// TestEqualContents checks that files with the same content are encoded once, with
// and without a cache, even if one of them already has variants or was edited during
// the run.
func TestEqualContents(t *testing.T) {
	for name, c := range map[string]Cache{"without a cache": nil, "with an empty cache": noCache{}} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			put := func(name string, data []byte) {
				if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			names := []string{"a.js", "b.js", "c.txt", "d.html"}
			for _, n := range names {
				put(n, repeated("first"))
			}
			put("other.js", repeated("other"))
			put("edited.js", repeated("first"))
			got := countEncodings(t, dir, Options{Cache: c, Jobs: 4}, func(*Plan) { put("edited.js", repeated("third")) })
			want := map[manifest.Coding]int{manifest.Brotli: 3, manifest.Zstd: 3, manifest.Gzip: 3}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("encodings of three contents (-want +got):\n%s", diff)
			}
			p := planOf(t, dir, Options{Levels: map[manifest.Coding]int{manifest.Brotli: 1, manifest.Zstd: 1, manifest.Gzip: 1}})
			if !p.UpToDate() {
				t.Error("the tree is not up to date after the build")
			}
			for _, n := range []string{"a.js.br", "b.js.gz", "c.txt.gz", "d.html.zst", "edited.js.br"} {
				if err := os.Remove(filepath.Join(dir, n)); err != nil {
					t.Fatal(err)
				}
			}
			got = countEncodings(t, dir, Options{Cache: c}, func(*Plan) {})
			want = map[manifest.Coding]int{manifest.Brotli: 2, manifest.Zstd: 1, manifest.Gzip: 1}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("encodings of the missing variants (-want +got):\n%s", diff)
			}
		})
	}
}

// TestSameDigest checks that different contents whose 64-bit digests collide do not
// share encodings.
func TestSameDigest(t *testing.T) {
	for _, c := range []Cache{nil, noCache{}} {
		a, b := repeated("a"), repeated("b")
		d := &duplicates{tasks: []*Task{{}, {}}, reserved: -1}
		first := d.encodingsOf(a, c != nil)
		first.known[codec.Params{Coding: manifest.Gzip, Level: 1}] = encoding{size: 1}
		if d.encodingsOf(a, c != nil) != first {
			t.Error("the same content is not recognized")
		}
		if len(d.encodingsOf(b, c != nil).known) > 0 {
			t.Error("different content is treated as the same")
		}
		alone := newDuplicates(&Task{})
		alone.encodingsOf(a, c != nil).known[codec.Params{Coding: manifest.Gzip, Level: 1}] = encoding{size: 1}
		if len(alone.encodingsOf(b, c != nil).known) > 0 {
			t.Error("the content of an edited source is treated as unchanged")
		}
	}
}

func planOf(t *testing.T, dir string, opts Options) *Plan {
	t.Helper()
	tree, err := OpenReadOnly(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	p, err := tree.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return p
}
