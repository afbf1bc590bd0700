package precompress_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// base is a tree with one asset of each kind.
func base() tree {
	return tree{
		"app.js":      text(3000, 1),
		"sub/app.css": text(2000, 2),
		"noise.bin":   noise(300, 1),
		"big.bin":     noise(100<<10, 2),
		"empty.txt":   "",
	}
}

// TestNothingChanged checks that a build of an unchanged tree writes nothing: the
// mtimes of all files and directories stay the same.
func TestNothingChanged(t *testing.T) {
	dir := plant(t, base())
	build(t, dir, fast())
	must(t, os.Chtimes(dir, longAgo, longAgo))
	must(t, os.Chtimes(filepath.Join(dir, manifest.Name), longAgo, longAgo))
	wantIdle(t, dir, fast())
	wantTrue(t, dir, dir)
}

// TestIncremental changes one thing after a build and checks what the next build
// does, and that its result is that of a build from scratch.
func TestIncremental(t *testing.T) {
	const br, zst, gz = "app.js.br", "app.js.zst", "app.js.gz"
	changed := text(3000, 9)
	tests := []struct {
		name    string
		change  func(t *testing.T, dir string, o *precompress.Options)
		want    map[string]string // outcomes other than of what is reused and omitted as before
		removed map[string]precompress.Reason
		failed  bool
	}{
		{name: "only mtime changed",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				must(t, os.Chtimes(filepath.Join(dir, "app.js"), time.Time{}, time.Now()))
			},
			want: outcome("reused metadata", br, zst, gz)},
		{name: "only the mode changed",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				must(t, os.Chmod(filepath.Join(dir, "app.js"), 0o600))
			},
			want: outcome("reused metadata", br, zst, gz)},
		{name: "content changed",
			change: func(t *testing.T, dir string, _ *precompress.Options) { overwrite(t, dir, tree{"app.js": changed}) },
			want:   outcome("written source-changed", br, zst, gz)},
		{name: "content changed but size and mtime kept",
			change: func(t *testing.T, dir string, _ *precompress.Options) { plantOver(t, dir, tree{"app.js": changed}) },
			want:   outcome("written source-changed", br, zst, gz)},
		{name: "shrinks so that no variant pays any more",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				overwrite(t, dir, tree{"app.js": noise(40, 1)})
			},
			want: outcome("omitted larger", br, zst, gz),
			removed: map[string]precompress.Reason{br: precompress.ReasonLarger, zst: precompress.ReasonLarger,
				gz: precompress.ReasonLarger}},
		{name: "shrinks to nothing",
			change: func(t *testing.T, dir string, _ *precompress.Options) { overwrite(t, dir, tree{"app.js": ""}) },
			removed: map[string]precompress.Reason{br: precompress.ReasonTooSmall, zst: precompress.ReasonTooSmall,
				gz: precompress.ReasonTooSmall}},
		{name: "source deleted",
			change: func(t *testing.T, dir string, _ *precompress.Options) { remove(t, dir, "app.js") },
			removed: map[string]precompress.Reason{br: precompress.ReasonSourceGone, zst: precompress.ReasonSourceGone,
				gz: precompress.ReasonSourceGone}},
		{name: "source renamed",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				must(t, os.Rename(filepath.Join(dir, "app.js"), filepath.Join(dir, "new.js")))
			},
			want: outcome("written new", siblings("new.js")...),
			removed: map[string]precompress.Reason{br: precompress.ReasonSourceGone, zst: precompress.ReasonSourceGone,
				gz: precompress.ReasonSourceGone}},
		{name: "source deleted, a foreign file in a variant's place",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				remove(t, dir, "app.js")
				overwrite(t, dir, tree{br: "mine"})
			},
			removed: map[string]precompress.Reason{zst: precompress.ReasonSourceGone, gz: precompress.ReasonSourceGone}},
		{name: "source excluded",
			change: func(_ *testing.T, _ string, o *precompress.Options) { o.Exclude = []string{"*.js"} },
			removed: map[string]precompress.Reason{br: precompress.ReasonExcluded, zst: precompress.ReasonExcluded,
				gz: precompress.ReasonExcluded}},
		{name: "directory excluded",
			change: func(_ *testing.T, _ string, o *precompress.Options) { o.Exclude = []string{"sub"} },
			removed: map[string]precompress.Reason{"sub/app.css.br": precompress.ReasonExcluded, "sub/app.css.zst": precompress.ReasonExcluded,
				"sub/app.css.gz": precompress.ReasonExcluded}},
		{name: "coding no longer chosen",
			change: func(_ *testing.T, _ string, o *precompress.Options) {
				o.Codings = []manifest.Coding{manifest.Gzip, manifest.Brotli}
			},
			removed: map[string]precompress.Reason{zst: precompress.ReasonCodingNotChosen, "sub/app.css.zst": precompress.ReasonCodingNotChosen}},
		{name: "level changed",
			change: func(_ *testing.T, _ string, o *precompress.Options) { o.Levels[manifest.Gzip] = 9 },
			want: merge(outcome("written settings-changed", gz, "sub/app.css.gz"),
				outcome("omitted larger", "noise.bin.gz"), outcome("omitted incompressible", "big.bin.gz"))},
		{name: "a rule raises a level of one directory",
			change: func(_ *testing.T, _ string, o *precompress.Options) {
				o.Rules = []precompress.Rule{{Globs: []string{"sub/**"}, Levels: map[manifest.Coding]int{manifest.Gzip: 9}}}
			},
			want: outcome("written settings-changed", "sub/app.css.gz")},
		{name: "a rule takes codings away",
			change: func(_ *testing.T, _ string, o *precompress.Options) {
				o.Rules = []precompress.Rule{{Globs: []string{"*.css"}, Codings: []manifest.Coding{manifest.Gzip}}}
			},
			removed: map[string]precompress.Reason{"sub/app.css.br": precompress.ReasonCodingNotChosen, "sub/app.css.zst": precompress.ReasonCodingNotChosen}},
		{name: "a rule excludes",
			change: func(_ *testing.T, _ string, o *precompress.Options) {
				o.Rules = []precompress.Rule{{Globs: []string{"*.js"}, Exclude: true}}
			},
			removed: map[string]precompress.Reason{br: precompress.ReasonExcluded, zst: precompress.ReasonExcluded,
				gz: precompress.ReasonExcluded}},
		{name: "a rule excludes a directory",
			change: func(_ *testing.T, _ string, o *precompress.Options) {
				o.Rules = []precompress.Rule{{Globs: []string{"sub"}, Exclude: true}}
			},
			removed: map[string]precompress.Reason{"sub/app.css.br": precompress.ReasonExcluded, "sub/app.css.zst": precompress.ReasonExcluded,
				"sub/app.css.gz": precompress.ReasonExcluded}},
		{name: "rules that say what holds anyway",
			change: func(_ *testing.T, _ string, o *precompress.Options) {
				o.Rules = []precompress.Rule{{Globs: []string{"*"}, Codings: manifest.Codings(), Levels: fast().Levels},
					{Globs: []string{"*.js", "!app.js"}, Exclude: true}}
			}},
		{name: "encoder version changed",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				editManifest(t, dir, func(m *manifest.Manifest) {
					for i, a := range m.Assets {
						if a.Path == "app.js" {
							m.Assets[i].Variants[1].Encoder = "klauspost/zstd v0.0.1-1"
						}
					}
				})
			},
			want: outcome("reused encoder-changed", zst)}, // encoded again, to the same bytes
		{name: "variant deleted",
			change: func(t *testing.T, dir string, _ *precompress.Options) { remove(t, dir, zst) },
			want:   outcome("written missing", zst)},
		{name: "variant truncated",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				must(t, os.Truncate(filepath.Join(dir, gz), 100))
			},
			want: outcome("written damaged", gz)},
		{name: "variant emptied",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				must(t, os.Truncate(filepath.Join(dir, br), 0))
			},
			want: outcome("written damaged", br)},
		{name: "variant flipped by one byte, size and mtime kept",
			change: func(t *testing.T, dir string, _ *precompress.Options) { flip(t, dir, zst, 50) },
			want:   outcome("written damaged", zst)},
		{name: "minimum saving raised, lowered is below",
			change: func(_ *testing.T, _ string, o *precompress.Options) { o.MinSaving = precompress.SavePercent(99) },
			want:   outcome("omitted larger", br, zst, gz, "sub/app.css.br", "sub/app.css.zst", "sub/app.css.gz"),
			removed: map[string]precompress.Reason{br: precompress.ReasonLarger, zst: precompress.ReasonLarger, gz: precompress.ReasonLarger,
				"sub/app.css.br": precompress.ReasonLarger, "sub/app.css.zst": precompress.ReasonLarger, "sub/app.css.gz": precompress.ReasonLarger}},
		{name: "dominated variants dropped, none encoded anew",
			change:  func(_ *testing.T, _ string, o *precompress.Options) { o.DropDominated = true },
			want:    outcome("omitted dominated", zst),
			removed: map[string]precompress.Reason{zst: precompress.ReasonDominated}},
		{name: "foreign file where a variant is omitted, decodes",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				overwrite(t, dir, tree{"noise.bin.gz": encode(t, manifest.Gzip, noise(300, 1))})
			},
			want:    outcome("omitted larger", "noise.bin.gz"),
			removed: map[string]precompress.Reason{"noise.bin.gz": precompress.ReasonLarger}},
		{name: "temporary file left over",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				overwrite(t, dir, tree{"sub/.precompress-0123456789abcdef.tmp": "x"})
			},
			removed: map[string]precompress.Reason{"sub/.precompress-0123456789abcdef.tmp": precompress.ReasonLeftover}},
		{name: "not quite a temporary file of ours",
			change: func(t *testing.T, dir string, _ *precompress.Options) {
				overwrite(t, dir, tree{"sub/.precompress-0123456789abcdeg.tmp": "x", ".precompress-.tmp": ""})
			}},
		{name: "forced",
			change: func(_ *testing.T, _ string, o *precompress.Options) { o.Force = true },
			want: merge(outcome("reused forced", br, zst, gz, "sub/app.css.br", "sub/app.css.zst", "sub/app.css.gz"),
				outcome("omitted larger", siblings("noise.bin")...), outcome("omitted incompressible", siblings("big.bin")...))},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := plant(t, base())
			opts := fast()
			build(t, dir, opts)
			before := snapshot(t, dir)
			tt.change(t, dir, &opts)
			p := plan(t, dir, opts)
			if p.UpToDate() != (tt.want == nil && tt.removed == nil) {
				t.Errorf("up to date: %v", p.UpToDate())
			}
			report := build(t, dir, opts)
			got := outcomes(report)
			for name, outcome := range got {
				if outcome == "reused fresh" || tt.want[name] == "" && strings.HasPrefix(outcome, "omitted ") {
					delete(got, name)
				}
			}
			if tt.want == nil {
				tt.want = map[string]string{}
			}
			sameSnapshot(t, tt.want, got)
			removed := map[string]precompress.Reason{}
			for _, r := range report.Removed {
				removed[r.Path] = r.Reason
			}
			if tt.removed == nil {
				tt.removed = map[string]precompress.Reason{}
			}
			sameSnapshot(t, tt.removed, removed)
			wantTrue(t, dir, dir)
			opts.Force = false
			wantIdle(t, dir, opts)
			wantAsFromScratch(t, dir, opts)
			after := snapshot(t, dir)
			for name := range before { // what the report says is reused was not written
				if got := outcomes(report)[name]; got == "reused fresh" && !after[name].Time.Equal(before[name].Time) {
					t.Errorf("%s: %s, but its mtime changed", name, got)
				}
			}
		})
	}
}

