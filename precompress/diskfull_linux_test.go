package precompress_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestDiskFull checks that a full disk causes a clear error and leaves the old
// variants intact, and that the next run with enough space repairs everything. It is
// not parallel: a process that another test starts would keep the disk busy.
func TestDiskFull(t *testing.T) {
	for name, free := range map[string]int{"nothing free": 0, "a page free": 4 << 10, "some free": 12 << 10} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=2m"); err != nil {
				t.Skipf("cannot mount a small disk, which requires root: %v", err)
			}
			t.Cleanup(func() { must(t, syscall.Unmount(dir, 0)) })
			sources, changed := tree{}, tree{}
			for _, n := range []string{"a.js", "b.js", "sub/c.js", "d.js", "e.js"} {
				sources[n], changed[n] = text(20000, uint64(n[0])), text(20000, uint64(n[0])+100)
			}
			changed["new.js"] = text(20000, 5)
			plantIn(t, dir, sources)
			opts := fast()
			build(t, dir, opts)
			before := contents(t, dir)
			plantIn(t, dir, changed)
			fill(t, filepath.Join(dir, "ballast.bin"), free)

			opts.Exclude = []string{"ballast.bin"}
			report, err := precompress.Build(t.Context(), dir, opts)
			if err != nil && !errors.Is(err, precompress.ErrDiskFull) || !errors.Is(errors.Join(err, report.Err()), precompress.ErrDiskFull) {
				t.Fatalf("error: %v, report: %v", err, report.Err())
			}
			if !errors.Is(report.Stopped, precompress.ErrDiskFull) {
				t.Errorf("stopped: %v", report.Stopped)
			}
			wantNoTemp(t, dir)
			after := contents(t, dir)
			for source := range changed {
				for _, s := range siblings(source) {
					wantOldOrNew(t, s, before[s], after, changed[source])
				}
			}
			remove(t, dir, "ballast.bin")
			build(t, dir, opts)
			wantTrue(t, dir, dir)
			wantFiles(t, dir, siblings("new.js", "a.js", "sub/c.js")...)
			wantIdle(t, dir, opts)
			wantAsFromScratch(t, dir, opts)
		})
	}
}

// wantOldOrNew checks that a variant is unchanged or decodes to the new source.
func wantOldOrNew(t *testing.T, name, before string, after map[string]string, source string) {
	t.Helper()
	content, there := after[name]
	switch {
	case content == before && (there || before == ""):
	case !there:
		t.Errorf("%s was removed", name)
	default:
		for _, c := range manifest.Codings() {
			if filepath.Ext(name) == c.Suffix() {
				if got, err := decode(c, []byte(content)); err != nil || string(got) != source {
					t.Errorf("%s is neither the old nor the new one: %v", name, err)
				}
			}
		}
	}
}

// fill fills a file system, except for some bytes.
func fill(t *testing.T, name string, free int) {
	t.Helper()
	f, err := os.Create(name)
	must(t, err)
	defer f.Close()
	for {
		if _, err := f.Write(make([]byte, 4<<10)); err != nil {
			break
		}
	}
	info, err := f.Stat()
	must(t, err)
	must(t, f.Truncate(info.Size()-int64(free)))
}
