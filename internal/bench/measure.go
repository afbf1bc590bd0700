package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/precompress/precompress/precompress"
)

// measurement is what measuring one input has come to so far.
type measurement struct {
	in   *Input
	opts Options
	// encode is that of codecs.
	encode func(ctx context.Context, s Setting, dst, src []byte) ([]byte, error)
	now    func() time.Time
	// room is how many bytes a batch has room for.
	room int64
	// part is where decoding goes, before it is compared.
	part []byte

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

// batch is files that are measured together.
type batch struct {
	paths   []string
	sources [][]byte
	// encoded are the outcomes of the pass made last, in memory that is used again for
	// all passes: its making would take as long as the fast levels.
	encoded [][]byte
	bytes   int64
}

// batchRoom is enough for hundreds of usual files, and few enough bytes that the
// memory for them is none that matters.
const batchRoom = 4 << 20

func newMeasurement(in *Input, opts Options) *measurement {
	m := &measurement{
		in: in, opts: opts, encode: newCodecs().encode, now: time.Now,
		room: batchRoom, part: make([]byte, 1<<20), failures: in.failures,
	}
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

// run measures one batch after the other. A file that is larger than a batch is one of
// its own.
func (m *measurement) run(ctx context.Context) error {
	var b batch
	for _, it := range m.in.items {
		if len(b.sources) > 0 && b.bytes+it.size > m.room {
			if err := m.measure(ctx, b); err != nil {
				return err
			}
			b = batch{}
		}
		if err := m.read(ctx, it, &b); err != nil {
			return err
		}
	}
	if err := m.measure(ctx, b); err != nil {
		return err
	}
	if m.files == 0 && len(m.failures) == 0 {
		return ErrEmpty
	}
	return nil
}

// read adds a file to a batch, unless it is empty or cannot be read.
func (m *measurement) read(ctx context.Context, it item, b *batch) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if it.size > m.room { // what was before it is not to be there beside it
		runtime.GC()
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
		b.paths, b.sources = append(b.paths, it.path), append(b.sources, src)
		b.encoded = append(b.encoded, roomFor(src))
		b.bytes += int64(len(src))
	}
	return nil
}

// roomFor returns memory for what a source is encoded to, also if that is larger. It is
// written to, since systems give memory only then.
func roomFor(src []byte) []byte {
	room := make([]byte, len(src)+len(src)/64+1<<10)
	copy(room, src)
	return room[:0]
}

// measure makes all runs of a batch.
func (m *measurement) measure(ctx context.Context, b batch) error {
	if len(b.sources) == 0 {
		return nil
	}
	for run := range m.opts.Runs {
		for i, s := range m.opts.Settings {
			if err := m.once(ctx, s, &m.rows[i], run, b); err != nil {
				return err
			}
			m.progress(ctx, b.bytes)
		}
	}
	m.files += len(b.sources)
	m.bytes += b.bytes
	return nil
}

// faultOf says of an error, nil too, which file, coding and level it is about.
func faultOf(ctx context.Context, err error, path string, s Setting) error {
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

// progress tells that so much more is done.
func (m *measurement) progress(ctx context.Context, bytes int64) {
	m.done += bytes
	if m.opts.Progress != nil && ctx.Err() == nil {
		m.opts.Progress(m.done, m.total)
	}
}

// result sums up.
func (m *measurement) result() *Result {
	r := &Result{Name: m.in.name, Kind: m.in.kind, Files: m.files, Bytes: m.bytes, Runs: m.opts.Runs, Failures: m.failures}
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
