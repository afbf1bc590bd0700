package deflate

// prices are what a parser takes items to cost, in parts of a bit, extra bits
// included.
type prices struct {
	literal  [256]uint32
	length   [maxLength + 1]uint32
	distance [32]uint32 // by code
}

// unused is how much more than the rarest symbol, in parts of a bit, one
// without a code is taken to cost.
const unused = bit

// setCounts sets the prices that follow from how often symbols occur.
func (p *prices) setCounts(c *counts, log *logarithm, lengths *[maxLength + 1]uint16) {
	var of [symbolCount]uint32
	entropies(of[:lastCode], c[:lastCode], log)
	entropies(of[lastCode:], c[lastCode:], log)
	p.set(&of, lengths)
}

func entropies(into, counts []uint32, log *logarithm) {
	total := uint32(0)
	for _, n := range counts {
		total += n
	}
	whole := log.of(max(total, 1))
	for s, n := range counts {
		if n == 0 {
			into[s] = min(whole+unused, (maxCodeBits-1)*bit)
		} else {
			into[s] = min(max(whole-log.of(n), bit/4), maxCodeBits*bit)
		}
	}
}

// setLengths sets the prices that follow from a code; a symbol without one
// costs what it does now.
func (p *prices) setLengths(code *[symbolCount]uint8, of *[symbolCount]uint32, lengths *[maxLength + 1]uint16) {
	for s, n := range code {
		if n > 0 {
			of[s] = uint32(n) * bit
		}
	}
	p.set(of, lengths)
}

func (p *prices) set(of *[symbolCount]uint32, lengths *[maxLength + 1]uint16) {
	copy(p.literal[:], of[:256])
	for n := minLength; n <= maxLength; n++ {
		s := lengths[n]
		p.length[n] = of[s] + uint32(extraBits(int(s)))*bit
	}
	for s := range distanceCodes {
		p.distance[s] = of[lastCode+s] + uint32(extraBits(lastCode+s))*bit
	}
}
