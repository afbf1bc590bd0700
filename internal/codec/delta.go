package codec

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/zstd"
	"github.com/molecule-man/go-brrr"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/manifest"
)

// deltaMagic returns the bytes that a delta starts with (RFC 9842, sections 4 and
// 5). Those of dcz are the header of a skippable frame of 32 bytes. The SHA-256 of
// the dictionary follows.
func deltaMagic(c manifest.Coding) []byte {
	if c == manifest.DCZ {
		return []byte{0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0}
	}
	return []byte{0xff, 'D', 'C', 'B'}
}

func deltaHeader(p Params) []byte {
	sum := p.Dictionary.Sum()
	return append(deltaMagic(p.Coding), sum[:]...)
}

// ReadDeltaHeader reads the header of a delta and returns the SHA-256 of its
// dictionary.
func ReadDeltaHeader(r io.Reader, c manifest.Coding) (sum manifest.Dictionary, err error) {
	magic := deltaMagic(c)
	header := make([]byte, len(magic)+len(sum))
	if _, err := io.ReadFull(r, header); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return sum, err
	}
	if !bytes.HasPrefix(header, magic) {
		return sum, fmt.Errorf("it does not start with the header of %s", c)
	}
	copy(sum[:], header[len(magic):])
	return sum, nil
}

// maxDeltaWindow is the largest window, in bytes, that every decoder of dcz
// supports (RFC 9842, section 5).
const maxDeltaWindow = 128 << 20

// deltaWindow returns the largest window in bytes that every decoder of dcz
// supports for a dictionary of the given size (RFC 9842, section 5).
func deltaWindow(dictionary int) int {
	return min(max(dictionary+dictionary/4, manifest.MaxWindow), maxDeltaWindow)
}

// encoderWindow returns the largest window up to [deltaWindow] that the header of a
// frame can express: a power of two and some eighths of it (RFC 8878, section
// 3.1.1.1.2).
func encoderWindow(dictionary int) int {
	window := deltaWindow(dictionary)
	eighth := 1 << (bits.Len(uint(window)) - 4)
	return window / eighth * eighth
}

// newDeltaReader returns a reader of what a delta decodes to. The decoder of dcb is
// by the author of the encoder but shares no code with it; there is no other.
func newDeltaReader(p Params, dictionary []byte, encoded io.Reader) (io.ReadCloser, error) {
	buffered := bufio.NewReader(encoded)
	switch sum, err := ReadDeltaHeader(buffered, p.Coding); {
	case err != nil:
		return nil, err
	case sum != p.Dictionary.Sum():
		return nil, fmt.Errorf("it is made with the dictionary %s", sum)
	}
	if p.Coding == manifest.DCZ {
		return newZstdReaderWith(buffered, deltaWindow(len(dictionary)), zstd.WithDecoderDictRaw(0, dictionary))
	}
	first, err := buffered.Peek(1)
	if err == nil {
		err = framing.Check(manifest.Brotli, bytes.NewReader(first))
	}
	if err != nil {
		return nil, err
	}
	return brrr.NewReaderOptions(buffered, brrr.ReaderOptions{Dictionaries: [][]byte{dictionary}})
}
