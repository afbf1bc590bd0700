package deflate

import (
	"slices"

	"github.com/precompress/precompress/internal/codec/lz"
)

// matches are those of consecutive positions, by rising length.
type matches struct {
	found []item
	first []uint32 // by position, and one more: where its matches begin
	next  []lz.Match
}

func (m *matches) reset() {
	m.found, m.first = m.found[:0], append(m.first[:0], 0)
}

// look adds the matches of the tree's next position.
func (m *matches) look(tree *lz.Tree) {
	m.next = tree.Append(m.next[:0])
	for _, f := range m.next {
		m.found = append(m.found, newMatch(f.Length, f.Distance))
	}
	m.first = append(m.first, uint32(len(m.found)))
}

// drop forgets the first n positions.
func (m *matches) drop(n int) {
	gone := m.first[n]
	m.found = slices.Delete(m.found, 0, int(gone))
	m.first = slices.Delete(m.first, 0, n)
	for i := range m.first {
		m.first[i] -= gone
	}
}

// parser finds the cheapest way to write a part of a text under given prices.
type parser struct {
	cost   []uint32 // by position: from there to the end
	choice []item   // by position: what is written there
	whole  int      // a match this long is not cut
}

// parse appends the items of text to out. The matches are those from position
// at on. From the end on, each position takes what is the cheapest together
// with what then follows.
func (p *parser) parse(out []item, text []byte, m *matches, at int, prices *prices) []item {
	n := len(text)
	p.cost = slices.Grow(p.cost[:0], n+1)[:n+1]
	p.choice = slices.Grow(p.choice[:0], n)[:n]
	p.cost[n] = 0
	end := m.first[at+n]
	for i := n - 1; i >= 0; i-- {
		begin := m.first[at+i]
		price, choice := prices.literal[text[i]]+p.cost[i+1], item(text[i])
		if begin < end {
			price, choice = p.match(i, m.found[begin:end], prices, price, choice)
		}
		p.cost[i], p.choice[i] = price, choice
		end = begin
	}
	for i := 0; i < n; i += p.choice[i].bytes() {
		out = append(out, p.choice[i])
	}
	return out
}

// match returns the cheapest of the matches at a position, cut to any length,
// and of what is given. Of matches that reach far enough it takes that with the
// cheapest distance.
func (p *parser) match(i int, found []item, prices *prices, price uint32, choice item) (uint32, item) {
	costs := p.cost[i:]
	if len(costs) > maxLength+1 {
		costs = costs[:maxLength+1]
	}
	longest := len(costs) - 1
	var cheapest item
	least := ^uint32(0)
	for k := len(found) - 1; k >= 0; k-- {
		m := found[k]
		if of := prices.distance[m.code()]; of <= least {
			least, cheapest = of, m
		}
		high, low := min(int(m.length()), longest), minLength
		if k > 0 {
			low = int(found[k-1].length()) + 1
		}
		if high >= p.whole {
			low = high
		}
		at := 0
		limit := price - min(least, price)
		for l := low; l <= high; l++ {
			if c := costs[l] + prices.length[l]; c < limit {
				limit, at = c, l
			}
		}
		if at > 0 {
			price, choice = limit+least, cheapest.cut(uint32(at))
		}
		if high >= p.whole {
			break
		}
	}
	return price, choice
}
