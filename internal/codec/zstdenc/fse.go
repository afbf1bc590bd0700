package zstdenc

import (
	"math/bits"

	"github.com/precompress/precompress/internal/codec/entropy"
)

// distribution has the probabilities for FSE coding (RFC 8878, section 4.1): how
// many of the 2^log states each symbol has. A value of -1 means a probability of
// less than one state; the symbol gets one state at the end of the table.
type distribution struct {
	log  uint
	norm []int16 // by symbol, up to the last one that occurs
}

// size returns the number of states.
func (d *distribution) size() int { return 1 << d.log }

// cost returns the price of a symbol. ok is false if it has no state and so cannot
// be coded.
func (d *distribution) cost(symbol int) (price uint32, ok bool) {
	if symbol >= len(d.norm) || d.norm[symbol] == 0 {
		return 0, false
	}
	return uint32(d.log)*bit - log2(uint32(max(d.norm[symbol], 1))), true
}

// total returns the price of all counted symbols together. ok is false if one of
// them cannot be coded.
func (d *distribution) total(counts []uint32) (price uint64, ok bool) {
	for s, n := range counts {
		if n == 0 {
			continue
		}
		c, ok := d.cost(s)
		if !ok {
			return 0, false
		}
		price += uint64(n) * uint64(c)
	}
	return price, true
}

// bestDistribution returns the distribution for which the description and the
// counted symbols together are smallest, its description and their price. At least
// two different symbols must occur.
func bestDistribution(counts []uint32, maxLog uint) (best distribution, description []byte, price uint64) {
	total, used := entropy.Totals(counts)
	price = 1 << 62
	for log := max(5, uint(bits.Len(uint(used-1)))); log <= maxLog; log++ {
		d := normalize(counts, total, log)
		text := d.describe()
		p, _ := d.total(counts)
		p += uint64(len(text)) * 8 * bit
		if p < price {
			best, description, price = d, text, p
		}
		if uint32(1)<<log > 4*total {
			break // more states gain nothing
		}
	}
	return best, description, price
}

// normalize distributes 2^log states. Each symbol that occurs gets its share,
// rounded down, but at least one. Then states are added where they save the most
// bits, or taken away where they cost the fewest, until the sum is right. total is
// the sum of the counts.
func normalize(counts []uint32, total uint32, log uint) distribution {
	last := len(counts)
	for counts[last-1] == 0 {
		last--
	}
	d := distribution{log, make([]int16, last)}
	left := 1 << log
	for s, n := range counts[:last] {
		if n > 0 {
			d.norm[s] = int16(max(uint64(n)<<log/uint64(total), 1))
			left -= int(d.norm[s])
		}
	}
	for ; left > 0; left-- {
		d.norm[d.largestGain(counts)]++
	}
	for ; left < 0; left++ {
		d.norm[d.smallestLoss(counts)]--
	}
	for s, n := range d.norm {
		if n == 1 {
			d.norm[s] = -1
		}
	}
	return d
}

// largestGain returns the symbol that saves the most bits with one more state.
func (d *distribution) largestGain(counts []uint32) (at int) {
	most := uint64(0)
	for s, n := range d.norm {
		if n == 0 {
			continue
		}
		if gain := uint64(counts[s]) * uint64(log2(uint32(n)+1)-log2(uint32(n))); gain >= most {
			most, at = gain, s
		}
	}
	return at
}

// smallestLoss returns the symbol that costs the fewest bits with one state less.
func (d *distribution) smallestLoss(counts []uint32) (at int) {
	least := uint64(1 << 63)
	for s, n := range d.norm {
		if n < 2 {
			continue
		}
		if loss := uint64(counts[s]) * uint64(log2(uint32(n))-log2(uint32(n)-1)); loss < least {
			least, at = loss, s
		}
	}
	return at
}

