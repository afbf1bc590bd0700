package probe

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// fieldValue returns the lines of a field as one value (RFC 9110, section 5.3).
func fieldValue(h http.Header, name string) string { return strings.Join(h.Values(name), ", ") }

// members returns the members of a list field in lower case (RFC 9110, section 5.6.1).
func members(h http.Header, name string) []string {
	var all []string
	for m := range strings.SplitSeq(fieldValue(h, name), ",") {
		if m = strings.ToLower(strings.Trim(m, " \t")); m != "" {
			all = append(all, m)
		}
	}
	return all
}

// parseNumber reads a number of digits and nothing else, as in Content-Length and Age.
func parseNumber(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	return int64(n), err
}

// notToken reports whether a token cannot contain r (RFC 9110, section 5.6.2).
func notToken(r rune) bool { return !isAlphanumeric(r) && !strings.ContainsRune("!#$%&'*+-.^_`|~", r) }

func isAlphanumeric(r rune) bool {
	return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9'
}

// maxShown is how many bytes of a value from the server a message repeats.
const maxShown = 80

// shown returns a value from the server for a message: shortened, and quoted unless
// all of it is printable.
func shown(s string) string { return printable(s, maxShown) }

// shownOr is shown, with another text for an empty value.
func shownOr(s, empty string) string {
	if s == "" {
		return empty
	}
	return shown(s)
}

// orAbsent is shown for the value of a field that may be absent.
func orAbsent(value string) string { return shownOr(value, "absent") }

// printable shortens text to limit bytes, and quotes it unless all of it is
// printable: a server must not write escape sequences to a terminal.
func printable(s string, limit int) string {
	short, end := s, ""
	if len(s) > limit {
		short, end = s[:limit], "…"
		if utf8.ValidString(s) { // the cut may be inside a character
			short = strings.ToValidUTF8(short, "")
		}
	}
	if strings.ContainsFunc(short, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) {
		return strconv.Quote(short) + end
	}
	return short + end
}

// errorText returns an error of the transport or of a decoder for a message. It may
// repeat what the server sent.
func errorText(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "no complete answer in time"
	}
	return printable(err.Error(), 3*maxShown)
}
