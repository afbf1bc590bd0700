package precompress

import (
	"context"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/codec/zstdenc"
	"github.com/precompress/precompress/manifest"
)

// encodeZstd encodes src as one frame without a digest of its content: HTTP and the verify
// step see to integrity. From [zstdenc.MinLevel] on the encoder is our own;
// below, levels choose among klauspost's four.
func (c *codecs) encodeZstd(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	if level >= zstdenc.MinLevel {
		return c.encodeOptimal(ctx, dst, src, nil, level, manifest.MaxWindow)
	}
	speed := zstd.EncoderLevelFromZstd(level)
	enc, err := c.zstd.get(int(speed), func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil,
			zstd.WithEncoderLevel(speed),
			zstd.WithWindowSize(manifest.MaxWindow),
			zstd.WithEncoderConcurrency(1),
			zstd.WithEncoderCRC(false),
			zstd.WithZeroFrames(true))
	})
	if err != nil {
		return nil, err
	}
	defer c.zstd.put(int(speed), enc)
	return enc.EncodeAll(src, dst), nil
}

// keptText is the most that the slow encoder may have worked on to be kept for
// the next source: what it holds on to is many times as much.
const keptText = 4 * mebibyte

// encodeOptimal appends a zstd frame to head, with the slow encoder.
func (c *codecs) encodeOptimal(ctx context.Context, head, src, dictionary []byte, level, window int) ([]byte, error) {
	enc, err := c.optimal.get(level, func() (*zstdenc.Encoder, error) { return zstdenc.New(level), nil })
	if err != nil {
		return nil, err
	}
	if len(src)+len(dictionary) <= keptText {
		defer c.optimal.put(level, enc)
	}
	frame, err := enc.Encode(ctx, src, dictionary, window)
	if err != nil {
		return nil, err
	}
	return append(head, frame...), nil
}

// newZstdDecoder returns a decoder that refuses what browsers refuse. The
// memory limit is what bounds single-segment frames.
func newZstdDecoder(encoded io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(encoded,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(manifest.MaxWindow),
		zstd.WithDecoderMaxMemory(manifest.MaxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// isWindowFault reports whether the decoder refused what it was given for the size
// of its window.
func isWindowFault(err error) bool {
	return errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded)
}
