package report

import (
	"slices"
	"testing"

	"github.com/precompress/precompress/internal/page"
)

// TestReleaseNames: long names are shortened so that they can be told apart.
func TestReleaseNames(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ names, want []string }{
		{nil, nil},
		{[]string{"2", "v1.10.3-rc.1"}, []string{"2", "v1.10.3-rc.1"}},
		{[]string{"3fa2c3d2d4dd4d7a", "e565aa01bc3fa2c3"}, []string{"3fa2c3d2…", "e565aa01…"}},
		{[]string{"release-2026-01-02", "release-2026-01-03", "old"}, []string{"…26-01-02", "…26-01-03", "old"}},
		{[]string{"release-2026-01-02-candidate", "release-2026-01-03-candidate"}, []string{"no. 1", "no. 2"}},
		{[]string{" spaces in front"}, []string{`" spaces…`}},
	} {
		r := newReleaseNames(test.names)
		var short []string
		for _, n := range r {
			short = append(short, n.Short)
		}
		if !slices.Equal(short, test.want) {
			t.Errorf("%q are called %q, want %q", test.names, short, test.want)
		}
		if got, want := r.AreShort(), !slices.Equal(test.names, test.want); got != want {
			t.Errorf("%q are shortened: %v", test.names, got)
		}
		for i, name := range test.names {
			if r.short(name) != test.want[i] || r[i] != (releaseName{name, page.Shown(name), test.want[i]}) {
				t.Errorf("%q is called %q and listed as %+v", name, r.short(name), r[i])
			}
		}
	}
	if got := newReleaseNames([]string{"a"}).short("  other than these"); got != `"  other than these"` {
		t.Errorf("a release that is not listed is called %s", got)
	}
}