// wantAsFromScratch checks that a tree, manifest included, is the same as after a
// first build of its sources and foreign files.
func wantAsFromScratch(t *testing.T, dir string, opts precompress.Options) {
	t.Helper()
	fresh := t.TempDir()
	must(t, os.CopyFS(fresh, os.DirFS(dir)))
	clean(t, fresh, opts)
	build(t, fresh, opts)
	sameSnapshot(t, contents(t, fresh), contents(t, dir))
}

func outcome(what string, names ...string) map[string]string {
	out := make(map[string]string)
	for _, n := range names {
		out[n] = what
	}
	return out
}

func merge(maps ...map[string]string) map[string]string {
	out := make(map[string]string)
	for _, m := range maps {
		for k, v := range m {
			out[k] = v
		}
	}
	return out
}

// plantOver replaces contents and keeps the mtime.
func plantOver(t *testing.T, dir string, files tree) {
	t.Helper()
	plantIn(t, dir, files)
}

func remove(t *testing.T, dir, name string) {
	t.Helper()
	must(t, os.Remove(filepath.Join(dir, name)))
}

// flip changes one byte of a file and none of its attributes.
func flip(t *testing.T, dir, name string, at int) {
	t.Helper()
	file := filepath.Join(dir, name)
	info, err := os.Stat(file)
	must(t, err)
	data, err := os.ReadFile(file)
	must(t, err)
	data[at] ^= 0x10
	must(t, os.WriteFile(file, data, 0o644))
	must(t, os.Chtimes(file, info.ModTime(), info.ModTime()))
}

