package precompress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/manifest"
)

// TestRuleSet checks that later rules override earlier ones, separately for each
// coding, and that what a rule excludes stays excluded.
func TestRuleSet(t *testing.T) {
	const br, zstd, gzip = manifest.Brotli, manifest.Zstd, manifest.Gzip
	levels := func(b, z, g int) map[manifest.Coding]int { return map[manifest.Coding]int{br: b, zstd: z, gzip: g} }
	opts, err := Options{
		Codings: []manifest.Coding{gzip, br},
		Levels:  map[manifest.Coding]int{br: 9},
		Rules: []Rule{
			{Globs: []string{"assets", "!*.map"}, Levels: map[manifest.Coding]int{br: 5, gzip: 3}},
			{Globs: []string{"assets/vendor/**"}, Codings: []manifest.Coding{zstd, br}, Levels: map[manifest.Coding]int{br: 6}},
			{Globs: []string{"raw", "!raw/keep.js"}, Exclude: true},
			{Globs: []string{"gone"}, Exclude: true},
			{Globs: []string{"gone/a.js"}, Codings: []manifest.Coding{gzip}},
		},
	}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	set, err := newRuleSet(opts)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]settings{
		"app.js":               {[]manifest.Coding{br, gzip}, levels(9, 19, 9)},
		"assets/app.js":        {[]manifest.Coding{br, gzip}, levels(5, 19, 3)},
		"assets/app.js.map":    {[]manifest.Coding{br, gzip}, levels(9, 19, 9)},
		"assets/vendor/lib.js": {[]manifest.Coding{br, zstd}, levels(6, 19, 3)},
		"assets/vendor/x.map":  {[]manifest.Coding{br, zstd}, levels(6, 19, 9)},
		"raw/keep.js":          {[]manifest.Coding{br, gzip}, levels(9, 19, 9)},
	} {
		if diff := cmp.Diff(want, set.of(name), cmp.AllowUnexported(settings{})); diff != "" || set.excludes(name) {
			t.Errorf("%s: excluded %v (-want +got):\n%s", name, set.excludes(name), diff)
		}
	}
	for _, name := range []string{"raw/a.js", "raw/deep/keep.js", "gone/a.js", "gone/b.js"} {
		if !set.excludes(name) {
			t.Errorf("%s is not excluded", name)
		}
	}
	for name, want := range map[string]bool{"raw": false, "gone": true, "gone/deep": true, "assets": false, "assets/vendor/deep": false} {
		if got := set.prunes(name); got != want {
			t.Errorf("%s: prunes %v", name, got)
		}
	}
}

// TestRulesOfEditedSource checks that a source that is planned again keeps the
// settings of its rules, and that its claims in the manifest follow them.
func TestRulesOfEditedSource(t *testing.T) {
	opts := Options{Rules: []Rule{{Globs: []string{"app.js"}, Codings: []manifest.Coding{manifest.Gzip}, Levels: map[manifest.Coding]int{manifest.Gzip: 3}}}}
	dir, report := edited(t, opts, strings.Repeat("second version\n", 90))
	if err := report.Err(); err != nil {
		t.Fatal(err)
	}
	if v := report.Assets[0].Variants; len(v) != 1 || v[0].Coding != manifest.Gzip || v[0].Status != Written {
		t.Errorf("variants: %v", v)
	}
	if err := os.Remove(filepath.Join(dir, "app.js.gz")); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, manifest.Name)); err != nil {
		t.Fatal(err)
	}
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
	if v := r.announced(t.Context(), p.Assets[0], tree.rootDirectory()).Variants; len(v) != 1 || v[0].Level != 3 {
		t.Errorf("announced: %v", v)
	}
}
