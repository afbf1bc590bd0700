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
	of := c.entropies(log)
	p.set(&of, lengths)
}

// entropies returns what symbols cost by how often they occur.
func (c *counts) entropies(log *logarithm) (of [symbolCount]uint32) {
	entropies(of[:lastCode], c[:lastCode], log)
	entropies(of[lastCode:], c[lastCode:], log)
	return of
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
// costs what follows from the counts.
func (p *prices) setLengths(code *[symbolCount]uint8, c *counts, log *logarithm, lengths *[maxLength + 1]uint16) {
	of := c.entropies(log)
	for s, n := range code {
		if n > 0 {
			of[s] = uint32(n) * bit
		}
	}
	p.set(&of, lengths)
}

// setFixed sets the prices of the fixed codes.
func (p *prices) setFixed(code *[symbolCount]uint8, lengths *[maxLength + 1]uint16) {
	var of [symbolCount]uint32
	for s, n := range code {
		of[s] = uint32(n) * bit
	}
	p.set(&of, lengths)
}

// setChance sets prices near those that follow from how often symbols occur.
// Some symbols that are rare get too dear to be used, so that their codes need
// no description.
func (p *prices) setChance(c *counts, log *logarithm, lengths *[maxLength + 1]uint16, dice *dice) {
	of := c.entropies(log)
	for s := range of {
		switch r := dice.roll(); {
		case c[s] > 0 && c[s] < 3 && r%4 == 0:
			of[s] += 6 * bit
		case r%3 == 0:
			of[s] += r >> 8 % (2 * bit)
			of[s] -= min(of[s]-bit/8, bit)
		}
	}
	p.set(&of, lengths)
}

// dice are numbers as if by chance, the same every time.
type dice uint32

func (d *dice) roll() uint32 {
	x := uint64(*d) * 48271 % (1<<31 - 1)
	*d = dice(x)
	return uint32(x)
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
