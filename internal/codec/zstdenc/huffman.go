package zstdenc

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/precompress/precompress/internal/codec/entropy"
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
func bestHuffman(counts *[256]uint32, coder *entropy.CodeBuilder) (best *huffman, ok bool) {
	symbols := 0
	for _, n := range counts {
		if n > 0 {
			symbols++
		}
	}
	if symbols < 2 {
		return nil, false
	}
	least := uint64(1 << 62)
	for limit := maxCodeBits; limit >= bits.Len(uint(symbols-1)); limit-- {
		h := &huffman{}
		coder.Lengths(h.bits[:], counts[:], limit)
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
	w := entropy.BitWriter{Out: append([]byte{0}, description...)}
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
	out := endBackward(&w)
	if len(out)-1 > 127 {
		return nil
	}
	out[0] = byte(len(out) - 1)
	return out
}

// stream writes literals so that a decoder reads the first one first.
func (h *huffman) stream(w *entropy.BitWriter, literals []byte) {
	for i := len(literals) - 1; i >= 0; i-- {
		s := literals[i]
		w.Add(uint64(h.codes[s]), uint(h.bits[s]))
	}
	endBackward(w)
}

// fourStreams writes a quarter of the literals each to four streams, behind
// the sizes of the first three.
func (h *huffman) fourStreams(w *entropy.BitWriter, literals []byte) {
	jump := len(w.Out)
	w.Out = append(w.Out, make([]byte, 6)...)
	part := (len(literals) + 3) / 4
	for i := range 4 {
		begin := len(w.Out)
		h.stream(w, literals[i*part:min((i+1)*part, len(literals))])
		if i < 3 {
			// At most 11 bits for each of 32,768 literals.
			binary.LittleEndian.PutUint16(w.Out[jump+2*i:], uint16(len(w.Out)-begin))
		}
	}
}
