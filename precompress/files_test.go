package precompress_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestWhichFiles checks which files are built, and which are skipped for what reason.
func TestWhichFiles(t *testing.T) {
	js := text(2000, 1)
	name250 := strings.Repeat("n", 247) + ".js"
	name252 := strings.Repeat("n", 249) + ".js"
	tests := []struct {
		name    string
		files   tree
		options func(*precompress.Options)
		built   []string
		skipped map[string]precompress.Reason
		unix    bool // names or files that other systems do not have
	}{
		{name: "app.JS and .HTML (case)", files: tree{"app.JS": js, "INDEX.HTML": js, "LOGO.PNG": js},
			built: []string{"app.JS", "INDEX.HTML"}, skipped: map[string]precompress.Reason{"LOGO.PNG": precompress.ReasonCompressedType}},
		{name: "dotfiles and .well-known", files: tree{".env": js, ".git/config.js": js, ".well-known/security.txt": js, "a/.well-known/.x": js, "a/b.js": js},
			built: []string{".well-known/security.txt", "a/b.js"},
			skipped: map[string]precompress.Reason{".env": precompress.ReasonHidden, ".git/": precompress.ReasonHidden,
				"a/.well-known/.x": precompress.ReasonHidden}},
		{name: "spaces, + and %", files: tree{"a b.js": js, "a+b.js": js, "a%20b.js": js, " .js": js, "%.js": js}, unix: true,
			built: []string{"a b.js", "a+b.js", "a%20b.js", " .js", "%.js"}},
		{name: "newlines", files: tree{"a\nb.js": js, "\n": js, "a\x1b[31m.js": js}, unix: true, built: []string{"a\nb.js", "\n", "a\x1b[31m.js"}},
		{name: "non-UTF-8 bytes", files: tree{"caf\xe9.js": js, "\xff\xfe/\xfd": js}, unix: true, built: []string{"caf\xe9.js", "\xff\xfe/\xfd"}},
		{name: "250-byte names", files: tree{name250: js, name252: js}, unix: true,
			built: []string{name250}, skipped: map[string]precompress.Reason{name252: precompress.ReasonNameTooLong}},
		{name: "252-byte name without zstd", files: tree{name252: js}, unix: true, built: []string{name252},
			options: func(o *precompress.Options) { o.Codings = []manifest.Coding{manifest.Brotli, manifest.Gzip} }},
		{name: "deep trees", files: tree{strings.Repeat("deep/", 60) + "a.js": js}, built: []string{strings.Repeat("deep/", 60) + "a.js"}},
		{name: "deeper than a path may be long", files: tree{strings.Repeat(strings.Repeat("d", 200)+"/", 25) + "a.js": js}, unix: true,
			built: []string{strings.Repeat(strings.Repeat("d", 200)+"/", 25) + "a.js"}},
		{name: "empty and tiny files", files: tree{"empty.css": "", "tiny.txt": "aaaaaaaaaa"},
			skipped: map[string]precompress.Reason{"empty.css": precompress.ReasonTooSmall, "tiny.txt": precompress.ReasonTooSmall}},
		{name: "bundle.tar.gz and data.gz with no source", files: tree{"bundle.tar.gz": js, "data.gz": js, "x.tgz": js},
			skipped: map[string]precompress.Reason{"bundle.tar.gz": precompress.ReasonCompressedType,
				"data.gz": precompress.ReasonCompressedType, "x.tgz": precompress.ReasonCompressedType}},
		{name: "symlink to a file", files: tree{"a.js": js, "link.js": "-> a.js"}, built: []string{"a.js"},
			skipped: map[string]precompress.Reason{"link.js": precompress.ReasonSymlink}},
		{name: "symlink to a file, followed", files: tree{"a.js": js, "link.js": "-> a.js"}, built: []string{"a.js", "link.js"},
			options: func(o *precompress.Options) { o.FollowSymlinks = true }},
		{name: "symlink to a directory", files: tree{"sub/a.js": js, "link": "-> sub"}, built: []string{"sub/a.js"},
			skipped: map[string]precompress.Reason{"link": precompress.ReasonSymlink}},
		{name: "symlink to a directory walked in its own place, followed", files: tree{"sub/a.js": js, "link": "-> sub"}, built: []string{"sub/a.js"},
			options: func(o *precompress.Options) { o.FollowSymlinks = true },
			skipped: map[string]precompress.Reason{"link": precompress.ReasonSymlinkWalked}},
		{name: "symlink to a hidden directory, followed", files: tree{".store/a.js": js, "link": "-> .store"}, built: []string{"link/a.js"},
			options: func(o *precompress.Options) { o.FollowSymlinks = true },
			skipped: map[string]precompress.Reason{".store/": precompress.ReasonHidden}},
		{name: "symlink loop, followed", files: tree{"sub/a.js": js, "sub/up": "-> ..", "self": "-> self"}, built: []string{"sub/a.js"},
			options: func(o *precompress.Options) { o.FollowSymlinks = true },
			skipped: map[string]precompress.Reason{"sub/up": precompress.ReasonSymlinkWalked, "self": precompress.ReasonSymlinkAway}},
		{name: "symlink that leaves DIR, followed", files: tree{"etc": "-> /etc", "up.js": "-> ../x.js", "gone.js": "-> gone"},
			options: func(o *precompress.Options) { o.FollowSymlinks = true },
			skipped: map[string]precompress.Reason{"etc": precompress.ReasonSymlinkAway, "up.js": precompress.ReasonSymlinkAway, "gone.js": precompress.ReasonSymlinkAway}},
		{name: "over --max-size", files: tree{"big.js": js, "ok.js": js[:1000]}, built: []string{"ok.js"},
			options: func(o *precompress.Options) { o.MaxSize = 1999 },
			skipped: map[string]precompress.Reason{"big.js": precompress.ReasonTooLarge}},
		{name: "under --min-size", files: tree{"a.js": js, "b.js": js[:1999]}, built: []string{"a.js"},
			options: func(o *precompress.Options) { o.MinSize = 2000 },
			skipped: map[string]precompress.Reason{"b.js": precompress.ReasonTooSmall}},
		{name: "include, exclude and take in again", files: tree{"a.js": js, "a.map": js, "v/b.js": js, "w/b.js": js, "w/keep.js": js, "a.css": js},
			options: func(o *precompress.Options) {
				o.Include, o.Exclude = []string{"*.js", "*.map"}, []string{"*.map", "v/", "w/**", "!keep.js"}
			},
			built: []string{"a.js", "w/keep.js"},
			skipped: map[string]precompress.Reason{"a.map": precompress.ReasonExcluded, "a.css": precompress.ReasonNotIncluded,
				"v/b.js": precompress.ReasonExcluded, "w/b.js": precompress.ReasonExcluded}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.unix && runtime.GOOS != "linux" {
				t.Skip("this system does not allow such names")
			}
			dir := plant(t, tt.files)
			before := contents(t, dir)
			opts := fast()
			if tt.options != nil {
				tt.options(&opts)
			}
			report := build(t, dir, opts)
			want := set(files(t, plant(t, tt.files)))
			for _, name := range tt.built {
				name = strings.Replace(name, "link/", ".store/", 1)
				for _, c := range manifest.Codings() {
					if opts.Codings == nil || c != manifest.Zstd {
						want[name+c.Suffix()] = true
					}
				}
			}
			want[manifest.Name] = true
			sameSnapshot(t, want, keys(contents(t, dir)))
			if tt.skipped == nil {
				tt.skipped = map[string]precompress.Reason{}
			}
			if diff := cmp.Diff(tt.skipped, skips(report.Skipped)); diff != "" {
				t.Errorf("skipped (-want +got):\n%s", diff)
			}
			if !strings.HasPrefix(tt.name, "deeper") { // only an os.Root reaches that
				wantTrue(t, dir, dir)
			}
			again := snapshot(t, dir)
			build(t, dir, opts)
			sameSnapshot(t, again, snapshot(t, dir))
			clean(t, dir, opts)
			sameSnapshot(t, before, contents(t, dir))
		})
	}
}

