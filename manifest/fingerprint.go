package manifest

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"

	"github.com/precompress/precompress/internal/fingerprint"
)

// Fingerprint finds the part of a file's name that build tools derive from the
// file's content. It looks at the last element of a path. The zero value finds the
// usual fingerprints; of several, it takes the last of
//
//   - at least 8 lower-case hexadecimal digits, among them a letter and a decimal
//     digit, between dots, hyphens and underscores: app.3f8a91c2d4.js (webpack),
//     index.3f8a91c2.js (Parcel). The parts of a UUID (RFC 9562) do not count.
//   - 8 letters, digits, "-" or "_" after a hyphen or a dot and right before the
//     extensions, if no name would look like that: index-DiwrgTda.js (Vite,
//     Rollup), main-5INURTSO.js and chunk-ABC123XY.js (esbuild), chunk-ABC123_x.css.
//
// The latter need at least two of upper-case letters, lower-case letters and
// digits, and must not read as words: index-MyButton.js, lib-Version2.js,
// font-awesome-solid.css and app-settings.js have no fingerprint. Neither has
// app-20240131.js, a date. Lower-case letters and digits must alternate more often
// than in names (index-b7x9k2qp.js) and contain no word (api-v2beta1x.json).
// Upper-case letters with digits must not all be the same letter
// (report-2024Q1Q2.html).
//
// Some fingerprints are not found: those of digits only, and about one in six of
// Vite's, which look like words by chance. A name that is nothing but such a
// fingerprint (DiwrgTda.js) has none either. Too many names are 8 letters long, and
// in a directory of such files, all would have the same stable name.
type Fingerprint struct{ pattern *regexp.Regexp }

// NewFingerprint returns a Fingerprint that finds what a regular expression
// matches in the last element of a path: its group if it has one, else the whole
// match. The syntax is that of package regexp.
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

// Split splits a path around its fingerprint. ok is false if it has none.
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

// Stable returns the path with "*" in place of its fingerprint: a name that stays
// the same when the content changes. It returns a path without a fingerprint as it
// is.
func (f Fingerprint) Stable(name string) string {
	prefix, _, suffix, ok := f.Split(name)
	if !ok {
		return name
	}
	return prefix + "*" + suffix
}

// find returns the position of the fingerprint in the last element of a path, an
// empty range if there is none.
func (f Fingerprint) find(base string) (from, to int) {
	if f.pattern != nil {
		at := f.pattern.FindStringSubmatchIndex(base)
		if at == nil {
			return 0, 0
		}
		return at[len(at)-2], at[len(at)-1]
	}
	return fingerprint.Find(base)
}
