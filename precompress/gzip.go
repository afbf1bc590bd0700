package precompress

import (
	"bufio"
	"bytes"
	stdgzip "compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/gzip"

	"github.com/precompress/precompress/internal/codec/deflate"
)

// maxFastGzip is the highest level of gzip's own scale. Beyond it the encoder
// is another, which takes its time.
const maxFastGzip = 9

// encodeGzip encodes src as one member. Its header is the same on every
// system (RFC 1952, section 2.3: no name, MTIME 0, OS 255 "unknown").
func (c *codecs) encodeGzip(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	if level > maxFastGzip {
		return c.encodeGzipSmall(ctx, dst, src, level)
	}
	w, err := c.gzip.get(level, func() (*gzip.Writer, error) { return gzip.NewWriterLevel(nil, level) })
	if err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	if err := feed(ctx, w, src); err != nil {
		return nil, err
	}
	c.gzip.put(level, w)
	return out.Bytes(), nil
}

// encodeGzipSmall is encodeGzip for the levels beyond [maxFastGzip]. Where few
// different bytes occur, the slow encoder can settle for what is larger than the
// fast one's; the smaller of both counts.
func (c *codecs) encodeGzipSmall(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	enc, err := c.deflate.get(level, func() (*deflate.Encoder, error) { return deflate.New(level), nil })
	if err != nil {
		return nil, err
	}
	// XFL 2: made with the most effort.
	out := append(dst, 0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255)
	if out, err = enc.Append(ctx, out, src); err != nil {
		return nil, err
	}
	c.deflate.put(level, enc)
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(src))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(src)))
	fast, err := c.encodeGzip(ctx, nil, src, maxFastGzip)
	if err != nil {
		return nil, err
	}
	if len(fast) < len(out)-len(dst) {
		return append(out[:len(dst)], fast...), nil
	}
	return out, nil
}

// gzipDecoder decodes one member. A file may hold several, but of a response
// some browsers decode the first alone, and drop what follows.
type gzipDecoder struct {
	*stdgzip.Reader
	encoded *bufio.Reader
}

func newGzipDecoder(encoded io.Reader) (io.ReadCloser, error) {
	buffered := bufio.NewReader(encoded)
	d, err := stdgzip.NewReader(buffered)
	if err != nil {
		return nil, err
	}
	d.Multistream(false)
	return gzipDecoder{d, buffered}, nil
}

func (d gzipDecoder) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err == io.EOF {
		if _, more := d.encoded.ReadByte(); more != io.EOF {
			return n, errGzipTrailer
		}
	}
	return n, err
}

var errGzipTrailer = errors.New("gzip: data after the first member")
