package deflate

import "math/bits"

// maxCodeBits is the longest code of a block's symbol (RFC 1951, section 3.2.7).
const maxCodeBits = 15

// assign sets the codes that follow from the lengths (RFC 1951, section 3.2.2),
// their bits reversed: they are written from the highest on.
func assign(codes []uint16, lengths []uint8) {
	var next [maxCodeBits + 2]uint16
	for _, n := range lengths {
		if n > 0 {
			next[n+1]++
		}
	}
	for n := 1; n < len(next); n++ {
		next[n] += next[n-1]
		next[n] <<= 1
	}
	// next[n] counted the codes below of length n-1, and was doubled.
	for s, n := range lengths {
		if n > 0 {
			codes[s] = bits.Reverse16(next[n]) >> (16 - n)
			next[n]++
		}
	}
}
