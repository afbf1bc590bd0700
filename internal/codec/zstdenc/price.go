package zstdenc

import (
	"math/bits"

	"github.com/precompress/precompress/internal/codec/entropy"
)

// bit is the price of a bit, in the unit of all prices and logarithms.
const bit = entropy.Bit

// prices are the prices that a parser minimizes the sum of.
type prices struct {
	literal [256]uint32
	// Small numbers of literals and short matches have their price, extra bits
	// included, in a table. For others it is computed from the price of the code.
	literals     [shortRun]uint32
	length       [shortLength]uint32
	literalsCode [literalCodes]uint32
	lengthCode   [lengthCodes]uint32
	offsetCode   [offsetCodes]uint32
	offset       [offsetCodes]uint32 // with extra bits
}

const (
	shortRun    = 64
	shortLength = 1 << 10
)

// runPrice returns the price of a literals length: the number of literals in front
// of a match.
func (p *prices) runPrice(n uint32) uint32 {
	if n < shortRun {
		return p.literals[n]
	}
	// There is no code for a whole block of literals, which has no match either.
	code, extra := literalsCode(min(n, maxBlock-1))
	return p.literalsCode[code] + uint32(extra)*bit
}

// lengthPrice returns the price of a match length.
func (p *prices) lengthPrice(n uint32) uint32 {
	if n < shortLength {
		return p.length[n]
	}
	code, extra := lengthCode(n)
	return p.lengthCode[code] + uint32(extra)*bit
}

// offsetPrice returns the price of an offset.
func (p *prices) offsetPrice(offset uint32) uint32 {
	code, _ := offsetCode(offset)
	return p.offset[code]
}

// setTables sets the prices of codes from the tables of a block. A code that a table
// does not have is priced one bit above the rarest that a table can have.
func (p *prices) setTables(tables *[3]*table) {
	for i, t := range tables {
		into := p.field(i)
		for code := range into {
			price, ok := t.distribution.cost(code)
			if !ok {
				price = uint32(t.distribution.log+1) * bit
			}
			into[code] = price
		}
	}
	p.addExtraBits()
}

// setCounts sets the prices of codes from how often each occurs. It leaves the
// prices of a field none of whose codes occurs.
func (p *prices) setCounts(counts *codeCounts) {
	for i := range 3 {
		into := p.field(i)
		total, _ := entropy.Totals(counts.field(i))
		for code, n := range counts.field(i) {
			switch {
			case n > 0:
				into[code] = log2(total) - log2(n)
			case total > 0:
				into[code] = log2(total) + bit
			}
		}
	}
	p.addExtraBits()
}

// field returns the prices of the codes of a field.
func (p *prices) field(i int) []uint32 {
	switch i {
	case fieldLiterals:
		return p.literalsCode[:]
	case fieldOffset:
		return p.offsetCode[:]
	}
	return p.lengthCode[:]
}

// addExtraBits sets the prices that include extra bits from those of codes.
func (p *prices) addExtraBits() {
	for c, price := range p.offsetCode {
		p.offset[c] = price + uint32(c)*bit
	}
	for n := range uint32(shortRun) {
		code, extra := literalsCode(n)
		p.literals[n] = p.literalsCode[code] + uint32(extra)*bit
	}
	for n := uint32(3); n < shortLength; n++ {
		code, extra := lengthCode(n)
		p.length[n] = p.lengthCode[code] + uint32(extra)*bit
	}
}

// setLiterals sets the prices of literals from how often each occurs. If there are
// none, each costs the 8 bits of a raw literal.
func (p *prices) setLiterals(counts *[256]uint32) {
	total, _ := entropy.Totals(counts[:])
	if total == 0 {
		for s := range p.literal {
			p.literal[s] = 8 * bit
		}
		return
	}
	whole := log2(total)
	for s, n := range counts {
		switch {
		case n > 0:
			p.literal[s] = min(max(whole-log2(n), bit/4), maxCodeBits*bit)
		default:
			p.literal[s] = min(whole+bit, (maxCodeBits+1)*bit)
		}
	}
}

// nearCode moves the prices of literals halfway to the lengths of a code. Those are
// the real prices for now, but another parse leads to another code.
func (p *prices) nearCode(h *huffman) {
	for s, b := range h.bits {
		if b > 0 {
			p.literal[s] = (p.literal[s] + uint32(b)*bit) / 2
		}
	}
}

// log2 returns the binary logarithm of x > 0 in units of 1/bit. Before rounding,
// the error is about 1/1000.
func log2(x uint32) uint32 {
	whole := uint32(bits.Len32(x) - 1)
	// f is the fraction of the mantissa in units of 1/65536. log2(1+f) is about
	// f + f(1-f)(a - bf) with fitted a and b.
	f := uint64(x) << 32 >> whole & 0xFFFFFFFF >> 16
	curve := f * (65536 - f) >> 16 * (27700 - 10400*f>>16) >> 16
	return whole*bit + uint32((f+curve+128)>>8)
}
