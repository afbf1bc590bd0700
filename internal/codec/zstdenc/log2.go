package zstdenc

import "math/bits"

// Costs are in parts of a bit, so that they add up without rounding errors
// that matter; integers, so that every machine comes to the same.
const bit = 256

// log2 returns the binary logarithm of x > 0 in parts of a bit, to about 1/1000
// of a bit and the rounding.
func log2(x uint32) uint32 {
	whole := uint32(bits.Len32(x) - 1)
	// The mantissa's fraction f in 1/65536; log2(1+f) is f + f(1-f)(a - bf)
	// with a and b fitted.
	f := uint64(x) << 32 >> whole & 0xFFFFFFFF >> 16
	curve := f * (65536 - f) >> 16 * (27700 - 10400*f>>16) >> 16
	return whole*bit + uint32((f+curve+128)>>8)
}
