package codec

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

// maxFastGzip is the highest level of gzip's own scale. Above it, package deflate
// searches for the cheapest encoding.
const maxFastGzip = 9

type gzipEncoders struct {
	fast  freeList[*gzip.Writer]
	small freeList[*deflate.Encoder]
}

// append appends src as one member. Its header is the same on every system (RFC
// 1952, section 2.3: no name, MTIME 0, OS 255 "unknown").
func (e *gzipEncoders) append(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	if level > maxFastGzip {
		return e.appendSmall(ctx, dst, src, level)
	}
	w, err := e.fast.get(level, func() (*gzip.Writer, error) { return gzip.NewWriterLevel(nil, level) })
	if err != nil {
		return nil, err
	}
	out := bytes.NewBuffer(dst)
	w.Reset(out)
	if err := feed(ctx, w, src); err != nil {
		return nil, err
	}
	e.fast.put(level, w)
	return out.Bytes(), nil
}

// appendSmall is append for the levels above [maxFastGzip]. For a source with few
// different bytes, package deflate can end up larger than the fast encoder; it
// appends the smaller result.
func (e *gzipEncoders) appendSmall(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	enc, err := e.small.get(level, func() (*deflate.Encoder, error) { return deflate.New(level), nil })
	if err != nil {
		return nil, err
	}
	// XFL 2: compressed with the most effort.
	out := append(dst, 0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 255)
	if out, err = enc.Append(ctx, out, src); err != nil {
		return nil, err
	}
	e.small.put(level, enc)
	out = binary.LittleEndian.AppendUint32(out, crc32.ChecksumIEEE(src))
	out = binary.LittleEndian.AppendUint32(out, uint32(len(src)))
	fast, err := e.append(ctx, nil, src, maxFastGzip)
	if err != nil {
		return nil, err
	}
	if len(fast) < len(out)-len(dst) {
		return append(out[:len(dst)], fast...), nil
	}
	return out, nil
}

// gzipReader decodes one member. A file may hold several, but some browsers decode
// only the first member of a response and drop the rest.
type gzipReader struct {
	*stdgzip.Reader
	encoded *bufio.Reader
}

func newGzipReader(encoded io.Reader) (io.ReadCloser, error) {
	buffered := bufio.NewReader(encoded)
	d, err := stdgzip.NewReader(buffered)
	if err != nil {
		return nil, err
	}
	d.Multistream(false)
	return gzipReader{d, buffered}, nil
}

func (d gzipReader) Read(p []byte) (int, error) {
	n, err := d.Reader.Read(p)
	if err == io.EOF {
		if _, more := d.encoded.ReadByte(); more != io.EOF {
			return n, errGzipTrailer
		}
	}
	return n, err
}

var errGzipTrailer = errors.New("gzip: data after the first member")
