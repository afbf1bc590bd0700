package bench

import (
	"bytes"
	stdzlib "compress/zlib"
	"context"
	"io"
	"strings"

	"github.com/klauspost/compress/zlib"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/manifest"
)

// codecs has an encoder for every coding that can be measured.
type codecs struct {
	stored *codec.Encoder       // the codings that variants are stored in
	zlib   map[int]*zlib.Writer // by level
}

func newCodecs() *codecs {
	return &codecs{codec.NewMeasuringEncoder(), make(map[int]*zlib.Writer)}
}

// encode encodes src and appends the result to dst.
func (c *codecs) encode(ctx context.Context, s Setting, dst, src []byte) ([]byte, error) {
	if s.Coding == Deflate {
		return c.deflate(ctx, s.Level, dst, src)
	}
	return c.stored.Append(ctx, dst, codec.Params{Coding: s.Coding, Level: s.Level}, src)
}

// deflate encodes with the encoder that gzip uses up to level 9. The output has the same
// compressed bytes, in a header and trailer that are 12 bytes shorter.
func (c *codecs) deflate(ctx context.Context, level int, dst, src []byte) ([]byte, error) {
	w := c.zlib[level]
	if w == nil {
		var err error
		if w, err = zlib.NewWriterLevel(nil, level); err != nil {
			return nil, err
		}
		c.zlib[level] = w
	}
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	const part = 64 << 10 // bytes between checks of ctx
	for rest := src; len(rest) > 0; rest = rest[min(part, len(rest)):] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, err := w.Write(rest[:min(part, len(rest))]); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

// newDecoder returns a reader of the decoded content, of another implementation than the
// encoder's.
func newDecoder(c manifest.Coding, encoded io.Reader) (io.ReadCloser, error) {
	if c == Deflate {
		return stdzlib.NewReader(encoded)
	}
	return codec.NewReader(c, encoded)
}

// encoderID returns the name and version of a setting's encoder.
func encoderID(s Setting) string {
	if s.Coding == Deflate { // from the same module as the encoder of gzip
		return strings.Replace(codec.ReadVersions().At(manifest.Gzip, s.Level), "/gzip ", "/zlib ", 1)
	}
	return codec.ReadVersions().At(s.Coding, s.Level)
}
