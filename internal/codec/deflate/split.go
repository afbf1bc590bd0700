package deflate

import "slices"

// part is a sequence of consecutive tokens.
type part struct {
	bytes  int // of text that the tokens stand for
	counts counts
}

func (p *part) add(q *part) {
	p.bytes += q.bytes
	p.counts.add(&q.counts)
}

func (p *part) remove(q *part) {
	p.bytes -= q.bytes
	for s, n := range q.counts {
		p.counts[s] -= n
	}
}

const (
	group   = 8  // parts in a group; the coarse split is between groups
	minPart = 12 // fewest tokens in a part
)

// cut divides the tokens into parts. Blocks end only where a part ends.
func (e *Encoder) cut(tokens []token) {
	step := max(len(tokens)/(e.effort.groups*group)+1, minPart)
	e.parts = e.parts[:0]
	for some := range slices.Chunk(tokens, step) {
		p := part{counts: countTokens(some, &e.symbols)}
		p.counts[endOfBlock] = 0
		for _, t := range some {
			p.bytes += t.bytes()
		}
		e.parts = append(e.parts, p)
	}
}

// split returns the blocks into which the tokens are best divided, by the
// estimated size of each block.
func (e *Encoder) split(tokens []token) []part {
	e.cut(tokens)
	ends := e.coarse()
	for range 2 {
		e.refine(ends)
	}
	blocks := make([]part, 0, len(ends))
	begin := 0
	for _, end := range ends {
		b := e.sum(begin, end)
		b.counts[endOfBlock] = 1
		blocks = append(blocks, b)
		begin = end
	}
	return blocks
}

// sum returns the parts with the indices from begin up to end as one.
func (e *Encoder) sum(begin, end int) (sum part) {
	for i := begin; i < end; i++ {
		sum.add(&e.parts[i])
	}
	return sum
}

// coarse returns the ends of the best blocks that consist of whole groups, as
// indices of parts. It finds them by dynamic programming.
func (e *Encoder) coarse() []int {
	n := (len(e.parts) + group - 1) / group
	e.groups = slices.Grow(e.groups[:0], n)[:n]
	clear(e.groups)
	for i := range e.parts {
		e.groups[i/group].add(&e.parts[i])
	}
	best := make([]uint64, n+1) // by number of groups: the price of the first ones
	from := make([]int, n+1)    // and where the last block of those begins
	for end := 1; end <= n; end++ {
		var sum part
		best[end] = 1 << 62
		for begin := end - 1; begin >= 0; begin-- {
			sum.add(&e.groups[begin])
			if price := best[begin] + e.estimate(&sum); price < best[end] {
				best[end], from[end] = price, begin
			}
		}
	}
	var ends []int
	for end := n; end > 0; end = from[end] {
		ends = append(ends, min(end*group, len(e.parts)))
	}
	slices.Reverse(ends)
	return ends
}

// refine moves each end of a block, by less than a group, to where the two blocks
// that meet there are smallest.
func (e *Encoder) refine(ends []int) {
	begin := 0
	for k := range len(ends) - 1 {
		low := max(ends[k]-group+1, begin+1)
		high := min(ends[k]+group-1, ends[k+1]-1)
		left, right := e.sum(begin, low), e.sum(low, ends[k+1])
		least := ^uint64(0)
		for end := low; end <= high; end++ {
			if price := e.estimate(&left) + e.estimate(&right); price < least {
				least, ends[k] = price, end
			}
			left.add(&e.parts[end])
			right.remove(&e.parts[end])
		}
		begin = ends[k]
	}
}

// estimate returns the approximate price of a block: the entropy of its symbols,
// and a guess for the description of its codes.
func (e *Encoder) estimate(p *part) uint64 {
	price := p.counts.extra()*bit + 70*bit
	price += e.entropy(p.counts[:distanceBase], 1) + e.entropy(p.counts[distanceBase:], 0)
	return min(price, e.builder.fixedBits(&p.counts)*bit+7*bit, storedBits(p.bytes, 4)*bit)
}

// entropy returns the price of the counted symbols, and of others that occur once,
// in an ideal code, plus a guess for the description of that code.
func (e *Encoder) entropy(counts []uint32, others uint32) uint64 {
	total, price := others, uint64(0)
	used := false
	for _, n := range counts {
		total += n
		if n > 0 {
			price -= uint64(n) * uint64(e.log.of(n))
			price += 11 * bit / 4
			if !used {
				price += 2 * bit
			}
		}
		used = n > 0
	}
	if total == 0 {
		return 0
	}
	return price + uint64(total)*uint64(e.log.of(total))
}
