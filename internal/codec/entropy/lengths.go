package entropy

import "slices"

// CodeBuilder computes the code lengths of optimal prefix codes. The zero value
// is ready for use. It keeps its buffers for the next code, and is not safe for
// concurrent use.
type CodeBuilder struct {
	keys     []uint64 // count and symbol, rarest first
	tree     []uint64
	weights  [maxCodeBits][]uint64 // by level: the weights of coins and packages
	packages [maxCodeBits][]bool   // by level: which of those are packages
}

// maxCodeBits is the largest limit that a caller may ask for.
const maxCodeBits = 15

// Lengths sets into[s], for each symbol s, to the length in bits of its code in
// an optimal prefix code whose codes have at most limit bits, given how often
// each symbol occurs. Symbols that do not occur get 0; if only one occurs, it
// gets 1. The limit is at most 15, the number of symbols at most 65,536. A code
// must exist: at most 2^limit symbols may occur.
func (c *CodeBuilder) Lengths(into []uint8, counts []uint32, limit int) {
	clear(into)
	c.keys = c.keys[:0]
	for s, n := range counts {
		if n > 0 {
			c.keys = append(c.keys, uint64(n)<<16|uint64(s))
		}
	}
	switch len(c.keys) {
	case 0:
		return
	case 1:
		into[c.keys[0]&0xFFFF] = 1
		return
	}
	slices.Sort(c.keys)
	if !c.huffman(into, limit) {
		c.packageMerge(into, limit)
	}
}

// huffman sets the lengths of a Huffman code if none exceeds the limit, and
// reports whether that is so. It repeatedly joins the two lightest nodes under a
// new parent, until one node is left. Leaves and inner nodes are two queues, both
// sorted by weight.
func (c *CodeBuilder) huffman(into []uint8, limit int) bool {
	n := len(c.keys)
	// Two values for each inner node: its weight, later its depth; and its parent.
	c.tree = slices.Grow(c.tree[:0], 2*n)[:2*n]
	weight, parent := c.tree[:n], c.tree[n:]
	leaf, inner := 0, 0
	leafParent := slices.Grow(c.weights[0][:0], n)[:n]
	c.weights[0] = leafParent
	for made := range n - 1 {
		sum := uint64(0)
		for range 2 {
			if leaf < n && (inner >= made || c.keys[leaf]>>16 <= weight[inner]) {
				sum += c.keys[leaf] >> 16
				leafParent[leaf] = uint64(made)
				leaf++
			} else {
				sum += weight[inner]
				parent[inner] = uint64(made)
				inner++
			}
		}
		weight[made] = sum
	}
	depth := weight
	depth[n-2] = 0
	for i := n - 3; i >= 0; i-- {
		depth[i] = depth[parent[i]] + 1
	}
	if int(depth[leafParent[0]])+1 > limit {
		return false
	}
	for i, key := range c.keys {
		into[key&0xFFFF] = uint8(depth[leafParent[i]] + 1)
	}
	return true
}

// packageMerge sets the lengths of an optimal length-limited code with the
// package-merge algorithm (Larmore and Hirschberg, 1990). Each of the limit levels
// has a coin for every symbol, and a package for every two neighbours of the
// level before, all sorted by weight. The lightest 2n-2 of the last level make the
// code: a symbol's length is the number of its coins among them, those inside
// packages included.
func (c *CodeBuilder) packageMerge(into []uint8, limit int) {
	clear(into)
	n := len(c.keys)
	var previous []uint64
	for level := range limit {
		row, isPackage := c.weights[level][:0], c.packages[level][:0]
		i, j := 0, 0
		for i < n || 2*j+1 < len(previous) {
			if 2*j+1 >= len(previous) || i < n && c.keys[i]>>16 <= previous[2*j]+previous[2*j+1] {
				row, isPackage = append(row, c.keys[i]>>16), append(isPackage, false)
				i++
			} else {
				row, isPackage = append(row, previous[2*j]+previous[2*j+1]), append(isPackage, true)
				j++
			}
		}
		c.weights[level], c.packages[level], previous = row, isPackage, row
	}
	take := 2*n - 2
	for level := limit - 1; level >= 0 && take > 0; level-- {
		coins, packages := 0, 0
		for _, isPackage := range c.packages[level][:take] {
			if isPackage {
				packages++
			} else {
				into[c.keys[coins]&0xFFFF]++
				coins++
			}
		}
		take = 2 * packages
	}
}
