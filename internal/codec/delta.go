package codec

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math/bits"

	"github.com/klauspost/compress/zstd"
	"github.com/molecule-man/go-brrr"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/manifest"
)

// deltaHeader returns the bytes that a delta starts with.
func deltaHeader(p Params) []byte {
	sum := p.Dictionary.Sum()
	return append(framing.DeltaMagic(p.Coding), sum[:]...)
}

// encoderWindow returns the largest window up to [framing.DeltaWindow] that the header of a
// frame can express: a power of two and some eighths of it (RFC 8878, section
// 3.1.1.1.2).
func encoderWindow(dictionary int) int {
	window := int(framing.DeltaWindow(int64(dictionary)))
	eighth := 1 << (bits.Len(uint(window)) - 4)
	return window / eighth * eighth
}

// newDeltaReader returns a reader of what a delta decodes to. The decoder of dcb is
// by the author of the encoder but shares no code with it; there is no other.
func newDeltaReader(p Params, dictionary []byte, encoded io.Reader) (io.ReadCloser, error) {
	buffered := bufio.NewReader(encoded)
	switch sum, err := framing.ReadDeltaHeader(buffered, p.Coding); {
	case err != nil:
		return nil, err
	case sum != p.Dictionary.Sum():
		return nil, fmt.Errorf("it is made with the dictionary %s", sum)
	}
	if p.Coding == manifest.DCZ {
		return newZstdReaderWith(buffered, int(framing.DeltaWindow(int64(len(dictionary)))), zstd.WithDecoderDictRaw(0, dictionary))
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
