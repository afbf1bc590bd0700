package codec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/precompress/precompress/manifest"
)

// ErrVerify means that an encoding decodes to something else than its source.
var ErrVerify = errors.New("decoded content differs")

// Verify returns nil if encoded decodes to src in a way that clients can follow.
// The error wraps [ErrVerify] or says why decoding failed.
func Verify(ctx context.Context, p Params, encoded io.Reader, src []byte) error {
	if p.Dictionary != nil {
		dictionary, err := p.Dictionary.Read(ctx)
		if err != nil {
			return err
		}
		return verifyDelta(ctx, p, dictionary, encoded, src)
	}
	decoded, err := NewReader(p.Coding, encoded)
	if err != nil {
		return err
	}
	defer decoded.Close()
	return compare(ctx, decoded, src)
}

func verifyDelta(ctx context.Context, p Params, dictionary []byte, encoded io.Reader, src []byte) error {
	decoded, err := newDeltaReader(p, dictionary, encoded)
	if err != nil {
		return err
	}
	defer decoded.Close()
	return compare(ctx, decoded, src)
}

// compare reads all of decoded and compares it with src.
func compare(ctx context.Context, decoded io.Reader, src []byte) error {
	buffer := make([]byte, min(64<<10, len(src)+1))
	rest := src
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := decoded.Read(buffer)
		if !bytes.HasPrefix(rest, buffer[:n]) {
			return ErrVerify
		}
		rest = rest[n:]
		switch {
		case err == io.EOF && len(rest) == 0:
			return nil
		case err == io.EOF:
			return fmt.Errorf("%w: it ends %d bytes early", ErrVerify, len(rest))
		case isWindowError(err):
			return fmt.Errorf("decode: %w", manifest.ErrWindow)
		case err != nil:
			return fmt.Errorf("decode: %w", err)
		}
	}
}

// NewReader returns a reader of what encoded decodes to. The decoder is not by the
// authors of the encoder. Like browsers it refuses zstd that needs a window of more
// than 8 MiB (RFC 9659), and like some of them it refuses a second member of gzip.
// Deltas are for [Verify] alone.
func NewReader(coding manifest.Coding, encoded io.Reader) (io.ReadCloser, error) {
	switch coding {
	case manifest.Brotli:
		return newBrotliReader(encoded), nil
	case manifest.Zstd:
		return newZstdReader(encoded)
	case manifest.Gzip:
		return newGzipReader(encoded)
	}
	return nil, errUnknownCoding
}
