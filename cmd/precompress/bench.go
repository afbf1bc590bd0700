package main

import (
	"bytes"
	"context"
	"errors"
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
		Long: `bench encodes and decodes each PATH in every coding and level that you choose,
and prints how small it gets, how long that takes, and what it is worth. A PATH
is a file of any name, or a directory, in which it takes the files that a build
would take; all numbers are sums then. Nothing is written except --html. When
interrupted, bench prints the PATHs that it has measured completely; --json and
the page of --html name the others.

Each result is decoded by another implementation and compared with its source.
One encoding runs at a time: leave the machine alone in the meantime. What takes
less than 20 ms is repeated, warm, and the mean counts.

  ratio       size before, divided by size after
  compress    the median of all runs, and half the distance between the fastest
              and the slowest run as a share of it; - for one run
  decompress  the same in the other direction
  break-even  the link speed below which compressing for each request saves
              time: bits saved, divided by the time to compress
  gain        the time that one request saves at --link, minus the time to
              compress
  *           saves bytes, and no other level is both as small and as fast to
              compress

With --requests N, content is compressed once and sent N times: break-even and
gain count an Nth of the time to compress.

LEVELS are single ones and ranges, each for the coding named last, as
in br=1-11,zstd=1,3,19.`,
		Example: `  precompress bench dist
  precompress bench --link 20 --requests 1000 dist/index.html
  precompress bench --levels gzip=1-9,br=1-11,zstd=1-19 rfc9110.txt
  precompress bench --sample json --html bench.html`,
		Args: requirePaths(flags),
		RunE: func(cmd *cobra.Command, paths []string) error {
			return benchmark(cmd.Context(), out, flags, paths)
		},
	}
	flags.register(cmd.Flags())
	useConfig(cmd, &flags.origins, &flags.files.Rules)
	exitCodes(cmd, exitsBench)
	return cmd
}

// requirePaths requires something to measure on the command line.
func requirePaths(flags *benchFlags) cobra.PositionalArgs {
	return func(_ *cobra.Command, paths []string) error {
		if len(paths) == 0 && len(flags.samples) == 0 {
			return usageErrorf("", "nothing to measure is named: write files or directories, as in: precompress bench dist, or --sample json")
		}
		for _, path := range paths {
			if path == "" {
				return usageErrorf("", "the name of a file or directory is empty: write . for the directory you are in")
			}
		}
		return nil
	}
}

// benchmark measures one input after the other, in the order of the command line. An
// error with one does not keep the others from their turn; a signal does.
func benchmark(ctx context.Context, out *output, flags *benchFlags, paths []string) error {
	settings, err := flags.validate()
	if err != nil {
		return err
	}
	if err := out.configure(&flags.outputFlags); err != nil {
		return err
	}
	if err := refuseBenchPage(flags, paths); err != nil {
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
		opts := bench.Options{Settings: settings, Runs: flags.runs, Progress: func(done, total int64) {
			progress.update(precompress.Progress{Bytes: done, TotalBytes: total})
		}}
		result, err := bench.Run(ctx, in, opts)
		progress.stop()
		if ctx.Err() != nil {
			table.unfinished(in.Name()) // the result so far is not complete
			continue
		}
		table.measured(in, result, err)
	}
	if flags.html != "" && len(table.results) > 0 {
		if err := writeBenchPage(flags.html, table.page, flags.link); err != nil {
			table.failed(flags.html, "", &precompress.Error{Op: "write", Err: err})
		}
	}
	table.finish(ctx.Err() != nil)
	if ctx.Err() != nil {
		return interruption{ctx.Err(), "only what was measured completely is shown"}
	}
	if len(table.failures) > 0 {
		return errFailed
	}
	return nil
}

// openInputs opens everything before anything is measured: a wrong name is an error at
// once. What cannot be opened for another reason is left out.
func openInputs(ctx context.Context, flags *benchFlags, paths []string, table *benchOutput) (inputs []*bench.Input, err error) {
	for _, path := range paths {
		if ctx.Err() != nil {
			table.unfinished(path)
			continue
		}
		in, err := bench.Open(ctx, path, flags.files)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return inputs, asUsage(err)
		case errors.Is(err, bench.ErrNotRegular):
			return inputs, usageErrorf("", "%w: name a file or a directory", err)
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

// refuseBenchPage refuses a name that no page can be written to, before hours are spent
// on measuring.
func refuseBenchPage(flags *benchFlags, paths []string) error {
	switch flags.html {
	case "":
		return nil
	case standardOutput:
		return usageErrorf("", "--html: standard output gets the numbers: name a file for the page")
	}
	all := reservedAlways(&flags.origins, &cacheFlags{})
	for _, path := range paths {
		all = append(all, reserved{path: path, file: "to be measured", files: "to be measured"})
	}
	return refusePage(flags.html, all, &flags.origins)
}

// writeBenchPage writes the page of results, whole or not at all.
func writeBenchPage(name string, results []*bench.Result, link bench.Link) error {
	var page bytes.Buffer
	if err := bench.WriteHTML(&page, results, link); err != nil {
		return err
	}
	return replaceFile(name, page.Bytes())
}

func closeInputs(inputs []*bench.Input) {
	for _, in := range inputs {
		in.Close() // they were read only
	}
}