func keys[V any](m map[string]V) map[string]bool {
	out := make(map[string]bool)
	for k := range m {
		out[k] = true
	}
	return out
}

// TestForeignSibling covers an app.js.br that exists before the first run.
func TestForeignSibling(t *testing.T) {
	js := text(3000, 1)
	strongest := func(c manifest.Coding) string {
		dir := plant(t, tree{"app.js": js})
		build(t, dir, precompress.Options{})
		return contents(t, dir)["app.js"+c.Suffix()]
	}
	for _, c := range manifest.Codings() {
		name := "app.js" + c.Suffix()
		small, large := strongest(c), encodeFlushing(t, c, js)
		ours := func() string {
			dir := plant(t, tree{"app.js": js})
			build(t, dir, fast())
			return contents(t, dir)[name]
		}()
		if len(small) >= len(ours) || len(large) <= len(ours) {
			t.Fatalf("%s: the test files do not have the sizes that the test needs: %d < %d < %d", c, len(small), len(ours), len(large))
		}
		t.Run(string(c)+" decodes and is smaller: stays and is ours", func(t *testing.T) {
			dir := plant(t, tree{"app.js": js, name: small})
			report := build(t, dir, fast())
			if got := outcomes(report)[name]; got != "adopted new" {
				t.Errorf("%s: %s", name, got)
			}
			if contents(t, dir)[name] != small {
				t.Error("the sibling was replaced")
			}
			wantTrue(t, dir, dir)
			wantIdle(t, dir, fast())
			must(t, os.Remove(filepath.Join(dir, "app.js")))
			build(t, dir, fast())
			wantNoFiles(t, dir, siblings("app.js")...)
		})
		t.Run(string(c)+" decodes and is larger: replaced", func(t *testing.T) {
			dir := plant(t, tree{"app.js": js, name: large})
			build(t, dir, fast())
			if contents(t, dir)[name] != ours {
				t.Error("the sibling was not replaced")
			}
			wantTrue(t, dir, dir)
		})
		stranger := []byte(small)
		stranger[len(stranger)/2] ^= 1
		for what, foreign := range map[string]string{
			"is of another source": encode(t, c, text(3000, 2)), "is empty": "", "is text": "hello", "is damaged": string(stranger),
			"is truncated": small[:len(small)-1], "has trailing bytes": small + "\x00", "has a second stream behind": small + encode(t, c, " "),
			"has much behind": small + noise(100<<10, 1), "is of the source's beginning": encode(t, c, js[:2000]),
		} {
			if what == "is text" && c == manifest.Gzip { // some browsers decode only the first member
				what, foreign = "is in two members", encode(t, c, js[:1000])+encode(t, c, js[1000:])
			}
			if c == manifest.Zstd && what == "is damaged" {
				continue // without a digest, a flipped bit may go unseen in what nothing uses
			}
			t.Run(string(c)+" "+what+": kept and reported", func(t *testing.T) {
				dir := plant(t, tree{"app.js": js, name: foreign, "other.js": js})
				for range 2 {
					report, err := precompress.Build(t.Context(), dir, fast())
					must(t, err)
					if len(report.Failures) != 1 || !errors.Is(report.Failures[0], precompress.ErrForeign) || !errors.Is(report.Err(), precompress.ErrForeign) {
						t.Fatalf("failures: %v", report.Failures)
					}
					if f := report.Failures[0]; f.Path != "app.js" || f.Coding != c || outcomes(report)[name] != "failed new" && outcomes(report)[name] != "failed settings-changed" {
						t.Errorf("failure: %v, outcome %q", f, outcomes(report)[name])
					}
					if contents(t, dir)[name] != foreign {
						t.Fatal("the sibling was changed")
					}
					wantTrue(t, dir, dir)
					wantFiles(t, dir, siblings("other.js", "app.js")...)
				}
				if plan(t, dir, fast()).UpToDate() {
					t.Error("the plan says that the tree is up to date")
				}
				forced := fast()
				forced.Force = true
				build(t, dir, forced)
				if contents(t, dir)[name] != ours {
					t.Error("force did not overwrite the sibling")
				}
				wantTrue(t, dir, dir)
				wantIdle(t, dir, fast())
			})
		}
	}
}

