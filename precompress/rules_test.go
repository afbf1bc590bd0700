package precompress_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestRulesApply checks that the manifest records each source's settings.
func TestRulesApply(t *testing.T) {
	dir := plant(t, tree{"app.js": text(2000, 1), "vendor/lib.js": text(2000, 2), "vendor/own/own.js": text(2000, 3)})
	opts := fast()
	opts.Codings = []manifest.Coding{manifest.Brotli, manifest.Gzip}
	opts.Rules = []precompress.Rule{
		{Globs: []string{"vendor"}, Levels: map[manifest.Coding]int{manifest.Brotli: 5, manifest.Zstd: 3}},
		{Globs: []string{"vendor/own/*"}, Codings: []manifest.Coding{manifest.Zstd, manifest.Brotli}, Levels: map[manifest.Coding]int{manifest.Brotli: 4}},
	}
	build(t, dir, opts)
	wantTrue(t, dir, dir)
	wantIdle(t, dir, opts)
	got := map[string]int{}
	for _, a := range loadManifest(t, dir).Assets {
		for _, v := range a.Variants {
			got[a.Path+v.Coding.Suffix()] = v.Level
		}
	}
	sameSnapshot(t, map[string]int{"app.js.br": 2, "app.js.gz": 1, "vendor/lib.js.br": 5, "vendor/lib.js.gz": 1,
		"vendor/own/own.js.br": 4, "vendor/own/own.js.zst": 3}, got)
}

// TestRulesPrune checks that a directory that a rule excludes is not walked, unless
// another glob of the rule can match something in it.
func TestRulesPrune(t *testing.T) {
	dir := plant(t, tree{"raw/a.js": text(2000, 1), "keep/a.js": text(2000, 1), "keep/b.js": text(2000, 1)})
	opts := fast()
	opts.Rules = []precompress.Rule{{Globs: []string{"raw"}, Exclude: true}, {Globs: []string{"keep", "!b.js"}, Exclude: true}}
	p := plan(t, dir, opts)
	sameSnapshot(t, map[string]precompress.Reason{"raw/": precompress.ReasonExcluded, "keep/a.js": precompress.ReasonExcluded}, skips(p.Skipped))
	if len(p.Assets) != 1 || p.Assets[0].Path != "keep/b.js" {
		t.Errorf("planned: %v", p.Assets)
	}
}

// TestRulesMemory checks that the memory for a source depends on its own settings.
func TestRulesMemory(t *testing.T) {
	dir := plant(t, tree{"huge.js": "", "plain/huge.js": ""})
	for _, name := range []string{"huge.js", "plain/huge.js"} {
		must(t, os.Truncate(filepath.Join(dir, name), 40<<20)) // sparse
	}
	opts := precompress.Options{MaxMemory: 260 << 20, Rules: []precompress.Rule{
		{Globs: []string{"plain"}, Codings: []manifest.Coding{manifest.Gzip}},
	}}
	p := plan(t, dir, opts)
	if len(p.Assets) != 1 || p.Assets[0].Path != "plain/huge.js" || skips(p.Skipped)["huge.js"] != precompress.ReasonOverMemory {
		t.Errorf("planned: %v, skipped: %v", p.Assets, p.Skipped)
	}
}

// TestBadRules checks that the error says which rule is wrong and why.
func TestBadRules(t *testing.T) {
	for name, tt := range map[string]struct {
		rule precompress.Rule
		want string
	}{
		"unknown coding":          {precompress.Rule{Globs: []string{"a"}, Codings: []manifest.Coding{"lzma"}}, `unknown coding "lzma": in the rule for "a"`},
		"no coding":               {precompress.Rule{Globs: []string{"a"}, Codings: []manifest.Coding{}}, `no coding is chosen: in the rule for "a"`},
		"unknown coding in level": {precompress.Rule{Globs: []string{"a"}, Levels: map[manifest.Coding]int{"lzma": 1}}, `unknown coding "lzma" in levels: in the rule for "a"`},
		"level too high":          {precompress.Rule{Globs: []string{"a", "b"}, Levels: map[manifest.Coding]int{manifest.Brotli: 12}}, `level 12 of br is out of range: choose from 0 to 11: in the rule for "a", "b"`},
		"bad glob":                {precompress.Rule{Globs: []string{"a", "!{b"}, Exclude: true}, `the glob "{b" is malformed`},
		"no glob":                 {precompress.Rule{Exclude: true}, "a rule has no glob"},
		"nothing":                 {precompress.Rule{Globs: []string{"a"}}, `it changes nothing: give codings or levels, or exclude the files: in the rule for "a"`},
		"too much": {precompress.Rule{Globs: []string{"a"}, Exclude: true, Codings: []manifest.Coding{manifest.Gzip}},
			`files that are left out have no codings or levels`},
	} {
		err := precompress.Validate(nil, precompress.Options{Rules: []precompress.Rule{tt.rule}})
		if !errors.Is(err, precompress.ErrInvalidOptions) || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
	heavy := precompress.Options{Codings: []manifest.Coding{manifest.Gzip}, MaxMemory: 40 << 20}
	must(t, precompress.Validate(nil, heavy))
	heavy.Rules = []precompress.Rule{{Globs: []string{"a"}, Codings: []manifest.Coding{manifest.Zstd}}}
	if err := precompress.Validate(nil, heavy); !errors.Is(err, precompress.ErrInvalidOptions) {
		t.Errorf("a rule that needs more than the memory limit: %v", err)
	}
}
