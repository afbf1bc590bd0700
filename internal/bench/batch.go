package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/precompress/precompress/precompress"
)

// batch is files that are measured together.
type batch struct {
	paths   []string
	sources [][]byte
	bytes   int64 // of the sources
	// encoded is the output of the last pass. All passes use the same memory, since
	// allocating it would take as long as the fast levels do.
	encoded [][]byte
}

// add adds a file that is not empty.
func (b *batch) add(path string, src []byte) {
	room := make([]byte, len(src)+len(src)/64+1<<10) // also for output larger than the source
	copy(room, src)                                  // systems provide memory only when it is written to
	b.paths, b.sources, b.encoded = append(b.paths, path), append(b.sources, src), append(b.encoded, room[:0])
	b.bytes += int64(len(src))
}

func (b *batch) encodedBytes() (sum int64) {
	for _, data := range b.encoded {
		sum += int64(len(data))
	}
	return sum
}

// A pass encodes or decodes all files of a batch once. A pass shorter than briefPass ran
// with caches, free lists and branch predictors filled by other work: it does not count,
// and passes follow until enoughTime is measured.
const (
	briefPass  = 20 * time.Millisecond
	enoughTime = 5 * time.Millisecond
	maxPasses  = 10_000 // for clocks that stand still for long
)

// timer measures how long a batch takes to encode and to decode.
type timer struct {
	encode func(ctx context.Context, s Setting, dst, src []byte) ([]byte, error)
	now    func() time.Time
	part   []byte // decoded, before it is compared
}

func newTimer() timer {
	return timer{encode: newCodecs().encode, now: time.Now, part: make([]byte, 1<<20)}
}

// time returns how long a pass of encoding and one of decoding take. The output of
// encoding remains in the batch.
func (t *timer) time(ctx context.Context, s Setting, b batch) (compress, decompress time.Duration, err error) {
	runtime.GC() // leaves no garbage of other settings to collect
	if err := t.warmUp(ctx, s, b); err != nil {
		return 0, 0, err
	}
	compress, err = passTime(func() (time.Duration, error) { return t.encodeAll(ctx, s, b) })
	if err != nil {
		return 0, 0, err
	}
	runtime.GC()
	decompress, err = passTime(func() (time.Duration, error) { return t.decodeAll(ctx, s, b) })
	return compress, decompress, err
}

// passTime returns how long a pass takes: the first one, or the mean of several if it is
// brief.
func passTime(pass func() (time.Duration, error)) (time.Duration, error) {
	first, err := pass()
	if err != nil || first >= briefPass {
		return first, err
	}
	var sum time.Duration
	count := 0
	for sum < enoughTime && count < maxPasses {
		took, err := pass()
		if err != nil {
			return 0, err
		}
		sum += took
		count++
	}
	return max(sum/time.Duration(count), 1), nil
}

// warmUp creates the setting's encoder, and uses it on the start of a file.
func (t *timer) warmUp(ctx context.Context, s Setting, b batch) error {
	const enough = 16 << 10
	_, err := t.encode(ctx, s, b.encoded[0][:0], b.sources[0][:min(enough, len(b.sources[0]))])
	return locate(ctx, err, b.paths[0], s)
}

// encodeAll makes a pass of encoding, and keeps the output.
func (t *timer) encodeAll(ctx context.Context, s Setting, b batch) (time.Duration, error) {
	started := t.now()
	for i, src := range b.sources {
		data, err := t.encode(ctx, s, b.encoded[i][:0], src)
		if err != nil {
			return 0, locate(ctx, err, b.paths[i], s)
		}
		b.encoded[i] = data
	}
	return t.since(started), nil
}

// decodeAll makes a pass of decoding, and compares with the sources, which is not timed.
func (t *timer) decodeAll(ctx context.Context, s Setting, b batch) (sum time.Duration, err error) {
	for i, src := range b.sources {
		took, err := t.decode(ctx, s, b.encoded[i], src)
		if err != nil {
			return 0, locate(ctx, err, b.paths[i], s)
		}
		sum += took
	}
	return sum, nil
}

// decode decodes part by part, compares each part with the source, and returns the time
// without comparing. The error wraps [precompress.ErrVerify].
func (t *timer) decode(ctx context.Context, s Setting, encoded, src []byte) (sum time.Duration, err error) {
	started := t.now()
	d, err := newDecoder(s.Coding, bytes.NewReader(encoded))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", precompress.ErrVerify, err)
	}
	defer d.Close()
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := readPart(d, t.part)
		sum += t.since(started)
		if !bytes.HasPrefix(src, t.part[:n]) {
			return 0, precompress.ErrVerify
		}
		src = src[n:]
		switch {
		case err == io.EOF && len(src) == 0:
			return sum, nil
		case err == io.EOF:
			return 0, precompress.ErrVerify
		case err != nil:
			return 0, fmt.Errorf("%w: %w", precompress.ErrVerify, err)
		}
		started = t.now()
	}
}

// readPart reads until part is full. Unlike io.ReadFull, it returns io.EOF at the end
// also after some bytes.
func readPart(r io.Reader, part []byte) (n int, err error) {
	for n < len(part) && err == nil {
		var read int
		read, err = r.Read(part[n:])
		n += read
	}
	return n, err
}

// since returns the time since started, at least 1 ns where the clock is too coarse.
func (t *timer) since(started time.Time) time.Duration { return max(t.now().Sub(started), 1) }

// locate adds file, coding and level to an error, which may be nil. It returns that of
// ctx if there is one.
func locate(ctx context.Context, err error, path string, s Setting) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	op := "encode"
	if errors.Is(err, precompress.ErrVerify) {
		op = "verify"
	}
	return &precompress.Error{Op: op, Path: path, Coding: s.Coding, Err: fmt.Errorf("level %d: %w", s.Level, err)}
}