// wantIdle checks that a plan and a run agree that a tree is up to date.
func wantIdle(t testing.TB, dir string, opts precompress.Options) {
	t.Helper()
	p := plan(t, dir, opts)
	if !p.UpToDate() {
		t.Errorf("the plan is not idle: orphans %v, failures %v", p.Orphans, p.Failures)
		for _, task := range p.Assets {
			for _, s := range task.Steps {
				if s.Action != precompress.Keep && s.Action != precompress.Omit {
					t.Errorf("%s %s: %s because %s", task.Path, s.Coding, s.Action, s.Reason)
				}
			}
		}
	}
	before := snapshot(t, dir)
	report := build(t, dir, opts)
	for name, got := range outcomes(report) {
		if !strings.HasPrefix(got, "reused ") && !strings.HasPrefix(got, "omitted ") {
			t.Errorf("%s: %s", name, got)
		}
	}
	if len(report.Removed) > 0 {
		t.Errorf("removed %v", report.Removed)
	}
	sameSnapshot(t, before, snapshot(t, dir))
}

// TestDirectoryInTheWay covers a directory named app.js.br.
func TestDirectoryInTheWay(t *testing.T) {
	for _, force := range []bool{false, true} {
		dir := plant(t, tree{"app.js": text(2000, 1), "app.js.br/inner.js": text(2000, 2)})
		opts := fast()
		opts.Force = force
		report, err := precompress.Build(t.Context(), dir, opts)
		must(t, err)
		if len(report.Failures) != 1 || report.Failures[0].Coding != manifest.Brotli || !strings.Contains(report.Failures[0].Error(), "directory") {
			t.Errorf("failures: %v", report.Failures)
		}
		wantFiles(t, dir, append(siblings("app.js.br/inner.js"), "app.js.zst", "app.js.gz")...)
		wantTrue(t, dir, dir)
	}
}

