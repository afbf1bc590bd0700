package serve

import (
	"math"
	"strings"
)

// maxRanges is the largest number of ranges in a request that are sent. More may be an
// attack (RFC 9110, section 17.15).
const maxRanges = 16

// byteRange is a part of a representation: length bytes from start on.
type byteRange struct {
	start, length int64
}

// rangeVerdict is how to respond to a Range field.
type rangeVerdict int

const (
	rangeIgnored       rangeVerdict = iota // as if there were none
	rangeSatisfiable                       // 206
	rangeUnsatisfiable                     // 416
)

// parseRange parses the Range field of a GET for a representation of the given size
// (RFC 9110, sections 14.1 and 14.2). It ignores a field, which is always allowed, that
// is repeated, malformed or in another unit, or that asks for more than maxRanges
// ranges or for overlapping ones.
func parseRange(lines []string, size int64) ([]byteRange, rangeVerdict) {
	if len(lines) != 1 {
		return nil, rangeIgnored
	}
	unit, set, found := strings.Cut(trimSpace(lines[0]), "=")
	if !found || !equalFold(unit, "bytes") || strings.Count(set, ",") >= 4*maxRanges {
		return nil, rangeIgnored
	}
	var ranges []byteRange
	specs := 0
	for spec := range strings.SplitSeq(set, ",") {
		if spec = trimSpace(spec); spec == "" {
			continue // RFC 9110, section 5.6.1.2
		}
		specs++
		r, satisfiable, ok := parseRangeSpec(spec, size)
		if !ok {
			return nil, rangeIgnored
		}
		if satisfiable {
			ranges = append(ranges, r)
		}
	}
	switch {
	case specs == 0 || len(ranges) > maxRanges || overlap(ranges):
		return nil, rangeIgnored
	case len(ranges) == 0:
		return nil, rangeUnsatisfiable
	case ranges[0].length == 0: // the end of an empty representation: no Content-Range can express it
		return nil, rangeIgnored
	}
	return ranges, rangeSatisfiable
}

// parseRangeSpec parses "first-", "first-last" or "-suffix" and clamps it to
// the size. ok is false for a syntax error, such as a last before its first.
func parseRangeSpec(spec string, size int64) (r byteRange, satisfiable, ok bool) {
	left, right, found := strings.Cut(spec, "-")
	if !found || left == "" && right == "" {
		return byteRange{}, false, false
	}
	first, okFirst := parseOffset(left)
	last, okLast := parseOffset(right)
	if !okFirst || !okLast {
		return byteRange{}, false, false
	}
	switch {
	case left == "":
		n := min(last, size)
		return byteRange{size - n, n}, last > 0, true
	case right == "":
		last = math.MaxInt64
	case last < first:
		return byteRange{}, false, false
	}
	if first >= size {
		return byteRange{}, false, true
	}
	return byteRange{first, min(last, size-1) - first + 1}, true, true
}

// parseOffset parses digits. It returns 0 for none, and the largest int64, which is
// beyond the end of any file, for a larger number.
func parseOffset(s string) (n int64, ok bool) {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		digit := int64(s[i] - '0')
		if n > (math.MaxInt64-digit)/10 {
			n = math.MaxInt64
			continue
		}
		n = n*10 + digit
	}
	return n, true
}

// overlap reports whether any two of at most a few ranges share a byte.
func overlap(ranges []byteRange) bool {
	for i, a := range ranges {
		for _, b := range ranges[:i] {
			if a.start < b.start+b.length && b.start < a.start+a.length {
				return true
			}
		}
	}
	return false
}
