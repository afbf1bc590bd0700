package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/precompress/precompress/internal/bench"
	"github.com/precompress/precompress/precompress"
)

func newBenchCommand(out *output) *cobra.Command {
	flags := &benchFlags{}
	cmd := &cobra.Command{
		Use:   "bench [flags] PATH...",
		Short: "Measure codings and levels on your own files",
		Long: `bench encodes and decodes each PATH in every coding and level that is asked for,
and says how large it gets, how long that takes, and what it is worth. A PATH is
a file, whatever its name, or a directory, of which it takes what a build would.
Of a directory all numbers are sums. Nothing is written but --html. When
interrupted, it shows the PATHs that were measured whole, and --json and the
page of --html name the others.

Outcomes are decoded by another implementation and compared with their sources.
One encoding runs at a time; leave the machine alone meanwhile. What takes less
than 20 ms is done again, warm, and the mean counts.

  ratio       the size before by that after
  compress    the median of all runs; behind it half the distance between the
              fastest and the slowest, as a share of it; - for one run
  decompress  the same in the other direction
  break-even  the speed of a link below which compressing for each request saves
              time: bits saved by the time of compression
  gain        the time saved by one request at --link, less the compression's
  *           it saves bytes, and no other level is both as small and as fast to
              compress

With --requests N, content is compressed once and sent N times: break-even and
gain count an Nth of the compression's time.

LEVELS are single ones and ranges, each for the coding named last, as
in br=1-11,zstd=1,3,19.`,
		Example: `  precompress bench dist
  precompress bench --link 20 --requests 1000 dist/index.html
  precompress bench --levels gzip=1-9,br=1-11,zstd=1-19 rfc9110.txt
  precompress bench --sample json --html bench.html`,
		Args: requirePaths(flags),
		RunE: func(cmd *cobra.Command, paths []string) error {
			flags.strict = onCommandLine(cmd.Flags(), levelsKey)
			return benchmark(cmd.Context(), out, flags, paths)
		},
	}
	flags.register(cmd.Flags())
	heedConfig(cmd, &flags.files.Rules)
	exitCodes(cmd, exitsBench)
	return cmd
}

// requirePaths wants something to measure on the command line.
func requirePaths(flags *benchFlags) cobra.PositionalArgs {
	return func(_ *cobra.Command, paths []string) error {
		if len(paths) == 0 && len(flags.samples) == 0 {
			return usageError{errors.New("nothing to measure is named: write files or directories, as in: precompress bench dist, or --sample json")}
		}
		for _, path := range paths {
			if path == "" {
				return usageError{errors.New("the name of a file or directory is empty: write . for the directory you are in")}
			}
		}
		return nil
	}
}

// benchmark measures one input after the other, those that are named first. A fault
// of one does not keep those after it from their turn; a signal does.
func benchmark(ctx context.Context, out *output, flags *benchFlags, paths []string) error {
	if err := flags.validate(); err != nil {
		return err
	}
	if err := out.configure(&flags.general); err != nil {
		return err
	}
	if err := checkPage(flags.html, paths, flags.set); err != nil {
		return err
	}
	table := out.bench(flags)
	inputs, err := openInputs(ctx, flags, paths, table)
	defer closeInputs(inputs)
	if err != nil {
		return err
	}
	for _, in := range inputs {
		if ctx.Err() != nil {
			table.unfinished(in.Name())
			continue
		}
		progress := out.progress()
		opts := bench.Options{Settings: flags.settings, Runs: flags.runs, Progress: func(done, total int64) {
			progress.update(precompress.Progress{Bytes: done, TotalBytes: total})
		}}
		result, err := bench.Run(ctx, in, opts)
		progress.stop()
		if ctx.Err() != nil {
			table.unfinished(in.Name()) // what it came to so far is not whole
			continue
		}
		table.measured(in, result, err)
	}
	if flags.html != "" && len(table.results) > 0 {
		if err := writeHTML(flags.html, table.page, flags.link); err != nil {
			table.failed(flags.html, "", &precompress.Error{Op: "write", Err: err})
		}
	}
	table.finish(ctx.Err() != nil)
	if ctx.Err() != nil {
		return interruption{ctx.Err(), "only what was measured whole is shown"}
	}
	if len(table.failures) > 0 {
		return errFailed
	}
	return nil
}

// openInputs finds what is to be measured, before anything is: a name that is wrong
// is told of at once. What cannot be opened for another reason is left out.
func openInputs(ctx context.Context, flags *benchFlags, paths []string, table *benchOutput) (inputs []*bench.Input, err error) {
	for _, path := range paths {
		if ctx.Err() != nil {
			table.unfinished(path)
			continue
		}
		in, err := bench.Open(ctx, path, flags.files)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return inputs, usageError{err}
		case errors.Is(err, bench.ErrNotRegular):
			return inputs, usageError{fmt.Errorf("%w: name a file or a directory", err)}
		case ctx.Err() != nil:
			table.unfinished(path)
		case err != nil:
			table.failed(path, "", err)
		default:
			inputs = append(inputs, in)
		}
	}
	for _, kind := range flags.samples {
		samples, err := bench.Samples(kind)
		if err != nil {
			return inputs, err
		}
		inputs = append(inputs, samples...)
	}
	return inputs, nil
}

func closeInputs(inputs []*bench.Input) {
	for _, in := range inputs {
		in.Close() // they were read only
	}
}
