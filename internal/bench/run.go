package bench

import (
	"context"
	"fmt"

	"github.com/precompress/precompress/precompress"
)

// Options are the settings of a measurement. The zero value means the defaults.
type Options struct {
	// Settings are what is measured, in the order of the rows; nil means the
	// [Defaults] of br, zstd and gzip.
	Settings []Setting
	// Runs is how often each file is encoded in each setting; 0 means [DefaultRuns].
	Runs int
	// Progress is told how much was encoded of what is to be encoded in all, in
	// bytes of sources: each counts once per setting and run. It is called from one
	// goroutine at a time.
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
// [Result.Failures]. The error is [ErrEmpty] if no file is left, and an
// [*precompress.Error] that wraps [precompress.ErrVerify] and names file, coding and
// level if what was encoded did not decode to its source. Run ends at once when ctx
// does, with its error; an encoding that is under way then ends on its own.
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
