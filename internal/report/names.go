package report

import (
	"slices"
	"strconv"

	"github.com/precompress/precompress/internal/page"
)

// shown returns a name as it stands on the page.
func shown(name string) string { return page.Shown(name) }

func shownAll(names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, shown(name))
	}
	return all
}

// releaseNames are the names of releases, which are long where a store made them, as
// they stand in rows that have little room.
type releaseNames struct {
	long, short []string
}

// newReleaseNames shortens long names to their starts, or else to their ends, or
// else to numbers, so that no two are alike.
func newReleaseNames(names []string) releaseNames {
	const most, left = 12, 8 // characters
	r := releaseNames{long: names}
	for _, shorten := range []func(int, []rune) string{
		func(_ int, name []rune) string { return string(name[:left]) + "…" },
		func(_ int, name []rune) string { return "…" + string(name[len(name)-left:]) },
		func(i int, _ []rune) string { return "no. " + strconv.Itoa(i+1) },
	} {
		r.short = nil
		for i, name := range names {
			text := shown(name)
			if runes := []rune(text); len(runes) > most {
				text = shorten(i, runes)
			}
			r.short = append(r.short, text)
		}
		if distinct(r.short) {
			break
		}
	}
	return r
}

func distinct(names []string) bool {
	sorted := slices.Sorted(slices.Values(names))
	return len(slices.Compact(sorted)) == len(names)
}

// of returns how a release is named in a row.
func (r releaseNames) of(name string) string {
	if i := slices.Index(r.long, name); i >= 0 {
		return r.short[i]
	}
	return shown(name)
}

func (r releaseNames) ofAll(names []string) []string {
	var all []string
	for _, name := range names {
		all = append(all, r.of(name))
	}
	return all
}

// releaseName is a release in the list of all.
type releaseName struct{ Short, Name string }

// List has all releases, the newest first.
func (r releaseNames) List() []releaseName {
	var all []releaseName
	for i, name := range r.long {
		all = append(all, releaseName{r.short[i], shown(name)})
	}
	return all
}

// AreShort reports whether any is shortened.
func (r releaseNames) AreShort() bool { return !slices.Equal(r.short, shownAll(r.long)) }
