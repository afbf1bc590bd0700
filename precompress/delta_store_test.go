package precompress_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/precompress/cache"
)

// releasesIn returns the number of releases in a store.
func releasesIn(t testing.TB, dir string) int {
	t.Helper()
	s, err := release.OpenStore(dir)
	must(t, err)
	defer s.Close()
	return len(s.Releases())
}

// TestDeltaStore checks that each build makes deltas from the last releases in the
// store, and adds its own release.
func TestDeltaStore(t *testing.T) {
	t.Parallel()
	store, dir := filepath.Join(t.TempDir(), "store"), t.TempDir()
	opts := storing(store)
	opts.Keep = 2
	content := text(20000, 1)
	past := []string{}
	for i, word := range []string{"", "one ", "two ", "three ", "four "} {
		content = changed(content, word)
		plantIn(t, dir, tree{"app.js": content, "img.png": noise(3000, 1)})
		report := build(t, dir, opts)
		wantFiles := min(len(past), opts.Keep)
		if got := len(report.Releases); got != wantFiles {
			t.Errorf("build %d: %d releases", i, got)
		}
		for k, old := range past {
			for _, name := range deltaNames("app.js", old) {
				if want := len(past)-k <= opts.Keep; exists(dir, name) != want {
					t.Errorf("build %d: release %d: has a delta: %v", i, k, !want)
				}
			}
		}
		if a, _ := loadManifest(t, dir).Lookup("app.js"); a.Match != "app.js" {
			t.Errorf("build %d: match %q", i, a.Match)
		}
		if got, want := releasesIn(t, store), min(i, opts.Keep)+1; got != want {
			t.Errorf("build %d: %d releases in the store, want %d", i, got, want)
		}
		before, kept := snapshot(t, dir), snapshot(t, store)
		if !plan(t, dir, opts).UpToDate() {
			t.Errorf("build %d: the tree is not up to date afterwards", i)
		}
		build(t, dir, opts)
		sameSnapshot(t, before, snapshot(t, dir))
		sameSnapshot(t, kept, snapshot(t, store))
		past = append(past, content)
	}
}

// TestDeltaStoreBack checks that after a rollback to an earlier release there are
// deltas from the later ones, and that building it again does nothing.
func TestDeltaStoreBack(t *testing.T) {
	t.Parallel()
	store, dir := filepath.Join(t.TempDir(), "store"), t.TempDir()
	a := text(20000, 1)
	b := changed(a, "b")
	for _, content := range []string{a, b, a} {
		plantIn(t, dir, tree{"app.js": content})
		build(t, dir, storing(store))
	}
	wantFiles(t, dir, deltaNames("app.js", b)...)
	wantNoFiles(t, dir, deltaNames("app.js", a)...)
	if !plan(t, dir, storing(store)).UpToDate() || releasesIn(t, store) != 2 {
		t.Error("the tree is not up to date after a rollback")
	}
}

// TestDeltaStoreUntouched checks that a run that builds nothing, or fails, adds no
// release.
func TestDeltaStoreUntouched(t *testing.T) {
	t.Parallel()
	store := filepath.Join(t.TempDir(), "store")
	opts := storing(store)
	dir := plant(t, tree{"app.js": text(3000, 1), "bad.js": text(3000, 2), "bad.js.br": "mine"})
	plan(t, dir, opts)
	clean(t, dir, opts)
	wantNoStore := func(what string) {
		t.Helper()
		if exists(store, "") {
			t.Errorf("%s: a store was created", what)
		}
	}
	wantNoStore("plan")
	report, err := precompress.Build(t.Context(), dir, opts)
	must(t, err)
	if report.Err() == nil {
		t.Fatal("no failure")
	}
	wantNoStore("failures")
	must(t, os.Remove(filepath.Join(dir, "bad.js.br")))
	shard := opts
	kept, err := cache.Open(t.TempDir(), cache.Options{})
	must(t, err)
	defer kept.Close(t.Context())
	shard.Cache = kept
	mustFill(t, dir, shard, 1, 1)
	wantNoStore("shard")
	build(t, dir, fast())
	build(t, dir, opts) // nothing else to do
	if releasesIn(t, store) != 1 {
		t.Error("a build that only has the store to fill does not fill it")
	}
}

// TestDeltaStoreFails checks that a store that cannot be written is reported as a
// failure, and the tree is built anyway.
func TestDeltaStoreFails(t *testing.T) {
	t.Parallel()
	dir := plant(t, tree{"app.js": text(3000, 1)})
	blocked := filepath.Join(plant(t, tree{"file": "x"}), "file", "store")
	report, err := precompress.Build(t.Context(), dir, storing(blocked))
	if err == nil {
		err = report.Err()
		wantFiles(t, dir, "app.js.br")
	}
	if err == nil || !strings.Contains(err.Error(), "store") {
		t.Errorf("error: %v", err)
	}
	other := plant(t, tree{"mine": "x"})
	if _, err := precompress.Build(t.Context(), dir, storing(other)); !errors.Is(err, release.ErrNotStore) {
		t.Errorf("error: %v", err)
	}
}

