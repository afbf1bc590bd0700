package precompress_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/precompress/cache"
)

// TestDeltaMatching checks which file of an earlier release becomes the dictionary of
// an asset.
func TestDeltaMatching(t *testing.T) {
	t.Parallel()
	a, b, other := text(20000, 1), text(20000, 2), text(20000, 3)
	tests := map[string]struct {
		old, new tree
		pattern  string
		want     map[string]string // asset: dictionary
	}{
		"same path":              {tree{"app.js": a}, tree{"app.js": changed(a, "x")}, "", map[string]string{"app.js": "app.js"}},
		"same stable name":       {tree{"js/app-3f8a91c2.js": a}, tree{"js/app-77aa01bc.js": changed(a, "x")}, "", map[string]string{"js/app-77aa01bc.js": "js/app-3f8a91c2.js"}},
		"same path first":        {tree{"app-3f8a91c2.js": other, "app-77aa01bc.js": a}, tree{"app-3f8a91c2.js": other + a[:5000]}, "", map[string]string{"app-3f8a91c2.js": "app-3f8a91c2.js"}},
		"most in common":         {tree{"chunk-ABC123XY.js": a, "chunk-ABD123XY.js": b, "chunk-ABE123XY.js": other}, tree{"chunk-ZBC123XY.js": changed(b, "x")}, "", map[string]string{"chunk-ZBC123XY.js": "chunk-ABD123XY.js"}},
		"never across types":     {tree{"app-3f8a91c2.css": a, "app.css": a}, tree{"app-77aa01bc.js": changed(a, "x")}, "", map[string]string{}},
		"types in the group":     {tree{"app-1.css": a}, tree{"app-2.js": changed(a, "x")}, `-(\d+\.\w+)$`, map[string]string{}},
		"not across directories": {tree{"a/app-3f8a91c2.js": a}, tree{"b/app-77aa01bc.js": changed(a, "x")}, "", map[string]string{}},
		"unchanged":              {tree{"app.js": a}, tree{"app.js": a}, "", map[string]string{}},
		"not a candidate":        {tree{"app.png": a}, tree{"app.png": changed(a, "x")}, "", map[string]string{}},
		"hidden":                 {tree{".app.js": a}, tree{".app.js": changed(a, "x")}, "", map[string]string{}},
		"empty":                  {tree{"app.js": ""}, tree{"app.js": a}, "", map[string]string{}},
		"own pattern":            {tree{"app.v1.js": a}, tree{"app.v2.js": changed(a, "x")}, `\.v(\d+)\.`, map[string]string{"app.v2.js": "app.v1.js"}},
		"nothing in common":      {tree{"app.js": noise(9000, 1)}, tree{"app.js": noise(9000, 2)}, "", map[string]string{}},
		"incompressible both":    {tree{"app.wasm": noise(200000, 1)}, tree{"app.wasm": changed(noise(200000, 1), "x")}, "", map[string]string{"app.wasm": "app.wasm"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old, dir := plant(t, tt.old), plant(t, tt.new)
			opts := from(old)
			if tt.pattern != "" {
				var err error
				opts.Fingerprint, err = manifest.NewFingerprint(tt.pattern)
				must(t, err)
			}
			build(t, dir, opts)
			got := make(map[string]string)
			for delta, dictionary := range wantDeltas(t, dir, old) {
				asset, _, _, _ := manifest.SplitDelta(delta)
				got[asset] = dictionary
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if p := plan(t, dir, opts); !p.UpToDate() {
				t.Error("the tree is not up to date after the build")
			}
		})
	}
}

// TestDeltas checks what a build writes, and that the next one does nothing.
func TestDeltas(t *testing.T) {
	t.Parallel()
	a := text(30000, 1)
	b := changed(a, "a new word")
	old := plant(t, tree{"app-3f8a91c2.js": a, "same.css": text(4000, 4)})
	dir := plant(t, tree{"app-77aa01bc.js": b, "same.css": text(4000, 4), "new.html": text(3000, 5)})
	report := build(t, dir, from(old))
	if got := len(wantDeltas(t, dir, old)); got != 2 {
		t.Errorf("%d deltas", got)
	}
	names := deltaNames("app-77aa01bc.js", a)
	for _, name := range names {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if !info.ModTime().Equal(longAgo) || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: mtime %v, mode %v", name, info.ModTime(), info.Mode())
		}
	}
	for i, a := range loadManifest(t, dir).Assets {
		if want := []string{"app-*.js", "new.html", "same.css"}[i]; a.Match != want {
			t.Errorf("%s: match %q, want %q", a.Path, a.Match, want)
		}
	}
	release := filepath.Base(old)
	want := []precompress.Returning{{Release: release, Assets: 2}}
	stored := report.Sizes()
	for i, a := range report.Assets {
		smallest := a.Size
		for _, v := range stored[i].Variants {
			if v.Stored() {
				smallest = min(smallest, v.Size)
			}
		}
		switch a.Path {
		case "app-77aa01bc.js":
			want[0].Before += smallest
			want[0].After += min(a.Deltas[0].Size, a.Deltas[1].Size)
		case "new.html":
			want[0].Before += smallest
			want[0].After += smallest
		case "same.css":
			if !slices.Equal(a.Held, []string{release}) {
				t.Errorf("held by %q", a.Held)
			}
		}
	}
	if diff := cmp.Diff(want, report.Returning()); diff != "" || want[0].After >= want[0].Before {
		t.Errorf("-want +got:\n%s", diff)
	}
	before := snapshot(t, dir)
	p := plan(t, dir, from(old))
	if diff := cmp.Diff(want, p.Returning()); diff != "" || !p.UpToDate() {
		t.Errorf("up to date: %v\n%s", p.UpToDate(), diff)
	}
	if got, want := deltaStatuses(build(t, dir, from(old))), []string{"app-77aa01bc.js dcb: reused fresh", "app-77aa01bc.js dcz: reused fresh"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	sameSnapshot(t, before, snapshot(t, dir))
}

// TestDeltaRepair checks that a build repairs what was changed, and nothing else.
func TestDeltaRepair(t *testing.T) {
	t.Parallel()
	a := text(20000, 1)
	b := changed(a, "b")
	dcb := deltaNames("app.js", a)[0]
	path := func(dir string) string { return filepath.Join(dir, dcb) }
	tests := map[string]struct {
		do     func(t *testing.T, dir string, o *precompress.Options)
		status string
		kind   precompress.ProblemKind
	}{
		"missing": {func(t *testing.T, dir string, o *precompress.Options) { must(t, os.Remove(path(dir))) }, "written missing", precompress.ProblemMissing},
		"damaged": {func(t *testing.T, dir string, o *precompress.Options) {
			data, err := os.ReadFile(path(dir))
			must(t, err)
			data[len(data)-1] ^= 1
			must(t, os.WriteFile(path(dir), data, 0o644))
		}, "written damaged", precompress.ProblemDamaged},
		"mode": {func(t *testing.T, dir string, o *precompress.Options) { must(t, os.Chmod(path(dir), 0o600)) }, "reused metadata", precompress.ProblemMetadata},
		"level": {func(t *testing.T, dir string, o *precompress.Options) {
			o.Levels = map[manifest.Coding]int{manifest.Brotli: 5, manifest.Zstd: 1, manifest.Gzip: 1}
		}, "written settings-changed", precompress.ProblemStale},
		"forced": {func(t *testing.T, dir string, o *precompress.Options) { o.Force = true }, "reused forced", precompress.ProblemStale},
		"source": {func(t *testing.T, dir string, o *precompress.Options) {
			overwrite(t, dir, tree{"app.js": changed(b, "c")})
		}, "written source-changed", precompress.ProblemStale},
		"no manifest": {func(t *testing.T, dir string, o *precompress.Options) {
			must(t, os.Remove(filepath.Join(dir, manifest.Name)))
		}, "adopted new", precompress.ProblemForeign},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old, dir := plant(t, tree{"app.js": a}), plant(t, tree{"app.js": b})
			opts := from(old)
			build(t, dir, opts)
			before := contents(t, dir)
			tt.do(t, dir, &opts)
			wantProblem(t, dir, opts, precompress.Problem{Path: "app.js", Coding: manifest.DCB, Dictionary: dictionaryOf(a).Short(), Kind: tt.kind})
			report := build(t, dir, opts)
			if got := deltaStatuses(report)[0]; got != "app.js dcb: "+tt.status {
				t.Errorf("got %q", got)
			}
			wantDeltas(t, dir, old)
			if name == "missing" || name == "damaged" || name == "mode" || name == "no manifest" {
				sameSnapshot(t, before, contents(t, dir))
			}
			if !plan(t, dir, opts).UpToDate() && name != "forced" {
				t.Error("the tree is not up to date after the build")
			}
		})
	}
}

