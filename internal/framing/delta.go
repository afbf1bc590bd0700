package framing

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/precompress/precompress/manifest"
)

// DeltaMagic returns the bytes at the start of every delta in a coding, before the
// SHA-256 of its dictionary (RFC 9842, sections 4 and 5). In dcz they are the
// header of a skippable frame of 32 bytes.
func DeltaMagic(c manifest.Coding) []byte {
	if c == manifest.DCZ {
		return []byte{0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0}
	}
	return []byte{0xff, 'D', 'C', 'B'}
}

// ReadDeltaHeader reads the header of a delta and returns the dictionary that it
// names.
func ReadDeltaHeader(r io.Reader, c manifest.Coding) (d manifest.Dictionary, err error) {
	magic := DeltaMagic(c)
	header := make([]byte, len(magic)+len(d))
	_, err = io.ReadFull(r, header)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return d, err
	}
	if err != nil || !bytes.HasPrefix(header, magic) {
		return d, fmt.Errorf("it does not start with the header of %s", c)
	}
	copy(d[:], header[len(magic):])
	return d, nil
}

// maxDeltaWindow is the most that a decoder of dcz has to support, in bytes,
// however large the dictionary is (RFC 9842, section 5).
const maxDeltaWindow = 128 << 20

// DeltaWindow returns the largest window, in bytes, that a decoder of dcz has to
// support with a dictionary of the given size in bytes, 0 if unknown (RFC 9842,
// section 5).
func DeltaWindow(dictionarySize int64) uint64 {
	size := min(dictionarySize, maxDeltaWindow) // the sum cannot overflow
	return uint64(min(max(size+size/4, manifest.MaxWindow), maxDeltaWindow))
}
