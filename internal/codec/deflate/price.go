package deflate

import (
	"math/bits"

	"github.com/precompress/precompress/internal/codec/entropy"
)

// bit is the price of a bit, in the unit of all prices and logarithms.
const bit = entropy.Bit

// prices are the prices that a parser minimizes the sum of, extra bits included.
type prices struct {
	log      *logarithm
	symbols  *lengthSymbols
	literal  [256]uint32
	length   [maxLength + 1]uint32
	distance [32]uint32 // by distance code
}

// unused is how much more a symbol that does not occur is assumed to cost than
// one that occurs once.
const unused = bit

// setCounts sets the prices from how often each symbol occurs.
func (p *prices) setCounts(c *counts) {
	of := c.entropies(p.log)
	p.set(&of)
}

// entropies returns the price of each symbol in an ideal code for the counts.
func (c *counts) entropies(log *logarithm) (of [symbolCount]uint32) {
	entropies(of[:distanceBase], c[:distanceBase], log)
	entropies(of[distanceBase:], c[distanceBase:], log)
	return of
}

func entropies(into, counts []uint32, log *logarithm) {
	total, _ := entropy.Totals(counts)
	whole := log.of(max(total, 1))
	for s, n := range counts {
		if n == 0 {
			into[s] = min(whole+unused, (maxCodeBits-1)*bit)
		} else {
			into[s] = min(max(whole-log.of(n), bit/4), maxCodeBits*bit)
		}
	}
}

// setLengths sets the prices from the lengths of a code. Symbols without a code
// are priced by the counts.
func (p *prices) setLengths(code *codeLengths, c *counts) {
	of := c.entropies(p.log)
	for s, n := range code {
		if n > 0 {
			of[s] = uint32(n) * bit
		}
	}
	p.set(&of)
}

// setFixed sets the prices from the lengths of the fixed codes.
func (p *prices) setFixed(code *codeLengths) {
	var of [symbolCount]uint32
	for s, n := range code {
		of[s] = uint32(n) * bit
	}
	p.set(&of)
}

// setRandom sets prices that differ a little from those of setCounts. Some rare
// symbols become so expensive that the parser avoids them: a symbol that does not
// occur makes the block's header shorter.
func (p *prices) setRandom(c *counts, random *minstd) {
	of := c.entropies(p.log)
	for s := range of {
		switch r := random.next(); {
		case c[s] > 0 && c[s] < 3 && r%4 == 0:
			of[s] += 6 * bit
		case r%3 == 0:
			of[s] += r >> 8 % (2 * bit)
			of[s] -= min(of[s]-bit/8, bit)
		}
	}
	p.set(&of)
}

// minstd is the random number generator MINSTD: the same numbers every time.
type minstd uint32

func (m *minstd) next() uint32 {
	x := uint64(*m) * 48271 % (1<<31 - 1)
	*m = minstd(x)
	return uint32(x)
}

// set sets the prices of tokens from those of symbols.
func (p *prices) set(of *[symbolCount]uint32) {
	copy(p.literal[:], of[:256])
	for n := minLength; n <= maxLength; n++ {
		s := p.symbols[n]
		p.length[n] = of[s] + uint32(extraBits(int(s)))*bit
	}
	for s := range distanceSymbols {
		p.distance[s] = of[distanceBase+s] + uint32(extraBits(distanceBase+s))*bit
	}
}

// logarithm is a table of binary logarithms in units of 1/bit.
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

// of returns the binary logarithm of x > 0.
func (t *logarithm) of(x uint32) uint32 {
	if x < uint32(len(t)) {
		return t[x]
	}
	shift := bits.Len32(x) - 10
	return t[x>>shift] + uint32(shift)*bit
}

// slowLog2 computes one bit of the fraction at a time, by squaring the mantissa.
// The last bit is rounded.
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
