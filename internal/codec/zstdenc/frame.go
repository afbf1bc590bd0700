package zstdenc

import (
	"encoding/binary"
	"math/bits"
)

// appendFrameHeader appends a frame header (RFC 8878, section 3.1.1.1), with the
// content size. Content that fits the window is a single segment, which needs no
// window descriptor. Both sizes are in bytes, size is below 2 GiB.
func appendFrameHeader(out []byte, size, window int) []byte {
	out = binary.LittleEndian.AppendUint32(out, 0xFD2FB528)
	var segment byte
	if size <= window {
		segment = 1 << 5
	}
	head := func(flag byte) []byte {
		if out = append(out, flag<<6|segment); segment == 0 {
			out = append(out, windowDescriptor(window))
		}
		return out
	}
	switch {
	case size < 256 && segment != 0:
		return append(head(0), byte(size))
	case size >= 256 && size < 256+1<<16:
		return binary.LittleEndian.AppendUint16(head(1), uint16(size-256))
	}
	return binary.LittleEndian.AppendUint32(head(2), uint32(size))
}

// windowDescriptor returns the descriptor of the largest window of at most size
// bytes, which must be 1 KiB or more. A window is a power of two plus 0 to 7
// eighths of it (RFC 8878, section 3.1.1.1.2).
func windowDescriptor(size int) byte {
	log := bits.Len(uint(size)) - 1
	eighths := (size - 1<<log) >> (log - 3)
	return byte((log-10)<<3 | eighths)
}
