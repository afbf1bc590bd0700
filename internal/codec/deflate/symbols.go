package deflate

import "math/bits"

// Symbols of a block's two codes (RFC 1951, section 3.2.5). Both are numbered
// together: distance code d is the symbol distanceBase + d.
const (
	endOfBlock      = 256
	firstLength     = 257 // the symbol of the shortest length
	literalSymbols  = 286 // literals, the end of the block and lengths
	distanceSymbols = 30
	distanceBase    = 288 // the fixed literal/length code has two unused symbols
	symbolCount     = distanceBase + 32

	// In bytes.
	minLength   = 3
	maxLength   = 258
	maxDistance = 32 << 10
)

// token is a literal or a match. A literal is its byte. A match has its length in
// bits 20 and up, its distance - 1 in bits 5 to 19 and its distance code in bits
// 0 to 4.
type token uint32

func newMatch(length, distance uint32) token {
	code, _ := distanceCode(distance)
	return token(length<<20 | (distance-1)<<5 | uint32(code))
}

func (t token) isMatch() bool      { return t >= minLength<<20 }
func (t token) length() uint32     { return uint32(t >> 20) }
func (t token) distance() uint32   { return uint32(t>>5)&(maxDistance-1) + 1 }
func (t token) distanceCode() int  { return int(t & 31) }
func (t token) cut(n uint32) token { return t&(1<<20-1) | token(n<<20) } // to length n

// bytes returns the number of bytes that the token stands for.
func (t token) bytes() int {
	if t.isMatch() {
		return int(t.length())
	}
	return 1
}

// lengthSymbols has the symbol of each match length.
type lengthSymbols [maxLength + 1]uint16

// lengthCode returns the code of a length, counted from 0, and its number of extra
// bits. There are four codes for every power of two; the longest length has a code
// of its own.
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

// distanceCode returns the code of a distance and its number of extra bits. There
// are two codes for every power of two.
func distanceCode(distance uint32) (code int, extra uint) {
	x := uint(distance) - 1
	if x < 4 {
		return int(x), 0
	}
	n := uint(bits.Len(x)) - 1
	return int(2*n + x>>(n-1)&1), n - 1
}

// extraBits returns the number of extra bits that follow a symbol.
func extraBits(symbol int) uint {
	switch {
	case symbol >= distanceBase+4:
		return uint(symbol-distanceBase)/2 - 1
	case symbol >= distanceBase, symbol < firstLength+8, symbol >= firstLength+28:
		return 0
	}
	return uint(symbol-firstLength)/4 - 1
}

// counts has the number of times that each symbol occurs.
type counts [symbolCount]uint32

func (c *counts) add(other *counts) {
	for s, n := range other {
		c[s] += n
	}
}

// countTokens counts the symbols of a block of tokens, including its end.
func countTokens(tokens []token, symbols *lengthSymbols) (c counts) {
	c[endOfBlock] = 1
	for _, t := range tokens {
		if t.isMatch() {
			c[symbols[t.length()]]++
			c[distanceBase+t.distanceCode()]++
		} else {
			c[t]++
		}
	}
	return c
}

// extra returns the number of extra bits of all symbols together.
func (c *counts) extra() (n uint64) {
	for s := firstLength + 8; s < firstLength+28; s++ {
		n += uint64(c[s]) * uint64(extraBits(s))
	}
	for s := distanceBase + 4; s < distanceBase+distanceSymbols; s++ {
		n += uint64(c[s]) * uint64(extraBits(s))
	}
	return n
}

// coded returns the number of bits that all symbols take in codes of the given
// lengths, without extra bits.
func (c *counts) coded(lengths *codeLengths) (n uint64) {
	for s, k := range c {
		n += uint64(k) * uint64(lengths[s])
	}
	return n
}
