package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/precompress/precompress/cmd/precompress/internal/config"
)

// run runs one command line and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{stdout: stdout, stderr: stderr}
	root := newRootCommand(out)
	root.SetArgs(args)
	root.SetOut(resultWriter{out})
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	code := exitCode(ctx, err)
	if err != nil && !errors.Is(err, errFailed) && !isVerdict(err) {
		out.fatal(err, code)
	}
	if out.err != nil && code == exitDone {
		return exitFailed // what was to be printed did not arrive
	}
	return code
}

func newRootCommand(out *output) *cobra.Command {
	flags := &buildFlags{}
	cmd := &cobra.Command{
		Use:   "precompress [flags] DIR...",
		Short: "Store .br, .zst and .gz variants next to web assets, where they pay",
		Long: `precompress walks each DIR and stores next to every asset the brotli, zstd and
gzip variants that are smaller than the asset itself. Each variant is decoded
and compared with its source before it gets its name. A manifest records what
was done, so that the next run only does what changed. With --releases or
--previous, it stores deltas as well: they turn the earlier release that a
visitor holds into this one (RFC 9842).

Files whose name starts with a dot are left out, except .well-known, and so are
formats that are compressed already; -x '!GLOB' takes them in. A GLOB without a
slash matches names in any directory, and a GLOB that matches a directory
matches everything in it. A SIZE is in bytes, or like 10kB or 300MiB. Settings
can be kept in a file, ` + config.Name + `: see precompress config --help.`,
		Example: `  precompress dist
  precompress -x '*.map' --min-saving 2% dist
  precompress --codings br,gzip --out dist-compressed dist
  precompress check dist`,
		Args:              requireDirs,
		ValidArgsFunction: completeDirs,
		SilenceErrors:     true,
		SilenceUsage:      true,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := build(cmd.Context(), out, flags, dirs); err != nil {
				return suggestCommand(cmd, dirs, err)
			}
			return nil
		},
	}
	flags.registerAll(cmd.Flags())
	useConfig(cmd, &flags.origins, &flags.options.Rules)
	cmd.SetFlagErrorFunc(flagError)
	cmd.AddCommand(newCheckCommand(out), newReportCommand(out), newCleanCommand(out), newServeCommand(out), newProbeCommand(out), newBenchCommand(out),
		newCacheCommand(out), newConfigCommand(out), newVersionCommand(out))
	cmd.SetHelpCommand(newHelpCommand())
	addCompletionCommand(cmd)
	exitCodes(cmd, exitsBuild)
	return cmd
}

// flagError says which flag is wrong and why, or where its use is described.
func flagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var number *strconv.NumError
	switch {
	case !errors.As(err, &value):
		return usageErrorf("", "%w: see %s --help", err, cmd.CommandPath())
	case errors.As(err, &number):
		return usageErrorf("", "--%s: %q is neither true nor false", value.GetFlag().Name, value.GetValue())
	}
	return usageErrorf("", "--%s: %w", value.GetFlag().Name, value.Unwrap())
}

// suggestCommand adds to a missing directory's error the command that its name may
// stand for.
func suggestCommand(cmd *cobra.Command, dirs []string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if dirs[0] == "build" && len(dirs) > 1 {
		return suggestion{err, "building is what precompress does without a command: leave that word out"}
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(dirs[0]); len(near) > 0 {
		return suggestion{err, fmt.Sprintf("if a command is meant, it is %q; else check the directory's name", near[0])}
	}
	return err
}