// wantProblem checks that a problem is found. Its text is not compared.
func wantProblem(t testing.TB, dir string, opts precompress.Options, want precompress.Problem) {
	t.Helper()
	look, err := precompress.OpenReadOnly(t.Context(), dir, opts)
	must(t, err)
	defer look.Close()
	p, err := look.Plan(t.Context())
	must(t, err)
	all, err := look.Problems(t.Context(), p)
	must(t, err)
	for i := range all {
		all[i].Text = ""
	}
	if !slices.Contains(all, want) {
		t.Errorf("problem %+v not found in %+v", want, all)
	}
}

// TestDeltaForeign checks that someone else's file is not overwritten.
func TestDeltaForeign(t *testing.T) {
	t.Parallel()
	a := text(20000, 1)
	name := deltaNames("app.js", a)[1]
	old := plant(t, tree{"app.js": a})
	dir := plant(t, tree{"app.js": changed(a, "b"), name: "mine"})
	report, err := precompress.Build(t.Context(), dir, from(old))
	must(t, err)
	if len(report.Failures) != 1 || !strings.Contains(report.Err().Error(), precompress.ErrForeign.Error()) {
		t.Fatalf("%v", report.Err())
	}
	if got := contents(t, dir)[name]; got != "mine" {
		t.Fatal("the file was overwritten")
	}
	wantFiles(t, dir, deltaNames("app.js", a)[0], "app.js.br")
	opts := from(old)
	opts.Force = true
	build(t, dir, opts)
	if got := len(wantDeltas(t, dir, old)); got != 2 {
		t.Errorf("%d deltas", got)
	}
}

