package zstdenc

import (
	"math"
	"slices"

	"github.com/precompress/precompress/internal/codec/lz"
)

// parser finds the cheapest way to write a part of a text as sequences, under
// given prices: from each position in turn, every match there and one more
// literal lead on to later positions, each of which keeps the few cheapest ways
// to get there that leave different distances to be used again.
type parser struct {
	text  []byte // dictionary and source
	width int    // ways kept a position
	nice  uint32 // a match this long is taken without looking for others
	ways  []way
	count []uint8  // by position: its ways
	worst []uint32 // by position: what a way has to be cheaper than to be kept
}

// way is how a position is reached.
type way struct {
	price  uint32
	run    uint32    // literals since the last match
	repeat [3]uint32 // the last distances
	// The last match, and the way that it started from; length 0 for none.
	length, offset uint32
	from           int32
}

func (p *parser) reset(text []byte, e effort) {
	p.text, p.width, p.nice = text, e.width, uint32(e.nice)
}

// parse appends the sequences of text[begin:end] to out, and returns the
// literals that remain behind them and the last distances then. The matches
// are those from begin on.
func (p *parser) parse(out []sequence, begin, end int, m *matches, repeat [3]uint32, cost *prices) ([]sequence, [3]uint32) {
	n := end - begin
	p.ways = slices.Grow(p.ways[:0], (n+1)*p.width)[:(n+1)*p.width]
	p.count = cleared(p.count, n+1)
	p.worst = slices.Grow(p.worst[:0], n+1)[:n+1]
	for i := range p.worst {
		p.worst[i] = math.MaxUint32
	}
	p.ways[0] = way{price: cost.ofRun(0), repeat: repeat, from: -1}
	p.count[0] = 1
	for i := 0; i < n; i++ {
		if p.count[i] > 0 {
			i = p.extend(begin, i, n, m.at(i), cost)
		}
	}
	return p.trace(out, n, cost)
}

func cleared(s []uint8, n int) []uint8 {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// extend leads on from a position. It returns the last position that is done
// with: the given one, or one shortly before the end of a long match.
func (p *parser) extend(begin, i, n int, found []lz.Match, cost *prices) int {
	ways := p.ways[i*p.width : i*p.width+int(p.count[i])]
	pos := begin + i
	rest := uint32(n - i)
	empty := cost.literals[0]
	for k := range ways {
		w := &ways[k]
		id := int32(i*p.width + k)
		for r := uint32(1); r <= 3; r++ {
			distance := w.distance(r)
			if distance == 0 || int(distance) > pos {
				continue
			}
			length := min(p.common(pos-int(distance), pos, rest), rest)
			if length < lz.MinLength {
				continue
			}
			if length >= p.nice {
				p.reach(i, length, id, r, w.price+cost.ofOffset(r)+cost.ofLength(length)+empty)
				if k == 0 {
					return i + int(length) - 1
				}
				continue
			}
			base := w.price + cost.ofOffset(r) + empty
			p.reachAll(i, lz.MinLength, length, id, r, base, cost)
		}
		from := uint32(lz.MinLength)
		for _, m := range found {
			length := min(m.Length, rest)
			if length < from {
				continue
			}
			offset := m.Distance + 3
			base := w.price + cost.ofOffset(offset) + empty
			if length >= p.nice {
				p.reach(i, length, id, offset, base+cost.ofLength(length))
				if k == 0 {
					return i + int(length) - 1
				}
				break
			}
			p.reachAll(i, from, length, id, offset, base, cost)
			from = length + 1
		}
		p.literal(w, i+1, w.price+cost.literal[p.text[pos]]+cost.ofRun(w.run+1)-cost.ofRun(w.run))
	}
	return i
}

// common returns how many bytes at two positions are the same, up to limit.
func (p *parser) common(a, b int, limit uint32) uint32 {
	return uint32(lz.CommonPrefix(p.text[a:], p.text[b:b+int(limit)]))
}

// distance returns the distance of a repeated offset behind the way's literals
// (RFC 8878, section 3.1.1.5), 0 for none.
func (w *way) distance(offset uint32) uint32 {
	if w.run == 0 {
		if offset == 3 {
			return w.repeat[0] - 1
		}
		offset++
	}
	return w.repeat[offset-1]
}

// next returns the last distances after a match.
func (w *way) next(offset uint32) [3]uint32 {
	r := w.repeat
	if offset > 3 {
		return [3]uint32{offset - 3, r[0], r[1]}
	}
	d := w.distance(offset)
	if w.run == 0 {
		offset++
	}
	switch offset {
	case 1:
		return r
	case 2:
		return [3]uint32{d, r[0], r[2]}
	}
	return [3]uint32{d, r[0], r[1]}
}

// reachAll offers the ways by a match cut to each of the lengths from low to
// high, whose price without that of the length is base.
func (p *parser) reachAll(i int, low, high uint32, from int32, offset, base uint32, cost *prices) {
	worst := p.worst[i+int(low) : i+int(high)+1]
	lengths := cost.length[low : high+1][:len(worst)]
	for k, w := range worst {
		if price := base + lengths[k]; price < w {
			p.reach(i, low+uint32(k), from, offset, price)
		}
	}
}

// reach offers a way by a match to the position that it leads to.
func (p *parser) reach(i int, length uint32, from int32, offset, price uint32) {
	if to := i + int(length); price < p.worst[to] {
		p.keep(to, way{price, 0, p.ways[from].next(offset), length, offset, from})
	}
}

// literal offers a way by one more literal.
func (p *parser) literal(w *way, to int, price uint32) {
	if price >= p.worst[to] {
		return
	}
	p.keep(to, way{price, w.run + 1, w.repeat, w.length, w.offset, w.from})
}

// keep puts a way in its place among those of a position, if it is one of the
// cheapest. Of two that leave the same distances only one is kept.
func (p *parser) keep(to int, w way) {
	at := p.ways[to*p.width : to*p.width+p.width]
	n := int(p.count[to])
	if p.width == 1 {
		at[0], p.count[to], p.worst[to] = w, 1, w.price
		return
	}
	for k := range at[:n] {
		if at[k].repeat == w.repeat && (at[k].run == 0) == (w.run == 0) {
			if at[k].price <= w.price {
				return
			}
			copy(at[k:], at[k+1:n])
			n--
			break
		}
	}
	k := min(n, p.width-1)
	for ; k > 0 && at[k-1].price > w.price; k-- {
		at[k] = at[k-1]
	}
	at[k] = w
	p.count[to] = uint8(min(n+1, p.width))
	if n+1 >= p.width {
		p.worst[to] = at[p.width-1].price
	}
}

// trace follows the cheapest way back, and appends its sequences to out.
func (p *parser) trace(out []sequence, n int, cost *prices) ([]sequence, [3]uint32) {
	ways := p.ways[n*p.width : n*p.width+int(p.count[n])]
	best := 0
	for k := range ways {
		// The literals behind the last match have no code.
		if ways[k].price-cost.ofRun(ways[k].run) < ways[best].price-cost.ofRun(ways[best].run) {
			best = k
		}
	}
	begin := len(out)
	for w := &ways[best]; w.length > 0; {
		from := &p.ways[w.from]
		out = append(out, sequence{from.run, w.length, w.offset})
		w = from
	}
	slices.Reverse(out[begin:])
	return out, ways[best].repeat
}
