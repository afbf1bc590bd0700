// Package entropy has the parts that the DEFLATE and zstd encoders share: a bit
// writer, length-limited prefix codes, and the unit of prices.
package entropy

import "encoding/binary"

// BitWriter appends bits to Out, least significant bit first (RFC 1951, section
// 3.1.1; RFC 8878, section 4). The zero value writes to a new slice.
type BitWriter struct {
	Out  []byte
	bits uint64
	n    uint // number of pending bits, fewer than 8 between calls
}

// Add appends the low n bits of v. The other bits of v must be zero, and n at
// most 56.
func (w *BitWriter) Add(v uint64, n uint) {
	w.bits |= v << w.n
	w.n += n
	if w.n >= 8 {
		w.Out = binary.LittleEndian.AppendUint64(w.Out, w.bits)
		whole := w.n >> 3
		w.Out = w.Out[:len(w.Out)-8+int(whole)]
		w.bits >>= whole << 3
		w.n &= 7
	}
}

// Align fills the last byte with zero bits.
func (w *BitWriter) Align() {
	if w.n > 0 {
		w.Out = append(w.Out, byte(w.bits))
	}
	w.bits, w.n = 0, 0
}

// Pending returns the number of bits in the last, incomplete byte: 0 to 7.
func (w *BitWriter) Pending() uint { return w.n }