func editManifest(t *testing.T, dir string, edit func(*manifest.Manifest)) {
	t.Helper()
	m := loadManifest(t, dir)
	edit(m)
	data, err := m.Encode()
	must(t, err)
	overwrite(t, dir, tree{manifest.Name: string(data)})
}

// TestTouchedSource checks that the variants get the new mtime of their source, and
// are not written again: bytes and inode stay the same.
func TestTouchedSource(t *testing.T) {
	dir := plant(t, base())
	build(t, dir, fast())
	before, err := os.Stat(filepath.Join(dir, "app.js.br"))
	must(t, err)
	now := time.Now().Add(-time.Minute)
	must(t, os.Chtimes(filepath.Join(dir, "app.js"), now, now))
	recorded := snapshot(t, dir)[manifest.Name]
	build(t, dir, fast())
	after, err := os.Stat(filepath.Join(dir, "app.js.br"))
	must(t, err)
	if !os.SameFile(before, after) {
		t.Error("the variant was written again")
	}
	if !after.ModTime().Equal(now.Truncate(0)) && after.ModTime().Sub(now).Abs() > time.Microsecond {
		t.Errorf("mtime %v, want %v", after.ModTime(), now)
	}
	sameSnapshot(t, recorded, snapshot(t, dir)[manifest.Name])
	wantTrue(t, dir, dir)
}

