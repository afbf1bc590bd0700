package zstdenc

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/precompress/precompress/internal/codec/entropy"
)

// maxCodeBits is the largest length of a literal's code (RFC 8878, section 4.2.1).
const maxCodeBits = 11

// huffman is a Huffman code for literals.
type huffman struct {
	bits        [256]uint8 // length of a symbol's code, 0 for none
	codes       [256]uint16
	description []byte // the Huffman tree description (RFC 8878, section 4.2.1)
}

// size returns the number of bits that all counted literals take. ok is false if
// one of them has no code.
func (h *huffman) size(counts *[256]uint32) (n uint64, ok bool) {
	for s, c := range counts {
		if c > 0 && h.bits[s] == 0 {
			return 0, false
		}
		n += uint64(c) * uint64(h.bits[s])
	}
	return n, true
}

// bestHuffman returns the code for which the description and the counted literals
// together are smallest. ok is false if there is none: fewer than two symbols
// occur, or no code can be described.
func bestHuffman(counts *[256]uint32, coder *entropy.CodeBuilder) (best *huffman, ok bool) {
	_, symbols := entropy.Totals(counts[:])
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
			break // shorter codes are worse still
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

// assign sets the codes that follow from the lengths: from 0 on, the longest codes
// first, in the order of symbols (RFC 8878, section 4.2.1.3).
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

// describe sets the description, and reports whether the code has one.
func (h *huffman) describe() bool {
	last := 255
	for h.bits[last] == 0 {
		last--
	}
	longest := slices.Max(h.bits[:])
	weights := make([]uint8, last) // the weight of the last symbol is implied
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

// describeDirect returns a description with four bits for each weight, nil if
// there are too many weights for that (RFC 8878, section 4.2.1.1).
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

// describeCompressed returns a description with FSE-coded weights, for which two
// states take turns; nil if that is impossible (RFC 8878, section 4.2.1.2).
func describeCompressed(weights []uint8) []byte {
	counts := make([]uint32, maxCodeBits+2)
	for _, w := range weights {
		counts[w]++
	}
	if _, used := entropy.Totals(counts); used < 2 || len(weights) < 3 {
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

// stream writes literals as one bit stream. It begins with the last literal, since
// streams are read from the end (RFC 8878, section 4.2.2).
func (h *huffman) stream(w *entropy.BitWriter, literals []byte) {
	for i := len(literals) - 1; i >= 0; i-- {
		s := literals[i]
		w.Add(uint64(h.codes[s]), uint(h.bits[s]))
	}
	endBackward(w)
}

// fourStreams writes the literals as four streams, after a jump table with the
// sizes of the first three (RFC 8878, section 3.1.1.3.1.6).
func (h *huffman) fourStreams(w *entropy.BitWriter, literals []byte) {
	jump := len(w.Out)
	w.Out = append(w.Out, make([]byte, 6)...)
	part := (len(literals) + 3) / 4
	for i := range 4 {
		begin := len(w.Out)
		h.stream(w, literals[i*part:min((i+1)*part, len(literals))])
		if i < 3 {
			// It fits: at most 11 bits for each of 32,768 literals.
			binary.LittleEndian.PutUint16(w.Out[jump+2*i:], uint16(len(w.Out)-begin))
		}
	}
}