// TestDeltaNames checks that deltas of an existing file are not sources, whoever wrote
// them.
func TestDeltaNames(t *testing.T) {
	t.Parallel()
	name := deltaNames("app.js", "x")[0]
	dir := plant(t, tree{"app.js": text(3000, 1), name: text(3000, 2)})
	opts := fast()
	opts.Exclude = []string{"!*.dcb"}
	report := build(t, dir, opts)
	if len(report.Assets) != 1 {
		t.Errorf("assets: %+v", report.Assets)
	}
	wantNoFiles(t, dir, name+".br")
}

// TestDeltaOrphans checks that deltas that are no longer wanted are removed, unless
// someone has changed them.
func TestDeltaOrphans(t *testing.T) {
	t.Parallel()
	a := text(20000, 1)
	names := deltaNames("app.js", a)
	tests := map[string]struct {
		do     func(t *testing.T, dir string, o *precompress.Options)
		gone   []string
		reason precompress.Reason
	}{
		"release gone": {func(t *testing.T, dir string, o *precompress.Options) { o.Previous = nil }, names, precompress.ReasonDictionaryGone},
		"another release": {func(t *testing.T, dir string, o *precompress.Options) {
			o.Previous = []string{plant(t, tree{"x.js": a})}
		}, names, precompress.ReasonDictionaryGone},
		"one coding": {func(t *testing.T, dir string, o *precompress.Options) { o.Deltas = []manifest.Coding{manifest.DCZ} },
			names[:1], precompress.ReasonCodingNotChosen},
		"none": {func(t *testing.T, dir string, o *precompress.Options) { o.Deltas = []manifest.Coding{} }, names, precompress.ReasonDictionaryGone},
		"source gone": {func(t *testing.T, dir string, o *precompress.Options) {
			must(t, os.Remove(filepath.Join(dir, "app.js")))
		},
			names, precompress.ReasonSourceGone},
		"excluded": {func(t *testing.T, dir string, o *precompress.Options) { o.Exclude = []string{"app.js"} }, names, precompress.ReasonExcluded},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			old, dir := plant(t, tree{"app.js": a}), plant(t, tree{"app.js": changed(a, "b"), "z.js": text(3000, 9)})
			opts := from(old)
			build(t, dir, opts)
			wantFiles(t, dir, names...)
			tt.do(t, dir, &opts)
			for _, gone := range tt.gone {
				_, short, c, _ := manifest.SplitDelta(gone)
				wantProblem(t, dir, opts, precompress.Problem{Path: gone, Coding: c, Dictionary: short, Kind: precompress.ProblemOrphan})
			}
			report := build(t, dir, opts)
			wantNoFiles(t, dir, tt.gone...)
			for _, gone := range tt.gone {
				if !slices.ContainsFunc(report.Removed, func(r precompress.Removed) bool { return r.Path == gone && r.Reason == tt.reason }) {
					t.Errorf("%s: removed %+v", gone, report.Removed)
				}
			}
			wantDeltas(t, dir, old)
			if !plan(t, dir, opts).UpToDate() {
				t.Error("the tree is not up to date after the build")
			}
		})
	}
	t.Run("changed", func(t *testing.T) {
		old, dir := plant(t, tree{"app.js": a}), plant(t, tree{"app.js": changed(a, "b")})
		build(t, dir, from(old))
		overwrite(t, dir, tree{names[0]: "mine"})
		report := build(t, dir, fast())
		if skips(report.Skipped)[names[0]] != precompress.ReasonModified || contents(t, dir)[names[0]] != "mine" {
			t.Errorf("skipped: %+v", report.Skipped)
		}
	})
}

