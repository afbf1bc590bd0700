package zstdenc

import (
	"slices"

	"github.com/precompress/precompress/internal/codec/entropy"
)

// maxBlock is the largest content of a block in bytes. A smaller window limits it
// further (RFC 8878, section 3.1.1.2.4).
const maxBlock = 128 << 10

// maxParts is the largest number of parts that a text is divided into. Blocks end
// only where a part ends.
const maxParts = 48

// part has the statistics of consecutive sequences, with the literals in front of
// their matches.
type part struct {
	bytes     int // of text
	sequences int // number of them
	literals  [256]uint32
	codes     codeCounts
	extra     uint64 // number of extra bits
}

func (p *part) add(q *part) {
	p.bytes += q.bytes
	p.sequences += q.sequences
	p.extra += q.extra
	for s, n := range q.literals {
		p.literals[s] += n
	}
	for i := range 3 {
		into := p.codes.field(i)
		for c, n := range q.codes.field(i) {
			into[c] += n
		}
	}
}

// parts divides text, whose sequences are given, into parts with about the same
// number of sequences. The last part also has the literals at the end.
func parts(text []byte, sequences []sequence) []part {
	step := max(len(sequences)/maxParts+1, 24)
	var all []part
	for len(sequences) > 0 {
		some := sequences[:min(step, len(sequences))]
		sequences = sequences[len(some):]
		var p part
		for _, s := range some {
			for _, b := range text[p.bytes : p.bytes+int(s.literals)] {
				p.literals[b]++
			}
			p.bytes += int(s.literals + s.length)
			p.addCodes(s)
		}
		text = text[p.bytes:]
		all = append(all, p)
	}
	if len(all) == 0 {
		all = append(all, part{})
	}
	last := &all[len(all)-1]
	last.bytes += len(text)
	for _, b := range text {
		last.literals[b]++
	}
	return all
}

func (p *part) addCodes(s sequence) {
	p.sequences++
	p.codes.add(s)
	_, ll := literalsCode(s.literals)
	_, of := offsetCode(s.offset)
	_, ml := lengthCode(s.length)
	p.extra += uint64(ll + of + ml)
}

// split returns the blocks of at most limit bytes into which the parts are best
// combined, by the estimated size of each block. It finds them by dynamic
// programming.
func (e *estimator) split(all []part, limit int) (blocks []part) {
	n := len(all)
	best := make([]uint64, n+1) // by number of parts: the price of the first ones
	from := make([]int, n+1)    // and where the last block of those begins
	for end := 1; end <= n; end++ {
		var sum part
		best[end] = 1 << 62
		for begin := end - 1; begin >= 0; begin-- {
			sum.add(&all[begin])
			if sum.bytes > limit && begin < end-1 {
				break
			}
			if price := best[begin] + e.estimate(&sum); price < best[end] {
				best[end], from[end] = price, begin
			}
		}
	}
	for end := n; end > 0; end = from[end] {
		var sum part
		for i := from[end]; i < end; i++ {
			sum.add(&all[i])
		}
		blocks = append(blocks, sum)
	}
	slices.Reverse(blocks)
	return blocks
}

// estimator estimates the size of blocks.
type estimator struct{ predefined *[3]distribution }

// estimate returns the approximate price of a block.
func (e *estimator) estimate(p *part) uint64 {
	price := p.extra*bit + 5*8*bit + literalsEstimate(&p.literals)
	if p.sequences == 0 {
		return price
	}
	for i := range 3 {
		counts := p.codes.field(i)
		_, used := entropy.Totals(counts)
		own := entropyOf(counts, 9*bit) + 5*bit*uint64(1+used)
		if given, ok := e.predefined[i].total(counts); ok && given < own {
			own = given
		}
		price += own
	}
	return price
}

// literalsEstimate returns the approximate price of a literals section.
func literalsEstimate(counts *[256]uint32) uint64 {
	total, symbols := entropy.Totals(counts[:])
	coded := entropyOf(counts[:], maxCodeBits*bit) + uint64(symbols)*5*bit/2 + 24*bit
	return min(coded+uint64(total)*bit/64, uint64(total)*8*bit)
}

// entropyOf returns the price of the counted symbols in an ideal code whose symbols
// cost at most limit each.
func entropyOf(counts []uint32, limit uint32) uint64 {
	total, _ := entropy.Totals(counts)
	if total == 0 {
		return 0
	}
	whole, price := log2(total), uint64(0)
	for _, n := range counts {
		if n > 0 {
			price += uint64(n) * uint64(min(whole-log2(n), limit))
		}
	}
	return price
}
