// Package framing checks the framing of coded content: what the headers in a
// stream say, without decoding it. It links no codec.
package framing

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/precompress/precompress/manifest"
)

// ErrMalformed is wrapped by the error for content that is not a complete stream
// of its coding.
var ErrMalformed = errors.New("not a stream of its coding")

// Check reads a variant and checks what can be checked without decoding it. The
// error wraps [manifest.ErrWindow], [ErrMalformed] or the reader's error.
//
//   - zstd: the headers of all frames and blocks (RFC 8878, section 3.1), with
//     windows of at most [manifest.MaxWindow] and no dictionary.
//   - br: that the stream does not start like one with a large window (RFC 7932,
//     section 9.1).
//   - gzip: nothing is read. Its window never exceeds 32 KiB.
func Check(c manifest.Coding, r io.Reader) error {
	switch c {
	case manifest.Zstd:
		return CheckZstd(r, manifest.MaxWindow)
	case manifest.Brotli:
		return checkBrotli(r)
	}
	return nil
}

// checkBrotli refuses the one start of a stream that RFC 7932, section 9.1,
// rules out and that encoders use for windows of more than 16 MiB.
func checkBrotli(r io.Reader) error {
	var first [1]byte
	if _, err := io.ReadFull(r, first[:]); err != nil {
		return streamError(err)
	}
	if first[0]&0x7F == 0x11 {
		return manifest.ErrWindow
	}
	return nil
}

// streamError returns the error for a stream that cannot be read further. One
// that ends too early is malformed.
func streamError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it ends early", ErrMalformed)
	}
	return err
}

// maxBlock is the largest block of a zstd stream, in bytes (RFC 8878, section
// 3.1.1.2.4).
const maxBlock = 128 << 10

// CheckZstd is [Check] for zstd, with windows of at most limit bytes.
func CheckZstd(r io.Reader, limit uint64) error {
	z := zstdReader{r: bufio.NewReader(r)}
	for frames := 0; z.err == nil; frames++ {
		if _, err := z.r.Peek(1); err == io.EOF && frames > 0 {
			break
		}
		switch magic := z.uint(4); {
		case magic == 0xFD2FB528:
			z.frame(limit)
		case magic&^0xF == 0x184D2A50: // a skippable frame
			z.skip(z.uint(4))
		default:
			z.fail(ErrMalformed)
		}
	}
	return z.err
}

// zstdReader reads the headers in a zstd stream. It keeps the first error; after
// it, numbers read as 0.
type zstdReader struct {
	r   *bufio.Reader
	err error
}

// frame reads a frame behind its magic number.
func (z *zstdReader) frame(limit uint64) {
	descriptor := z.uint(1)
	if descriptor&0x08 != 0 { // reserved
		z.fail(ErrMalformed)
	}
	window := z.window(descriptor)
	if window > limit {
		z.fail(manifest.ErrWindow)
	}
	for last := false; !last && z.err == nil; {
		header := z.uint(3)
		last = header&1 != 0
		kind, size := header>>1&3, header>>3
		if kind == 3 || size > min(window, maxBlock) {
			z.fail(ErrMalformed)
		}
		if kind == 1 { // one byte, repeated size times
			size = 1
		}
		z.skip(size)
	}
	if descriptor&0x04 != 0 {
		z.skip(4) // the checksum
	}
}

// window reads the rest of a frame header, behind the descriptor, and returns the
// size of the window in bytes.
func (z *zstdReader) window(descriptor uint64) (window uint64) {
	single := descriptor&0x20 != 0
	if !single {
		b := z.uint(1)
		base := uint64(1) << (10 + b>>3)
		window = base + base/8*(b&7)
	}
	if dictionary := z.uint([]int{0, 1, 2, 4}[descriptor&3]); dictionary != 0 {
		z.fail(fmt.Errorf("%w: it needs a dictionary", ErrMalformed))
	}
	width := []int{0, 2, 4, 8}[descriptor>>6]
	if width == 0 && single {
		width = 1
	}
	size := z.uint(width)
	if width == 2 {
		size += 256
	}
	if single {
		return size
	}
	return window
}

// uint reads a little-endian number of width bytes.
func (z *zstdReader) uint(width int) uint64 {
	var b [8]byte
	if z.err == nil {
		if _, err := io.ReadFull(z.r, b[:width]); err != nil {
			z.fail(streamError(err))
			return 0
		}
	}
	return binary.LittleEndian.Uint64(b[:])
}

// skip skips n bytes.
func (z *zstdReader) skip(n uint64) {
	const step = 1 << 30 // fits an int everywhere
	for n > 0 && z.err == nil {
		skipped, err := z.r.Discard(int(min(n, step)))
		if err != nil {
			z.fail(streamError(err))
		}
		n -= uint64(skipped)
	}
}

func (z *zstdReader) fail(err error) {
	if z.err == nil {
		z.err = err
	}
}