// TestDeltaClean checks that clean leaves only the sources, without options for
// releases.
func TestDeltaClean(t *testing.T) {
	t.Parallel()
	a := text(20000, 1)
	old, dir := plant(t, tree{"app.js": a}), plant(t, tree{"app.js": changed(a, "b")})
	before := contents(t, dir)
	build(t, dir, from(old))
	clean(t, dir, fast())
	sameSnapshot(t, before, contents(t, dir))
}

// TestDeltaOut checks that deltas are written to the output directory.
func TestDeltaOut(t *testing.T) {
	t.Parallel()
	a := text(20000, 1)
	old, dir := plant(t, tree{"js/app.js": a}), plant(t, tree{"js/app.js": changed(a, "b")})
	opts := from(old)
	opts.Out, opts.OutOriginals = filepath.Join(t.TempDir(), "out"), true
	before := snapshot(t, dir)
	build(t, dir, opts)
	sameSnapshot(t, before, snapshot(t, dir))
	wantFiles(t, opts.Out, append(deltaNames("js/app.js", a), "js/app.js")...)
	wantDeltasIn(t, dir, opts.Out, old)
	if !plan(t, dir, opts).UpToDate() {
		t.Error("the tree is not up to date after the build")
	}
	opts.Previous = nil
	build(t, dir, opts)
	wantNoFiles(t, opts.Out, deltaNames("js/app.js", a)...)
}