// TestManifestLost covers a manifest that is missing, truncated, from a newer version
// or something else entirely. Files that decode are adopted, and no other is touched.
func TestManifestLost(t *testing.T) {
	for name, damage := range map[string]func(string) string{
		"missing":       func(string) string { return "" },
		"truncated":     func(s string) string { return s[:len(s)/2] },
		"newer version": func(s string) string { return strings.Replace(s, `"version": 1`, `"version": 2, "new": []`, 1) },
		"garbage":       func(string) string { return "\x00\x01" },
		"odd version":   func(string) string { return `{"version": "x"}` },
	} {
		t.Run(name, func(t *testing.T) {
			dir := plant(t, base())
			build(t, dir, fast())
			remove(t, dir, "sub/app.css") // nobody can know its variants any more
			good := snapshot(t, dir)
			damaged := damage(good[manifest.Name].Content)
			remove(t, dir, manifest.Name)
			if damaged != "" {
				overwrite(t, dir, tree{manifest.Name: damaged})
			}
			report := build(t, dir, fast())
			if (len(report.Warnings) == 1) != (damaged != "") {
				t.Errorf("warnings: %v", report.Warnings)
			}
			if len(report.Removed) != 0 {
				t.Errorf("removed: %v", report.Removed)
			}
			for _, s := range siblings("app.js") {
				if got := outcomes(report)[s]; got != "adopted new" {
					t.Errorf("%s: %s", s, got)
				}
			}
			wantTrue(t, dir, dir)
			wantIdle(t, dir, fast())
			after := snapshot(t, dir)
			for _, s := range append(siblings("app.js", "sub/app.css"), "app.js") {
				sameSnapshot(t, good[s], after[s])
			}
		})
		t.Run(name+", clean", func(t *testing.T) {
			dir := plant(t, base())
			build(t, dir, fast())
			damaged := damage(contents(t, dir)[manifest.Name])
			remove(t, dir, manifest.Name)
			if damaged != "" {
				overwrite(t, dir, tree{manifest.Name: damaged})
			}
			before := snapshot(t, dir)
			clean(t, dir, fast())
			sameSnapshot(t, before, snapshot(t, dir))
		})
	}
}

