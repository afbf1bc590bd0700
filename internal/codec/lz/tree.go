// Package lz finds earlier occurrences of the bytes at a position, for encoders
// that weigh all of them against each other.
package lz

import (
	"encoding/binary"
	"math/bits"
)

// Match is an earlier occurrence: Length bytes that stood Distance bytes before.
type Match struct{ Length, Distance uint32 }

// MinLength is the length of the shortest match that is looked for.
const MinLength = 3

// Tree finds matches with binary trees of the positions seen so far, one for
// each hash of four bytes, sorted by what follows, the most recent position at
// the root. Searching for a position makes it the new root, and meets the
// others in order of their distance.
//
// The buffers are kept for the next source.
type Tree struct {
	text    []byte
	window  int
	depth   int
	nice    int
	longest int

	next   int     // the first position that is not in the trees
	shift3 int     // of a hash of three bytes
	shift4 int     // of a hash of four bytes
	last3  []int32 // by hash of three bytes: the last position + 1
	roots  []int32 // by hash of four bytes: the root's position + 1
	// children has two positions + 1 for each of the last positions: of the
	// subtrees of what sorts before and after it.
	children []int32
	mask     int
	reach    int // the largest distance that children go back

	// The last match that was extended beyond nice bytes.
	longDistance, longEnd int
}

// Options say how far to look.
type Options struct {
	// Window is the largest distance of a match.
	Window int
	// Depth is the most positions looked at for a match.
	Depth int
	// Nice is the length from which on a match is not told from longer ones
	// by the tree. It bounds the time that long repetitions take.
	Nice int
	// Longest is the length that matches are cut to; 0 means none.
	Longest int
}

// Reset prepares for a text of less than 2 GiB.
func (t *Tree) Reset(text []byte, o Options) {
	t.text, t.window, t.depth, t.nice, t.next = text, o.Window, o.Depth, o.Nice, 0
	if t.longest = o.Longest; t.longest == 0 {
		t.longest = len(text)
	}
	t.longDistance, t.longEnd = 0, 0
	// Positions that the window has left behind take no room.
	log := min(max(bits.Len(uint(min(len(text), 2*o.Window)/2)), 8), 22)
	t.shift4, t.shift3 = 32-log, 32-min(log, 16)
	t.roots = cleared(t.roots, 1<<log)
	t.last3 = cleared(t.last3, 1<<min(log, 16))
	// All positions have their place, or a ring of the last ones, a little fewer
	// than the window where that is a power of two.
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

func cleared(s []int32, n int) []int32 {
	if cap(s) < n {
		return make([]int32, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// Skip takes up the positions before pos without looking for matches.
func (t *Tree) Skip(pos int) {
	var none [1]Match
	for t.next < pos {
		t.insert(none[:0], false)
	}
}

// Append appends the matches at the next position to found: by rising length,
// each the nearest of its length. It takes the position up.
func (t *Tree) Append(found []Match) []Match { return t.insert(found, true) }

// insert makes the next position the root of its tree, and collects the
// matches met on the way down if it is asked to.
func (t *Tree) insert(found []Match, collect bool) []Match {
	pos := t.next
	t.next++
	if pos+4 > len(t.text) {
		return t.insertLast(found, pos, collect)
	}
	four := binary.LittleEndian.Uint32(t.text[pos:])
	longest := MinLength - 1
	if near := t.swap3(four<<8, pos); collect && near >= 0 && pos-near <= t.window {
		// Exactly three bytes: more of them are in the tree.
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

// multiplier spreads bytes over the bits of a hash: 2^32 by the golden ratio.
const multiplier = 0x9E3779B1

// swap3 returns the last position of the same three bytes, or of others with the
// same hash, and puts pos in its place; -1 if there is none. The bytes are the
// upper ones of three.
func (t *Tree) swap3(three uint32, pos int) (near int) {
	h := three * multiplier >> t.shift3
	near = int(t.last3[h]) - 1
	t.last3[h] = int32(pos + 1)
	return near
}

// descend splits the tree below root into what sorts before pos and after it, and
// collects the matches longer than longest that it meets.
func (t *Tree) descend(found []Match, pos, at, longest int, collect bool) []Match {
	text, children := t.text, t.children
	before, after := 2*(pos&t.mask), 2*(pos&t.mask)+1 // where subtrees are to be hung
	var sameBefore, sameAfter int                     // bytes known to match on either side
	lowest := max(pos-t.reach, 0)
	limit := min(len(text)-pos, t.nice)
	for depth := t.depth; depth > 0 && at >= lowest; depth-- {
		n := min(sameBefore, sameAfter)
		n += Common(text[at+n:at+limit], text[pos+n:pos+limit])
		if n > longest {
			longest = n
			if collect {
				found = append(found, t.match(at, pos, n, limit))
			}
		}
		node := 2 * (at & t.mask)
		switch {
		case n == limit:
			// As good as equal: the new position takes its place.
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

// match returns the match of two positions of which n bytes are known to be the
// same, and no more unless that is the limit.
func (t *Tree) match(at, pos, n, limit int) Match {
	if n == limit {
		n = t.extendLong(at, pos, n)
	}
	return Match{uint32(n), uint32(pos - at)}
}

// insertLast is insert for the last three bytes of the text.
func (t *Tree) insertLast(found []Match, pos int, collect bool) []Match {
	if pos+MinLength > len(t.text) {
		return found
	}
	three := uint32(t.text[pos]) | uint32(t.text[pos+1])<<8 | uint32(t.text[pos+2])<<16
	near := t.swap3(three<<8, pos)
	if collect && near >= 0 && pos-near <= t.window && Common(t.text[near:], t.text[pos:]) == MinLength {
		found = append(found, Match{MinLength, uint32(pos - near)})
	}
	return found
}

// extendLong is extend for long matches. Positions inside of one find the rest
// of it again.
func (t *Tree) extendLong(at, pos, n int) int {
	if t.longest < len(t.text) {
		return t.extend(at, pos, n)
	}
	if pos-at != t.longDistance || pos >= t.longEnd {
		t.longDistance, t.longEnd = pos-at, pos+t.extend(at, pos, n)
	}
	return t.longEnd - pos
}

// extend returns how many bytes at two positions are the same, the first n of
// which are known to be.
func (t *Tree) extend(at, pos, n int) int {
	return n + Common(t.text[at+n:], t.text[pos+n:min(pos+t.longest, len(t.text))])
}

// Common returns the number of bytes at the start of b that a starts
// with too.
func Common(a, b []byte) int {
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
