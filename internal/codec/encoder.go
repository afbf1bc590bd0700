package codec

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"runtime/debug"
	"slices"
	"strings"
	"sync"

	"github.com/precompress/precompress/manifest"
)

// Encoder encodes, in several goroutines at a time, and keeps the working memory
// for the next source. The zero value is ready for use.
type Encoder struct {
	gzip      gzipEncoders
	zstd      zstdEncoders
	fallbacks fallbacks
}

// NewMeasuringEncoder returns an encoder that keeps working memory for every level
// that it was used at, so that only the first use of a level pays for it: 40 MiB
// each for zstd, at four speeds below level 19.
func NewMeasuringEncoder() *Encoder {
	e := &Encoder{}
	e.gzip.fast.everyLevel, e.gzip.small.everyLevel = true, true
	e.zstd.fast.everyLevel, e.zstd.small.everyLevel = true, true
	return e
}

// Trim drops the working memory that no goroutine uses now.
func (e *Encoder) Trim() {
	e.zstd.fast.clear()
	e.zstd.small.clear()
	e.gzip.small.clear()
}

// Append appends src, encoded with p, to dst. It does not decode the result. It
// ends soon after ctx does, except for zstd below level 19, which is encoded in one
// go.
func (e *Encoder) Append(ctx context.Context, dst []byte, p Params, src []byte) ([]byte, error) {
	if p.Dictionary == nil {
		if err := CheckLevel(p.Coding, p.Level); err != nil {
			return nil, err
		}
	}
	switch p.Coding {
	case manifest.Brotli:
		return appendBrotli(ctx, dst, src, p.Level)
	case manifest.Zstd:
		return e.zstd.append(ctx, dst, src, p.Level)
	case manifest.Gzip:
		return e.gzip.append(ctx, dst, src, p.Level)
	case manifest.DCB, manifest.DCZ:
		dictionary, err := p.Dictionary.Read(ctx)
		if err != nil {
			return nil, err
		}
		return e.appendDelta(ctx, dst, p, src, dictionary)
	}
	return nil, errUnknownCoding
}

// Encode returns src encoded with p, once it is known to decode to src. If an
// encoder's output is wrong, the coding's second encoder takes over where there is
// one; see [Encoder.Fallbacks]. The error wraps [ErrVerify] if there is none.
func (e *Encoder) Encode(ctx context.Context, p Params, src []byte) ([]byte, error) {
	if p.Dictionary != nil {
		return e.encodeDelta(ctx, p, src)
	}
	data, err := returnEarly(ctx, func() ([]byte, error) { return e.Append(ctx, nil, p, src) })
	if err != nil {
		return nil, err
	}
	return e.verified(ctx, p, data, src)
}

// returnEarly returns what encode returns, or earlier if ctx is done; the encoding
// then ends in the background.
func returnEarly(ctx context.Context, encode func() ([]byte, error)) ([]byte, error) {
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

// verified returns data if it decodes to src, else what the coding's second
// encoder makes of src, if there is one.
func (e *Encoder) verified(ctx context.Context, p Params, data, src []byte) ([]byte, error) {
	err := Verify(ctx, p, bytes.NewReader(data), src)
	if err == nil || ctx.Err() != nil {
		return data, err
	}
	switch {
	case p.Coding == manifest.Brotli:
		data, err = encodeBrotliSpare(ctx, src, p.Level)
	case p.Coding == manifest.Gzip && p.Level > maxFastGzip:
		data, err = e.gzip.append(ctx, nil, src, maxFastGzip)
	case p.Coding == manifest.Zstd && p.Level > maxFastZstd:
		data, err = e.zstd.append(ctx, nil, src, maxFastZstd)
	default:
		return nil, err
	}
	if err != nil {
		return nil, err
	}
	e.fallbacks.add(p)
	return data, Verify(ctx, p, bytes.NewReader(data), src)
}

// encodeDelta is [Encoder.Encode] for dcb and dcz.
func (e *Encoder) encodeDelta(ctx context.Context, p Params, src []byte) ([]byte, error) {
	dictionary, err := p.Dictionary.Read(ctx)
	if err != nil {
		return nil, err
	}
	collectGarbage(len(dictionary)) // of the encoding before
	data, err := returnEarly(ctx, func() ([]byte, error) { return e.appendDelta(ctx, nil, p, src, dictionary) })
	if err != nil {
		return nil, err
	}
	collectGarbage(len(dictionary)) // of the encoder, before a decoder takes as much
	return data, verifyDelta(ctx, p, dictionary, bytes.NewReader(data), src)
}

func (e *Encoder) appendDelta(ctx context.Context, dst []byte, p Params, src, dictionary []byte) ([]byte, error) {
	dst = append(dst, deltaHeader(p)...)
	if p.Coding == manifest.DCB {
		return appendDCB(ctx, dst, src, dictionary, p.Level)
	}
	return e.zstd.appendSmall(ctx, dst, src, dictionary, p.Level, encoderWindow(len(dictionary)))
}

// collectGarbage frees garbage that is many times the size of a large dictionary:
// otherwise two encodings of one asset, one after the other, take the sum.
func collectGarbage(dictionary int) {
	const large = 4 * mebibyte
	if dictionary >= large {
		debug.FreeOSMemory()
	}
}

// Fallback says how often the second encoder of a coding replaced the wrong output
// of the first.
type Fallback struct {
	Coding manifest.Coding
	Level  int
	Count  int
}

// Fallbacks returns what second encoders replaced so far, sorted by coding and
// level.
func (e *Encoder) Fallbacks() []Fallback { return e.fallbacks.sorted() }

type fallbacks struct {
	mu     sync.Mutex
	counts map[Params]int
}

func (f *fallbacks) add(p Params) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.counts == nil {
		f.counts = make(map[Params]int)
	}
	f.counts[p]++
}

func (f *fallbacks) sorted() []Fallback {
	f.mu.Lock()
	defer f.mu.Unlock()
	var all []Fallback
	for p, count := range maps.All(f.counts) {
		all = append(all, Fallback{p.Coding, p.Level, count})
	}
	slices.SortFunc(all, func(a, b Fallback) int {
		return cmp.Or(strings.Compare(string(a.Coding), string(b.Coding)), cmp.Compare(a.Level, b.Level))
	})
	return all
}
