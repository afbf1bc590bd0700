package precompress

import (
	"bytes"
	"context"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/molecule-man/go-brrr"
)

// brotliWindow returns the base-2 logarithm of the window for a source of the
// given size: the smallest of a few that reaches over all of it (RFC 7932,
// section 9.1: the window is 16 bytes short of the power of two).
func brotliWindow(size int64) int {
	for _, bits := range []int{16, 18, 20, 22} {
		if size <= 1<<bits-16 {
			return bits
		}
	}
	return 24
}

func encodeBrotli(ctx context.Context, dst, src []byte, level int) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	w, err := brrr.NewWriterOptions(out, level, brrr.WriterOptions{
		LGWin:    brotliWindow(int64(len(src))),
		SizeHint: uint(len(src)),
	})
	if err != nil {
		return nil, err
	}
	err = feed(ctx, w, src)
	return out.Bytes(), err
}

// encodeBrotliSpare encodes with the implementation that otherwise only
// decodes.
func encodeBrotliSpare(ctx context.Context, src []byte, level int) ([]byte, error) {
	var out bytes.Buffer
	w := brotli.NewWriterOptions(&out, brotli.WriterOptions{Quality: level, LGWin: brotliWindow(int64(len(src)))})
	err := feed(ctx, w, src)
	return out.Bytes(), err
}

func newBrotliDecoder(encoded io.Reader) io.ReadCloser {
	return io.NopCloser(brotli.NewReader(encoded))
}
