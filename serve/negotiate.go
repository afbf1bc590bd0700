package serve

import (
	"errors"
	"strings"

	"github.com/precompress/precompress/internal/sfv"
	"github.com/precompress/precompress/manifest"
)

// ErrNotAcceptable is the error for a client that accepts none of an asset's
// representations (RFC 9110, section 15.5.7).
var ErrNotAcceptable = errors.New("no acceptable representation")

// Offer is a representation that a server can send: its content coding, "" for
// none ("identity"), and its size in bytes.
type Offer struct {
	Coding manifest.Coding
	Size   int64
}

// Negotiate returns the index of the offer to send to a client with the given
// Accept-Encoding field lines, as in http.Request.Header (RFC 9110, sections 12.4.2
// and 12.5.3). ok is false if the client accepts none of the offers.
//
//   - The offer with the highest qvalue wins; of equal ones the smallest, then the
//     first. The order of the client's list has no meaning.
//   - Without a field line, identity wins if it is offered.
//   - "*" stands for the codings that the field does not list, including identity.
//     Identity is acceptable even if not listed, but as the last choice.
//   - A delta ("dcb", "dcz") is selected only if the field lists its coding by name.
//   - A malformed member is ignored. Of a coding that is listed more than once the
//     lowest qvalue counts, so that "q=0" is always respected.
//   - "x-gzip" is gzip, "x-compress" is compress (section 8.4.1).
func Negotiate(acceptEncoding []string, offers []Offer) (index int, ok bool) {
	best := qvalue(0)
	for i, o := range offers {
		q := weigh(acceptEncoding, o.Coding)
		if q == 0 || q < best {
			continue
		}
		if q == best && o.Size >= offers[index].Size {
			continue
		}
		index, best, ok = i, q, true
	}
	return index, ok
}

// qvalue is a weight in thousandths, plus one: 0 is refused, and 1, which is below
// all weights that a client can give, is acceptable by default.
type qvalue int

const (
	refused   qvalue = 0
	unlisted  qvalue = 1
	maxQvalue qvalue = 1001
)

// weigh returns the qvalue of a coding in the field lines.
func weigh(lines []string, c manifest.Coding) qvalue {
	identity := c == "" || c == "identity"
	if len(lines) == 0 {
		switch {
		case identity:
			return maxQvalue
		case c.IsDelta():
			return refused
		}
		return unlisted
	}
	named, star := qvalue(-1), qvalue(-1)
	for _, line := range lines {
		for line != "" {
			var member string
			member, line, _ = strings.Cut(line, ",")
			name, q, ok := parseMember(member)
			switch {
			case !ok:
			case name == "*":
				star = lower(star, q)
			case matches(name, c, identity):
				named = lower(named, q)
			}
		}
	}
	switch {
	case named >= 0:
		return named
	case star >= 0 && !c.IsDelta():
		return star
	case identity:
		return unlisted
	}
	return refused
}

// lower returns the lower of two qvalues. If old is negative, there is only q.
func lower(old, q qvalue) qvalue {
	if old < 0 || q < old {
		return q
	}
	return old
}

// matches reports whether the name in a member stands for the coding.
func matches(name string, c manifest.Coding, identity bool) bool {
	if identity {
		return equalFold(name, "identity")
	}
	return equalFold(name, string(c)) ||
		len(name) > 2 && equalFold(name[:2], "x-") &&
			(c == manifest.Gzip || c == "compress") && equalFold(name[2:], string(c))
}

// parseMember parses a member of the list, `codings [ weight ]` with optional white
// space around it. ok is false for an empty or malformed one.
func parseMember(s string) (name string, q qvalue, ok bool) {
	name, weight, weighted := strings.Cut(s, ";")
	name = trimSpace(name)
	if !isToken(name) {
		return "", 0, false
	}
	if !weighted {
		return name, maxQvalue, true
	}
	weight = trimSpace(weight)
	if len(weight) < 3 || weight[0]|0x20 != 'q' || weight[1] != '=' {
		return "", 0, false
	}
	q, ok = parseQvalue(weight[2:])
	return name, q, ok
}

// parseQvalue parses `( "0" [ "." 0*3DIGIT ] ) / ( "1" [ "." 0*3("0") ] )`.
func parseQvalue(s string) (qvalue, bool) {
	if s[0] != '0' && s[0] != '1' || len(s) > 5 || len(s) > 1 && s[1] != '.' {
		return 0, false
	}
	thousandths := qvalue(s[0]-'0') * 1000
	for i, unit := 2, qvalue(100); i < len(s); i, unit = i+1, unit/10 {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		thousandths += qvalue(s[i]-'0') * unit
	}
	switch {
	case thousandths == 0:
		return refused, true
	case thousandths > 1000:
		return 0, false
	}
	return thousandths + 1, true
}

// trimSpace removes optional white space (RFC 9110, section 5.6.3): spaces and
// tabs only.
func trimSpace(s string) string {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	for s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') {
		s = s[:len(s)-1]
	}
	return s
}

// isToken reports whether s is a token (RFC 9110, section 5.6.2).
func isToken(s string) bool {
	for i := range len(s) {
		if !sfv.IsTokenByte(s[i]) {
			return false
		}
	}
	return s != ""
}

// equalFold compares in ASCII only: strings.EqualFold would take the long s
// (U+017F) for an s.
func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if lowerByte(a[i]) != lowerByte(b[i]) {
			return false
		}
	}
	return true
}

func lowerByte(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}
