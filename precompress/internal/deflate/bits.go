package deflate

import "encoding/binary"

// bitWriter appends bits to bytes, the lowest first (RFC 1951, section 3.1.1).
type bitWriter struct {
	out  []byte
	bits uint64
	n    uint // bits waiting, fewer than 8 between calls
}

// add appends the low n bits of v, which has no others; n is at most 56.
func (w *bitWriter) add(v uint64, n uint) {
	w.bits |= v << w.n
	w.n += n
	if w.n >= 8 {
		w.out = binary.LittleEndian.AppendUint64(w.out, w.bits)
		whole := w.n >> 3
		w.out = w.out[:len(w.out)-8+int(whole)]
		w.bits >>= whole << 3
		w.n &= 7
	}
}

// align fills the last byte up with zeros.
func (w *bitWriter) align() {
	if w.n > 0 {
		w.out = append(w.out, byte(w.bits))
	}
	w.bits, w.n = 0, 0
}
