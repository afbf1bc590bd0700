// Package lz finds the LZ77 matches at each position of a text. It is meant for
// encoders that compare all matches at a position and choose the cheapest.
package lz

import (
	"encoding/binary"
	"math/bits"
)

// Match is an earlier occurrence of the bytes at a position: Length bytes, which
// start Distance bytes before it.
type Match struct{ Length, Distance uint32 }

// MinLength is the length in bytes of the shortest match that is searched for.
const MinLength = 3

// Tree finds matches with binary search trees, one for each hash of four bytes.
// A tree's nodes are the positions seen so far, sorted by the text that follows
// them, with the most recent position at the root. Inserting a position makes it
// the new root; on the way down it meets older positions in order of increasing
// distance.
//
// A Tree can be reused: Reset keeps its buffers. It is not safe for concurrent
// use.
type Tree struct {
	text      []byte
	window    int
	depth     int
	nice      int
	maxLength int

	next   int     // the first position that has not been inserted
	shift3 int     // reduces a product to a hash of three bytes
	shift4 int     // reduces a product to a hash of four bytes
	last3  []int32 // by hash of three bytes: the last position + 1, 0 for none
	roots  []int32 // by hash of four bytes: the root's position + 1, 0 for none
	// children holds two entries for each recent position, each a position + 1:
	// the roots of the subtrees that sort before it and after it.
	children []int32
	mask     int // maps a position to its entries in children
	reach    int // the largest distance at which children are still stored

	// The last match that was extended beyond nice bytes.
	longDistance, longEnd int
}

// Options limit the search. Lengths and distances are in bytes.
type Options struct {
	// Window is the largest distance of a match.
	Window int
	// Depth is the largest number of tree nodes visited for one position.
	Depth int
	// Nice is the number of bytes that the tree compares at most. Positions that
	// agree in so many bytes are treated as equal, which bounds the time spent
	// on long repetitions. A match of this length is still reported in full.
	Nice int
	// MaxLength is the length that matches are cut to; 0 means no limit.
	MaxLength int
}

// Reset prepares the tree for a new text, which must be shorter than 2 GiB.
func (t *Tree) Reset(text []byte, o Options) {
	t.text, t.window, t.depth, t.nice, t.next = text, o.Window, o.Depth, o.Nice, 0
	if t.maxLength = o.MaxLength; t.maxLength == 0 {
		t.maxLength = len(text)
	}
	t.longDistance, t.longEnd = 0, 0
	// Size the hash tables for the positions that are inside the window.
	log := min(max(bits.Len(uint(min(len(text), 2*o.Window)/2)), 8), 22)
	t.shift4, t.shift3 = 32-log, 32-min(log, 16)
	t.roots = cleared(t.roots, 1<<log)
	t.last3 = cleared(t.last3, 1<<min(log, 16))
	// children has entries for all positions, or is a ring of the most recent
	// ones. Where the window is a power of two, the ring reaches one byte less.
	size := len(text)
	t.mask, t.reach = -1, o.Window
	if len(text) > o.Window {
		size = 1 << bits.Len(uint(max(o.Window, 2)-1))
		t.mask, t.reach = size-1, min(o.Window, size-1)
	}
	if cap(t.children) < 2*size {
		t.children = make([]int32, 2*size)
	}
	t.children = t.children[:2*size]
}

