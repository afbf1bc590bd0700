package precompress

import (
	"errors"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
)

// encodeZstd encodes src as one frame without a checksum: HTTP and the verify
// step see to integrity. Levels 1 to 22 choose among the encoder's four.
func (c *codecs) encodeZstd(src []byte, level int) ([]byte, error) {
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
	return enc.EncodeAll(src, nil), nil
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

// isWindowFault tells whether the decoder refused what it was given for the size
// of its window.
func isWindowFault(err error) bool {
	return errors.Is(err, zstd.ErrWindowSizeExceeded) || errors.Is(err, zstd.ErrDecoderSizeExceeded)
}
