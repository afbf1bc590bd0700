// Package decode links the decoders that package serve can make use of, for
// programs that want them; see [serve.Options.Decoders]. It is a package of its
// own so that other programs do not carry them.
package decode

import (
	"compress/gzip"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
)

// All returns a decoder for every coding of package manifest.
func All() map[manifest.Coding]serve.Decoder {
	return map[manifest.Coding]serve.Decoder{
		manifest.Brotli: Brotli,
		manifest.Zstd:   Zstd,
		manifest.Gzip:   Gzip,
	}
}

// Brotli decodes a stream of the content coding br (RFC 7932).
func Brotli(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(brotli.NewReader(r)), nil }

// Zstd decodes a stream of the content coding zstd (RFC 8878).
func Zstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(manifest.MaxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// Gzip decodes a stream of the content coding gzip (RFC 1952).
func Gzip(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }
