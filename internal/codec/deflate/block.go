package deflate

import (
	"encoding/binary"

	"github.com/precompress/precompress/internal/codec/entropy"
)

// block is the smallest form found so far for a block.
type block struct {
	begin, end int // byte offsets in the region
	tokens     []token
	counts     counts
	tables     tables
	fixed      bool   // whether it uses the fixed codes instead of tables
	bits       uint64 // size, header included
}

// maxStored is the largest size in bytes of a stored block (RFC 1951, section
// 3.2.4).
const maxStored = 65535

// storedBits returns the size in bits of n bytes as stored blocks, padding
// included. used is the number of bits already used in the current byte.
func storedBits(n int, used uint) uint64 {
	head := uint64(headBits + (5-used)&7 + 32)
	more := uint64((n - 1) / maxStored)
	return head + more*(8+32) + 8*uint64(n)
}

// write writes the block in the form that takes the fewest bits. text is the
// block's content, fixed are the lengths of the fixed codes.
func (b *block) write(w *entropy.BitWriter, text []byte, last bool, fixed *codeLengths, symbols *lengthSymbols) {
	final := uint64(0)
	if last {
		final = 1
	}
	switch {
	case storedBits(len(text), w.Pending()) < b.bits:
		writeStored(w, text, final)
	case b.fixed:
		w.Add(final|1<<1, headBits)
		writeTokens(w, b.tokens, fixed, symbols)
	default:
		w.Add(final|2<<1, headBits)
		b.tables.write(w)
		writeTokens(w, b.tokens, &b.tables.lengths, symbols)
	}
}

// writeStored writes text as stored blocks. final is the flag for the last one.
func writeStored(w *entropy.BitWriter, text []byte, final uint64) {
	for len(text) > 0 {
		n := min(len(text), maxStored)
		if n == len(text) {
			w.Add(final, headBits)
		} else {
			w.Add(0, headBits)
		}
		w.Align()
		w.Out = binary.LittleEndian.AppendUint16(w.Out, uint16(n))
		w.Out = binary.LittleEndian.AppendUint16(w.Out, ^uint16(n))
		w.Out = append(w.Out, text[:n]...)
		text = text[n:]
	}
}

// writeTokens writes the tokens and the end of the block (RFC 1951, section 3.2.5).
func writeTokens(w *entropy.BitWriter, tokens []token, lengths *codeLengths, symbols *lengthSymbols) {
	var codes [symbolCount]uint16
	assign(codes[:distanceBase], lengths[:distanceBase])
	assign(codes[distanceBase:], lengths[distanceBase:])
	add := func(s int) { w.Add(uint64(codes[s]), uint(lengths[s])) }
	for _, t := range tokens {
		if !t.isMatch() {
			add(int(t))
			continue
		}
		s := int(symbols[t.length()])
		add(s)
		extra := extraBits(s)
		w.Add(uint64(t.length()-minLength)&(1<<extra-1), extra)
		s = distanceBase + t.distanceCode()
		add(s)
		extra = extraBits(s)
		w.Add(uint64(t.distance()-1)&(1<<extra-1), extra)
	}
	add(endOfBlock)
}
