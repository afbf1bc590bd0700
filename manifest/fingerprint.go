package manifest

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// Fingerprint finds the part of a file's name that build tools derive from the
// file's content. The zero value knows the names that are usual; it looks at
// the last element of a path and takes the last of
//
//   - a part between dots, hyphens and underscores of at least 8 lower-case
//     hexadecimal digits, of which at least one is a letter and one is not:
//     app.3f8a91c2d4.js (webpack), index.3f8a91c2.js (Parcel);
//   - 8 letters, digits, "-" or "_" right before the extensions and after a
//     hyphen or a dot, if no name would look like that: index-DiwrgTda.js (Vite,
//     Rollup), main-5INURTSO.js and chunk-ABC123XY.js (esbuild),
//     chunk-ABC123_x.css.
//
// The latter asks for letters and digits of at least two kinds (capital, small,
// digit) that do not make up words: index-MyButton.js, lib-Version2.js,
// font-awesome-solid.css and app-settings.js have no fingerprint, and neither
// has app-20240131.js, a date. Small letters and digits must alternate more
// often than names do (index-b7x9k2qp.js), with no word among them
// (api-v2beta1x.json), and the capitals of one with digits must not all be the same
// (report-2024Q1Q2.html). The parts of a UUID (RFC 9562) are no fingerprint
// either. About one in six of Vite's fingerprints
// looks like words by chance and is not found, and neither is one of digits
// alone. A name that is nothing but such a fingerprint (DiwrgTda.js) has none, in
// directories like _nuxt too: too many names are 8 letters long, and all files of such a
// directory would have the same stable name.
type Fingerprint struct{ pattern *regexp.Regexp }

// NewFingerprint returns a Fingerprint that finds what a regular expression (in
// the syntax of package regexp) matches in the last element of a path: its
// group if it has one, else all of it.
func NewFingerprint(expr string) (Fingerprint, error) {
	pattern, err := regexp.Compile(expr)
	switch {
	case expr == "":
		return Fingerprint{}, errors.New("the regular expression for fingerprints is empty")
	case err != nil:
		return Fingerprint{}, fmt.Errorf("the regular expression for fingerprints is malformed: %w", err)
	case pattern.NumSubexp() > 1:
		return Fingerprint{}, fmt.Errorf("the regular expression %q has %d groups: put the fingerprint into one, and write (?:...) for the others", expr, pattern.NumSubexp())
	}
	return Fingerprint{pattern}, nil
}

// Split splits a path into what stands before its fingerprint, the fingerprint,
// and what stands behind it. ok is false if it has none.
func (f Fingerprint) Split(name string) (prefix, fingerprint, suffix string, ok bool) {
	base := path.Base(name)
	if !strings.HasSuffix(name, base) { // "", "a/"
		return "", "", "", false
	}
	from, to := f.find(base)
	if from >= to {
		return "", "", "", false
	}
	dir := len(name) - len(base)
	return name[:dir+from], base[from:to], base[to:], true
}

// Stable returns the path with "*" in place of its fingerprint, which stays the
// same when the file's content changes; without a fingerprint the path itself.
func (f Fingerprint) Stable(name string) string {
	prefix, _, suffix, ok := f.Split(name)
	if !ok {
		return name
	}
	return prefix + "*" + suffix
}

// find returns where the fingerprint is in the last element of a path, an empty
// range if there is none.
func (f Fingerprint) find(base string) (from, to int) {
	if f.pattern != nil {
		at := f.pattern.FindStringSubmatchIndex(base)
		if at == nil {
			return 0, 0
		}
		return at[len(at)-2], at[len(at)-1]
	}
	if from, to = findToken(base); from < to {
		return from, to
	}
	return findHex(base)
}

// uuid matches a name that has an identifier in the form of RFC 9562, section 4,
// which does not follow from the content.
var uuid = regexp.MustCompile(`(?i)(^|[^0-9a-z])[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}([^0-9a-z]|$)`)

// findHex returns where the last part of hexadecimal digits is. The extension is
// none.
func findHex(base string) (from, to int) {
	id := append(uuid.FindStringIndex(base), 0, 0)[:2]
	end := len(strings.TrimSuffix(base, path.Ext(base)))
	for end > 0 {
		start := strings.LastIndexAny(base[:end], ".-_") + 1
		if isHex(base[start:end]) && (end <= id[0] || start >= id[1]) {
			return start, end
		}
		end = start - 1
	}
	return 0, 0
}

func isHex(s string) bool {
	letters, digits := 0, 0
	for _, c := range []byte(s) {
		switch {
		case isDigit(c):
			digits++
		case c >= 'a' && c <= 'f':
			letters++
		default:
			return false
		}
	}
	return letters > 0 && digits > 0 && letters+digits >= 8
}

// tokenSize is the length of a fingerprint that is not hexadecimal: what Vite,
// Rollup and esbuild make.
const tokenSize = 8

// findToken returns where 8 characters that no name would have stand right
// before the extensions.
func findToken(base string) (from, to int) {
	for stem := base; ; {
		ext := path.Ext(stem)
		stem = strings.TrimSuffix(stem, ext)
		from = len(stem) - tokenSize
		if len(ext) < 2 || ext != strings.ToLower(ext) || from < 2 {
			return 0, 0
		}
		if sep := stem[from-1]; (sep == '-' || sep == '.') && isToken(stem[from:], stem[:from] == "chunk-") {
			return from, len(stem)
		}
	}
}

// isToken reports whether s is a fingerprint and no name. After "chunk-", which
// is no name to be continued, capitals need no digit among them.
func isToken(s string, chunk bool) bool {
	var upper, lower, digits, others int
	for _, c := range []byte(s) {
		switch {
		case isUpper(c):
			upper++
		case isLower(c):
			lower++
		case isDigit(c):
			digits++
		case c == '-' || c == '_':
			others++
		default:
			return false
		}
	}
	switch {
	case upper == 0: // small letters and digits are usual in names
		return others == 0 && lower > 0 && len(splitWords(s)) >= 5 && !hasLongWord(s)
	case lower == 0 && others == 0:
		return digits > 0 && !oneLetter(s) && !isNumbered(s) || chunk && digits == 0
	case lower == 0, others > 0 && digits == 0: // RFC-9842, EN_us-UK
		return false
	}
	return !isWords(s)
}

// isNumbered reports whether capitals are a word with a number behind it.
func isNumbered(s string) bool {
	word := strings.TrimRight(s, "0123456789")
	return !strings.ContainsAny(word, "0123456789") && isWord(strings.ToLower(word))
}

// oneLetter reports whether no two letters of s differ: 2024Q1Q2, 19200X10.
func oneLetter(s string) bool {
	letters := strings.Trim(s, "0123456789")
	return letters == "" || strings.Trim(s, "0123456789"+letters[:1]) == ""
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
