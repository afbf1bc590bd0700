package precompress

import (
	"bytes"
	stdgzip "compress/gzip"
	"context"
	"io"

	"github.com/klauspost/compress/gzip"
)

// encodeGzip encodes src as one member. Its header is the same on every
// system (RFC 1952, section 2.3: no name, MTIME 0, OS 255 "unknown").
func encodeGzip(ctx context.Context, src []byte, level int) ([]byte, error) {
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, level)
	if err != nil {
		return nil, err
	}
	err = feed(ctx, w, src)
	return out.Bytes(), err
}

func newGzipDecoder(encoded io.Reader) (io.ReadCloser, error) {
	return stdgzip.NewReader(encoded)
}