// TestDeltaSame checks that the tree does not depend on the number of jobs or the
// cache.
func TestDeltaSame(t *testing.T) {
	t.Parallel()
	old, now := make(tree), make(tree)
	for i := range 12 {
		content := text(5000+500*i, uint64(i))
		old[fmt.Sprintf("d%d/chunk-A%dC123XY.js", i%2, i%10)] = content
		now[fmt.Sprintf("d%d/chunk-B%dD123XY.js", i%2, i%10)] = changed(content, "new")
	}
	older := plant(t, tree{"d0/chunk-A0C123XY.js": text(6000, 0)})
	previous := plant(t, old)
	kept, err := cache.Open(t.TempDir(), cache.Options{})
	must(t, err)
	defer kept.Close(t.Context())
	var first map[string]string
	for i, set := range []func(o *precompress.Options){
		func(o *precompress.Options) { o.Jobs = 1 },
		func(o *precompress.Options) { o.Jobs = 8 },
		func(o *precompress.Options) { o.Cache = kept },
		func(o *precompress.Options) { o.Cache = kept },
	} {
		dir := plant(t, now)
		opts := from(previous, older)
		set(&opts)
		report := build(t, dir, opts)
		for _, a := range report.Assets {
			for _, d := range a.Deltas {
				if d.Cached != (i == 3) {
					t.Errorf("%d: %s: cached: %v", i, a.Path, d.Cached)
				}
			}
		}
		if first == nil {
			first = contents(t, dir)
		}
		sameSnapshot(t, first, contents(t, dir))
	}
}

// TestDeltaShards checks that shards fill the cache with deltas too.
func TestDeltaShards(t *testing.T) {
	t.Parallel()
	a := text(20000, 1)
	old, dir := plant(t, tree{"app.js": a, "b.js": text(9000, 2)}), plant(t, tree{"app.js": changed(a, "b"), "b.js": text(9100, 2)})
	kept, err := cache.Open(t.TempDir(), cache.Options{})
	must(t, err)
	defer kept.Close(t.Context())
	opts := from(old)
	opts.Cache = kept
	for i := range 2 {
		if got := mustFill(t, dir, opts, i+1, 2).Total; got != 10 {
			t.Errorf("%d encodings", got)
		}
	}
	for _, a := range build(t, dir, opts).Assets {
		for _, d := range a.Deltas {
			if !d.Cached {
				t.Errorf("%s %s was encoded", a.Path, d.Coding)
			}
		}
	}
}

