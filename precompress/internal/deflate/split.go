package deflate

import "slices"

// part is a run of items.
type part struct {
	items  int
	bytes  int // of the text
	counts counts
}

func (p *part) add(q *part) {
	p.items += q.items
	p.bytes += q.bytes
	p.counts.add(&q.counts)
}

// parts cuts items into at most about most parts, of least items or more.
func (e *Encoder) parts(items []item, most, least int) []part {
	step := max(len(items)/most+1, least)
	all := e.cuts[:0]
	for some := range slices.Chunk(items, step) {
		p := part{items: len(some), counts: countItems(some, &e.lengths)}
		p.counts[endOfBlock] = 0
		for _, m := range some {
			p.bytes += m.bytes()
		}
		all = append(all, p)
	}
	e.cuts = all
	return all
}

// split returns the blocks that a text is best cut into, by what each run of
// its parts is estimated to take.
func (e *Encoder) split(all []part) (blocks []part) {
	n := len(all)
	best := make([]uint64, n+1) // by parts in front: what they take
	from := make([]int, n+1)
	for end := 1; end <= n; end++ {
		var sum part
		best[end] = 1 << 62
		for begin := end - 1; begin >= 0; begin-- {
			sum.add(&all[begin])
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
		sum.counts[endOfBlock] = 1
		blocks = append(blocks, sum)
	}
	slices.Reverse(blocks)
	return blocks
}

// estimate returns about how many parts of a bit a block takes, by the entropy
// of its symbols and a guess at what the description of its codes takes.
func (e *Encoder) estimate(p *part) uint64 {
	if e.effort.exact {
		p.counts[endOfBlock] = 1
		b := e.builder
		b.simple(&b.try, &p.counts, 2)
		bits := min(b.try.bits, b.fixedBits(&p.counts), storedBits(p.bytes, 4))
		p.counts[endOfBlock] = 0
		return bits * bit
	}
	price := p.counts.extra()*bit + 70*bit
	price += e.entropy(p.counts[:lastCode], 1) + e.entropy(p.counts[lastCode:], 0)
	return min(price, e.builder.fixedBits(&p.counts)*bit+7*bit, storedBits(p.bytes, 4)*bit)
}

// entropy returns what counted symbols and others that occur once take by their
// own frequencies, with a guess at what the description of their code takes.
func (e *Encoder) entropy(counts []uint32, others uint32) uint64 {
	total, price := others, uint64(0)
	used := false
	for _, n := range counts {
		total += n
		if n > 0 {
			price -= uint64(n) * uint64(e.log.of(n))
			price += 3 * bit
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
