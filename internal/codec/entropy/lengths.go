package entropy

import "slices"

// Coder makes prefix codes. Its buffers are kept for the next.
type Coder struct {
	keys     []uint64 // count and symbol, rarest first
	tree     []uint64
	rows     [maxCodeBits][]uint64 // weights of coins and packages
	packages [maxCodeBits][]bool
}

// maxCodeBits is the longest code that can be asked for.
const maxCodeBits = 15

// Lengths sets the lengths of the optimal code of at most limit bits, 15 or
// fewer, for counted symbols, 65,536 or fewer. A symbol alone gets one bit. The
// symbols that occur must fit that many bits.
func (c *Coder) Lengths(into []uint8, counts []uint32, limit int) {
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
	if !c.unlimited(into, limit) {
		c.limited(into, limit)
	}
}

// unlimited sets the lengths of a Huffman code. It reports whether all are
// within the limit. Of leaves and of inner nodes, each in the order of their
// weight, the two lightest nodes get a parent, until one is left.
func (c *Coder) unlimited(into []uint8, limit int) bool {
	n := len(c.keys)
	// The inner nodes: first the weight, then the parent, then the depth.
	c.tree = slices.Grow(c.tree[:0], 2*n)[:2*n]
	weight, parent := c.tree[:n], c.tree[n:]
	leaf, inner := 0, 0
	leafParent := slices.Grow(c.rows[0][:0], n)[:n]
	c.rows[0] = leafParent
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

// limited sets the lengths of an optimal code of at most limit bits by merging
// packages: a coin for every symbol and length; of the two lightest of one
// length a package is made for the length below. The lightest of length 1, two
// less than twice the number of symbols, make the code; a symbol's length is
// the number of coins that it has among them.
func (c *Coder) limited(into []uint8, limit int) {
	clear(into)
	n := len(c.keys)
	var previous []uint64
	for level := range limit {
		row, isPackage := c.rows[level][:0], c.packages[level][:0]
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
		c.rows[level], c.packages[level], previous = row, isPackage, row
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
