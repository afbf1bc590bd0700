package codec

import (
	"bytes"
	"errors"
	"math/bits"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/manifest"
)

// All three formats have room for bytes that decoders skip. What somebody else
// encoded can decode to the source and still carry anything there, so only the
// framing that the encoders here write is accepted.

var errFraming = errors.New("its framing is not what the encoders here write")

// CheckFraming refuses data that does not begin and end like an encoding, by an
// encoder of this package, of a source of that many bytes. What is between is for
// [Verify]. Of brotli only the beginning is checked: only a decoder knows where
// later meta-blocks begin.
func CheckFraming(p Params, data []byte, source int) error {
	ok := false
	switch p.Coding {
	case manifest.Gzip:
		ok = isGzipFramed(data)
	case manifest.Zstd:
		ok = isZstdFramed(data, uint64(source), manifest.MaxWindow)
	case manifest.Brotli:
		ok = isBrotliFramed(data, int64(source))
	case manifest.DCB:
		stream, found := bytes.CutPrefix(data, deltaHeader(p))
		ok = found && isBrotliFramed(stream, int64(source))
	case manifest.DCZ:
		stream, found := bytes.CutPrefix(data, deltaHeader(p))
		ok = found && isZstdFramed(stream, uint64(source), framing.DeltaWindow(p.Dictionary.Size()))
	}
	if !ok {
		return errFraming
	}
	return nil
}

// isGzipFramed requires a header without name, comment, extra fields and time (RFC
// 1952, section 2.3). Decoding makes sure that there is only one member.
func isGzipFramed(data []byte) bool {
	if len(data) < 10 {
		return false
	}
	effort := data[8] // XFL
	return bytes.Equal(data[:8], []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0}) && data[9] == 255 &&
		(effort == 0 || effort == 2 || effort == 4)
}

// isZstdFramed requires a single frame of the source's size, without checksum and
// dictionary ID (RFC 8878, section 3.1.1), whose window is no larger than the source
// needs or limit.
func isZstdFramed(data []byte, source, limit uint64) bool {
	const mustBeZero = 0b11111 // checksum, dictionary ID, and the bits without a meaning
	var h zstd.Header
	if h.Decode(data) != nil || h.Skippable || data[4]&mustBeZero != 0 {
		return false
	}
	if h.SingleSegment && source > limit || h.WindowSize > max(1<<10, min(limit, uint64(1)<<bits.Len64(source))) {
		return false
	}
	size := contentSizeBytes(source)
	if !h.SingleSegment && size == 1 {
		size = 0 // the shortest form next to a window is none at all
	}
	const magicAndDescriptor, window = 5, 1
	expected := magicAndDescriptor + size
	if !h.SingleSegment {
		expected += window
	}
	return h.HeaderSize == expected && (!h.HasFCS || h.FrameContentSize == source) && endsWithBlocks(data[h.HeaderSize:])
}

// contentSizeBytes returns the length of the shortest field that holds the size of
// a frame's content (section 3.1.1.1.4).
func contentSizeBytes(source uint64) int {
	switch {
	case source < 256:
		return 1
	case source < 256+1<<16:
		return 2
	case source < 1<<32-1:
		return 4
	}
	return 8
}

// endsWithBlocks reports whether data consists of blocks and ends with the last one
// (section 3.1.1.2).
func endsWithBlocks(data []byte) bool {
	const raw, rle, compressed = 0, 1, 2
	for len(data) >= 3 {
		header := uint32(data[0]) | uint32(data[1])<<8 | uint32(data[2])<<16
		last, kind, size := header&1 != 0, header>>1&3, int(header>>3)
		data = data[3:]
		switch {
		case kind > compressed, kind == rle && size == 0: // a byte repeated zero times
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

// isBrotliFramed requires a window no larger than a source of this size gets, and a
// first meta-block that is not metadata (RFC 7932, sections 9.1 and 9.2).
func isBrotliFramed(data []byte, source int64) bool {
	// The fastest levels use at least this window.
	const least = 18
	if len(data) == 0 {
		return false
	}
	start := uint(data[0])
	if len(data) > 1 {
		start |= uint(data[1]) << 8
	}
	window, length := brotliStart(start)
	const notLast, metadata = 0, 0b11 // ISLAST, and MNIBBLES of an empty meta-block
	next := start >> length
	return window <= max(least, brotliWindow(source)) && !(next&1 == notLast && next>>1&0b11 == metadata)
}

// brotliStart reads WBITS, the base-2 logarithm of the window, from the first bits
// of a stream and returns the number of these bits, too. It takes an invalid one for
// the largest window.
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
