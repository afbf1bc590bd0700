package deflate

import "math/bits"

// Prices are in parts of a bit, so that they add up without rounding errors
// that matter; integers, so that every machine comes to the same.
const bit = 256

// logarithm returns binary logarithms in parts of a bit, from a table.
type logarithm [1024]uint32

func newLogarithm() *logarithm {
	t := &logarithm{}
	for x := range t {
		if x > 0 {
			t[x] = slowLog2(uint64(x))
		}
	}
	return t
}

// of returns the logarithm of x > 0.
func (t *logarithm) of(x uint32) uint32 {
	if x < uint32(len(t)) {
		return t[x]
	}
	shift := bits.Len32(x) - 10
	return t[x>>shift] + uint32(shift)*bit
}

// slowLog2 squares the mantissa for each bit behind the point; the last of
// them is rounded.
func slowLog2(x uint64) uint32 {
	whole := bits.Len64(x) - 1
	mantissa := x << (31 - whole) // from 2^31 to 2^32
	result := uint32(whole)
	for range bits.Len(bit) {
		mantissa = mantissa * mantissa >> 31
		result <<= 1
		if mantissa >= 1<<32 {
			mantissa >>= 1
			result++
		}
	}
	return (result + 1) >> 1
}
