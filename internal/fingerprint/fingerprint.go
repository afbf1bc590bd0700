// Package fingerprint finds the parts of file names that build tools derive from
// the files' contents, among those that people write.
package fingerprint

import (
	"path"
	"regexp"
	"strings"
)

// Find returns the position of the fingerprint in a file name, an empty range if
// there is none. The documentation of manifest.Fingerprint has the rules.
func Find(base string) (from, to int) {
	if from, to = findToken(base); from < to {
		return from, to
	}
	return findHex(base)
}

// uuid matches a name with a UUID (RFC 9562, section 4), which does not depend on
// the content.
var uuid = regexp.MustCompile(`(?i)(^|[^0-9a-z])[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}([^0-9a-z]|$)`)

// findHex returns the position of the last part that is hexadecimal digits, before
// the extension.
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

// tokenSize is the length of the fingerprints of Vite, Rollup and esbuild, which
// are not hexadecimal.
const tokenSize = 8

// findToken returns the position of 8 characters right before the extensions that
// no name would have.
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

// isToken reports whether s is a fingerprint, not part of a name. After "chunk-",
// upper-case letters alone are one, too.
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
	case upper == 0: // lower-case letters and digits are common in names
		return others == 0 && lower > 0 && len(splitWords(s)) >= 5 && !hasLongWord(s)
	case lower == 0 && others == 0:
		return digits > 0 && !oneLetter(s) && !isNumbered(s) || chunk && digits == 0
	case lower == 0, others > 0 && digits == 0: // RFC-9842, EN_us-UK
		return false
	}
	return !isWords(s)
}

// isNumbered reports whether upper-case s is a word followed by a number.
func isNumbered(s string) bool {
	word := strings.TrimRight(s, "0123456789")
	return !strings.ContainsAny(word, "0123456789") && isWord(strings.ToLower(word))
}

// oneLetter reports whether all letters of s are the same: 2024Q1Q2, 19200X10.
func oneLetter(s string) bool {
	letters := strings.Trim(s, "0123456789")
	return letters == "" || strings.Trim(s, "0123456789"+letters[:1]) == ""
}

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