// TestManifestNotOurs checks that someone else's file with the manifest's name is
// neither overwritten nor removed.
func TestManifestNotOurs(t *testing.T) {
	for _, content := range []string{`{"name": "app"}`, "{}", "[1]"} {
		dir := plant(t, tree{"app.js": text(3000, 1), manifest.Name: content})
		before := snapshot(t, dir)
		if _, err := precompress.Build(t.Context(), dir, fast()); !errors.Is(err, precompress.ErrInvalidOptions) {
			t.Errorf("build: %v", err)
		}
		sameSnapshot(t, before, snapshot(t, dir))
	}
}

// TestManifestNames checks that a manifest cannot have a variant's name, or replace a
// source.
func TestManifestNames(t *testing.T) {
	dir := plant(t, tree{"app.js": text(3000, 1)})
	for _, name := range []string{"app.js.br", "x.gz", "app.js", "sub/m.json"} {
		opts := fast()
		opts.Manifest = filepath.Join(dir, name)
		if err := precompress.Validate([]string{dir}, opts); err == nil {
			t.Errorf("%s was accepted as a manifest name", name)
		}
	}
}

// TestFarTimes checks that a tree can be up to date even if a source has a
// modification time that the system call cannot set.
func TestFarTimes(t *testing.T) {
	dir := plant(t, tree{"app.js": text(3000, 1)})
	far := time.Date(2300, 1, 1, 0, 0, 0, 0, time.UTC)
	if out, err := exec.Command("touch", "-d", "2300-01-01T00:00:00Z", filepath.Join(dir, "app.js")).CombinedOutput(); err != nil {
		t.Skipf("touch: %v: %s", err, out)
	}
	info, err := os.Stat(filepath.Join(dir, "app.js"))
	must(t, err)
	if !info.ModTime().Equal(far) {
		t.Skipf("the file system cannot store such a time: %v", info.ModTime())
	}
	build(t, dir, fast())
	wantIdle(t, dir, fast())
}

// TestManifestHostile checks that whatever a manifest says, neither build nor clean
// touches a source or anything outside the tree.
func TestManifestHostile(t *testing.T) {
	secret := text(500, 3)
	digest := manifest.Sum([]byte(secret))
	variants := fmt.Sprintf(`"size": 9, "xxh64": "0000000000000009", "original": true, "variants": [{"coding": "br", "level": 2, "encoder": "x", "size": %d, "xxh64": "%s"}]`, len(secret), digest)
	for name, path := range map[string]string{
		"with ..":               `"path": "../outside/victim"`,
		"with .. inside":        `"path": "sub/../../outside/victim"`,
		"absolute":              `"path": "ABSOLUTE/victim"`,
		"symlinked parent":      `"path": "link/victim"`,
		"symlinked deep parent": `"path": "sub/link/victim"`,
		"symlinked file":        `"path": "filelink"`,
		"base64 with ..":        `"path_base64": "Li4vb3V0c2lkZS92aWN0aW0="`,
		"a link that loops":     `"path": "loop/victim"`,
		"empty":                 `"path": ""`,
		"the root":              `"path": "."`,
	} {
		for _, verb := range []string{"build", "clean", "forced"} {
			t.Run(name+" "+verb, func(t *testing.T) {
				parent := t.TempDir()
				dir, outside := filepath.Join(parent, "dir"), filepath.Join(parent, "outside")
				plantIn(t, parent, tree{"outside/victim.br": secret, "outside/victim": "x", "dir/sub/": "", "dir/app.js": text(2000, 1),
					"dir/link": "-> ../outside", "dir/sub/link": "-> " + outside, "dir/filelink.br": "-> ../outside/victim.br", "dir/loop": "-> loop"})
				record := `{"version": 1, "assets": [{` + strings.Replace(path, "ABSOLUTE", outside, 1) + `, ` + variants + `}]}`
				plantIn(t, dir, tree{manifest.Name: record})
				before := snapshot(t, outside)
				opts := fast()
				opts.FollowSymlinks = true
				if verb == "clean" {
					// A tree whose manifest lists copied originals is an error.
					plantIn(t, dir, tree{manifest.Name: strings.Replace(record, `"original": true, `, "", 1)})
					report := clean(t, dir, opts)
					if len(report.Failures) > 0 {
						t.Errorf("failures: %v", report.Failures)
					}
				} else {
					opts.Force = verb == "forced"
					build(t, dir, opts)
					wantFiles(t, dir, siblings("app.js")...)
				}
				sameSnapshot(t, before, snapshot(t, outside))
				wantFiles(t, dir, "link", "sub/link", "filelink.br", "loop", "app.js")
			})
		}
	}
}

