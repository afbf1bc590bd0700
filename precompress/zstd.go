package precompress

import (
	"io"

	"github.com/klauspost/compress/zstd"
)

// zstdWindow is the largest window that clients of the content coding must
// support (RFC 9659, section 3): 8 MiB. Browsers refuse larger ones, and
// single-segment frames of more content too.
const zstdWindow = 8 << 20

// encodeZstd encodes src as one frame without a checksum: HTTP and the verify
// step see to integrity. Levels 1 to 22 choose among the encoder's four.
func (c *codecs) encodeZstd(src []byte, level int) ([]byte, error) {
	speed := zstd.EncoderLevelFromZstd(level)
	enc, err := c.zstd.get(int(speed), func() (*zstd.Encoder, error) {
		return zstd.NewWriter(nil,
			zstd.WithEncoderLevel(speed),
			zstd.WithWindowSize(zstdWindow),
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
		zstd.WithDecoderMaxWindow(zstdWindow),
		zstd.WithDecoderMaxMemory(zstdWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}
