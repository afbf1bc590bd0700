package codec

import (
	"context"
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/codec/zstdenc"
	"github.com/precompress/precompress/manifest"
)

// maxFastZstd is the highest level that klauspost's encoder is used for, in four
// steps. Above it, zstdenc searches for the cheapest encoding.
const maxFastZstd = zstdenc.MinLevel - 1

// maxKept is the number of bytes that zstdenc may have worked on to be kept for
// the next source: it holds on to many times as much.
const maxKept = 4 * mebibyte

type zstdEncoders struct {
	fast  freeList[*zstd.Encoder]
	small freeList[*zstdenc.Encoder]
}

// append appends src as one frame without a checksum: HTTP and the verification
// here already guard its content.
func (e *zstdEncoders) append(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	if level > maxFastZstd {
		return e.appendSmall(ctx, dst, src, nil, level, manifest.MaxWindow)
	}
	speed := zstd.EncoderLevelFromZstd(level)
	enc, err := e.fast.get(int(speed), func() (*zstd.Encoder, error) {
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
	defer e.fast.put(int(speed), enc)
	return enc.EncodeAll(src, dst), nil
}

// appendSmall appends a frame by zstdenc, with a window of that many bytes.
func (e *zstdEncoders) appendSmall(ctx context.Context, dst, src, dictionary []byte, level, window int) ([]byte, error) {
	enc, err := e.small.get(level, func() (*zstdenc.Encoder, error) { return zstdenc.New(level), nil })
	if err != nil {
		return nil, err
	}
	if len(src)+len(dictionary) <= maxKept {
		defer e.small.put(level, enc)
	}
	frame, err := enc.Encode(ctx, src, dictionary, window)
	if err != nil {
		return nil, err
	}
	return append(dst, frame...), nil
}

// newZstdReader returns a decoder that refuses what browsers refuse.
func newZstdReader(encoded io.Reader) (io.ReadCloser, error) {
	return newZstdReaderWith(encoded, manifest.MaxWindow)
}

// newZstdReaderWith returns a decoder that takes windows of up to window bytes. The
// memory limit is what bounds single-segment frames.
func newZstdReaderWith(encoded io.Reader, window int, opts ...zstd.DOption) (io.ReadCloser, error) {
	d, err := zstd.NewReader(encoded, append(opts,
		zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(uint64(window)),
		zstd.WithDecoderMaxMemory(uint64(window)))...)
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// isWindowError reports whether the decoder refused its input for the size of the
// window.
func isWindowError(err error) bool {
	return errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded)
}