// describe returns the description of the distribution (RFC 8878, section 4.1.1).
func (d *distribution) describe() []byte {
	var w entropy.BitWriter
	w.Add(uint64(d.log-5), 4)
	left := d.size() + 1 // states not described yet, plus one
	width := d.log + 1   // bits of a value from 0 to left
	for s := 0; left > 1; s++ {
		norm := int(d.norm[s])
		value := norm + 1
		// Values below short take one bit less.
		short := 1<<width - 1 - left
		if value < short {
			w.Add(uint64(value), width-1)
		} else {
			if value >= 1<<(width-1) {
				value += short
			}
			w.Add(uint64(value), width)
		}
		left -= max(norm, -norm)
		for left > 1 && left < 1<<(width-1) {
			width--
		}
		if norm == 0 {
			s += d.describeZeros(&w, s+1)
		}
	}
	w.Align()
	return w.Out
}

// describeZeros writes the number of consecutive symbols, starting with from, that
// do not occur. It returns that number.
func (d *distribution) describeZeros(w *entropy.BitWriter, from int) int {
	n := 0
	for d.norm[from+n] == 0 {
		n++
	}
	for rest := n; ; rest -= 3 {
		if rest < 3 {
			w.Add(uint64(rest), 2)
			return n
		}
		w.Add(3, 2)
	}
}

// fseCoder encodes symbols by a distribution. States are numbered from 2^log to
// 2^(log+1)-1, and each belongs to a symbol. The states of a symbol that has n of
// them are also numbered n to 2n-1 among themselves.
type fseCoder struct {
	log    uint
	norm   []int16
	first  []int32  // by symbol: the index of its first state in states, minus n
	states []uint16 // sorted by symbol
}

func newFSECoder(d distribution) *fseCoder {
	c := &fseCoder{d.log, d.norm, make([]int32, len(d.norm)), make([]uint16, d.size())}
	begin := int32(0)
	fill := make([]int32, len(d.norm))
	for s, n := range d.norm {
		n := int32(max(n, -n))
		c.first[s], fill[s] = begin-n, begin
		begin += n
	}
	for state, s := range d.spread() {
		c.states[fill[s]] = uint16(d.size() + state)
		fill[s]++
	}
	return c
}

// spread returns the symbol of each state (RFC 8878, section 4.1.1).
func (d *distribution) spread() []uint8 {
	size := d.size()
	symbols := make([]uint8, size)
	free := size
	for s, n := range d.norm {
		if n == -1 {
			free--
			symbols[free] = uint8(s)
		}
	}
	at := 0
	for s, n := range d.norm {
		for range n { // none for -1
			symbols[at] = uint8(s)
			for {
				at = (at + size>>1 + size>>3 + 3) & (size - 1)
				if at < free {
					break
				}
			}
		}
	}
	return symbols
}

// start returns a state of the symbol. The encoder works backwards: it begins with
// the last symbol, which a decoder reads from its final state.
func (c *fseCoder) start(symbol uint8) uint32 {
	n := int32(max(c.norm[symbol], 1))
	return uint32(c.states[c.first[symbol]+n])
}

// next encodes a symbol in front of those encoded before. It writes the bits that
// take a decoder from the symbol's state to the given one, and returns the symbol's
// state.
func (c *fseCoder) next(w *entropy.BitWriter, state uint32, symbol uint8) uint32 {
	n := uint32(max(c.norm[symbol], 1))
	// Remove as many bits as are needed to bring the state below 2n.
	k := uint(bits.Len32(state) - bits.Len32(n))
	if state>>k < n {
		k--
	}
	w.Add(uint64(state&(1<<k-1)), k)
	return uint32(c.states[c.first[symbol]+int32(state>>k)])
}

// flush writes the state that a decoder begins with.
func (c *fseCoder) flush(w *entropy.BitWriter, state uint32) {
	w.Add(uint64(state)&(1<<c.log-1), c.log)
}

// endBackward ends a bit stream that is read from its end, and returns all that w
// has written. The highest bit set in the last byte marks where reading starts.
func endBackward(w *entropy.BitWriter) []byte {
	w.Add(1, 1)
	w.Align()
	return w.Out
}
