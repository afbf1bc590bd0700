package report

import (
	"slices"
	"strconv"

	"github.com/precompress/precompress/internal/page"
)

// releaseName is the name of a release. Names are long where a store made them.
type releaseName struct {
	raw   string
	Name  string // printable
	Short string // printable, for rows that have little room
}

// releaseNames are the names of all releases, the newest first.
type releaseNames []releaseName

// newReleaseNames shortens long names to their starts, or else to their ends, or else to
// numbers: to whatever makes all of them distinct.
func newReleaseNames(names []string) releaseNames {
	const most, left = 12, 8 // characters
	var all releaseNames
	for _, shorten := range []func(int, []rune) string{
		func(_ int, name []rune) string { return string(name[:left]) + "…" },
		func(_ int, name []rune) string { return "…" + string(name[len(name)-left:]) },
		func(i int, _ []rune) string { return "no. " + strconv.Itoa(i+1) },
	} {
		all = nil
		distinct := map[string]bool{}
		for i, raw := range names {
			name := page.Shown(raw)
			short := name
			if runes := []rune(name); len(runes) > most {
				short = shorten(i, runes)
			}
			distinct[short] = true
			all = append(all, releaseName{raw, name, short})
		}
		if len(distinct) == len(names) {
			break
		}
	}
	return all
}

// short returns the short name of a release.
func (r releaseNames) short(raw string) string {
	for _, n := range r {
		if n.raw == raw {
			return n.Short
		}
	}
	return page.Shown(raw)
}

// AreShort reports whether any name is shortened.
func (r releaseNames) AreShort() bool {
	return slices.ContainsFunc(r, func(n releaseName) bool { return n.Short != n.Name })
}
