package precompress

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"runtime/debug"

	"github.com/klauspost/compress/zstd"
	"github.com/molecule-man/go-brrr"

	"github.com/precompress/precompress/manifest"
)

// deltaMagic returns what a delta starts with, before its dictionary's SHA-256
// (RFC 9842, sections 4 and 5): of dcz it is the head of a skippable frame of 32
// bytes.
func deltaMagic(c manifest.Coding) []byte {
	if c == manifest.DCZ {
		return []byte{0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0}
	}
	return []byte{0xff, 'D', 'C', 'B'}
}

// readDeltaHeader reads the head of a delta and returns its dictionary's SHA-256.
func readDeltaHeader(r io.Reader, c manifest.Coding) (sum manifest.Dictionary, err error) {
	magic := deltaMagic(c)
	head := make([]byte, len(magic)+len(sum))
	if _, err := io.ReadFull(r, head); err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return sum, err
	}
	if !bytes.HasPrefix(head, magic) {
		return sum, fmt.Errorf("it does not start with the header of %s", c)
	}
	copy(sum[:], head[len(magic):])
	return sum, nil
}

// encodeDelta returns src encoded with the dictionary, headed by its SHA-256.
func (c *codecs) encodeDelta(ctx context.Context, s setting, src, dictionary []byte) ([]byte, error) {
	return endEarly(ctx, func() ([]byte, error) {
		head := append(deltaMagic(s.coding), s.dictionary.sum[:]...)
		if s.coding == manifest.DCB {
			return encodeDCB(ctx, head, s.level, src, dictionary)
		}
		return c.encodeOptimal(ctx, head, src, dictionary, s.level, encoderWindow(len(dictionary)))
	})
}

// encodeDCB appends a brotli stream to head. Its window need not reach over the
// dictionary, which lies beyond whatever the window is.
func encodeDCB(ctx context.Context, head []byte, level int, src, dictionary []byte) ([]byte, error) {
	prepared, err := brrr.PrepareDictionary(dictionary)
	if err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(head)
	w, err := brrr.NewWriterOptions(out, level, brrr.WriterOptions{
		LGWin:        brotliWindow(int64(len(src))),
		SizeHint:     uint(len(src)),
		Dictionaries: []*brrr.PreparedDictionary{prepared},
	})
	if err != nil {
		return nil, err
	}
	err = feed(ctx, w, src)
	return out.Bytes(), err
}

// maxDeltaWindow is the most that a decoder of dcz has to support, in bytes
// (RFC 9842, section 5).
const maxDeltaWindow = 128 << 20

// deltaWindow returns the largest window in bytes that a decoder of dcz has to
// support for a dictionary of the given size (RFC 9842, section 5).
func deltaWindow(dictionary int) int {
	return min(max(dictionary+dictionary/4, manifest.MaxWindow), maxDeltaWindow)
}

// encoderWindow returns the largest window not above [deltaWindow] that a frame
// can ask for: a power of two and some eighths of it (RFC 8878, section
// 3.1.1.1.2).
func encoderWindow(dictionary int) int {
	window := deltaWindow(dictionary)
	eighth := 1 << (bits.Len(uint(window)) - 4)
	return window / eighth * eighth
}

// encodeDeltaVerified encodes src and decodes the outcome again.
func (c *codecs) encodeDeltaVerified(ctx context.Context, s setting, src, dictionary []byte) ([]byte, error) {
	giveBack(len(dictionary)) // what came before
	data, err := c.encodeDelta(ctx, s, src, dictionary)
	if err != nil {
		return nil, err
	}
	giveBack(len(dictionary)) // the encoder's, before a decoder takes as much
	return data, verifyDelta(ctx, s, dictionary, bytes.NewReader(data), src)
}

// giveBack has garbage collected that is many times a large dictionary's size:
// two encoders of one asset, one after the other, would else take the sum.
func giveBack(dictionary int) {
	const large = 4 * mebibyte
	if dictionary >= large {
		debug.FreeOSMemory()
	}
}

// verifyDelta is [verify] for deltas.
func verifyDelta(ctx context.Context, s setting, dictionary []byte, encoded io.Reader, src []byte) error {
	decoded, err := newDeltaDecoder(s, dictionary, encoded)
	if err != nil {
		return err
	}
	defer decoded.Close()
	return compareContent(ctx, decoded, src)
}

// newDeltaDecoder returns a reader of what a delta decodes to. That of dcb is
// by the hand that wrote the encoder, but shares none of its ways; there is no
// other.
func newDeltaDecoder(s setting, dictionary []byte, encoded io.Reader) (io.ReadCloser, error) {
	buffered := bufio.NewReader(encoded)
	switch sum, err := readDeltaHeader(buffered, s.coding); {
	case err != nil:
		return nil, err
	case sum != s.dictionary.sum:
		return nil, fmt.Errorf("it is made for dictionary %s", sum)
	}
	if s.coding == manifest.DCB {
		first, err := buffered.Peek(1)
		if err == nil {
			err = manifest.CheckForm(manifest.Brotli, bytes.NewReader(first))
		}
		if err != nil {
			return nil, err
		}
		d, err := brrr.NewReaderOptions(buffered, brrr.ReaderOptions{Dictionaries: [][]byte{dictionary}})
		return d, err
	}
	d, err := zstd.NewReader(buffered,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderDictRaw(0, dictionary),
		zstd.WithDecoderMaxWindow(uint64(deltaWindow(len(dictionary)))),
		zstd.WithDecoderMaxMemory(uint64(deltaWindow(len(dictionary)))))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}