// cleared returns n zeros, in s if it has the capacity.
func cleared(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// Skip inserts the positions before pos without collecting their matches.
func (t *Tree) Skip(pos int) {
	var none [1]Match
	for t.next < pos {
		t.insert(none[:0], false)
	}
}

// Append inserts the next position and appends the matches at it to found, in
// order of increasing length and distance. Each is the nearest one of its length
// that the search met.
func (t *Tree) Append(found []Match) []Match { return t.insert(found, true) }

// insert makes the next position the root of its tree. If collect is set, it
// appends the matches met on the way down to found.
func (t *Tree) insert(found []Match, collect bool) []Match {
	pos := t.next
	t.next++
	if pos+4 > len(t.text) {
		return t.insertLast(found, pos, collect)
	}
	four := binary.LittleEndian.Uint32(t.text[pos:])
	longest := MinLength - 1
	if near := t.swap3(four<<8, pos); collect && near >= 0 && pos-near <= t.window {
		// Only matches of exactly three bytes: the tree has the longer ones.
		if differ := four ^ binary.LittleEndian.Uint32(t.text[near:]); differ != 0 && differ<<8 == 0 {
			found = append(found, Match{MinLength, uint32(pos - near)})
			longest = MinLength
		}
	}
	h4 := four * multiplier >> t.shift4
	root := int(t.roots[h4]) - 1
	t.roots[h4] = int32(pos + 1)
	return t.descend(found, pos, root, longest, collect)
}

// multiplier is for multiplicative hashing: 2^32 divided by the golden ratio.
const multiplier = 0x9E3779B1

// swap3 records pos as the last position of its three bytes, the upper ones of
// three. It returns the position recorded before, of the same bytes or of others
// with the same hash; -1 if there is none.
func (t *Tree) swap3(three uint32, pos int) (near int) {
	h := three * multiplier >> t.shift3
	near = int(t.last3[h]) - 1
	t.last3[h] = int32(pos + 1)
	return near
}

// descend walks down the tree whose root is at the position at. It splits the
// tree into what sorts before pos and what sorts after it, and makes these the
// children of pos. Matches longer than longest are appended to found if collect
// is set.
func (t *Tree) descend(found []Match, pos, at, longest int, collect bool) []Match {
	text, children := t.text, t.children
	before, after := 2*(pos&t.mask), 2*(pos&t.mask)+1 // the open links
	var sameBefore, sameAfter int                     // bytes known to match on either side
	lowest := max(pos-t.reach, 0)
	limit := min(len(text)-pos, t.nice)
	for depth := t.depth; depth > 0 && at >= lowest; depth-- {
		n := min(sameBefore, sameAfter)
		n += CommonPrefix(text[at+n:at+limit], text[pos+n:pos+limit])
		if n > longest {
			longest = n
			if collect {
				found = append(found, t.match(at, pos, n, limit))
			}
		}
		node := 2 * (at & t.mask)
		switch {
		case n == limit:
			// Treated as equal: pos replaces this node.
			children[before], children[after] = children[node], children[node+1]
			return found
		case text[at+n] < text[pos+n]:
			children[before] = int32(at + 1)
			before, sameBefore = node+1, n
			at = int(children[node+1]) - 1
		default:
			children[after] = int32(at + 1)
			after, sameAfter = node, n
			at = int(children[node]) - 1
		}
	}
	children[before], children[after] = 0, 0
	return found
}

// match returns the match between two positions that agree in exactly n bytes,
// or in at least n if n is the limit of the comparison.
func (t *Tree) match(at, pos, n, limit int) Match {
	if n == limit {
		n = t.extendLong(at, pos, n)
	}
	return Match{uint32(n), uint32(pos - at)}
}

// insertLast is insert for the last three positions, which are not followed by
// four bytes. They get no place in a tree.
func (t *Tree) insertLast(found []Match, pos int, collect bool) []Match {
	if pos+MinLength > len(t.text) {
		return found
	}
	three := uint32(t.text[pos]) | uint32(t.text[pos+1])<<8 | uint32(t.text[pos+2])<<16
	near := t.swap3(three<<8, pos)
	if collect && near >= 0 && pos-near <= t.window && CommonPrefix(t.text[near:], t.text[pos:]) == MinLength {
		found = append(found, Match{MinLength, uint32(pos - near)})
	}
	return found
}

// extendLong is extend with a memory of the last long match: positions inside it
// find the rest of it without comparing again.
func (t *Tree) extendLong(at, pos, n int) int {
	if t.maxLength < len(t.text) {
		return t.extend(at, pos, n)
	}
	if pos-at != t.longDistance || pos >= t.longEnd {
		t.longDistance, t.longEnd = pos-at, pos+t.extend(at, pos, n)
	}
	return t.longEnd - pos
}

// extend returns the number of bytes in which two positions agree, given that the
// first n are known to be the same.
func (t *Tree) extend(at, pos, n int) int {
	return n + CommonPrefix(t.text[at+n:], t.text[pos+n:min(pos+t.maxLength, len(t.text))])
}

// CommonPrefix returns the length in bytes of the longest common prefix of a
// and b.
func CommonPrefix(a, b []byte) int {
	if len(a) < len(b) {
		b = b[:len(a)]
	}
	a = a[:len(b)]
	n := 0
	for len(b)-n >= 8 {
		if x := binary.LittleEndian.Uint64(a[n:]) ^ binary.LittleEndian.Uint64(b[n:]); x != 0 {
			return n + bits.TrailingZeros64(x)>>3
		}
		n += 8
	}
	for n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
