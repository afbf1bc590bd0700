package precompress

import (
	"bufio"
	"bytes"
	stdgzip "compress/gzip"
	"context"
	"errors"
	"io"

	"github.com/klauspost/compress/gzip"
)

// encodeGzip encodes src as one member. Its header is the same on every
// system (RFC 1952, section 2.3: no name, MTIME 0, OS 255 "unknown").
func (c *codecs) encodeGzip(ctx context.Context, src []byte, level int) ([]byte, error) {
	w, err := c.gzip.get(level, func() (*gzip.Writer, error) { return gzip.NewWriterLevel(nil, level) })
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w.Reset(&out)
	if err := feed(ctx, w, src); err != nil {
		return nil, err
	}
	c.gzip.put(level, w)
	return out.Bytes(), nil
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
