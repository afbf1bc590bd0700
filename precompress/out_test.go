package precompress_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestOut checks that variants and manifest are written to the output directory, that
// orphans and the directories they leave empty are removed, and that the sources do
// not change.
func TestOut(t *testing.T) {
	for _, originals := range []bool{false, true} {
		files := tree{"app.js": text(2000, 1), "a/b/c.css": text(2000, 2), "a/d.css": text(2000, 3), "logo.png": noise(300, 1), "empty.txt": "",
			".env": "secret", ".git/config": text(2000, 4), "vendor/v.js": text(2000, 5), "bundle.tar.gz": "archive"}
		dir := plant(t, files)
		sources := snapshot(t, dir)
		opts := fast()
		opts.Out = filepath.Join(t.TempDir(), "not", "yet")
		opts.OutOriginals = originals
		opts.Exclude = []string{"vendor"}
		if p := plan(t, dir, opts); p.UpToDate() || exists(opts.Out, "") {
			t.Errorf("up to date: %v; the output directory exists: %v", p.UpToDate(), exists(opts.Out, ""))
		}
		build(t, dir, opts)
		want := append(siblings("app.js", "a/b/c.css", "a/d.css"), manifest.Name)
		if originals {
			want = append(want, "app.js", "a/b/c.css", "a/d.css", "logo.png", "empty.txt", "vendor/v.js", "bundle.tar.gz")
		}
		sameSnapshot(t, set(want), keys(contents(t, opts.Out)))
		wantTrue(t, dir, opts.Out)
		wantIdle(t, dir, opts)
		sameSnapshot(t, sources, snapshot(t, dir))
		if originals {
			wantSameFile(t, sources["a/b/c.css"], snapshot(t, opts.Out)["a/b/c.css"])
		}

		// Damage, a changed source, a deleted one, and a leftover temporary file.
		overwrite(t, dir, tree{"a/d.css": text(2000, 9)})
		overwrite(t, opts.Out, tree{"app.js.br": "damaged", "a/.precompress-0123456789abcdef.tmp": "x", "a/mine.txt": "mine"})
		if originals {
			flip(t, opts.Out, "app.js", 3)
		}
		must(t, os.RemoveAll(filepath.Join(dir, "a/b")))
		build(t, dir, opts)
		wantNoFiles(t, opts.Out, append(siblings("a/b/c.css"), "a/b/c.css", "a/b", "a/.precompress-0123456789abcdef.tmp")...)
		wantFiles(t, opts.Out, "a/mine.txt")
		wantTrue(t, dir, opts.Out)
		wantIdle(t, dir, opts)

		if originals { // no longer wanted
			opts.OutOriginals = false
			build(t, dir, opts)
			wantNoFiles(t, opts.Out, "app.js", "vendor", "logo.png")
			wantFiles(t, opts.Out, siblings("app.js")...)
			wantIdle(t, dir, opts)
			opts.OutOriginals = true
			build(t, dir, opts)
		}
		clean(t, dir, opts)
		sameSnapshot(t, map[string]string{"a/mine.txt": "mine"}, contents(t, opts.Out))
		wantFiles(t, dir, "app.js", "a/d.css", ".env")
	}
}

func wantSameFile(t *testing.T, want, got entry) {
	t.Helper()
	sameSnapshot(t, want, got)
}

// TestOutHidden checks that a hidden source is copied only if it is included.
func TestOutHidden(t *testing.T) {
	dir := plant(t, tree{".env": text(2000, 1), ".hidden/a.js": text(2000, 2), ".taken.js": text(2000, 3), "a.css": text(2000, 4)})
	opts := fast()
	opts.Out, opts.OutOriginals = t.TempDir(), true
	opts.Exclude = []string{"!.taken.js"}
	opts.Include = []string{"*.js"}
	build(t, dir, opts)
	want := append(siblings(".taken.js"), ".taken.js", "a.css", manifest.Name)
	sameSnapshot(t, set(want), keys(contents(t, opts.Out)))
	wantIdle(t, dir, opts)
}

// TestOutForeign checks that a file in the place of a copied original is not
// overwritten.
func TestOutForeign(t *testing.T) {
	outside := plant(t, tree{"victim.js": "precious"})
	for name, there := range map[string]string{"a file": "mine", "a link": "-> " + filepath.Join(outside, "victim.js"), "a link inside": "-> other"} {
		t.Run(name, func(t *testing.T) {
			dir := plant(t, tree{"app.js": text(2000, 1)})
			opts := fast()
			opts.Out, opts.OutOriginals = plant(t, tree{"app.js": there, "other": text(2000, 1)}), true
			before := contents(t, opts.Out)["app.js"]
			report, err := precompress.Build(t.Context(), dir, opts)
			must(t, err)
			if !errors.Is(report.Err(), precompress.ErrForeign) {
				t.Errorf("failures: %v", report.Failures)
			}
			if got := contents(t, opts.Out)["app.js"]; got != before {
				t.Errorf("the file's content is now %q", got)
			}
			wantFiles(t, opts.Out, siblings("app.js")...)
			clean(t, dir, opts)
			wantFiles(t, opts.Out, "app.js", "other")
			opts.Force = true
			build(t, dir, opts)
			wantTrue(t, dir, opts.Out)
		})
	}
	sameSnapshot(t, map[string]string{"victim.js": "precious"}, contents(t, outside))
}

// TestOutHostileLinks checks that nothing is written through links in the output
// directory.
func TestOutHostileLinks(t *testing.T) {
	outside := plant(t, tree{"a.js.br": "precious", "a.js": "precious"})
	dir := plant(t, tree{"sub/a.js": text(2000, 1), "ok.js": text(2000, 2), "deep/er/b.js": text(2000, 3)})
	opts := fast()
	opts.OutOriginals = true
	opts.Out = plant(t, tree{"sub": "-> " + outside, "deep": "-> ../" + filepath.Base(outside)})
	before := snapshot(t, outside)
	for _, force := range []bool{false, true} {
		opts.Force = force
		report, err := precompress.Build(t.Context(), dir, opts)
		must(t, err)
		if len(report.Failures) == 0 {
			t.Error("no failure")
		}
		wantFiles(t, opts.Out, append(siblings("ok.js"), "ok.js", "sub", "deep")...)
		sameSnapshot(t, before, snapshot(t, outside))
	}
	clean(t, dir, opts)
	sameSnapshot(t, before, snapshot(t, outside))
}

// TestOutManyDirectoriesAtOnce checks that removing orphans and empty directories does
// not interfere with writing into the same directories.
func TestOutManyDirectoriesAtOnce(t *testing.T) {
	files, shrunk := tree{}, tree{}
	for i := range 40 {
		d := string(rune('a' + i%20))
		files[d+"/shrinks"+string(rune('0'+i/20))+".js"] = text(2000, uint64(i))
		shrunk[d+"/shrinks"+string(rune('0'+i/20))+".js"] = noise(60, uint64(i))
		shrunk[d+"/new.js"] = text(2000, uint64(i+100))
	}
	dir := plant(t, files)
	opts := fast()
	opts.Out, opts.Jobs = t.TempDir(), 8
	build(t, dir, opts)
	plantIn(t, dir, shrunk)
	build(t, dir, opts)
	wantTrue(t, dir, opts.Out)
	wantIdle(t, dir, opts)
}
