package serve

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// maxWindow is the largest window, in bytes, that a decoder of the content
// coding zstd has to support (RFC 9659, section 3).
const maxWindow = 8 << 20

// errWindow tells that decoding a variant needs more memory than every client
// grants.
var errWindow = errors.New("the window is larger than every decoder supports")

// maxBlock is the largest block of a zstd stream, in bytes (RFC 8878, section
// 3.1.1.2.4).
const maxBlock = 128 << 10

var errZstdFormat = errors.New("not a zstd stream")

// checkZstd reads the headers of every frame and block of a zstd stream (RFC
// 8878, section 3.1) and returns errWindow for a window of more than limit
// bytes, or another error for a stream that is incomplete or needs a dictionary
// by its number. It decodes nothing.
func checkZstd(r io.Reader, limit uint64) error {
	br := bufio.NewReader(r)
	for frames := 0; ; frames++ {
		var magic [4]byte
		if _, err := io.ReadFull(br, magic[:]); err == io.EOF && frames > 0 {
			return nil
		} else if err != nil {
			return fmt.Errorf("%w: %w", errZstdFormat, err)
		}
		var err error
		switch m := binary.LittleEndian.Uint32(magic[:]); {
		case m == 0xFD2FB528:
			err = checkZstdFrame(br, limit)
		case m&^0xF == 0x184D2A50:
			err = skipZstdFrame(br)
		default:
			err = errZstdFormat
		}
		if err != nil {
			return err
		}
	}
}

func skipZstdFrame(br *bufio.Reader) error {
	size, err := readUint(br, 4)
	if err != nil {
		return err
	}
	return discard(br, size)
}

func checkZstdFrame(br *bufio.Reader, limit uint64) error {
	descriptor, err := readUint(br, 1)
	if err != nil {
		return err
	}
	if descriptor&0x08 != 0 { // reserved for something that we do not know
		return errZstdFormat
	}
	window, err := readZstdWindow(br, descriptor)
	if err != nil {
		return err
	}
	if window > limit {
		return fmt.Errorf("%w: %d bytes of at most %d", errWindow, window, limit)
	}
	for last := false; !last; {
		header, err := readUint(br, 3)
		if err != nil {
			return err
		}
		last = header&1 != 0
		size := header >> 3
		if size > min(window, maxBlock) {
			return errZstdFormat
		}
		switch header >> 1 & 3 {
		case 1: // one byte, repeated size times
			size = 1
		case 3:
			return errZstdFormat
		}
		if err := discard(br, size); err != nil {
			return err
		}
	}
	if descriptor&0x04 != 0 {
		return discard(br, 4) // the content's check value
	}
	return nil
}

// readZstdWindow reads what follows the descriptor in a frame header, and
// returns the size of the window in bytes.
func readZstdWindow(br *bufio.Reader, descriptor uint64) (window uint64, err error) {
	single := descriptor&0x20 != 0
	if !single {
		b, err := readUint(br, 1)
		if err != nil {
			return 0, err
		}
		base := uint64(1) << (10 + b>>3)
		window = base + base/8*(b&7)
	}
	dictionary, err := readUint(br, []int{0, 1, 2, 4}[descriptor&3])
	if err != nil {
		return 0, err
	}
	if dictionary != 0 {
		return 0, fmt.Errorf("%w: it needs a dictionary", errZstdFormat)
	}
	width := []int{0, 2, 4, 8}[descriptor>>6]
	if width == 0 && single {
		width = 1
	}
	size, err := readUint(br, width)
	if err != nil {
		return 0, err
	}
	if width == 2 {
		size += 256
	}
	if single {
		window = size
	}
	return window, nil
}

// readUint reads a little-endian number of width bytes.
func readUint(br *bufio.Reader, width int) (n uint64, err error) {
	var b [8]byte
	if _, err := io.ReadFull(br, b[:width]); err != nil {
		return 0, fmt.Errorf("%w: %w", errZstdFormat, err)
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

func discard(br *bufio.Reader, n uint64) error {
	if _, err := io.CopyN(io.Discard, br, int64(n)); err != nil {
		return fmt.Errorf("%w: %w", errZstdFormat, err)
	}
	return nil
}
