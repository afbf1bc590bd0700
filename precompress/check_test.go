package precompress_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// wide encodes data as one frame with a window of 16 MiB, which browsers reject.
func wide(t *testing.T, data string) string {
	t.Helper()
	e, err := zstd.NewWriter(nil, zstd.WithEncoderCRC(false), zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	must(t, err)
	frame := e.EncodeAll([]byte(data), nil)
	var head zstd.Header
	must(t, head.Decode(frame))
	return "\x28\xb5\x2f\xfd" + "\x00" + "\x70" + string(frame[head.HeaderSize:])
}

// record lists a file in the manifest as a variant, as if a build had written it.
func record(t *testing.T, dir, source string, c manifest.Coding) {
	t.Helper()
	m := loadManifest(t, dir)
	a, found := m.Lookup(source)
	if !found {
		t.Fatalf("no record of %s", source)
	}
	content, err := os.ReadFile(filepath.Join(dir, source+c.Suffix()))
	must(t, err)
	for i := range a.Variants {
		if v := &a.Variants[i]; v.Coding == c {
			v.Size, v.Digest, v.Omitted = int64(len(content)), manifest.Sum(content), ""
		}
	}
	data, err := m.Encode()
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, manifest.Name), data, 0o644))
}

// problems returns the problems of a tree, one line for each.
func problems(t *testing.T, dir string, opts precompress.Options) (lines []string) {
	t.Helper()
	tree, err := precompress.OpenReadOnly(t.Context(), dir, opts)
	must(t, err)
	defer tree.Close()
	plan, err := tree.Plan(t.Context())
	must(t, err)
	found, err := tree.Problems(t.Context(), plan)
	must(t, err)
	if plan.UpToDate() != (len(found) == 0) {
		t.Errorf("up to date: %v, problems: %v", plan.UpToDate(), found)
	}
	for _, p := range found {
		lines = append(lines, fmt.Sprintf("%s: %s: %s: %s", p.Path, p.Coding, p.Kind, p.Text))
	}
	return lines
}