// TestDirectoryBecameLink replaces a directory by a link to another one in the tree.
// The old records must not be applied to the other directory's variants.
func TestDirectoryBecameLink(t *testing.T) {
	for _, follow := range []bool{false, true} {
		dir := plant(t, tree{"one/a.js": text(2000, 1), "two/a.js": text(2000, 1)})
		opts := fast()
		opts.FollowSymlinks = follow
		build(t, dir, opts)
		must(t, os.RemoveAll(filepath.Join(dir, "one")))
		must(t, os.Symlink("two", filepath.Join(dir, "one")))
		report := build(t, dir, opts)
		if len(report.Removed) > 0 {
			t.Errorf("removed %v", report.Removed)
		}
		wantFiles(t, dir, siblings("two/a.js")...)
		wantTrue(t, dir, dir)
		wantIdle(t, dir, opts)
	}
	// A variant that was written through a link is still ours when links are no longer
	// followed.
	dir := plant(t, tree{".store/a.js": text(2000, 1), "link": "-> .store"})
	opts := fast()
	opts.FollowSymlinks = true
	build(t, dir, opts)
	wantFiles(t, dir, siblings(".store/a.js")...)
	build(t, dir, fast())
	wantNoFiles(t, dir, siblings(".store/a.js")...)
	wantFiles(t, dir, ".store/a.js")
}

// TestClean checks that clean removes exactly what builds wrote.
func TestClean(t *testing.T) {
	files := base()
	files["other.js"] = text(2000, 5)
	files["bundle.tar.gz"] = "archive"
	files["notes.br"] = "mine"
	dir := plant(t, files)
	before := contents(t, dir)
	build(t, dir, fast())
	overwrite(t, dir, tree{"other.js.gz": "put here by someone else", ".precompress-0123456789abcdef.tmp": "left over"})
	report := clean(t, dir, fast())
	before["other.js.gz"] = "put here by someone else"
	sameSnapshot(t, before, contents(t, dir))
	var last string
	for _, r := range report.Removed {
		if r.Path < last {
			t.Errorf("%q is listed after %q", r.Path, last)
		}
		last = r.Path
	}
	if got := skips(report.Skipped)["other.js.gz"]; got != precompress.ReasonModified {
		t.Errorf("other.js.gz: %q", got)
	}
	again := snapshot(t, dir)
	clean(t, dir, fast())
	sameSnapshot(t, again, snapshot(t, dir))
}

