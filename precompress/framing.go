package precompress

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"

	"github.com/precompress/precompress/manifest"
)

// All three formats have places for bytes that decoders skip. What others wrote
// decodes to the source and may still carry anything there, so only the framing
// that encoders here write is taken.

// errFraming is about an encoding with more around it than encoders here write.
var errFraming = errors.New("framed in another way than encoders here do")

// checkFraming refuses what does not start and end as an encoding of a source of
// this size does that was made here. What is inside is for decoding to check. Of
// brotli only the start is looked at: where its later meta-blocks begin is known
// to those who decode them.
func checkFraming(s setting, data []byte, source int) error {
	ok := false
	switch s.coding {
	case manifest.Gzip:
		ok = isGzipFramed(data)
	case manifest.Zstd:
		ok = isZstdFramed(data, uint64(source), manifest.MaxWindow)
	case manifest.Brotli:
		ok = isBrotliFramed(data, int64(source))
	case manifest.DCB, manifest.DCZ:
		stream, found := bytes.CutPrefix(data, append(deltaMagic(s.coding), s.dictionary.sum[:]...))
		if s.coding == manifest.DCB {
			ok = found && isBrotliFramed(stream, int64(source))
		} else {
			ok = found && isZstdFramed(stream, uint64(source), uint64(deltaWindow(int(s.dictionary.size))))
		}
	}
	if !ok {
		return errFraming
	}
	return nil
}

// isGzipFramed wants a header without a name, a comment, extra fields or a time
// (RFC 1952, section 2.3). That one member is all there is, decoding finds.
func isGzipFramed(data []byte) bool {
	if len(data) < 10 {
		return false
	}
	effort := data[8] // XFL
	return bytes.Equal(data[:8], []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0}) && data[9] == 255 &&
		(effort == 0 || effort == 2 || effort == 4)
}

// isZstdFramed wants a single frame, of the source's size and no larger window
// than that takes or limit, without digest and dictionary (RFC 8878, section 3.1.1), and
// no skippable one.
func isZstdFramed(data []byte, source, limit uint64) bool {
	blocks, ok := bytes.CutPrefix(data, []byte{0x28, 0xb5, 0x2f, 0xfd})
	if !ok || len(blocks) < 2 {
		return false
	}
	descriptor := blocks[0]
	blocks = blocks[1:]
	single := descriptor&(1<<5) != 0
	if descriptor&0b11111 != 0 {
		return false
	}
	if single {
		ok = source <= limit
	} else {
		ok = zstdWindow(blocks[0]) <= max(1<<10, min(limit, uint64(1)<<bits.Len64(source)))
		blocks = blocks[1:]
	}
	size, ok2 := bytes.CutPrefix(blocks, zstdContentSize(source, single))
	return ok && ok2 && descriptor>>6 == zstdSizeFlag(source) && endsWithBlocks(size)
}

// zstdWindow returns the window in bytes that a descriptor stands for (section
// 3.1.1.1.2).
func zstdWindow(descriptor byte) uint64 {
	base := uint64(1) << (10 + descriptor>>3)
	return base + base/8*uint64(descriptor&7)
}

// zstdSizeFlag tells in which of four forms a frame has its content's size, the
// shortest that holds it.
func zstdSizeFlag(source uint64) byte {
	switch {
	case source < 256:
		return 0
	case source < 256+1<<16:
		return 1
	case source < 1<<32-1: // the size is not above 1 GiB anyway
		return 2
	}
	return 3
}

// zstdContentSize returns the field with the content's size (section 3.1.1.1.4).
// Beside a window descriptor, the shortest form is none at all.
func zstdContentSize(source uint64, single bool) []byte {
	switch zstdSizeFlag(source) {
	case 0:
		if !single {
			return nil
		}
		return []byte{byte(source)}
	case 1:
		return binary.LittleEndian.AppendUint16(nil, uint16(source-256))
	case 2:
		return binary.LittleEndian.AppendUint32(nil, uint32(source))
	}
	return binary.LittleEndian.AppendUint64(nil, source)
}

// endsWithBlocks reports whether data is blocks up to a last one and nothing behind
// that (section 3.1.1.2).
func endsWithBlocks(data []byte) bool {
	const raw, rle, compressed = 0, 1, 2
	for len(data) >= 3 {
		header := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16
		last, kind, size := header&1 != 0, header>>1&3, int(header>>3)
		data = data[3:]
		switch {
		case kind > compressed, kind == rle && size == 0: // a byte that is repeated no times
			return false
		case kind == rle:
			size = 1
		}
		if size > len(data) {
			return false
		}
		data = data[size:]
		if last {
			return len(data) == 0
		}
	}
	return false
}

// isBrotliFramed wants no larger window than a source of this size is given, and
// no metadata as the first meta-block (RFC 7932, sections 9.1 and 9.2).
func isBrotliFramed(data []byte, source int64) bool {
	// The fastest levels take this window at least.
	const least = 18
	if len(data) == 0 {
		return false
	}
	start := uint(data[0])
	if len(data) > 1 {
		start |= uint(data[1]) << 8
	}
	window, length := brotliStart(start)
	const notLast, metadata = 0, 0b11 // ISLAST, and MNIBBLES that stand for none
	next := start >> length
	return window <= max(least, brotliWindow(source)) && !(next&1 == notLast && next>>1&0b11 == metadata)
}

// brotliStart reads WBITS, the base-2 logarithm of the window, from the first bits
// of a stream, and tells how many they are. One that does not exist it takes for
// the largest.
func brotliStart(bits uint) (window, length int) {
	high, low := int(bits>>1&7), int(bits>>4&7)
	switch {
	case bits&1 == 0:
		return 16, 1
	case high != 0:
		return 17 + high, 4
	case low == 0:
		return 17, 7
	case low == 1:
		return 24, 7
	}
	return 8 + low, 7
}
