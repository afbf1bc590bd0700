package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/precompress/precompress/precompress"
)

// A pass is the work on all files of a batch, once each. One that takes less than
// briefPass was made with caches, free lists and predictors of branches that other work
// had filled: it does not count, and passes are made until enoughTime is measured.
const (
	briefPass  = 20 * time.Millisecond
	enoughTime = 5 * time.Millisecond
	// maxPasses is for clocks that stand still for long.
	maxPasses = 10_000
)

// once encodes and decodes a batch and adds to a run what a pass of each took.
func (m *measurement) once(ctx context.Context, s Setting, row *times, run int, b batch) error {
	runtime.GC() // so that what was done before leaves it nothing to do
	if err := m.warmUp(ctx, s, b); err != nil {
		return err
	}
	took, err := passes(func() (time.Duration, error) { return m.encodeAll(ctx, s, b) })
	if err != nil {
		return err
	}
	row.compress[run] += took
	if run == 0 {
		for _, data := range b.encoded {
			row.bytes += int64(len(data))
		}
	}
	runtime.GC()
	took, err = passes(func() (time.Duration, error) { return m.decodeAll(ctx, s, b) })
	row.decompress[run] += took
	return err
}

// passes returns the time that a pass takes: that of one, or the mean of several if it
// is brief.
func passes(pass func() (time.Duration, error)) (time.Duration, error) {
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

// warmUp has the setting's encoder made, and used on something like what it is for.
func (m *measurement) warmUp(ctx context.Context, s Setting, b batch) error {
	const enough = 16 << 10
	_, err := m.encode(ctx, s, b.encoded[0][:0], b.sources[0][:min(enough, len(b.sources[0]))])
	return faultOf(ctx, err, b.paths[0], s)
}

// encodeAll makes a pass of encoding, and keeps the outcomes.
func (m *measurement) encodeAll(ctx context.Context, s Setting, b batch) (time.Duration, error) {
	started := m.now()
	for i, src := range b.sources {
		data, err := m.encode(ctx, s, b.encoded[i][:0], src)
		if err != nil {
			return 0, faultOf(ctx, err, b.paths[i], s)
		}
		b.encoded[i] = data
	}
	return m.since(started), nil
}

// decodeAll makes a pass of decoding, and compares with the sources. That does not
// count.
func (m *measurement) decodeAll(ctx context.Context, s Setting, b batch) (sum time.Duration, err error) {
	for i, src := range b.sources {
		took, err := m.decode(ctx, s, b.encoded[i], src)
		if err != nil {
			return 0, faultOf(ctx, err, b.paths[i], s)
		}
		sum += took
	}
	return sum, nil
}

// decode decodes part by part and compares each with what is to come of it. It returns
// the time without the comparing. The error wraps [precompress.ErrVerify].
func (m *measurement) decode(ctx context.Context, s Setting, encoded, src []byte) (sum time.Duration, err error) {
	started := m.now()
	d, err := newDecoder(s.Coding, bytes.NewReader(encoded))
	if err != nil {
		return 0, fmt.Errorf("%w: %w", precompress.ErrVerify, err)
	}
	defer d.Close()
	for {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		n, err := readPart(d, m.part)
		sum += m.since(started)
		if !bytes.HasPrefix(src, m.part[:n]) {
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
		started = m.now()
	}
}

// readPart reads until a part is full. The error is io.EOF at the end, whether there was
// something before it or not.
func readPart(r io.Reader, part []byte) (n int, err error) {
	for n < len(part) && err == nil {
		var read int
		read, err = r.Read(part[n:])
		n += read
	}
	return n, err
}

// since returns the time since started. What a coarse clock does not show took some
// time, too.
func (m *measurement) since(started time.Time) time.Duration { return max(m.now().Sub(started), 1) }