// TestOutputsAreNoSources checks that our own output is never compressed again, even
// if archives are included and the source is gone.
func TestOutputsAreNoSources(t *testing.T) {
	dir := plant(t, tree{"app.js": text(2000, 1), "app.js.map": text(2000, 2), "data.gz": text(2000, 3)})
	opts := fast()
	opts.Exclude = []string{"!*.br", "!*.gz", "!*.zst"}
	build(t, dir, opts)
	want := append(siblings("app.js", "app.js.map", "data.gz"), "app.js", "app.js.map", "data.gz", manifest.Name)
	sameSnapshot(t, set(want), keys(contents(t, dir)))
	wantIdle(t, dir, opts)
	must(t, os.Remove(filepath.Join(dir, "app.js")))
	report := build(t, dir, opts)
	if len(report.Removed) != 3 {
		t.Errorf("removed %v", report.Removed)
	}
	want = append(siblings("app.js.map", "data.gz"), "app.js.map", "data.gz", manifest.Name)
	sameSnapshot(t, set(want), keys(contents(t, dir)))
	wantIdle(t, dir, opts)
}

func set(names []string) map[string]bool {
	out := make(map[string]bool)
	for _, n := range names {
		out[n] = true
	}
	return out
}

// TestSymlinkSibling checks that a symbolic link with a variant's name is never ours,
// whatever its target and whatever the manifest says.
func TestSymlinkSibling(t *testing.T) {
	for _, built := range []bool{false, true} {
		outside := plant(t, tree{"victim": "precious"})
		dir := plant(t, tree{"app.js": text(2000, 1)})
		if built {
			build(t, dir, fast())
			must(t, os.Remove(filepath.Join(dir, "app.js.br")))
		}
		must(t, os.Symlink(filepath.Join(outside, "victim"), filepath.Join(dir, "app.js.br")))
		for range 2 {
			report, err := precompress.Build(t.Context(), dir, fast())
			must(t, err)
			if !errors.Is(report.Err(), precompress.ErrForeign) || len(report.Failures) != 1 {
				t.Errorf("built %v: failures %v", built, report.Failures)
			}
			if e := snapshot(t, dir)["app.js.br"]; e.Mode&os.ModeSymlink == 0 {
				t.Errorf("built %v: the link was removed", built)
			}
		}
		forced := fast()
		forced.Force = true
		build(t, dir, forced)
		wantTrue(t, dir, dir)
		if got := contents(t, outside)["victim"]; got != "precious" {
			t.Errorf("the link's target was written to: %q", got)
		}
	}
}

// TestBadOptions checks that the error says what is wrong, and that nothing is
// written.
func TestBadOptions(t *testing.T) {
	dir := plant(t, tree{"app.js": text(2000, 1), "file": "x"})
	before := snapshot(t, dir)
	for name, tt := range map[string]struct {
		dir  string
		opts precompress.Options
		want error
	}{
		"level too high":     {dir, precompress.Options{Levels: map[manifest.Coding]int{manifest.Brotli: 12}}, precompress.ErrInvalidOptions},
		"level too low":      {dir, precompress.Options{Levels: map[manifest.Coding]int{manifest.Gzip: 0}}, precompress.ErrInvalidOptions},
		"unknown coding":     {dir, precompress.Options{Codings: []manifest.Coding{"lzma"}}, precompress.ErrInvalidOptions},
		"no coding":          {dir, precompress.Options{Codings: []manifest.Coding{}}, precompress.ErrInvalidOptions},
		"malformed glob":     {dir, precompress.Options{Include: []string{"[a"}}, precompress.ErrInvalidOptions},
		"empty exclude":      {dir, precompress.Options{Exclude: []string{"!"}}, precompress.ErrInvalidOptions},
		"negative size":      {dir, precompress.Options{MinSize: -1}, precompress.ErrInvalidOptions},
		"too little memory":  {dir, precompress.Options{MaxMemory: 1 << 20}, precompress.ErrInvalidOptions},
		"originals, no out":  {dir, precompress.Options{OutOriginals: true}, precompress.ErrInvalidOptions},
		"out inside":         {dir, precompress.Options{Out: filepath.Join(dir, "out")}, precompress.ErrInvalidOptions},
		"out around":         {dir, precompress.Options{Out: filepath.Dir(dir)}, precompress.ErrInvalidOptions},
		"a file as manifest": {dir, precompress.Options{Manifest: filepath.Join(dir, "app.js")}, precompress.ErrInvalidOptions},
		"missing directory":  {filepath.Join(dir, "none"), precompress.Options{}, os.ErrNotExist},
		"a file":             {filepath.Join(dir, "file"), precompress.Options{}, precompress.ErrNotDirectory},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := precompress.Build(context.Background(), tt.dir, tt.opts)
			if !errors.Is(err, tt.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error: %v", err)
			}
			sameSnapshot(t, before, snapshot(t, dir))
		})
	}
}
