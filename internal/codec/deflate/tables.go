package deflate

import "math/bits"

// codeLengths are the lengths in bits of a block's codes, by symbol; 0 for a
// symbol without a code.
type codeLengths [symbolCount]uint8

// tables are the two Huffman codes of a block, and their description.
type tables struct {
	lengths codeLengths
	description
	bits uint64 // size of the block with these codes, header included
}

// builder finds the codes of blocks. It keeps its buffers for the next block.
type builder struct {
	describer
	log   *logarithm
	trial tables
	fixed codeLengths // the fixed codes (RFC 1951, section 3.2.6)
}

func newBuilder(log *logarithm) *builder {
	b := &builder{log: log}
	for s := range b.fixed {
		switch {
		case s >= distanceBase:
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

// headBits is the size in bits of the header that every block starts with.
const headBits = 3

// optimal sets the codes that are optimal for the counts, apart from the size of
// their description.
func (b *builder) optimal(into *tables, c *counts, rounds int) {
	b.build(into, c, c, c.extra(), rounds)
}

// build sets the codes that are optimal for the frequencies, and the size of a
// block with these codes and the counts. extra is the number of extra bits.
func (b *builder) build(into *tables, frequencies, c *counts, extra uint64, rounds int) {
	b.coder.Lengths(into.lengths[:distanceBase], frequencies[:distanceBase], maxCodeBits)
	b.coder.Lengths(into.lengths[distanceBase:], frequencies[distanceBase:], maxCodeBits)
	b.describe(&into.description, &into.lengths, rounds)
	into.bits = headBits + into.description.bits + c.coded(&into.lengths) + extra
}

// fixedBits returns the size in bits of a block with the fixed codes.
func (b *builder) fixedBits(c *counts) uint64 {
	return headBits + c.coded(&b.fixed) + c.extra()
}

// best sets the codes that make the block smallest. Besides the optimal codes it
// tries codes for smoothed counts, which have shorter descriptions.
func (b *builder) best(into *tables, c *counts, rounds int) {
	b.optimal(into, c, rounds)
	extra := c.extra()
	var last counts
	for _, tolerance := range []uint32{bit / 4, bit / 2, bit * 3 / 4, bit, bit * 3 / 2, bit * 2} {
		smoothed := *c
		smooth(smoothed[:distanceBase], b.log, tolerance)
		smooth(smoothed[distanceBase:], b.log, tolerance)
		if smoothed == *c || smoothed == last {
			continue
		}
		last = smoothed
		b.build(&b.trial, &smoothed, c, extra, rounds)
		if b.trial.bits < into.bits {
			*into, b.trial = b.trial, *into
		}
	}
}

// polish tries small changes to the codes, and keeps those that make the block
// smaller: each symbol in turn is treated as if it were as frequent as its
// neighbour. If rounds is 1, only neighbours on one side are tried.
func (b *builder) polish(into *tables, c *counts, rounds int) {
	extra := c.extra()
	frequencies := into.lengths.frequencies()
	for range rounds {
		before := into.bits
		for s, n := range c {
			if n == 0 {
				continue
			}
			b.polishOne(into, &frequencies, c, s, -1, extra, rounds)
			if rounds > 1 {
				b.polishOne(into, &frequencies, c, s, 1, extra, rounds)
			}
		}
		if into.bits == before {
			break
		}
	}
}

// polishOne tries symbol s with the frequency of the next symbol that occurs in
// the direction of step, -1 or 1.
func (b *builder) polishOne(into *tables, frequencies, c *counts, s, step int, extra uint64, rounds int) {
	near := s + step
	for near >= 0 && near < len(c) && c[near] == 0 {
		near += step
	}
	if near < 0 || near >= len(c) || (near < distanceBase) != (s < distanceBase) || frequencies[near] == frequencies[s] {
		return
	}
	old := frequencies[s]
	frequencies[s] = frequencies[near]
	b.build(&b.trial, frequencies, c, extra, 1+rounds)
	if b.trial.bits < into.bits {
		*into, b.trial = b.trial, *into
	} else {
		frequencies[s] = old
	}
}

// frequencies returns counts for which codes of these lengths are optimal.
func (lengths *codeLengths) frequencies() (c counts) {
	for s, n := range lengths {
		if n > 0 {
			c[s] = 1 << (maxCodeBits - n)
		}
	}
	return c
}

// smooth replaces runs of three or more consecutive counts by their mean, if
// their logarithms differ by at most tolerance.
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

// maxCodeBits is the largest length of a symbol's code (RFC 1951, section 3.2.7).
const maxCodeBits = 15

// assign sets the codes that follow from the lengths (RFC 1951, section 3.2.2).
// Their bits are reversed, since codes are written most significant bit first.
func assign(codes []uint16, lengths []uint8) {
	var next [maxCodeBits + 2]uint16
	for _, n := range lengths {
		if n > 0 {
			next[n+1]++
		}
	}
	for n := 1; n < len(next); n++ {
		next[n] += next[n-1]
		next[n] <<= 1
	}
	// Now next[n] is the first code of length n.
	for s, n := range lengths {
		if n > 0 {
			codes[s] = bits.Reverse16(next[n]) >> (16 - n)
			next[n]++
		}
	}
}
