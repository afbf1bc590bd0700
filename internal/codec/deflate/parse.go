package deflate

import (
	"slices"

	"github.com/precompress/precompress/internal/codec/lz"
)

// parser finds the cheapest tokens for a text under given prices.
type parser struct {
	cost   []uint32 // by position: the price from there to the end
	choice []token  // by position: the token that is written there
	nice   int      // a match of this length or more is never shortened
}

// parse appends the cheapest tokens for text to out. The matches at its first
// byte are m.At(at). It works from the end: each position takes the token that is
// cheapest together with all that follows.
func (p *parser) parse(out []token, text []byte, m *lz.Matches[token], at int, prices *prices) []token {
	n := len(text)
	p.cost = slices.Grow(p.cost[:0], n+1)[:n+1]
	p.choice = slices.Grow(p.choice[:0], n)[:n]
	p.cost[n] = 0
	for i := n - 1; i >= 0; i-- {
		price, choice := prices.literal[text[i]]+p.cost[i+1], token(text[i])
		if found := m.At(at + i); len(found) > 0 {
			price, choice = p.match(i, found, prices, price, choice)
		}
		p.cost[i], p.choice[i] = price, choice
	}
	for i := 0; i < n; i += p.choice[i].bytes() {
		out = append(out, p.choice[i])
	}
	return out
}

// match returns the cheapest of the given choice and the matches at position i,
// each shortened to any length. For each length it uses the cheapest distance
// among the matches that are long enough.
func (p *parser) match(i int, found []token, prices *prices, price uint32, choice token) (uint32, token) {
	costs := p.cost[i:]
	if len(costs) > maxLength+1 {
		costs = costs[:maxLength+1]
	}
	longest := len(costs) - 1
	var cheapest token
	least := ^uint32(0)
	for k := len(found) - 1; k >= 0; k-- {
		m := found[k]
		if d := prices.distance[m.distanceCode()]; d <= least {
			least, cheapest = d, m
		}
		high, low := min(int(m.length()), longest), minLength
		if k > 0 {
			low = int(found[k-1].length()) + 1
		}
		if high >= p.nice {
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
		if high >= p.nice {
			break
		}
	}
	return price, choice
}
