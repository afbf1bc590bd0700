package zstdenc

import "encoding/binary"

// appendFrameHeader appends a frame's header (RFC 8878, section 3.1.1.1) for a
// content of the given size. Up to the window's limit the content is a single
// segment, which takes no window descriptor.
func appendFrameHeader(out []byte, size int) []byte {
	out = binary.LittleEndian.AppendUint32(out, 0xFD2FB528)
	const single = 1 << 5
	switch {
	case size < 256:
		return append(out, single, byte(size))
	case size < 256+1<<16:
		return binary.LittleEndian.AppendUint16(append(out, single|1<<6), uint16(size-256))
	case size <= window:
		return binary.LittleEndian.AppendUint32(append(out, single|2<<6), uint32(size))
	case size < 1<<32:
		return binary.LittleEndian.AppendUint32(append(out, 2<<6, windowDescriptor), uint32(size))
	}
	return binary.LittleEndian.AppendUint64(append(out, 3<<6, windowDescriptor), uint64(size))
}

// windowDescriptor is that of 8 MiB (section 3.1.1.1.2).
const windowDescriptor = (23 - 10) << 3
