package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// measurement is what measuring one input has come to so far.
type measurement struct {
	in   *Input
	opts Options
	// encode is that of codecs.
	encode func(context.Context, Setting, []byte) ([]byte, error)
	now    func() time.Time
	// decoded is where decoding goes: one byte more than the largest file so far,
	// which tells what is too long.
	decoded []byte

	files    int
	bytes    int64
	rows     []times // per setting
	failures []*precompress.Error

	done, total int64 // as Options.Progress has it
}

// times are what a setting came to for all files together.
type times struct {
	bytes                int64
	compress, decompress []time.Duration // per run
}

func newMeasurement(in *Input, opts Options) *measurement {
	m := &measurement{in: in, opts: opts, encode: newCodecs().encode, now: time.Now, failures: in.failures}
	m.total = m.work(in.Bytes())
	for range opts.Settings {
		m.rows = append(m.rows, times{compress: make([]time.Duration, opts.Runs), decompress: make([]time.Duration, opts.Runs)})
	}
	return m
}

// work returns what measuring so many bytes comes to, as Options.Progress counts it.
func (m *measurement) work(size int64) int64 {
	return size * int64(len(m.opts.Settings)) * int64(m.opts.Runs)
}

// run measures one file after the other.
func (m *measurement) run(ctx context.Context) error {
	for _, it := range m.in.items {
		if err := ctx.Err(); err != nil {
			return err
		}
		src, err := it.read()
		var fault *precompress.Error
		switch {
		case errors.As(err, &fault):
			fault.Path = it.path
			m.failures = append(m.failures, fault)
			m.progress(ctx, m.work(it.size))
		case err != nil:
			return err
		case len(src) > 0:
			if err := m.file(ctx, it.path, src); err != nil {
				return err
			}
		}
	}
	if m.files == 0 && len(m.failures) == 0 {
		return ErrEmpty
	}
	return nil
}

// file measures one file.
func (m *measurement) file(ctx context.Context, path string, src []byte) error {
	if err := m.warmUp(ctx, path, src); err != nil {
		return err
	}
	if len(m.decoded) <= len(src) {
		m.decoded = make([]byte, len(src)+1)
	}
	for run := range m.opts.Runs {
		for i, s := range m.opts.Settings {
			if err := m.once(ctx, s, &m.rows[i], run, src); err != nil {
				return faultOf(ctx, err, path, s)
			}
			m.progress(ctx, int64(len(src)))
		}
	}
	m.files++
	m.bytes += int64(len(src))
	return nil
}

// warmUp has the encoder of each setting made, and used on something like what it
// is for.
func (m *measurement) warmUp(ctx context.Context, path string, src []byte) error {
	const enough = 16 << 10
	for _, s := range m.opts.Settings {
		if _, err := m.encode(ctx, s, src[:min(enough, len(src))]); err != nil {
			return faultOf(ctx, err, path, s)
		}
	}
	return nil
}

// once encodes and decodes a file and adds to a run what that took.
func (m *measurement) once(ctx context.Context, s Setting, row *times, run int, src []byte) error {
	settle(len(src))
	started := m.now()
	encoded, err := m.encode(ctx, s, src)
	row.compress[run] += m.since(started)
	if err != nil {
		return err
	}
	if run == 0 {
		row.bytes += int64(len(encoded))
	}
	clear(m.decoded[:len(src)+1]) // what a run before left is not to be taken for this one's
	settle(len(src))
	started = m.now()
	n, err := decode(ctx, s.Coding, encoded, m.decoded[:len(src)+1])
	row.decompress[run] += m.since(started)
	if err != nil {
		return fmt.Errorf("%w: %w", precompress.ErrVerify, err)
	}
	if !bytes.Equal(m.decoded[:n], src) {
		return precompress.ErrVerify
	}
	return nil
}

// settle runs the garbage collector before a content of this size is worked on, so
// that what was done before leaves it nothing to do. Of a small one what the collector
// does is a small part either way, and to run it would take longer than the work.
func settle(size int) {
	const large = 256 << 10
	if size >= large {
		runtime.GC()
	}
}

// since returns the time since started. What a coarse clock does not show took some
// time, too.
func (m *measurement) since(started time.Time) time.Duration { return max(m.now().Sub(started), 1) }

// decode decodes into buffer and returns how much that was: all of it, or as much as
// the buffer has room for.
func decode(ctx context.Context, c manifest.Coding, encoded, buffer []byte) (n int, err error) {
	d, err := newDecoder(c, bytes.NewReader(encoded))
	if err != nil {
		return 0, err
	}
	defer d.Close()
	for n < len(buffer) {
		if err := ctx.Err(); err != nil {
			return n, err
		}
		const part = 1 << 20 // after which ctx is looked at
		read, err := d.Read(buffer[n:min(n+part, len(buffer))])
		n += read
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// faultOf says of an error which file, coding and level it is about.
func faultOf(ctx context.Context, err error, path string, s Setting) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	op := "encode"
	if errors.Is(err, precompress.ErrVerify) {
		op = "verify"
	}
	return &precompress.Error{Op: op, Path: path, Coding: s.Coding, Err: fmt.Errorf("level %d: %w", s.Level, err)}
}

// progress tells that so much more is done.
func (m *measurement) progress(ctx context.Context, bytes int64) {
	m.done += bytes
	if m.opts.Progress != nil && ctx.Err() == nil {
		m.opts.Progress(m.done, m.total)
	}
}

// result sums up.
func (m *measurement) result() *Result {
	r := &Result{Name: m.in.name, Files: m.files, Bytes: m.bytes, Runs: m.opts.Runs, Failures: m.failures}
	if m.files == 0 {
		return r
	}
	for i, s := range m.opts.Settings {
		r.Rows = append(r.Rows, Row{
			Coding: s.Coding, Level: s.Level, Encoder: encoderID(s), Bytes: m.rows[i].bytes,
			Compress: newTiming(m.rows[i].compress), Decompress: newTiming(m.rows[i].decompress),
		})
	}
	markPareto(r.Rows, r.Bytes)
	return r
}
