package release

import (
	"cmp"
	"slices"
)

// sketch is the hashes of some parts of a content, of 32 bytes each, sorted. A part
// that two contents share is chosen in both or in neither.
type sketch []uint64

func newSketch(content []byte) sketch {
	// The hash covers the last 64/shift bytes; one part in so many is chosen.
	const shift, one = 2, 16
	var s sketch
	var h uint64
	for _, b := range content {
		h = h<<shift + (uint64(b)+1)*0x9E3779B97F4A7C15
		if mixed := h * 0xD6E8FEB86659FD93; mixed>>32%one == 0 {
			s = append(s, mixed)
		}
	}
	slices.Sort(s)
	return slices.Compact(s)
}

// common returns the number of parts that two contents share.
func (s sketch) common(other sketch) (n int) {
	for len(s) > 0 && len(other) > 0 {
		switch c := cmp.Compare(s[0], other[0]); {
		case c < 0:
			s = s[1:]
		case c > 0:
			other = other[1:]
		default:
			n++
			s, other = s[1:], other[1:]
		}
	}
	return n
}
