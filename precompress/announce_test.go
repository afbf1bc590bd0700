package precompress_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// killed builds a tree and leaves it with the manifest of a run that was killed:
// every variant is claimed, and none is recorded.
func killed(t *testing.T, files tree) string {
	t.Helper()
	dir := plant(t, files)
	build(t, dir, fast())
	name := filepath.Join(dir, manifest.Name)
	data, err := os.ReadFile(name)
	must(t, err)
	m, err := manifest.Decode(data)
	must(t, err)
	for i := range m.Assets {
		for j, v := range m.Assets[i].Variants {
			m.Assets[i].Variants[j] = manifest.Variant{Coding: v.Coding, Level: v.Level, Encoder: v.Encoder, Stale: true}
		}
	}
	data, err = m.Encode()
	must(t, err)
	must(t, os.WriteFile(name, data, 0o644))
	return dir
}

// TestClaims checks that the files of a killed run are recognized as ours, even if
// their source was edited or deleted since. A file that someone else wrote under a
// claimed name is not ours.
func TestClaims(t *testing.T) {
	files := tree{"same.js": text(4000, 1), "edited.js": text(4000, 2), "gone.js": text(4000, 3), "taken.js": text(4000, 4)}
	disturbed := func(t *testing.T) string {
		dir := killed(t, files)
		plantIn(t, dir, tree{"edited.js": text(5000, 5), "taken.js.br": "another's"})
		remove(t, dir, "gone.js")
		return dir
	}
	t.Run("build", func(t *testing.T) {
		dir := disturbed(t)
		report, err := precompress.Build(t.Context(), dir, fast())
		must(t, err)
		if len(report.Failures) != 1 || !errors.Is(report.Failures[0], precompress.ErrForeign) || report.Failures[0].Path != "taken.js" {
			t.Errorf("failures: %v", report.Failures)
		}
		wantNoFiles(t, dir, siblings("gone.js")...)
		if got := contents(t, dir)["taken.js.br"]; got != "another's" {
			t.Errorf("taken.js.br: content %q", got)
		}
		remove(t, dir, "taken.js.br")
		build(t, dir, fast())
		wantTrue(t, dir, dir)
		wantAsFromScratch(t, dir, fast())
	})
	t.Run("clean", func(t *testing.T) {
		dir := disturbed(t)
		clean(t, dir, fast())
		left := plant(t, tree{"same.js": text(4000, 1), "edited.js": text(5000, 5), "taken.js": text(4000, 4), "taken.js.br": "another's"})
		sameSnapshot(t, contents(t, left), contents(t, dir))
	})
}

// TestClaimedFirst checks that the manifest claims a file before it is written.
func TestClaimedFirst(t *testing.T) {
	dir := plant(t, tree{"a.js": text(4000, 1), "b.js": text(4000, 2)})
	opts := fast()
	opts.Jobs = 1
	seen := 0
	opts.Progress = func(precompress.Progress) {
		data, err := os.ReadFile(filepath.Join(dir, manifest.Name))
		must(t, err)
		m, err := manifest.Decode(data)
		must(t, err)
		for _, a := range m.Assets {
			for _, v := range a.Variants {
				if !v.Stale || v.Stored() {
					t.Errorf("%s: %+v", a.Path, v)
				}
				seen++
			}
		}
	}
	build(t, dir, opts)
	if seen == 0 {
		t.Error("no variant was claimed")
	}
}
