package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/precompress/precompress/precompress"
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
		out.fault(err, code)
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
and compared with its source before it gets its name. A manifest remembers what
was done, so that the next run only does what changed. With --releases or
--previous, deltas are stored as well: what visitors who hold an earlier release
need to get this one (RFC 9842).

Left out are files whose name starts with a dot, but for .well-known, and
formats that are compressed already; -x '!GLOB' takes them in. A GLOB without a
slash matches names in any directory, and one that matches a directory matches all
below it. A SIZE is in bytes, or like 10kB or 300MiB. Settings can stand in a
file, ` + configName + `; see precompress config --help.`,
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
	flags.register(cmd.Flags())
	flags.registerBuild(cmd.Flags())
	heedConfig(cmd, &flags.options.Rules)
	cmd.SetFlagErrorFunc(flagError)
	cmd.AddCommand(newCheckCommand(out), newReportCommand(out), newCleanCommand(out), newServeCommand(out), newProbeCommand(out), newBenchCommand(out),
		newCacheCommand(out), newConfigCommand(out, cmd, flags), newVersionCommand(out))
	cmd.SetHelpCommand(newHelpCommand())
	addCompletionCommand(cmd)
	exitCodes(cmd, exitsBuild)
	return cmd
}

// flagError says which flag is at fault, and why or where its use is described.
func flagError(cmd *cobra.Command, err error) error {
	var value *pflag.InvalidValueError
	var number *strconv.NumError
	switch {
	case !errors.As(err, &value):
		return usageError{fmt.Errorf("%w: see %s --help", err, cmd.CommandPath())}
	case errors.As(err, &number):
		return usageError{fmt.Errorf("--%s: %q is neither true nor false", value.GetFlag().Name, value.GetValue())}
	}
	return usageError{fmt.Errorf("--%s: %w", value.GetFlag().Name, value.Unwrap())}
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

// suggestion is a fault of the command line with a hint of its own.
type suggestion struct {
	error
	hint string
}

func (e suggestion) Unwrap() error { return usageError{e.error} }

// requireDirs wants at least one directory on the command line.
func requireDirs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError{fmt.Errorf("no directory is named: write the one your build puts assets in, as in: %s dist", cmd.CommandPath())}
	}
	for _, dir := range args {
		if dir == "" {
			return usageError{errors.New("a directory's name is empty: write . for the one you are in")}
		}
	}
	return nil
}

// noArgs wants nothing after a command's name.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	return usageError{fmt.Errorf("%s takes no arguments: leave %q out", name, args[0])}
}

func completeDirs(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// validate checks everything before the first tree is touched.
func validate(dirs []string, opts precompress.Options) error {
	err := precompress.Validate(dirs, opts)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError{err}
	}
	return err
}
