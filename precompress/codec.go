package precompress

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/codec/deflate"
	"github.com/precompress/precompress/internal/codec/zstdenc"
	"github.com/precompress/precompress/manifest"
)

// codecs encode and decode, in several goroutines at a time.
type codecs struct {
	// zstd and gzip are encoders, kept for the whole run: making one means
	// clearing 40 MiB and 1 MiB of tables.
	zstd freeList[*zstd.Encoder]
	gzip freeList[*gzip.Writer]
	// deflate is for gzip beyond [maxFastGzip], optimal for zstd from
	// [zstdenc.MinLevel] on and for dcz.
	deflate freeList[*deflate.Encoder]
	optimal freeList[*zstdenc.Encoder]

	replaced replacements
}

// freeList holds values of some level to be used again: no more than were in
// use at a time, of all levels together, or of each.
type freeList[T any] struct {
	mu   sync.Mutex
	free []leveled[T] // the one put last is the last
	each bool         // levels do not make room for each other
}

type leveled[T any] struct {
	level int
	value T
}

// get returns a value of a level, one that make makes if none is free. The one
// of another level that was free longest then makes room for it, unless there is
// room for each.
func (l *freeList[T]) get(level int, make func() (T, error)) (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, v := range slices.Backward(l.free) {
		if v.level == level {
			l.free = slices.Delete(l.free, i, i+1)
			return v.value, nil
		}
	}
	if len(l.free) > 0 && !l.each {
		l.free = slices.Delete(l.free, 0, 1)
	}
	return make()
}

func (l *freeList[T]) put(level int, v T) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = append(l.free, leveled[T]{level, v})
}

// clear lets go of the free values.
func (l *freeList[T]) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.free = nil
}

// encode returns src in the given coding and level.
func (c *codecs) encode(ctx context.Context, coding manifest.Coding, level int, src []byte) ([]byte, error) {
	return endEarly(ctx, func() ([]byte, error) { return c.encodeNow(ctx, coding, level, nil, src) })
}

// endEarly returns what encode does, or earlier if ctx is done; what is under way
// then ends on its own.
func endEarly(ctx context.Context, encode func() ([]byte, error)) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := encode()
		done <- result{data, err}
	}()
	select {
	case r := <-done:
		return r.data, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// encodeNow appends src in the given coding and level to dst.
func (c *codecs) encodeNow(ctx context.Context, coding manifest.Coding, level int, dst, src []byte) ([]byte, error) {
	switch coding {
	case manifest.Brotli:
		return encodeBrotli(ctx, dst, src, level)
	case manifest.Zstd:
		return c.encodeZstd(ctx, dst, src, level)
	case manifest.Gzip:
		return c.encodeGzip(ctx, dst, src, level)
	}
	return nil, fmt.Errorf("unknown coding %q", coding)
}

// encodeVerified encodes src and decodes the outcome with another
// implementation. Where a coding has a second encoder, that one takes over
// from one whose output was wrong.
func (c *codecs) encodeVerified(ctx context.Context, coding manifest.Coding, level int, src []byte) ([]byte, error) {
	data, err := c.encode(ctx, coding, level, src)
	if err != nil {
		return nil, err
	}
	return c.verified(ctx, coding, level, data, src)
}

// verified returns data if it decodes to src, else what the coding's second
// encoder makes of src, if there is one.
func (c *codecs) verified(ctx context.Context, coding manifest.Coding, level int, data, src []byte) ([]byte, error) {
	err := verify(ctx, coding, bytes.NewReader(data), src)
	if err == nil || ctx.Err() != nil {
		return data, err
	}
	switch {
	case coding == manifest.Brotli:
		data, err = encodeBrotliSpare(ctx, src, level)
	case coding == manifest.Gzip && level > maxFastGzip:
		data, err = c.encodeGzip(ctx, nil, src, maxFastGzip)
	case coding == manifest.Zstd && level >= zstdenc.MinLevel:
		data, err = c.encodeZstd(ctx, nil, src, zstdenc.MinLevel-1)
	default:
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	c.replaced.add(setting{coding: coding, level: level})
	return data, verify(ctx, coding, bytes.NewReader(data), src)
}

// verify decodes what encoded holds and compares it with src. The error wraps
// [ErrVerify] or says why decoding failed.
func verify(ctx context.Context, coding manifest.Coding, encoded io.Reader, src []byte) error {
	decoded, err := newDecoder(coding, encoded)
	if err != nil {
		return err
	}
	defer decoded.Close()
	return compareContent(ctx, decoded, src)
}

// compareContent reads all that was decoded and compares it with src.
func compareContent(ctx context.Context, decoded io.Reader, src []byte) error {
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
		case isWindowFault(err):
			return fmt.Errorf("decode: %w", manifest.ErrWindow)
		case err != nil:
			return fmt.Errorf("decode: %w", err)
		}
	}
}

// newDecoder returns a reader of what encoded holds in the given coding, by
// an implementation apart from the encoder's.
func newDecoder(coding manifest.Coding, encoded io.Reader) (io.ReadCloser, error) {
	switch coding {
	case manifest.Brotli:
		return newBrotliDecoder(encoded), nil
	case manifest.Zstd:
		return newZstdDecoder(encoded)
	case manifest.Gzip:
		return newGzipDecoder(encoded)
	}
	return nil, fmt.Errorf("unknown coding %q", coding)
}

// feed writes src to w in parts, so that a long encoding ends soon after ctx
// is done, and closes w.
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

// encoderIDs returns each coding's encoder and version, as the running binary
// was built, and the revision of how this package drives it: any change of
// that which changes output counts the revision up.
func encoderIDs() map[manifest.Coding]string {
	versions := make(map[string]string)
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			versions[m.Path] = m.Version
		}
	}
	id := func(name, module string, revision int) string {
		version := versions[module]
		if version == "" {
			version = "unknown"
		}
		return fmt.Sprintf("%s %s-%d", name, version, revision)
	}
	return map[manifest.Coding]string{
		manifest.Brotli: id("go-brrr", "github.com/molecule-man/go-brrr", 1),
		manifest.Zstd:   id("klauspost/zstd", "github.com/klauspost/compress", 1),
		manifest.Gzip:   id("klauspost/gzip", "github.com/klauspost/compress", 1),
		manifest.DCB:    id("go-brrr", "github.com/molecule-man/go-brrr", 1),
		manifest.DCZ:    zstdID,
	}
}

// deflateID and zstdID name our own encoders with their revisions: any change
// of one that changes output counts its revision up.
const (
	deflateID = "precompress/deflate 1"
	zstdID    = "precompress/zstd 1"
)

// encoderID returns the encoder of a coding at a level, as manifests record it.
func (t *Tree) encoderID(c manifest.Coding, level int) string { return encoderAt(t.ids, c, level) }

// encoderAt returns the encoder of a coding at a level, given those for most
// levels.
func encoderAt(ids map[manifest.Coding]string, c manifest.Coding, level int) string {
	switch {
	case c == manifest.Gzip && level > maxFastGzip:
		return deflateID
	case c == manifest.Zstd && level >= zstdenc.MinLevel:
		return zstdID
	}
	return ids[c]
}
