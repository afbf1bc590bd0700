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

// maxShown is how much of a value from the server is told, in bytes.
const maxShown = 80

// shown returns text from the server for a line on a terminal: in short, and
// quoted unless all of it is printable.
func shown(s string) string {
	short, end := s, ""
	if len(s) > maxShown {
		short, end = strings.ToValidUTF8(s[:maxShown], ""), "…"
	}
	if !utf8.ValidString(s) {
		return strconv.Quote(s[:min(len(s), maxShown)]) + end
	}
	if strings.ContainsFunc(short, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(short) + end
	}
	return short + end
}

// cause returns the text of an error of the transport. Servers have a hand in it.
func cause(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "no complete answer in time"
	}
	return printable(err.Error())
}

// printable shortens a text, and quotes it if a terminal should not get it.
func printable(text string) string {
	if len(text) > 3*maxShown {
		text = strings.ToValidUTF8(text[:3*maxShown], "") + "…"
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) || r == utf8.RuneError }) {
		return strconv.Quote(text)
	}
	return text
}

// line returns a field in one line, as if it had been sent in one.
func line(h http.Header, name string) string { return strings.Join(h.Values(name), ", ") }

// members splits the lines of a list field (RFC 9110, section 5.6.1). Members are
// in lower case.
func members(lines []string) []string {
	var all []string
	for _, l := range lines {
		for m := range strings.SplitSeq(l, ",") {
			if m = strings.ToLower(strings.Trim(m, " \t")); m != "" {
				all = append(all, m)
			}
		}
	}
	return all
}
