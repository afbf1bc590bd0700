package precompress

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// edited builds a tree with one source, whose content is replaced by the next of
// edits each time it has been read.
func edited(t *testing.T, opts Options, edits ...string) (dir string, report *Result) {
	t.Helper()
	dir = t.TempDir()
	source := filepath.Join(dir, "app.js")
	write := func(content string) {
		if err := os.WriteFile(source, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write(strings.Repeat("first version\n", 100))
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
	r := newRun(tree, p)
	ctx, stop := context.WithCancelCause(t.Context())
	r.stop = stop
	r.read = func(root *os.Root, name string) ([]byte, fs.FileInfo, error) {
		data, info, err := readStable(root, name)
		if len(edits) > 0 {
			write(edits[0])
			edits = edits[1:]
		}
		return data, info, err
	}
	r.work(ctx)
	report, m := r.collect(ctx)
	if err := tree.manifest.save(m); err != nil {
		t.Fatal(err)
	}
	return dir, report
}

// TestSourceEdited checks that a source that is edited while it is read is retried
// once, then reported, and that no variant of the old content is left.
func TestSourceEdited(t *testing.T) {
	second, third := strings.Repeat("second version\n", 90), strings.Repeat("third version\n", 80)
	for name, tt := range map[string]struct {
		edits []string
		fails bool
	}{
		"once":          {[]string{second}, false},
		"twice":         {[]string{second, third}, true},
		"to nothing":    {[]string{""}, false},
		"to a stranger": {[]string{strings.Repeat("again the size", 100)}, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir, report := edited(t, Options{}, tt.edits...)
			if failed := errors.Is(report.Err(), ErrSourceChanged); failed != tt.fails || len(report.Failures) > 0 != tt.fails {
				t.Errorf("failures: %v", report.Failures)
			}
			if tt.fails && report.Failures[0].Path != "app.js" {
				t.Errorf("failure: %v", report.Failures[0])
			}
			source, err := os.ReadFile(filepath.Join(dir, "app.js"))
			if err != nil {
				t.Fatal(err)
			}
			for _, c := range manifest.Codings() {
				data, err := os.ReadFile(filepath.Join(dir, "app.js"+c.Suffix()))
				switch {
				case (tt.fails || len(source) == 0) != osfile.IsNotExist(err):
					t.Errorf("%s: %v", c, err)
				case err == nil && codec.Verify(t.Context(), codec.Params{Coding: c}, bytes.NewReader(data), source) != nil:
					t.Errorf("%s was not made from the last version of the source", c)
				}
			}
			if report, err := Build(t.Context(), dir, Options{}); err != nil || report.Err() != nil {
				t.Errorf("the next build: %v, %v", err, report.Err())
			}
		})
	}
}

// TestReadStable checks that a file is treated as edited if its size is not the number
// of bytes read.
func TestReadStable(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("needs a file that is longer than its size: /proc/self/status")
	}
	root, err := os.OpenRoot("/proc/self")
	if err != nil {
		t.Skip(err)
	}
	defer root.Close()
	if _, _, err := readStable(root, "status"); !errors.Is(err, ErrSourceChanged) {
		t.Errorf("error: %v", err)
	}
}

// TestMemoryBudget checks that concurrent work never needs more than the limit, and
// that work that needs more runs alone.
func TestMemoryBudget(t *testing.T) {
	opts, err := Options{MaxMemory: 300 << 20}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	budget := newMemoryBudget(opts)
	var mu sync.Mutex
	var used, peak int64
	var group sync.WaitGroup
	for i := range 40 {
		size := int64(i%8) * 1 << 20
		group.Go(func() {
			release, err := budget.acquire(t.Context(), codec.Memory(size, opts.settings().variants()))
			if err != nil {
				t.Error(err)
				return
			}
			need := min(codec.Memory(size, opts.settings().variants()), budget.limit)
			mu.Lock()
			used += need
			peak = max(peak, used)
			mu.Unlock()
			runtime.Gosched()
			mu.Lock()
			used -= need
			mu.Unlock()
			release()
		})
	}
	group.Wait()
	if peak > opts.MaxMemory-baseMemory {
		t.Errorf("peak memory %d, limit %d", peak, opts.MaxMemory-baseMemory)
	}
}
