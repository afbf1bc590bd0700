package serve

import (
	"net/http"
	"strings"
	"time"
)

// conditions evaluates the request's preconditions against the validators of
// the selected representation, in the order of RFC 9110, section 13.2.2. It
// returns the status to answer with: 200 to go on, 304 or 412. The method is
// GET or HEAD; modified is zero where there is no Last-Modified.
func conditions(h http.Header, etag string, modified time.Time) int {
	if lines := h["If-Match"]; len(lines) > 0 {
		if !matchesETag(lines, etag, strongMatch) {
			return http.StatusPreconditionFailed
		}
	} else if since, ok := parseDate(h["If-Unmodified-Since"]); ok && !modified.IsZero() {
		if modified.Truncate(time.Second).After(since) {
			return http.StatusPreconditionFailed
		}
	}
	if lines := h["If-None-Match"]; len(lines) > 0 {
		if matchesETag(lines, etag, weakMatch) {
			return http.StatusNotModified
		}
	} else if since, ok := parseDate(h["If-Modified-Since"]); ok && !modified.IsZero() {
		if !modified.Truncate(time.Second).After(since) {
			return http.StatusNotModified
		}
	}
	return http.StatusOK
}

// rangeApplies evaluates If-Range (RFC 9110, section 13.1.5): an entity tag
// must match strongly. A date never does: a Last-Modified of one second's
// resolution, which a build copies from a source to its variants, is no strong
// validator (section 8.8.2.2), and a full answer is always right.
func rangeApplies(h http.Header, etag string) bool {
	lines := h["If-Range"]
	return len(lines) == 0 || len(lines) == 1 && trimSpace(lines[0]) == etag
}

// parseDate parses an HTTP date. A field that is repeated or no date does not
// count (RFC 9110, sections 13.1.3 and 13.1.4).
func parseDate(lines []string) (t time.Time, ok bool) {
	if len(lines) != 1 {
		return time.Time{}, false
	}
	t, err := http.ParseTime(lines[0])
	return t, err == nil
}

// strongMatch compares a listed entity tag with one of ours, which are all
// strong (RFC 9110, section 8.8.3.2).
func strongMatch(listed, etag string) bool { return listed == etag }

func weakMatch(listed, etag string) bool { return strings.TrimPrefix(listed, "W/") == etag }

// matchesETag reports whether the field lines of an If-Match or If-None-Match
// are "*" or list the entity tag. What stands behind a syntax error is not
// looked at.
func matchesETag(lines []string, etag string, match func(listed, etag string) bool) bool {
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
			if match(listed, etag) {
				return true
			}
			line = rest
		}
	}
	return false
}

// cutETag cuts the entity tag off the front of s, which may be followed by
// nothing but white space and a comma. A comma inside the quotes belongs to
// the tag.
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
