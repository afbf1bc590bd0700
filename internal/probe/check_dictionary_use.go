package probe

import (
	"errors"
	"fmt"
	"strings"

	"github.com/dunglas/httpsfv"

	"github.com/precompress/precompress/internal/urlpattern"
)

// checkUse checks Use-As-Dictionary of answers.
func (p *urlProbe) checkUse(answers []*Answer) {
	for _, a := range answers {
		lines := a.Header.Values("Use-As-Dictionary")
		if len(lines) == 0 {
			continue
		}
		p.checked(useMalformed, dictionaryStale)
		if _, err := parseUse(lines); err != nil {
			p.addOnce(useMalformed, "", a, "Use-As-Dictionary is %s: %s", shown(a.value("Use-As-Dictionary")), errorText(err))
		}
		if !isFresh(a) {
			p.addOnce(dictionaryStale, "", a, "an answer with Use-As-Dictionary is never fresh: Cache-Control is %s", orAbsent(a.value("Cache-Control")))
		}
	}
	p.checkBuildUse(answers)
}

// isFresh reports whether clients may use an answer for some time without validating it.
func isFresh(a *Answer) bool { return cacheControl(a.Header).lifetime() > 0 }

// checkBuildUse compares Use-As-Dictionary with what the build wants the asset to be a
// dictionary for. An answer that is never fresh cannot be a dictionary (RFC 9842, section
// 2.2.1), so it needs no such field.
func (p *urlProbe) checkBuildUse(answers []*Answer) {
	if p.asset == nil || p.asset.Match == "" {
		return
	}
	want := dictionaryUse{p.asset.Match, p.asset.DictionaryID}
	var without []*Answer
	for _, a := range answers {
		if !a.isWhole() || !isFresh(a) {
			continue
		}
		p.checked(useMissing, useDiffers)
		lines := a.Header.Values("Use-As-Dictionary")
		sent, err := parseUse(lines)
		switch {
		case len(lines) == 0:
			without = append(without, a)
		case err == nil && !p.isSameUse(sent, want):
			p.addOnce(useDiffers, "", a, "Use-As-Dictionary is %s, but the build has %s", shown(strings.Join(lines, ", ")), want)
		}
	}
	if len(without) > 0 && !p.found(useMissing, "") {
		p.addAll(useMissing, "", without, "no Use-As-Dictionary with %s, but the build has %s", codingNames(without), want)
	}
}

// isSameUse reports whether a field means the same as what the build wants. Patterns are
// relative to the URL of the request.
func (p *urlProbe) isSameUse(sent, build dictionaryUse) bool {
	if sent.id != build.id {
		return false
	}
	directory, name := p.splitPath()
	absolute := p.absoluteMatch(sent.match)
	isIndex := name == "" && p.asset != nil && build.match == urlpattern.Quote(p.fileName()) // at the URL of its directory
	return absolute == p.absoluteMatch(build.match) || isIndex && absolute == urlpattern.Quote(directory)
}

// absoluteMatch makes a pattern for paths absolute (URL Pattern standard, "is an absolute
// pathname").
func (p *urlProbe) absoluteMatch(pattern string) string {
	if strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, `\/`) || strings.HasPrefix(pattern, "{/") {
		return pattern
	}
	directory, _ := p.splitPath()
	return urlpattern.Quote(directory) + pattern
}

// splitPath splits the path of the request, as it is sent, after the last slash.
func (p *urlProbe) splitPath() (directory, name string) {
	path := p.url.EscapedPath()
	slash := strings.LastIndexByte(path, '/') + 1
	return path[:slash], path[slash:]
}

// dictionaryUse is what Use-As-Dictionary says (RFC 9842, section 2.1).
type dictionaryUse struct{ match, id string }

// String returns the members as the field has them.
func (u dictionaryUse) String() string {
	text := `match="` + shown(u.match) + `"`
	if u.id != "" {
		text += `, id="` + shown(u.id) + `"`
	}
	return text
}

// maxID is the most characters of a dictionary's id (RFC 9842, section 2.1.3).
const maxID = 1024

// parseUse parses Use-As-Dictionary: a structured field (RFC 9651, section 3.2) with a
// string "match", and optionally a string "id", an inner list "match-dest" and a token
// "type" (RFC 9842, section 2.1). Other members are ignored.
func parseUse(lines []string) (dictionaryUse, error) {
	fields, err := httpsfv.UnmarshalDictionary(lines)
	if err != nil {
		return dictionaryUse{}, errors.New("it is not a dictionary of a structured field (RFC 9651, section 3.2)")
	}
	value := func(name string) (value any, found bool) {
		member, found := fields.Get(name)
		if item, isItem := member.(httpsfv.Item); isItem {
			return item.Value, true
		}
		return member, found // an inner list
	}
	match, found := value("match")
	text, isString := match.(string)
	switch {
	case !found:
		return dictionaryUse{}, errors.New("match is missing")
	case !isString:
		return dictionaryUse{}, errors.New("match is not a string")
	}
	id, found := value("id")
	idText, isString := id.(string)
	if found && (!isString || len(idText) > maxID) {
		return dictionaryUse{}, fmt.Errorf("id is not a string of at most %d characters", maxID)
	}
	if kind, found := value("type"); found && kind != httpsfv.Token("raw") {
		return dictionaryUse{}, errors.New("type is not raw, the only type that is defined")
	}
	if dest, found := value("match-dest"); found {
		if _, isList := dest.(httpsfv.InnerList); !isList {
			return dictionaryUse{}, errors.New("match-dest is not a list in parentheses")
		}
	}
	return dictionaryUse{text, idText}, urlpattern.Check(text)
}
