package serve

import (
	"net/http"
	"strings"
	"time"
)

// conditions evaluates the preconditions of a GET or HEAD request against the
// validators of the selected representation, in the order of RFC 9110, section 13.2.2.
// It returns the status: 304, 412, or 200 if they allow the response. modified is zero
// if there is no Last-Modified.
func conditions(h http.Header, etag string, modified time.Time) int {
	if lines := h["If-Match"]; len(lines) > 0 {
		if !matchesETag(lines, etag, false) {
			return http.StatusPreconditionFailed
		}
	} else if since, ok := parseDate(h["If-Unmodified-Since"]); ok && !modified.IsZero() {
		if modified.Truncate(time.Second).After(since) {
			return http.StatusPreconditionFailed
		}
	}
	if lines := h["If-None-Match"]; len(lines) > 0 {
		if matchesETag(lines, etag, true) {
			return http.StatusNotModified
		}
	} else if since, ok := parseDate(h["If-Modified-Since"]); ok && !modified.IsZero() {
		if !modified.Truncate(time.Second).After(since) {
			return http.StatusNotModified
		}
	}
	return http.StatusOK
}

// rangeApplies evaluates If-Range (RFC 9110, section 13.1.5): an entity tag must match
// strongly. A date never matches. With a resolution of one second, and copied from a
// source to its variants, it is no strong validator (section 8.8.2.2). A full response
// is always correct.
func rangeApplies(h http.Header, etag string) bool {
	lines := h["If-Range"]
	return len(lines) == 0 || len(lines) == 1 && trimSpace(lines[0]) == etag
}

// parseDate parses an HTTP date. ok is false for a field that is repeated or not a
// date, which is ignored (RFC 9110, sections 13.1.3 and 13.1.4).
func parseDate(lines []string) (t time.Time, ok bool) {
	if len(lines) != 1 {
		return time.Time{}, false
	}
	t, err := http.ParseTime(lines[0])
	return t, err == nil
}

// matchesETag reports whether the field lines of an If-Match or If-None-Match are "*"
// or list the entity tag, which is strong as all of ours are. weak allows weak
// comparison (RFC 9110, section 8.8.3.2). After a syntax error, the rest of a line is
// ignored.
func matchesETag(lines []string, etag string, weak bool) bool {
	if len(lines) == 1 && trimSpace(lines[0]) == "*" {
		return true
	}
	for _, line := range lines {
		for {
			line = strings.TrimLeft(line, " \t,")
			listed, rest, ok := cutETag(line)
			if !ok {
				break
			}
			if listed == etag || weak && strings.TrimPrefix(listed, "W/") == etag {
				return true
			}
			line = rest
		}
	}
	return false
}

// cutETag cuts an entity tag off the front of s. Only white space and a comma may
// follow it. A comma inside the quotes is part of the tag.
func cutETag(s string) (tag, rest string, ok bool) {
	start := 0
	if strings.HasPrefix(s, "W/") {
		start = len("W/")
	}
	if len(s) <= start || s[start] != '"' {
		return "", "", false
	}
	for i := start + 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"':
			rest = strings.TrimLeft(s[i+1:], " \t")
			return s[:i+1], rest, rest == "" || rest[0] == ','
		case c < 0x21 || c == 0x7f:
			return "", "", false
		}
	}
	return "", "", false
}
