package deflate

import "math/bits"

// Symbols of a block's two codes (RFC 1951, section 3.2.5).
const (
	endOfBlock    = 256
	firstLength   = 257 // the symbol of the shortest length
	literalCodes  = 286 // literals, the end of the block and lengths
	distanceCodes = 30
	lastCode      = 288 // that the fixed code has room for
	symbolCount   = lastCode + 32

	minLength   = 3
	maxLength   = 258
	maxDistance = 32 << 10
)

// item is a literal, which is its byte, or a match: the length from bit 20 on,
// the distance less one from bit 5 on, the distance's code below.
type item uint32

func newMatch(length, distance uint32) item {
	code, _ := distanceCode(distance)
	return item(length<<20 | (distance-1)<<5 | uint32(code))
}

func (m item) isMatch() bool     { return m >= minLength<<20 }
func (m item) length() uint32    { return uint32(m >> 20) }
func (m item) distance() uint32  { return uint32(m>>5)&(maxDistance-1) + 1 }
func (m item) code() int         { return int(m & 31) }
func (m item) cut(n uint32) item { return m&(1<<20-1) | item(n<<20) }
func (m item) bytes() int {
	if m.isMatch() {
		return int(m.length())
	}
	return 1
}

// lengthCode returns the code of a length, counted from 0, and its extra bits:
// four codes for every power of two, but one of its own for the longest.
func lengthCode(length uint32) (code int, extra uint) {
	x := uint(length) - minLength
	switch {
	case length == maxLength:
		return 28, 0
	case x < 8:
		return int(x), 0
	}
	n := uint(bits.Len(x)) - 1
	return int(4*(n-1) + x>>(n-2)&3), n - 2
}

// distanceCode returns the code of a distance and its extra bits: two codes for
// every power of two.
func distanceCode(distance uint32) (code int, extra uint) {
	x := uint(distance) - 1
	if x < 4 {
		return int(x), 0
	}
	n := uint(bits.Len(x)) - 1
	return int(2*n + x>>(n-1)&1), n - 1
}

// extraBits returns the bits behind a symbol: of a literal, the end of the
// block or a length by its symbol, of a distance by its code + [lastCode].
func extraBits(symbol int) uint {
	switch {
	case symbol >= lastCode+4:
		return uint(symbol-lastCode)/2 - 1
	case symbol >= lastCode, symbol < firstLength+8, symbol >= firstLength+28:
		return 0
	}
	return uint(symbol-firstLength)/4 - 1
}

// counts says how often each symbol occurs in a block; the codes of distances
// are counted from [lastCode] on.
type counts [symbolCount]uint32

func (c *counts) add(other *counts) {
	for s, n := range other {
		c[s] += n
	}
}

// countItems counts the symbols of a block, its end too.
func countItems(items []item, lengths *[maxLength + 1]uint16) (c counts) {
	c[endOfBlock] = 1
	for _, m := range items {
		if m.isMatch() {
			c[lengths[m.length()]]++
			c[lastCode+m.code()]++
		} else {
			c[m]++
		}
	}
	return c
}

// extra returns the extra bits of all symbols.
func (c *counts) extra() (n uint64) {
	for s := firstLength + 8; s < firstLength+28; s++ {
		n += uint64(c[s]) * uint64(extraBits(s))
	}
	for s := lastCode + 4; s < lastCode+distanceCodes; s++ {
		n += uint64(c[s]) * uint64(extraBits(s))
	}
	return n
}

// coded returns the bits of all symbols in codes of the given lengths, extra
// bits left out.
func (c *counts) coded(lengths *[symbolCount]uint8) (n uint64) {
	for s, k := range c {
		n += uint64(k) * uint64(lengths[s])
	}
	return n
}