// TestDeltaDictionaries checks that content that several releases have in common is
// one dictionary.
func TestDeltaDictionaries(t *testing.T) {
	t.Parallel()
	a, b := text(20000, 1), changed(text(20000, 1), "b")
	first, second, third := plant(t, tree{"app.js": a}), plant(t, tree{"app.js": b}), plant(t, tree{"app.js": a})
	dir := plant(t, tree{"app.js": changed(b, "c")})
	report := build(t, dir, from(third, second, first))
	var got []string
	for _, d := range report.Assets[0].Deltas {
		got = append(got, fmt.Sprintf("%s %v %v %d", d.Coding, d.Release == filepath.Base(third), d.Release == filepath.Base(second), len(d.Others)))
	}
	if want := []string{"dcb true false 1", "dcz true false 1", "dcb false true 0", "dcz false true 0"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if all := report.Returning(); len(all) != 3 || all[0].After != all[2].After || all[0].After >= all[0].Before {
		t.Errorf("%+v", all)
	}
}

// TestDeltaRefused checks that no delta is tried where none could be used.
func TestDeltaRefused(t *testing.T) {
	t.Parallel()
	old, dir := plant(t, tree{"app.js": "x", "long": text(9000, 1)}), plant(t, tree{"app.js": text(20000, 1)})
	must(t, os.Truncate(filepath.Join(old, "app.js"), 50<<20+1))
	report := build(t, dir, from(old))
	if got, want := deltaStatuses(report), []string{"app.js dcb: omitted dictionary-too-large", "app.js dcz: omitted dictionary-too-large"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	if !plan(t, dir, from(old)).UpToDate() || len(loadManifest(t, dir).Assets[0].Deltas) != 0 {
		t.Error("the tree is not up to date after the build")
	}
	name := strings.Repeat("n", 240) + ".js"
	a := text(20000, 1)
	old, dir = plant(t, tree{name: a}), plant(t, tree{name: changed(a, "b")})
	if got := deltaStatuses(build(t, dir, from(old))); len(got) != 2 || !strings.HasSuffix(got[0], "omitted name-too-long") {
		t.Errorf("got %q", got)
	}
	opts := from(old)
	must(t, os.Remove(filepath.Join(old, name)))
	plantIn(t, old, tree{"app.js": "x"})
	must(t, os.Truncate(filepath.Join(old, "app.js"), 40<<20))
	opts.MaxMemory = 200 << 20
	dir = plant(t, tree{"app.js": text(20000, 1)})
	if got := deltaStatuses(build(t, dir, opts)); len(got) != 2 || !strings.HasSuffix(got[0], "omitted over-memory") {
		t.Errorf("got %q", got)
	}
	// Deltas that were made without the limit are removed.
	plantIn(t, old, tree{"app.js": changed(text(20000, 1), "b")})
	must(t, os.Truncate(filepath.Join(old, "app.js"), 8<<20))
	opts.MaxMemory = 0
	build(t, dir, opts)
	opts.MaxMemory = 90 << 20
	report = build(t, dir, opts)
	if len(report.Removed) == 0 || report.Removed[0].Reason != precompress.ReasonOverMemory {
		t.Errorf("removed %v, %q", report.Removed, deltaStatuses(report))
	}
}

// TestDeltaOmitted checks that a delta that is not worthwhile is recorded, and not
// tried again.
func TestDeltaOmitted(t *testing.T) {
	t.Parallel()
	old, dir := plant(t, tree{"app.js": text(9000, 1)}), plant(t, tree{"app.js": noise(9000, 2)})
	for _, want := range []string{"larger", "larger"} {
		if got := deltaStatuses(build(t, dir, from(old))); len(got) != 2 || got[0] != "app.js dcb: omitted "+want {
			t.Errorf("got %q", got)
		}
		if !plan(t, dir, from(old)).UpToDate() {
			t.Error("the tree is not up to date after the build")
		}
	}
	if d := loadManifest(t, dir).Assets[0].Deltas; len(d) != 2 || d[0].Omitted != manifest.Larger || d[0].Size == 0 {
		t.Errorf("%+v", d)
	}
}

// TestDeltaClaims checks that deltas of a killed run are recognized as ours, whether
// they are still wanted or not. A file that someone else wrote under a claimed name
// is not ours.
func TestDeltaClaims(t *testing.T) {
	t.Parallel()
	a := text(20000, 1)
	names := deltaNames("app.js", a)
	killed := func() (old, dir string) {
		old, dir = plant(t, tree{"app.js": a}), plant(t, tree{"app.js": changed(a, "b")})
		build(t, dir, from(old))
		m := loadManifest(t, dir)
		for i := range m.Assets[0].Deltas {
			d := &m.Assets[0].Deltas[i]
			d.Size, d.Digest, d.Stale = 0, 0, true
		}
		data, err := m.Encode()
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, manifest.Name), data, 0o644))
		return old, dir
	}
	old, dir := killed()
	build(t, dir, from(old))
	if got := len(wantDeltas(t, dir, old)); got != 2 {
		t.Errorf("%d deltas", got)
	}
	_, dir = killed()
	overwrite(t, dir, tree{names[1]: "mine"})
	build(t, dir, fast())
	wantNoFiles(t, dir, names[0])
	if contents(t, dir)[names[1]] != "mine" {
		t.Error("someone else's file was removed")
	}
}
