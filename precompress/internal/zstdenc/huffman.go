package zstdenc

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

// maxCodeBits is the longest code of a literal (RFC 8878, section 4.2.1).
const maxCodeBits = 11

// huffman is a prefix code for literals.
type huffman struct {
	bits  [256]uint8 // length of a symbol's code, 0 for one without
	codes [256]uint16
	// description is how the code stands in a block (section 4.2.1).
	description []byte
}

// size returns the bits of the counted literals together; ok is false if one
// of them has no code.
func (h *huffman) size(counts *[256]uint32) (n uint64, ok bool) {
	for s, c := range counts {
		if c > 0 && h.bits[s] == 0 {
			return 0, false
		}
		n += uint64(c) * uint64(h.bits[s])
	}
	return n, true
}

// bestHuffman returns the code for which its description and the counted
// literals together are the shortest. ok is false if there is none: fewer
// than two symbols occur, or they cannot be described.
func bestHuffman(counts *[256]uint32) (best *huffman, ok bool) {
	symbols := bySymbolCount(counts)
	if len(symbols) < 2 {
		return nil, false
	}
	least := uint64(1 << 62)
	for limit := maxCodeBits; limit >= bits.Len(uint(len(symbols)-1)); limit-- {
		h := &huffman{}
		limitedLengths(h, symbols, limit)
		if !h.describe() {
			continue
		}
		n, _ := h.size(counts)
		n += uint64(len(h.description)) * 8
		if n >= least+least>>6 {
			break // it only gets worse
		}
		if n < least {
			best, least = h, n
		}
	}
	if best == nil {
		return nil, false
	}
	best.assign()
	return best, true
}

// symbolCount is a symbol and how often it occurs.
type symbolCount struct {
	symbol uint8
	count  uint32
}

// bySymbolCount returns the symbols that occur, rarest first.
func bySymbolCount(counts *[256]uint32) []symbolCount {
	var symbols []symbolCount
	for s, n := range counts {
		if n > 0 {
			symbols = append(symbols, symbolCount{uint8(s), n})
		}
	}
	slices.SortStableFunc(symbols, func(a, b symbolCount) int { return int(a.count) - int(b.count) })
	return symbols
}

// limitedLengths sets the lengths of an optimal code of at most limit bits, by
// merging packages: a coin for every symbol and length; of the two cheapest
// coins of one length a package is made for the length below. The cheapest
// coins of length 1 that are worth one less than the number of symbols make
// the code; a symbol's length is the number of coins that it has among them.
func limitedLengths(h *huffman, symbols []symbolCount, limit int) {
	n := len(symbols)
	type row struct {
		weights  []uint64
		packages []bool
	}
	rows := make([]row, limit)
	var previous []uint64 // packages of the row before
	for level := range rows {
		r := row{make([]uint64, 0, n+len(previous)), make([]bool, 0, n+len(previous))}
		i, j := 0, 0
		for i < n || j < len(previous) {
			if j == len(previous) || i < n && uint64(symbols[i].count) <= previous[j] {
				r.weights, r.packages = append(r.weights, uint64(symbols[i].count)), append(r.packages, false)
				i++
			} else {
				r.weights, r.packages = append(r.weights, previous[j]), append(r.packages, true)
				j++
			}
		}
		rows[level] = r
		previous = make([]uint64, len(r.weights)/2)
		for k := range previous {
			previous[k] = r.weights[2*k] + r.weights[2*k+1]
		}
	}
	take := 2*n - 2
	for level := limit - 1; level >= 0 && take > 0; level-- {
		coins, packages := 0, 0
		for _, isPackage := range rows[level].packages[:take] {
			if isPackage {
				packages++
			} else {
				h.bits[symbols[coins].symbol]++
				coins++
			}
		}
		take = 2 * packages
	}
}

// assign gives every symbol its code: those with the longest codes first, from
// 0 on, in the order of symbols (section 4.2.1.3).
func (h *huffman) assign() {
	code := uint16(0)
	for length := slices.Max(h.bits[:]); length > 0; length-- {
		for s, b := range h.bits {
			if b == length {
				h.codes[s] = code
				code++
			}
		}
		code >>= 1
	}
}

// describe sets the description. It reports whether there is one.
func (h *huffman) describe() bool {
	last := 255
	for h.bits[last] == 0 {
		last--
	}
	longest := slices.Max(h.bits[:])
	weights := make([]uint8, last) // the last symbol's follows from the others
	for s := range weights {
		if h.bits[s] > 0 {
			weights[s] = longest + 1 - h.bits[s]
		}
	}
	h.description = describeCompressed(weights)
	if direct := describeDirect(weights); direct != nil && (h.description == nil || len(direct) <= len(h.description)) {
		h.description = direct
	}
	return h.description != nil
}

// describeDirect writes four bits a weight (section 4.2.1.1); nil for too many.
func describeDirect(weights []uint8) []byte {
	if len(weights) > 128 {
		return nil
	}
	out := []byte{byte(127 + len(weights))}
	for i := 0; i < len(weights); i += 2 {
		b := weights[i] << 4
		if i+1 < len(weights) {
			b |= weights[i+1]
		}
		out = append(out, b)
	}
	return out
}

// describeCompressed writes the weights with FSE, by two states in turn
// (section 4.2.1.2); nil if that cannot be done.
func describeCompressed(weights []uint8) []byte {
	counts := make([]uint32, maxCodeBits+2)
	for _, w := range weights {
		counts[w]++
	}
	used := 0
	for _, n := range counts {
		if n > 0 {
			used++
		}
	}
	if used < 2 || len(weights) < 3 {
		return nil
	}
	d, description, _ := bestDistribution(counts, 6)
	coder := newFSECoder(d)
	w := bitWriter{out: append([]byte{0}, description...)}
	var states [2]uint32
	last := len(weights) - 1
	for i := last; i >= 0; i-- {
		if i >= last-1 {
			states[i&1] = coder.start(weights[i])
		} else {
			states[i&1] = coder.next(&w, states[i&1], weights[i])
		}
	}
	coder.flush(&w, states[1])
	coder.flush(&w, states[0])
	out := w.closeBackward()
	if len(out)-1 > 127 {
		return nil
	}
	out[0] = byte(len(out) - 1)
	return out
}

// stream writes literals so that a decoder reads the first one first.
func (h *huffman) stream(w *bitWriter, literals []byte) {
	for i := len(literals) - 1; i >= 0; i-- {
		s := literals[i]
		w.add(uint64(h.codes[s]), uint(h.bits[s]))
	}
	w.out = w.closeBackward()
}

// fourStreams writes a quarter of the literals each to four streams, behind
// the sizes of the first three.
func (h *huffman) fourStreams(w *bitWriter, literals []byte) {
	jump := len(w.out)
	w.out = append(w.out, make([]byte, 6)...)
	part := (len(literals) + 3) / 4
	for i := range 4 {
		begin := len(w.out)
		h.stream(w, literals[i*part:min((i+1)*part, len(literals))])
		if i < 3 {
			// At most 11 bits for each of 32,768 literals.
			binary.LittleEndian.PutUint16(w.out[jump+2*i:], uint16(len(w.out)-begin))
		}
	}
}
