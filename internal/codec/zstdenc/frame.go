package zstdenc

import (
	"encoding/binary"
	"math/bits"
)

// appendFrameHeader appends a frame's header (RFC 8878, section 3.1.1.1) for a
// content of the given size. Where the window may be as large, the content is a
// single segment, which takes no window descriptor.
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
	return binary.LittleEndian.AppendUint32(head(2), uint32(size)) // it is below 2 GiB
}

// windowDescriptor returns the description of the largest window that is not
// above size, of 1 KiB or more: a power of two and up to 7 eighths of it
// (section 3.1.1.1.2).
func windowDescriptor(size int) byte {
	log := bits.Len(uint(size)) - 1
	eighths := (size - 1<<log) >> (log - 3)
	return byte((log-10)<<3 | eighths)
}