// TestCleanOutMissing checks that there is nothing to clean if the output directory
// does not exist.
func TestCleanOutMissing(t *testing.T) {
	dir := plant(t, base())
	opts := fast()
	opts.Out = filepath.Join(t.TempDir(), "none")
	tree, err := precompress.OpenReadOnly(t.Context(), dir, opts)
	must(t, err)
	defer tree.Close()
	p, err := tree.PlanClean(t.Context())
	must(t, err)
	if len(p.Orphans) > 0 || exists(opts.Out, "") {
		t.Errorf("orphans %v; the directory exists: %v", p.Orphans, exists(opts.Out, ""))
	}
	report, err := tree.Clean(t.Context(), p)
	must(t, err)
	if len(report.Removed) > 0 || exists(opts.Out, "") {
		t.Errorf("removed %v; the directory exists: %v", report.Removed, exists(opts.Out, ""))
	}
	built, err := tree.Plan(t.Context())
	must(t, err)
	if _, err := tree.Run(t.Context(), built); !errors.Is(err, precompress.ErrReadOnly) {
		t.Errorf("run: error %v", err)
	}
}

// TestPlanOfAnotherTree checks that a plan can only be run by the Tree that made it.
func TestPlanOfAnotherTree(t *testing.T) {
	dir := plant(t, base())
	build(t, dir, fast())
	ctx := t.Context()
	opts := fast()
	opts.Cache = newMemoryCache()
	made, err := precompress.OpenUnlocked(ctx, dir, opts)
	must(t, err)
	defer made.Close()
	p, err := made.Plan(ctx)
	must(t, err)
	c, err := made.PlanClean(ctx)
	must(t, err)
	before := snapshot(t, dir)
	other, err := precompress.Open(ctx, dir, opts)
	must(t, err)
	defer other.Close()
	for what, do := range map[string]func() error{
		"run nil":    func() error { _, err := other.Run(ctx, nil); return err },
		"clean nil":  func() error { _, err := other.Clean(ctx, nil); return err },
		"clean zero": func() error { _, err := other.Clean(ctx, &precompress.CleanPlan{}); return err },
		"run zero":   func() error { _, err := other.Run(ctx, &precompress.Plan{}); return err },
		"run":        func() error { _, err := other.Run(ctx, p); return err },
		"clean":      func() error { _, err := other.Clean(ctx, c); return err },
		"problems":   func() error { _, err := other.Problems(ctx, p); return err },
		"fill":       func() error { _, err := other.FillCache(ctx, p, precompress.Shard{Index: 1, Count: 1}); return err },
	} {
		if err := do(); !errors.Is(err, precompress.ErrOtherTree) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	sameSnapshot(t, before, snapshot(t, dir))
}

// TestStalePlan: what was planned before the tree was cleaned, run or closed is not
// carried out, nor believed.
func TestStalePlan(t *testing.T) {
	dir := plant(t, base())
	build(t, dir, fast())
	ctx := t.Context()
	opened, err := precompress.Open(ctx, dir, fast())
	must(t, err)
	p, err := opened.Plan(ctx)
	must(t, err)
	c, err := opened.PlanClean(ctx)
	must(t, err)
	_, err = opened.Clean(ctx, c)
	must(t, err)
	if _, err := opened.Run(ctx, p); !errors.Is(err, precompress.ErrStalePlan) {
		t.Errorf("run after clean: error %v", err)
	}
	p, err = opened.Plan(ctx)
	must(t, err)
	_, err = opened.Run(ctx, p)
	must(t, err)
	if _, err := opened.Problems(ctx, p); !errors.Is(err, precompress.ErrStalePlan) {
		t.Errorf("problems after run: error %v", err)
	}
	p, err = opened.Plan(ctx)
	must(t, err)
	must(t, opened.Close())
	if _, err := opened.Run(ctx, p); !errors.Is(err, precompress.ErrStalePlan) {
		t.Errorf("run after close: error %v", err)
	}
	wantTrue(t, dir, dir)
}

// TestCleanSome: a file that is taken out of a plan stays, and so does the manifest,
// which lists it.
func TestCleanSome(t *testing.T) {
	dir := plant(t, base())
	build(t, dir, fast())
	opened, err := precompress.OpenReadOnly(t.Context(), dir, fast())
	must(t, err)
	defer opened.Close()
	c, err := opened.PlanClean(t.Context())
	must(t, err)
	kept := c.Orphans[0].Path
	c.Orphans = c.Orphans[1:]
	_, err = opened.Clean(t.Context(), c)
	must(t, err)
	wantFiles(t, dir, kept, manifest.Name)
	wantNoFiles(t, dir, c.Orphans[0].Path)

	c, err = opened.PlanClean(t.Context())
	must(t, err)
	c.Orphans = []precompress.Orphan{{Path: "app.js"}} // as many as were planned
	_, err = opened.Clean(t.Context(), c)
	must(t, err)
	wantFiles(t, dir, kept, manifest.Name, "app.js")
}

// TestCleanBadManifest: a manifest that cannot be read stays, also if its warning is
// taken out of the plan.
func TestCleanBadManifest(t *testing.T) {
	dir := plant(t, base())
	build(t, dir, fast())
	overwrite(t, dir, tree{manifest.Name: `{"version": bad`})
	opened, err := precompress.OpenReadOnly(t.Context(), dir, fast())
	must(t, err)
	defer opened.Close()
	c, err := opened.PlanClean(t.Context())
	must(t, err)
	c.Warnings = nil
	_, err = opened.Clean(t.Context(), c)
	must(t, err)
	wantFiles(t, dir, manifest.Name)
}

// TestCleanUnlocked: without the lock nothing is removed.
func TestCleanUnlocked(t *testing.T) {
	dir := plant(t, base())
	build(t, dir, fast())
	before := snapshot(t, dir)
	opened, err := precompress.OpenUnlocked(t.Context(), dir, fast())
	must(t, err)
	defer opened.Close()
	c, err := opened.PlanClean(t.Context())
	must(t, err)
	if _, err := opened.Clean(t.Context(), c); !errors.Is(err, precompress.ErrReadOnly) {
		t.Errorf("error %v", err)
	}
	sameSnapshot(t, before, snapshot(t, dir))
}

// TestManifestNamedAsVariant: the manifest never takes the name of a variant.
func TestManifestNamedAsVariant(t *testing.T) {
	dir := plant(t, base())
	opts := fast()
	opts.Manifest = filepath.Join(dir, "app.js.br")
	if _, err := precompress.Build(t.Context(), dir, opts); !errors.Is(err, precompress.ErrInvalidOptions) {
		t.Errorf("error %v", err)
	}
}

// TestCleanOutputAsTree checks that an output directory cannot be cleaned as a tree:
// that would leave the copies of originals without a manifest that lists them.
func TestCleanOutputAsTree(t *testing.T) {
	dir := plant(t, base())
	opts := fast()
	opts.Out, opts.OutOriginals = filepath.Join(t.TempDir(), "out"), true
	build(t, dir, opts)
	before := snapshot(t, opts.Out)
	tree, err := precompress.OpenReadOnly(t.Context(), opts.Out, fast())
	must(t, err)
	defer tree.Close()
	if _, err := tree.PlanClean(t.Context()); !errors.Is(err, precompress.ErrInvalidOptions) {
		t.Errorf("clean: error %v", err)
	}
	sameSnapshot(t, before, snapshot(t, opts.Out))
}

// TestManifestElsewhere covers a manifest with another path. In the tree it is not an
// asset, and a file that is not a manifest is not overwritten.
func TestManifestElsewhere(t *testing.T) {
	dir := plant(t, base())
	for _, file := range []string{filepath.Join(t.TempDir(), "m.json"), filepath.Join(dir, "sub", "record.json")} {
		opts := fast()
		opts.Manifest = file
		build(t, dir, opts)
		wantNoFiles(t, dir, manifest.Name, "sub/record.json.gz")
		wantIdle(t, dir, opts)
		clean(t, dir, opts)
		sameSnapshot(t, contents(t, plant(t, base())), contents(t, dir))
	}
	for _, content := range []string{"{}", `{"name": 1}`, "text", `[{"version": 1}]`} {
		opts := fast()
		opts.Manifest = filepath.Join(plant(t, tree{"package.json": content}), "package.json")
		before := snapshot(t, dir)
		_, err := precompress.Build(t.Context(), dir, opts)
		if err == nil {
			t.Errorf("%s was accepted as a manifest", content)
		}
		sameSnapshot(t, before, snapshot(t, dir))
	}
}
