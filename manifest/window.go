package manifest

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// MaxWindow is the largest window, in bytes, that a decoder of the content
// coding zstd has to support (RFC 9659, section 3). Browsers refuse larger ones.
const MaxWindow = 8 << 20

// Faults that [CheckForm] finds in a stream.
var (
	// ErrWindow: decoding it needs more memory than every client grants.
	ErrWindow = errors.New("the window is larger than clients accept")
	// ErrForm: it is no complete stream of its coding.
	ErrForm = errors.New("not a stream of its coding")
)

// CheckForm reads a variant's stream and checks what can be told without
// decoding it: of zstd the headers of every frame and block (RFC 8878, section
// 3.1), with windows of at most [MaxWindow] and no dictionary; of br that it does
// not start as large windows do (RFC 7932, section 9.1). Of gzip, whose window is
// never larger than 32 KiB, nothing is read. The error wraps [ErrWindow],
// [ErrForm] or the reader's.
func CheckForm(c Coding, r io.Reader) error {
	switch c {
	case Zstd:
		return CheckZstd(r, MaxWindow)
	case Brotli:
		return checkBrotli(r)
	}
	return nil
}

// checkBrotli refuses the one start of a stream that RFC 7932, section 9.1,
// rules out and that encoders use for windows of more than 16 MiB.
func checkBrotli(r io.Reader) error {
	var first [1]byte
	if _, err := io.ReadFull(r, first[:]); err != nil {
		return formError(err)
	}
	if first[0]&0x7F == 0x11 {
		return ErrWindow
	}
	return nil
}

// formError returns the error for a stream that could not be read further. One
// that ends too early is not complete.
func formError(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it ends early", ErrForm)
	}
	return err
}

// maxBlock is the largest block of a zstd stream, in bytes (RFC 8878, section
// 3.1.1.2.4).
const maxBlock = 128 << 10

// CheckZstd is [CheckForm] for zstd, with windows of at most limit bytes.
func CheckZstd(r io.Reader, limit uint64) error {
	br := bufio.NewReader(r)
	for frames := 0; ; frames++ {
		var magic [4]byte
		if _, err := io.ReadFull(br, magic[:]); err == io.EOF && frames > 0 {
			return nil
		} else if err != nil {
			return formError(err)
		}
		var err error
		switch m := binary.LittleEndian.Uint32(magic[:]); {
		case m == 0xFD2FB528:
			err = checkZstdFrame(br, limit)
		case m&^0xF == 0x184D2A50:
			err = skipZstdFrame(br)
		default:
			err = ErrForm
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
		return ErrForm
	}
	window, err := readZstdWindow(br, descriptor)
	if err != nil {
		return err
	}
	if window > limit {
		return ErrWindow
	}
	for last := false; !last; {
		header, err := readUint(br, 3)
		if err != nil {
			return err
		}
		last = header&1 != 0
		size := header >> 3
		if size > min(window, maxBlock) {
			return ErrForm
		}
		switch header >> 1 & 3 {
		case 1: // one byte, repeated size times
			size = 1
		case 3:
			return ErrForm
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
		return 0, fmt.Errorf("%w: it needs a dictionary", ErrForm)
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
		return 0, formError(err)
	}
	return binary.LittleEndian.Uint64(b[:]), nil
}

// discard skips n bytes.
func discard(br *bufio.Reader, n uint64) error {
	const step = 1 << 30 // fits an int everywhere
	for n > 0 {
		skipped, err := br.Discard(int(min(n, step)))
		if err != nil {
			return formError(err)
		}
		n -= uint64(skipped)
	}
	return nil
}