// TestDeltaStoreDamaged checks that damaged content in a store is not used as a
// dictionary, and everything else is built.
func TestDeltaStoreDamaged(t *testing.T) {
	t.Parallel()
	store, dir := filepath.Join(t.TempDir(), "store"), t.TempDir()
	a, z := text(20000, 1), text(20000, 2)
	plantIn(t, dir, tree{"app.js": a, "z.js": z})
	build(t, dir, storing(store))
	for name, e := range snapshot(t, store) {
		if e.Content == a {
			must(t, os.WriteFile(filepath.Join(store, name), []byte(changed(a[1:], "?")), 0o600))
		}
	}
	plantIn(t, dir, tree{"app.js": changed(a, "b"), "z.js": changed(z, "b")})
	report := build(t, dir, storing(store))
	if len(report.Warnings) != 1 || !strings.Contains(report.Warnings[0].Text, `"app.js": it is damaged`) {
		t.Errorf("warnings %q", report.Warnings)
	}
	if got := deltaStatuses(report); !slices.Contains(got, "app.js dcb: omitted dictionary-damaged") {
		t.Errorf("%q", got)
	}
	wantFiles(t, dir, append(deltaNames("z.js", z), siblings("app.js")...)...)
	wantNoFiles(t, dir, deltaNames("app.js", a)...)
	wantTrue(t, dir, dir)
	if releasesIn(t, store) != 2 || !plan(t, dir, storing(store)).UpToDate() {
		t.Error("the release is not in the store, or the tree is not up to date")
	}
}

// TestDeltaStoreHeals checks that damaged content in a store is repaired by a build
// of a tree that has the content, even one that is otherwise up to date. Then the
// deltas come back.
func TestDeltaStoreHeals(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(name string) error{
		"wrong":   func(name string) error { return os.WriteFile(name, noise3(t, name), 0o600) },
		"short":   func(name string) error { return os.Truncate(name, 10) },
		"missing": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			store, dir := filepath.Join(t.TempDir(), "store"), t.TempDir()
			a := text(20000, 1)
			plantIn(t, dir, tree{"app.js": a})
			build(t, dir, storing(store))
			for name, e := range snapshot(t, store) {
				if e.Content == a {
					must(t, spoil(filepath.Join(store, name)))
				}
			}
			build(t, dir, storing(store))
			plantIn(t, dir, tree{"app.js": changed(a, "b")})
			if report := build(t, dir, storing(store)); len(report.Warnings) != 0 {
				t.Errorf("warnings %q", report.Warnings)
			}
			wantFiles(t, dir, deltaNames("app.js", a)...)
		})
	}
}

// noise3 returns as many bytes as a file has, all different from it.
func noise3(t testing.TB, name string) []byte {
	t.Helper()
	info, err := os.Stat(name)
	must(t, err)
	return []byte(noise(int(info.Size()), 3))
}

// TestDeltaUnreadable checks that deltas from an unreadable release are removed with
// a warning, and come back when it is readable again.
func TestDeltaUnreadable(t *testing.T) {
	t.Parallel()
	a := text(20000, 1)
	old, dir := plant(t, tree{"app.js": a}), plant(t, tree{"app.js": changed(a, "b")})
	build(t, dir, from(old))
	if err := os.Chmod(filepath.Join(old, "app.js"), 0); err != nil || os.Geteuid() == 0 {
		t.Skip("this user can read every file")
	}
	report := build(t, dir, from(old))
	if len(report.Warnings) != 1 || report.Removed[0].Reason != precompress.ReasonDictionaryDamaged {
		t.Errorf("warnings %q, removed %v", report.Warnings, report.Removed)
	}
	wantNoFiles(t, dir, deltaNames("app.js", a)...)
	wantTrue(t, dir, dir)
	must(t, os.Chmod(filepath.Join(old, "app.js"), 0o644))
	build(t, dir, from(old))
	wantDeltas(t, dir, old)
}

// TestReleasePaths checks the options for releases. A release or store must not
// overlap with the tree or the output directory, hidden or not.
func TestReleasePaths(t *testing.T) {
	t.Parallel()
	dir := plant(t, tree{"app.js": text(3000, 1), "old/app.js": "x", ".old/app.js": "x"})
	out := filepath.Join(t.TempDir(), "out")
	tests := map[string]struct {
		set func(o *precompress.Options)
		ok  bool
	}{
		"previous inside":   {func(o *precompress.Options) { o.Previous = []string{filepath.Join(dir, "old")} }, false},
		"previous is it":    {func(o *precompress.Options) { o.Previous = []string{dir} }, false},
		"previous around":   {func(o *precompress.Options) { o.Previous = []string{filepath.Dir(dir)} }, false},
		"previous hidden":   {func(o *precompress.Options) { o.Previous = []string{filepath.Join(dir, ".old")} }, false},
		"previous missing":  {func(o *precompress.Options) { o.Previous = []string{filepath.Join(out, "no")} }, false},
		"previous empty":    {func(o *precompress.Options) { o.Previous = []string{""} }, false},
		"store inside":      {func(o *precompress.Options) { o.Releases = filepath.Join(dir, "store") }, false},
		"store elsewhere":   {func(o *precompress.Options) { o.Releases = filepath.Join(out, "store") }, true},
		"store hidden":      {func(o *precompress.Options) { o.Releases = filepath.Join(dir, ".store") }, false},
		"store in output":   {func(o *precompress.Options) { o.Out, o.Releases = out, filepath.Join(out, "store") }, false},
		"negative keep":     {func(o *precompress.Options) { o.Keep = -1 }, false},
		"no coding of them": {func(o *precompress.Options) { o.Deltas = []manifest.Coding{manifest.Brotli} }, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			opts := fast()
			tt.set(&opts)
			_, err := precompress.Build(t.Context(), dir, opts)
			if (err == nil) != tt.ok {
				t.Errorf("error: %v", err)
			}
			if err != nil && name != "previous missing" && !errors.Is(err, precompress.ErrInvalidOptions) {
				t.Errorf("%v does not wrap ErrInvalidOptions", err)
			}
		})
	}
	two := []string{dir, plant(t, tree{})}
	if err := precompress.Validate(two, storing(out)); !errors.Is(err, precompress.ErrInvalidOptions) {
		t.Errorf("two trees with one store: %v", err)
	}
	wantNoFiles(t, dir, "store", ".store/app.js.br")
}
