package precompress_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSizes checks that the sizes after a build are those on disk, and that a plan of
// the same tree knows them.
func TestSizes(t *testing.T) {
	dir := plant(t, base())
	report := build(t, dir, fast())
	got := report.Sizes()
	m := loadManifest(t, dir)
	if len(got) != len(m.Assets) {
		t.Fatalf("%d assets, want %d", len(got), len(m.Assets))
	}
	for i, a := range m.Assets {
		for j, v := range a.Variants {
			if w := got[i].Variants[j]; got[i].Path != a.Path || w.Coding != v.Coding || w.Stored() != v.Stored() || v.Stored() && w.Size != v.Size {
				t.Errorf("%s: %+v, want %+v", got[i].Path, w, v)
			}
		}
	}
	fresh := plan(t, dir, fast())
	if diff := cmp.Diff(got, fresh.Sizes()); diff != "" {
		t.Errorf("planned (-built +planned):\n%s", diff)
	}
	overwrite(t, dir, tree{"app.js": text(3000, 9)})
	for _, v := range plan(t, dir, fast()).Sizes()[0].Variants {
		if v.Stored() || v.Omitted != "" {
			t.Errorf("a size is known before the build: %+v", v)
		}
	}
	totals := plan(t, dir, fast()).Totals()
	if totals[0].Failed != 1 || totals[0].Files != report.Totals()[0].Files-1 {
		t.Errorf("%+v", totals[0])
	}
}
