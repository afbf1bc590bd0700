package codec

import (
	"bytes"
	"context"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/molecule-man/go-brrr"
)

// brotliWindow returns the base-2 logarithm of the window for a source of size
// bytes: the smallest of a few that reaches over all of it. A window is 16 bytes
// smaller than the power of two (RFC 7932, section 9.1).
func brotliWindow(size int64) int {
	for _, bits := range []int{16, 18, 20, 22} {
		if size <= 1<<bits-16 {
			return bits
		}
	}
	return 24
}

func appendBrotli(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	return appendBrrr(ctx, dst, src, level)
}

// appendDCB is appendBrotli with a dictionary. The window need not reach over the
// dictionary: that lies beyond any window.
func appendDCB(ctx context.Context, dst, src, dictionary []byte, level int) ([]byte, error) {
	prepared, err := brrr.PrepareDictionary(dictionary)
	if err != nil {
		return nil, err
	}
	return appendBrrr(ctx, dst, src, level, prepared)
}

func appendBrrr(ctx context.Context, dst, src []byte, level int, dictionaries ...*brrr.PreparedDictionary) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	w, err := brrr.NewWriterOptions(out, level, brrr.WriterOptions{
		LGWin:        brotliWindow(int64(len(src))),
		SizeHint:     uint(len(src)),
		Dictionaries: dictionaries,
	})
	if err != nil {
		return nil, err
	}
	err = feed(ctx, w, src)
	return out.Bytes(), err
}

// encodeBrotliSpare encodes with the implementation that otherwise only decodes.
func encodeBrotliSpare(ctx context.Context, src []byte, level int) ([]byte, error) {
	var out bytes.Buffer
	w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: level, LGWin: brotliWindow(int64(len(src)))})
	err := feed(ctx, w, src)
	return out.Bytes(), err
}

func newBrotliReader(encoded io.Reader) io.ReadCloser {
	return io.NopCloser(brotli.NewReader(encoded))
}

// feed writes src to w in parts, so that a long encoding ends soon after ctx does,
// and closes w.
func feed(ctx context.Context, w io.WriteCloser, src []byte) error {
	const part = 64 << 10
	for len(src) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := w.Write(src[:min(part, len(src))])
		if err != nil {
			return err
		}
		src = src[n:]
	}
	return w.Close()
}
