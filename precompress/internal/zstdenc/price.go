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
	offset       [offsetCodes]uint32 // with extra bits
}

const (
	shortRun    = 64
	shortLength = 1 << 10
)

func (p *prices) ofRun(n uint32) uint32 {
	if n < shortRun {
		return p.literals[n]
	}
	code, extra := literalsCode(n)
	return p.literalsCode[code] + uint32(extra)*bit
}

func (p *prices) ofLength(n uint32) uint32 {
	if n < shortLength {
		return p.length[n]
	}
	code, extra := lengthCode(n)
	return p.lengthCode[code] + uint32(extra)*bit
}

func (p *prices) ofOffset(offset uint32) uint32 {
	code, _ := offsetCode(offset)
	return p.offset[code]
}

// setFields sets what codes cost by their distributions. A code that a
// distribution does not have costs a bit more than the rarest that it may have.
func (p *prices) setFields(fields *[3]distribution) {
	price := func(field, code int) uint32 {
		d := &fields[field]
		if c, ok := d.cost(code); ok {
			return c
		}
		return uint32(d.log+1) * bit
	}
	for c := range p.literalsCode {
		p.literalsCode[c] = price(fieldLiterals, c)
	}
	for c := range p.lengthCode {
		p.lengthCode[c] = price(fieldLength, c)
	}
	for c := range p.offset {
		p.offset[c] = price(fieldOffset, c) + uint32(c)*bit
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

func (p *prices) setRawLiterals() {
	for s := range p.literal {
		p.literal[s] = 8 * bit
	}
}
