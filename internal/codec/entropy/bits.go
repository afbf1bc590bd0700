// Package entropy has what encoders of both formats write their symbols with.
package entropy

import "encoding/binary"

// BitWriter appends bits to Out, the lowest first (RFC 1951, section 3.1.1; RFC
// 8878, section 4).
type BitWriter struct {
	Out  []byte
	bits uint64
	n    uint // bits waiting, fewer than 8 between calls
}

// Add appends the low n bits of v, which has no others; n is at most 56.
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

// Align fills the last byte up with zeros.
func (w *BitWriter) Align() {
	if w.n > 0 {
		w.Out = append(w.Out, byte(w.bits))
	}
	w.bits, w.n = 0, 0
}

// Waiting returns how many bits the last byte has that is not full, 0 if all
// are.
func (w *BitWriter) Waiting() uint { return w.n }
