package probe

import (
	"strings"

	"github.com/precompress/precompress/manifest"
)

// checkUse looks at Use-As-Dictionary of answers.
func (e *examination) checkUse(answers []*Answer) {
	for _, a := range answers {
		lines := a.Header.Values("Use-As-Dictionary")
		if len(lines) == 0 {
			continue
		}
		e.look(dictionaryUse, dictionaryAge)
		if _, err := parseUse(lines); err != nil && !e.found(dictionaryUse, "") {
			e.find(dictionaryUse, "", []*Answer{a}, "Use-As-Dictionary is %s: %s", shown(line(a.Header, "Use-As-Dictionary")), cause(err))
		}
		if !isFresh(a) && !e.found(dictionaryAge, "") {
			e.find(dictionaryAge, "", []*Answer{a}, "Use-As-Dictionary with Cache-Control %s", orNone(line(a.Header, "Cache-Control")))
		}
	}
	e.checkBuildUse(answers)
}

// isFresh reports whether clients may use an answer without asking, for some time.
func isFresh(a *Answer) bool { return lifetime(a.Header) > 0 }

// checkBuildUse compares Use-As-Dictionary with what the build wants the asset to be
// a dictionary for. An answer that clients have to validate at each use can be no
// dictionary (RFC 9842, section 2.2.1), so it needs no such field.
func (e *examination) checkBuildUse(answers []*Answer) {
	if e.asset == nil || e.asset.Match == "" {
		return
	}
	want := use{e.asset.Match, e.asset.DictionaryID}
	var without []*Answer
	for _, a := range answers {
		if !isWhole(a.Status) || !isFresh(a) {
			continue
		}
		e.look(useMissing, useDiffers)
		lines := a.Header.Values("Use-As-Dictionary")
		sent, err := parseUse(lines)
		switch {
		case len(lines) == 0:
			without = append(without, a)
		case err == nil && !e.sameUse(sent, want) && !e.found(useDiffers, ""):
			e.find(useDiffers, "", []*Answer{a}, "Use-As-Dictionary is %s, and the build has %s", shown(strings.Join(lines, ", ")), want)
		}
	}
	if len(without) > 0 && !e.found(useMissing, "") {
		e.find(useMissing, "", without, "no Use-As-Dictionary with %s, and the build has %s", codingList(without), want)
	}
}

// String returns the members as a field has them.
func (u use) String() string {
	text := `match="` + shown(u.match) + `"`
	if u.id != "" {
		text += `, id="` + shown(u.id) + `"`
	}
	return text
}

// sameUse reports whether two fields of an answer mean the same: patterns are relative
// to the URL that was asked for.
func (e *examination) sameUse(a, b use) bool {
	if a.id != b.id {
		return false
	}
	x, y := e.absoluteMatch(a.match), e.absoluteMatch(b.match)
	directory, name := e.directory()
	own := name == "" && e.asset != nil && b.match == manifest.QuoteMatch(e.name()) // an index page, by its directory
	return x == y || own && x == manifest.QuoteMatch(directory)
}

// absoluteMatch returns a pattern for paths, made absolute (URL Pattern standard, "is
// an absolute pathname").
func (e *examination) absoluteMatch(pattern string) string {
	if strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, `\/`) || strings.HasPrefix(pattern, "{/") {
		return pattern
	}
	directory, _ := e.directory()
	return manifest.QuoteMatch(directory) + pattern
}

// directory splits the path that is asked for, as it is sent.
func (e *examination) directory() (directory, name string) {
	asked := e.at.EscapedPath()
	slash := strings.LastIndexByte(asked, '/') + 1
	return asked[:slash], asked[slash:]
}
