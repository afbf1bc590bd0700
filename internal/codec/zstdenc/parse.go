package zstdenc

import (
	"math"
	"slices"

	"github.com/precompress/precompress/internal/codec/lz"
)

// parser finds the cheapest sequences for a text under given prices, as a shortest
// path. From each position in turn, one more literal and every match there lead on
// to later positions. Each position keeps the few cheapest paths that reach it with
// different repeat offsets.
type parser struct {
	text  []byte   // dictionary and source
	width int      // paths kept for each position
	nice  uint32   // a match of this length or more is taken without trying others
	paths []path   // width for each position, cheapest first
	count []uint8  // by position: the number of its paths
	bound []uint32 // by position: a path must be cheaper than this to be kept
}

// path is a way to reach a position.
type path struct {
	price  uint32
	run    uint32    // literals since the last match
	repeat [3]uint32 // repeat offsets
	// The last match, and the index of the path that it continues; length 0 for
	// none.
	length, offset uint32
	from           int32
}

func (p *parser) reset(text []byte, e effort) {
	p.text, p.width, p.nice = text, e.width, uint32(e.nice)
}

// parse appends the cheapest sequences for text[begin:end] to out, and returns them
// and the repeat offsets after them. The matches at begin are m.At(0).
func (p *parser) parse(out []sequence, begin, end int, m *lz.Matches[lz.Match], repeat [3]uint32, cost *prices) ([]sequence, [3]uint32) {
	n := end - begin
	p.paths = slices.Grow(p.paths[:0], (n+1)*p.width)[:(n+1)*p.width]
	p.count = slices.Grow(p.count[:0], n+1)[:n+1]
	clear(p.count)
	p.bound = slices.Grow(p.bound[:0], n+1)[:n+1]
	for i := range p.bound {
		p.bound[i] = math.MaxUint32
	}
	p.paths[0] = path{price: cost.runPrice(0), repeat: repeat, from: -1}
	p.count[0] = 1
	for i := 0; i < n; i++ {
		if p.count[i] > 0 {
			i = p.extend(begin, i, n, m.At(i), cost)
		}
	}
	return p.trace(out, n, cost)
}

// extend extends the paths that reach position i of n, counted from begin, by a
// literal and by matches. It returns the last position that needs no further work:
// i, or the one before the end of a long match.
func (p *parser) extend(begin, i, n int, found []lz.Match, cost *prices) int {
	paths := p.paths[i*p.width : i*p.width+int(p.count[i])]
	pos := begin + i
	rest := uint32(n - i)
	empty := cost.literals[0]
	for k := range paths {
		w := &paths[k]
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
				p.offerMatch(i, length, id, r, w.price+cost.offsetPrice(r)+cost.lengthPrice(length)+empty)
				if k == 0 {
					return i + int(length) - 1
				}
				continue
			}
			base := w.price + cost.offsetPrice(r) + empty
			p.offerLengths(i, lz.MinLength, length, id, r, base, cost)
		}
		from := uint32(lz.MinLength)
		for _, m := range found {
			length := min(m.Length, rest)
			if length < from {
				continue
			}
			offset := m.Distance + 3
			base := w.price + cost.offsetPrice(offset) + empty
			if length >= p.nice {
				p.offerMatch(i, length, id, offset, base+cost.lengthPrice(length))
				if k == 0 {
					return i + int(length) - 1
				}
				break
			}
			p.offerLengths(i, from, length, id, offset, base, cost)
			from = length + 1
		}
		p.offerLiteral(w, i+1, w.price+cost.literal[p.text[pos]]+cost.runPrice(w.run+1)-cost.runPrice(w.run))
	}
	return i
}

// common returns the number of bytes in which two positions agree, up to limit.
func (p *parser) common(a, b int, limit uint32) uint32 {
	return uint32(lz.CommonPrefix(p.text[a:], p.text[b:b+int(limit)]))
}

// distance returns the distance that a repeat offset, 1 to 3, means after the path
// (RFC 8878, section 3.1.1.5); 0 if it is invalid.
func (w *path) distance(offset uint32) uint32 {
	if w.run == 0 {
		if offset == 3 {
			return w.repeat[0] - 1
		}
		offset++
	}
	return w.repeat[offset-1]
}

// next returns the repeat offsets after a match with the given offset.
func (w *path) next(offset uint32) [3]uint32 {
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

// offerLengths offers the paths that end with a match of each length from low to
// high. base is their price without that of the length.
func (p *parser) offerLengths(i int, low, high uint32, from int32, offset, base uint32, cost *prices) {
	worst := p.bound[i+int(low) : i+int(high)+1]
	lengths := cost.length[low : high+1][:len(worst)]
	for k, w := range worst {
		if price := base + lengths[k]; price < w {
			p.offerMatch(i, low+uint32(k), from, offset, price)
		}
	}
}

// offerMatch offers a path that ends with a match to the position it leads to.
func (p *parser) offerMatch(i int, length uint32, from int32, offset, price uint32) {
	if to := i + int(length); price < p.bound[to] {
		p.keepCheapest(to, path{price, 0, p.paths[from].next(offset), length, offset, from})
	}
}

// offerLiteral offers the path w with one more literal to position to.
func (p *parser) offerLiteral(w *path, to int, price uint32) {
	if price >= p.bound[to] {
		return
	}
	p.keepCheapest(to, path{price, w.run + 1, w.repeat, w.length, w.offset, w.from})
}

// keepCheapest adds a path to those of a position, if it is one of the cheapest. Of
// two with the same repeat offsets only the cheaper one is kept.
func (p *parser) keepCheapest(to int, w path) {
	at := p.paths[to*p.width : to*p.width+p.width]
	n := int(p.count[to])
	if p.width == 1 {
		at[0], p.count[to], p.bound[to] = w, 1, w.price
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
		p.bound[to] = at[p.width-1].price
	}
}

// trace appends the sequences of the cheapest path to position n to out, and
// returns them and the repeat offsets after them.
func (p *parser) trace(out []sequence, n int, cost *prices) ([]sequence, [3]uint32) {
	paths := p.paths[n*p.width : n*p.width+int(p.count[n])]
	best := 0
	for k := range paths {
		// The number of literals after the last match costs nothing: it has no code.
		if paths[k].price-cost.runPrice(paths[k].run) < paths[best].price-cost.runPrice(paths[best].run) {
			best = k
		}
	}
	begin := len(out)
	for w := &paths[best]; w.length > 0; {
		from := &p.paths[w.from]
		out = append(out, sequence{from.run, w.length, w.offset})
		w = from
	}
	slices.Reverse(out[begin:])
	return out, paths[best].repeat
}