// TestProblems breaks one thing in a tree, and checks that exactly this problem is
// found and that a build solves it.
func TestProblems(t *testing.T) {
	const source = "app.js"
	app := text(3000, 1)
	tests := []struct {
		name   string
		change func(t *testing.T, dir string, o *precompress.Options)
		want   []string
		failed bool // a build does not solve it
	}{
		{"nothing", func(*testing.T, string, *precompress.Options) {}, nil, false},
		{"new asset", func(t *testing.T, dir string, _ *precompress.Options) { overwrite(t, dir, tree{"b.js": app}) },
			[]string{"b.js: br: missing: not built before", "b.js: zstd: missing: not built before", "b.js: gzip: missing: not built before"}, false},
		{"variant gone", func(t *testing.T, dir string, _ *precompress.Options) { remove(t, dir, source+".zst") },
			[]string{"app.js: zstd: missing: the variant is missing"}, false},
		{"source changed, variant gone", func(t *testing.T, dir string, o *precompress.Options) {
			o.Codings = []manifest.Coding{manifest.Brotli}
			build(t, dir, *o)
			overwrite(t, dir, tree{source: text(3000, 9)})
			remove(t, dir, source+".br")
		}, []string{"app.js: br: missing: the variant is missing"}, false},
		{"source changed", func(t *testing.T, dir string, _ *precompress.Options) { overwrite(t, dir, tree{source: text(3000, 9)}) },
			[]string{"app.js: br: stale: the source changed", "app.js: zstd: stale: the source changed", "app.js: gzip: stale: the source changed"}, false},
		{"source changed that had no variant", func(t *testing.T, dir string, o *precompress.Options) {
			o.Codings = []manifest.Coding{manifest.Brotli}
			overwrite(t, dir, tree{source: noise(300, 3)})
			build(t, dir, *o)
			overwrite(t, dir, tree{source: app})
		}, []string{"app.js: br: stale: the source changed"}, false},
		{"other level", func(_ *testing.T, _ string, o *precompress.Options) {
			o.Levels = map[manifest.Coding]int{manifest.Brotli: 4, manifest.Zstd: 1, manifest.Gzip: 1}
		}, []string{"app.js: br: stale: the settings changed"}, false},
		{"truncated", func(t *testing.T, dir string, _ *precompress.Options) {
			must(t, os.Truncate(filepath.Join(dir, source+".gz"), 10))
		}, []string{"app.js: gzip: damaged: the variant differs from what was written"}, false},
		{"source gone", func(t *testing.T, dir string, _ *precompress.Options) { remove(t, dir, source) },
			[]string{"app.js.br: : orphan: the source is gone", "app.js.gz: : orphan: the source is gone", "app.js.zst: : orphan: the source is gone"}, false},
		{"variants too large now", func(_ *testing.T, _ string, o *precompress.Options) {
			o.Codings = []manifest.Coding{manifest.Gzip}
			o.MinSaving = precompress.SavePercent(99.9)
		}, []string{"app.js: gzip: larger: would not save enough", "app.js.br: : orphan: the coding is not chosen", "app.js.zst: : orphan: the coding is not chosen"}, false},
		{"listed variant as large as its source", func(t *testing.T, dir string, _ *precompress.Options) {
			plantOver(t, dir, tree{source + ".br": app})
			record(t, dir, source, manifest.Brotli)
		}, []string{"app.js: br: larger: it has 3000 bytes, its source 3000"}, false},
		{"listed variant with a wide window", func(t *testing.T, dir string, _ *precompress.Options) {
			plantOver(t, dir, tree{source + ".zst": wide(t, app)})
			record(t, dir, source, manifest.Zstd)
		}, []string{"app.js: zstd: window: its window is larger than clients accept"}, false},
		{"listed variant of another form", func(t *testing.T, dir string, _ *precompress.Options) {
			plantOver(t, dir, tree{source + ".zst": noise(500, 1)})
			record(t, dir, source, manifest.Zstd)
		}, []string{"app.js: zstd: damaged: the variant differs from what was written"}, false},
		{"no manifest", func(t *testing.T, dir string, _ *precompress.Options) { remove(t, dir, manifest.Name) },
			[]string{"app.js: br: foreign: no manifest lists the file that is there", "app.js: zstd: foreign: no manifest lists the file that is there",
				"app.js: gzip: foreign: no manifest lists the file that is there"}, false},
		{"no manifest, a wide window and a large variant", func(t *testing.T, dir string, _ *precompress.Options) {
			remove(t, dir, manifest.Name)
			remove(t, dir, source+".br")
			plantOver(t, dir, tree{source + ".zst": wide(t, app), source + ".gz": app})
		}, []string{"app.js: br: missing: not built before", "app.js: zstd: window: its window is larger than clients accept",
			"app.js: gzip: larger: it has 3000 bytes, its source 3000"}, true},
		{"a directory with a variant's name", func(t *testing.T, dir string, o *precompress.Options) {
			o.Codings = []manifest.Coding{manifest.Brotli}
			build(t, dir, *o)
			remove(t, dir, manifest.Name)
			remove(t, dir, source+".br")
			must(t, os.Mkdir(filepath.Join(dir, source+".br"), 0o755))
		}, []string{"app.js: br: foreign: not a regular file"}, true},
		{"mtime", func(t *testing.T, dir string, _ *precompress.Options) {
			must(t, os.Chtimes(filepath.Join(dir, source+".br"), longAgo, longAgo.Add(time.Hour)))
		}, []string{"app.js: br: metadata: the modification time is not its source's"}, false},
		{"only the manifest gone", func(t *testing.T, dir string, _ *precompress.Options) {
			remove(t, dir, source)
			build(t, dir, fast())
			remove(t, dir, manifest.Name)
		}, []string{"precompress-manifest.json: : missing: there is no manifest"}, false},
		{"a record too many", func(t *testing.T, dir string, o *precompress.Options) {
			o.Codings = []manifest.Coding{manifest.Brotli}
			plantOver(t, dir, tree{source: noise(300, 3)})
			build(t, dir, *o)
			remove(t, dir, source)
		}, []string{"precompress-manifest.json: : stale: the manifest does not describe the files that are there"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := plant(t, tree{source: app})
			opts := fast()
			build(t, dir, opts)
			tt.change(t, dir, &opts)
			before := snapshot(t, dir)
			if diff := cmp.Diff(tt.want, problems(t, dir, opts)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			sameSnapshot(t, before, snapshot(t, dir))
			report, err := precompress.Build(t.Context(), dir, opts)
			must(t, err)
			if failed := report.Err() != nil; failed != tt.failed {
				t.Fatalf("build: %v", report.Err())
			}
			if left := problems(t, dir, opts); !tt.failed && left != nil {
				t.Errorf("after a build: %q", left)
			}
			wantTrue(t, dir, dir)
		})
	}
}

// TestLargeWideWindow checks that the window is found in large files too, which are
// not read at once.
func TestLargeWideWindow(t *testing.T) {
	source := fmt.Sprintf("%x", noise(150<<10, 1))
	dir := plant(t, tree{"app.js": source})
	opts := fast()
	opts.Codings = []manifest.Coding{manifest.Zstd}
	build(t, dir, opts)
	if found := problems(t, dir, opts); found != nil {
		t.Errorf("after a build: %q", found)
	}
	plantOver(t, dir, tree{"app.js.zst": wide(t, source)})
	record(t, dir, "app.js", manifest.Zstd)
	want := []string{"app.js: zstd: window: its window is larger than clients accept"}
	if diff := cmp.Diff(want, problems(t, dir, opts)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestProblemMode checks that a problem with a mode names both modes.
func TestProblemMode(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the system has no permission bits")
	}
	dir := plant(t, tree{"app.js": text(3000, 1)})
	opts := fast()
	opts.Codings = []manifest.Coding{manifest.Brotli}
	must(t, os.Chmod(filepath.Join(dir, "app.js"), 0o644))
	build(t, dir, opts)
	must(t, os.Chmod(filepath.Join(dir, "app.js.br"), 0o600))
	want := []string{"app.js: br: metadata: the mode is 0600, its source's 0644"}
	if diff := cmp.Diff(want, problems(t, dir, opts)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWideWindowIsNotAdopted checks that a file that clients reject is not adopted,
// although it decodes to its source.
func TestWideWindowIsNotAdopted(t *testing.T) {
	app := text(3000, 1)
	dir := plant(t, tree{"app.js": app, "app.js.zst": wide(t, app)})
	report, err := precompress.Build(t.Context(), dir, fast())
	must(t, err)
	if !errors.Is(report.Err(), precompress.ErrForeign) {
		t.Fatalf("%v", report.Err())
	}
	opts := fast()
	opts.Force = true
	build(t, dir, opts)
	f, err := os.Open(filepath.Join(dir, "app.js.zst"))
	must(t, err)
	defer f.Close()
	must(t, framing.Check(manifest.Zstd, f))
}
