package deflate

// tables are the two codes of a block, and how they are written.
type tables struct {
	lengths [symbolCount]uint8
	description
	bits uint64 // of the block, its head too
}

// builder finds codes for blocks. Its buffers are kept for the next.
type builder struct {
	describer
	log   *logarithm
	try   tables
	fixed [symbolCount]uint8
}

func newBuilder(log *logarithm) *builder {
	b := &builder{log: log}
	for s := range b.fixed {
		switch {
		case s >= lastCode:
			b.fixed[s] = 5
		case s < 144 || s >= 280:
			b.fixed[s] = 8
		case s < 256:
			b.fixed[s] = 9
		default:
			b.fixed[s] = 7
		}
	}
	return b
}

// headBits are those in front of every block.
const headBits = 3

// simple sets codes by the counts as they are.
func (b *builder) simple(into *tables, c *counts, rounds int) {
	b.from(into, c, c, c.extra(), rounds)
}

// from sets codes for symbols as if they occurred as often as taken says.
func (b *builder) from(into *tables, taken, c *counts, extra uint64, rounds int) {
	b.coder.Lengths(into.lengths[:lastCode], taken[:lastCode], maxCodeBits)
	b.coder.Lengths(into.lengths[lastCode:], taken[lastCode:], maxCodeBits)
	b.describe(&into.description, &into.lengths, rounds)
	into.bits = headBits + into.description.bits + c.coded(&into.lengths) + extra
}

// fixedBits returns the bits of a block with the fixed codes (RFC 1951, section
// 3.2.6).
func (b *builder) fixedBits(c *counts) uint64 {
	return headBits + c.coded(&b.fixed) + c.extra()
}

// best sets the codes for which the block is the smallest. Some that are not
// the best for the symbols are described in fewer bits.
func (b *builder) best(into *tables, c *counts, rounds int) {
	b.simple(into, c, rounds)
	extra := c.extra()
	var last counts
	for _, tolerance := range []uint32{bit / 4, bit / 2, bit * 3 / 4, bit, bit * 3 / 2, bit * 2} {
		taken := *c
		smooth(taken[:lastCode], b.log, tolerance)
		smooth(taken[lastCode:], b.log, tolerance)
		if taken == *c || taken == last {
			continue
		}
		last = taken
		b.from(&b.try, &taken, c, extra, rounds)
		if b.try.bits < into.bits {
			*into, b.try = b.try, *into
		}
	}
}

// polish makes the codes as if one symbol after the other occurred as often as
// its neighbour, and keeps what makes the block smaller. With one round it looks
// at neighbours on one side alone.
func (b *builder) polish(into *tables, c *counts, rounds int) {
	extra := c.extra()
	taken := b.taken(&into.lengths)
	for range rounds {
		before := into.bits
		for s, n := range c {
			if n == 0 {
				continue
			}
			b.polishOne(into, &taken, c, s, -1, extra, rounds)
			if rounds > 1 {
				b.polishOne(into, &taken, c, s, 1, extra, rounds)
			}
		}
		if into.bits == before {
			break
		}
	}
}

// polishOne tries a symbol as if it occurred as often as the next one in the
// given direction.
func (b *builder) polishOne(into *tables, taken, c *counts, s, step int, extra uint64, rounds int) {
	near := s + step
	for near >= 0 && near < len(c) && c[near] == 0 {
		near += step
	}
	if near < 0 || near >= len(c) || (near < lastCode) != (s < lastCode) || taken[near] == taken[s] {
		return
	}
	was := taken[s]
	taken[s] = taken[near]
	b.from(&b.try, taken, c, extra, 1+rounds)
	if b.try.bits < into.bits {
		*into, b.try = b.try, *into
	} else {
		taken[s] = was
	}
}

// taken returns counts for which a code of the given lengths is optimal.
func (b *builder) taken(lengths *[symbolCount]uint8) (c counts) {
	for s, n := range lengths {
		if n > 0 {
			c[s] = 1 << (maxCodeBits - n)
		}
	}
	return c
}

// smooth makes counts that follow each other and differ by little the same.
func smooth(counts []uint32, log *logarithm, tolerance uint32) {
	for begin := 0; begin < len(counts); {
		if counts[begin] == 0 {
			begin++
			continue
		}
		low, high, sum := counts[begin], counts[begin], uint64(counts[begin])
		end := begin + 1
		for ; end < len(counts) && counts[end] > 0; end++ {
			l, h := min(low, counts[end]), max(high, counts[end])
			if log.of(h)-log.of(l) > tolerance {
				break
			}
			low, high, sum = l, h, sum+uint64(counts[end])
		}
		if end-begin >= 3 {
			mean := uint32((sum + uint64(end-begin)/2) / uint64(end-begin))
			for i := begin; i < end; i++ {
				counts[i] = mean
			}
		}
		begin = end
	}
}
