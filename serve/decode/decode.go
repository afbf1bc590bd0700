// Package decode has a decoder for every coding, for [serve.Options.Decoders]. It is
// separate from package serve so that programs without it do not link the decoders.
package decode

import (
	"compress/gzip"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
)

// All returns a decoder for each of [manifest.Codings].
func All() map[manifest.Coding]serve.Decoder {
	return map[manifest.Coding]serve.Decoder{
		manifest.Brotli: Brotli,
		manifest.Zstd:   Zstd,
		manifest.Gzip:   Gzip,
	}
}

// Brotli decodes a stream of the content coding br (RFC 7932).
func Brotli(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(brotli.NewReader(r)), nil }

// Zstd decodes a stream of the content coding zstd (RFC 8878), with a window of at most
// [manifest.MaxWindow].
func Zstd(r io.Reader) (io.ReadCloser, error) {
	d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(manifest.MaxWindow))
	if err != nil {
		return nil, err
	}
	return d.IOReadCloser(), nil
}

// Gzip decodes a stream of the content coding gzip (RFC 1952).
func Gzip(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }
