package zstdenc

// prices are what a parser takes the parts of a block to cost, in parts of a
// bit.
type prices struct {
	literal [256]uint32
	// literals and length have prices with their extra bits: of small numbers
	// in a table, of larger ones by their codes.
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

// ofRun returns the price of a number of literals in front of a match.
func (p *prices) ofRun(n uint32) uint32 {
	if n < shortRun {
		return p.literals[n]
	}
	// A whole block of them has no match and no code.
	code, extra := literalsCode(min(n, maxBlock-1))
	return p.literalsCode[code] + uint32(extra)*bit
}

// ofLength returns the price of a match's length.
func (p *prices) ofLength(n uint32) uint32 {
	if n < shortLength {
		return p.length[n]
	}
	code, extra := lengthCode(n)
	return p.lengthCode[code] + uint32(extra)*bit
}

// ofOffset returns the price of a match's offset.
func (p *prices) ofOffset(offset uint32) uint32 {
	code, _ := offsetCode(offset)
	return p.offset[code]
}

// setTables sets what codes cost by the tables in use. A code that a table
// does not have costs a bit more than the rarest that it may have.
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

// setCounts sets what codes cost by how often each occurs, but for those of a
// field that never do.
func (p *prices) setCounts(counts *codeCounts) {
	for i := range 3 {
		into := p.field(i)
		total := uint32(0)
		for _, n := range counts.field(i) {
			total += n
		}
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

func (p *prices) field(i int) []uint32 {
	switch i {
	case fieldLiterals:
		return p.literalsCode[:]
	case fieldOffset:
		return p.offsetCode[:]
	}
	return p.lengthCode[:]
}

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

// setLiterals sets what literals cost by how often each occurs.
func (p *prices) setLiterals(counts *[256]uint32) {
	total := uint32(0)
	for _, n := range counts {
		total += n
	}
	if total == 0 {
		p.setRawLiterals()
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

// nearCode moves prices halfway to a code's lengths: those are what is paid, but
// with other counts the code would be another.
func (p *prices) nearCode(h *huffman) {
	for s, b := range h.bits {
		if b > 0 {
			p.literal[s] = (p.literal[s] + uint32(b)*bit) / 2
		}
	}
}

func (p *prices) setRawLiterals() {
	for s := range p.literal {
		p.literal[s] = 8 * bit
	}
}
