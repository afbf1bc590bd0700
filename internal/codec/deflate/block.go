package deflate

import (
	"encoding/binary"

	"github.com/precompress/precompress/internal/codec/entropy"
)

// block is one of the blocks of a text, as found so far.
type block struct {
	begin, end int // in the text
	items      []item
	counts     counts
	tables     tables
	fixed      bool
	bits       uint64
}

// maxStored is the most bytes of a stored block (RFC 1951, section 3.2.4).
const maxStored = 65535

// storedBits returns the bits of n bytes in stored blocks, of which the first
// begins behind so many bits of a byte.
func storedBits(n int, used uint) uint64 {
	head := uint64(headBits + (5-used)&7 + 32)
	more := uint64((n - 1) / maxStored)
	return head + more*(8+32) + 8*uint64(n)
}

// write writes the block in the way that takes the fewest bits.
func (b *block) write(w *entropy.BitWriter, text []byte, last bool, fixed *[symbolCount]uint8, symbols *[maxLength + 1]uint16) {
	final := uint64(0)
	if last {
		final = 1
	}
	switch {
	case storedBits(len(text), w.Waiting()) < b.bits:
		writeStored(w, text, final)
	case b.fixed:
		w.Add(final|1<<1, headBits)
		writeItems(w, b.items, fixed, symbols)
	default:
		w.Add(final|2<<1, headBits)
		b.tables.write(w)
		writeItems(w, b.items, &b.tables.lengths, symbols)
	}
}

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

func writeItems(w *entropy.BitWriter, items []item, lengths *[symbolCount]uint8, symbols *[maxLength + 1]uint16) {
	var codes [symbolCount]uint16
	assign(codes[:lastCode], lengths[:lastCode])
	assign(codes[lastCode:], lengths[lastCode:])
	add := func(s int) { w.Add(uint64(codes[s]), uint(lengths[s])) }
	for _, m := range items {
		if !m.isMatch() {
			add(int(m))
			continue
		}
		s := int(symbols[m.length()])
		add(s)
		extra := extraBits(s)
		w.Add(uint64(m.length()-minLength)&(1<<extra-1), extra)
		add(lastCode + m.code())
		extra = extraBits(lastCode + m.code())
		w.Add(uint64(m.distance()-1)&(1<<extra-1), extra)
	}
	add(endOfBlock)
}
