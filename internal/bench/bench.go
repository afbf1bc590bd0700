// Package bench measures content codings and their levels on files: sizes, times, and
// what they mean on a link of a given speed.
//
// [Open] finds what to measure: a file, or the files of a directory that a build would
// encode. [Samples] generates inputs without files. [Run] encodes and decodes each file
// in every [Setting] and sums up. A [Result] then says for a [Link] how much time a level
// saves, below which speed it pays ([Result.BreakEven]), and which levels are worth
// considering at all ([Row.Pareto]). [WriteHTML] writes results as a page with charts.
//
// # How it measures
//
// Files are measured in batches of up to 4 MiB; a larger file is a batch of its own. All
// runs of a batch are made before the next batch: run by run, one setting after the other,
// so that a machine that gets slower or faster meanwhile affects all settings alike. One
// encoding runs at a time. What is timed is a pass: encoding all files of the batch, from
// memory to memory that is allocated already; or decoding them, which includes creating
// the decoders, since a client creates one for each response.
//
// The time of a setting must not depend on what was measured before it. So before the
// passes of each setting, the garbage collector runs and the encoder is used on up to
// 16 KiB, both untimed; collections during a pass do count. A pass that takes less than
// 20 ms only warms up: more passes follow until 5 ms are measured, and the time of the run
// is their mean. Reading and comparing are not timed either.
//
// In each run, the output of the last pass is decoded and compared with the source, by the
// implementation that builds verify variants with. If an encoder fails, the measurement
// ends; a build would fall back to another encoder.
//
// Memory holds one batch and its output in one setting, about twice the bytes of the
// largest file, and what the encoders need: up to about 500 MB at the levels of
// [Defaults].
//
// The package never prints.
package bench

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"

	"github.com/precompress/precompress/precompress"
)

// Options are the settings of a measurement. The zero value means the defaults.
type Options struct {
	// Settings are what to measure, in the order of the rows; nil means the [Defaults]
	// of br, zstd and gzip.
	Settings []Setting
	// Runs is how often each file is encoded in each setting; 0 means [DefaultRuns].
	Runs int
	// Progress reports how many bytes of sources are done, and how many there are in
	// all: each byte counts once per setting and run. It is called from one goroutine
	// at a time.
	Progress func(done, total int64)
}

// DefaultRuns is the number of runs if none is given.
const DefaultRuns = 3

func (o Options) withDefaults() (Options, error) {
	if o.Settings == nil {
		o.Settings = defaultSettings()
	}
	if o.Runs == 0 {
		o.Runs = DefaultRuns
	}
	if o.Runs < 0 {
		return o, fmt.Errorf("%w: the number of runs is negative: %d", precompress.ErrInvalidOptions, o.Runs)
	}
	if len(o.Settings) == 0 {
		return o, fmt.Errorf("%w: no coding is chosen", precompress.ErrInvalidOptions)
	}
	for _, s := range o.Settings {
		if err := s.check(); err != nil {
			return o, err
		}
	}
	return o, nil
}

// Run measures an input. Files that cannot be read are left out and listed in
// [Result.Failures]. The error is [ErrEmpty] if there is nothing to measure, and an
// [*precompress.Error] that wraps [precompress.ErrVerify] and names file, coding and
// level if the output of an encoder does not decode to its source. Run ends at once when
// ctx does, with its error; an encoding in progress then ends in the background.
func Run(ctx context.Context, in *Input, opts Options) (*Result, error) {
	opts, err := opts.withDefaults()
	if err != nil {
		return nil, err
	}
	m := newMeasurement(in, opts)
	done := make(chan error, 1)
	go func() { done <- m.run(ctx) }()
	select {
	case err := <-done:
		if err != nil {
			return nil, err
		}
		return m.result(), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// measurement is the state of measuring one input.
type measurement struct {
	in   *Input
	opts Options
	timer
	room int64 // bytes of a batch

	files    int
	bytes    int64
	rows     []times // per setting
	failures []*precompress.Error

	done, total int64 // as in Options.Progress
}

// times are sums over all files in one setting.
type times struct {
	bytes                int64
	compress, decompress []time.Duration // per run
}

// batchRoom holds hundreds of usual files, and is small enough not to matter.
const batchRoom = 4 << 20

func newMeasurement(in *Input, opts Options) *measurement {
	m := &measurement{in: in, opts: opts, timer: newTimer(), room: batchRoom, failures: in.failures}
	m.total = m.work(in.Bytes())
	for range opts.Settings {
		m.rows = append(m.rows, times{compress: make([]time.Duration, opts.Runs), decompress: make([]time.Duration, opts.Runs)})
	}
	return m
}

// work returns how much work size bytes are, in the unit of Options.Progress.
func (m *measurement) work(size int64) int64 {
	return size * int64(len(m.opts.Settings)) * int64(m.opts.Runs)
}

// run measures one batch after the other.
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
	if it.size > m.room {
		runtime.GC() // frees the previous batch before a large file is read
	}
	src, err := it.read()
	var failure *precompress.Error
	switch {
	case errors.As(err, &failure):
		failure.Path = it.path
		m.failures = append(m.failures, failure)
		m.progress(ctx, m.work(it.size))
	case err != nil:
		return err
	case len(src) > 0:
		b.add(it.path, src)
	}
	return nil
}

// measure makes all runs of a batch.
func (m *measurement) measure(ctx context.Context, b batch) error {
	if len(b.sources) == 0 {
		return nil
	}
	for run := range m.opts.Runs {
		for i, s := range m.opts.Settings {
			compress, decompress, err := m.time(ctx, s, b)
			if err != nil {
				return err
			}
			row := &m.rows[i]
			row.compress[run] += compress
			row.decompress[run] += decompress
			if run == 0 {
				row.bytes += b.encodedBytes()
			}
			m.progress(ctx, b.bytes)
		}
	}
	m.files += len(b.sources)
	m.bytes += b.bytes
	return nil
}

// progress reports that more bytes are done.
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
