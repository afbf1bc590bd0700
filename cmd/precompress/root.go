package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/spf13/cobra"

	"github.com/precompress/precompress/precompress"
)

// Exit codes, a contract with scripts (README, "Exit codes").
const (
	exitDone        = 0
	exitFailed      = 1
	exitUsage       = 2
	exitNotUpToDate = 3
	exitInterrupted = 130
)

// errFailed and errNotUpToDate end a command whose output says all there is
// to say.
var (
	errFailed      = errors.New("failed")
	errNotUpToDate = errors.New("not up to date")
)

// usageError is a fault of the command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// run runs one command line and returns its exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	out := &output{stdout: stdout, stderr: stderr}
	root := newRootCommand(out)
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := root.ExecuteContext(ctx)
	code := exitCode(ctx, err)
	if err != nil && !errors.Is(err, errFailed) && !errors.Is(err, errNotUpToDate) {
		out.fault(err, code)
	}
	if out.err != nil && code == exitDone {
		return exitFailed // what was to be printed did not arrive
	}
	return code
}

func exitCode(ctx context.Context, err error) int {
	var usage usageError
	switch {
	case err == nil:
		return exitDone
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &usage),
		errors.Is(err, precompress.ErrInvalidOptions),
		errors.Is(err, precompress.ErrNotDirectory):
		return exitUsage
	case errors.Is(err, errNotUpToDate):
		return exitNotUpToDate
	}
	return exitFailed
}

func newRootCommand(out *output) *cobra.Command {
	flags := &buildFlags{}
	cmd := &cobra.Command{
		Use:   "precompress [flags] DIR...",
		Short: "Store .br, .zst and .gz variants next to web assets, where they pay",
		Long: `precompress walks each DIR and stores next to every asset the brotli, zstd and
gzip variants that are smaller than the asset itself. Each variant is decoded
and compared with its source before it gets its name. A manifest remembers what
was done, so that the next run only does what changed.`,
		Example: `  precompress dist
  precompress -x '*.map' --min-saving 2% dist
  precompress --codings br,gzip --out dist-compressed dist
  precompress check dist`,
		Args:          requireDirs,
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := build(cmd.Context(), out, flags, dirs); err != nil {
				return suggestCommand(cmd, dirs, err)
			}
			return nil
		},
	}
	flags.register(cmd.Flags())
	flags.registerBuild(cmd.Flags())
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	cmd.SetUsageTemplate(cmd.UsageTemplate() + exitCodesHelp)
	cmd.AddCommand(newCheckCommand(out), newCleanCommand(out), newVersionCommand(out))
	return cmd
}

// suggestCommand adds to a missing folder's error the command that its name may
// stand for.
func suggestCommand(cmd *cobra.Command, dirs []string, err error) error {
	cmd.SuggestionsMinimumDistance = 2
	near := cmd.SuggestionsFor(dirs[0])
	if !errors.Is(err, fs.ErrNotExist) || len(near) == 0 {
		return err
	}
	return usageError{fmt.Errorf("%w (did you mean the command %q?)", err, near[0])}
}

const exitCodesHelp = `
Exit codes:
  0    done
  1    a file failed; all others were done
  2    the command line is wrong; nothing was written
  3    check: not up to date
  130  interrupted; what was written is whole
`

// requireDirs wants at least one folder on the command line.
func requireDirs(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageError{errors.New("no folder is named: write the one your build puts assets in, as in: precompress dist")}
	}
	return nil
}

// validate checks everything before the first tree is touched.
func validate(dirs []string, opts precompress.Options) error {
	err := precompress.Validate(dirs, opts)
	if errors.Is(err, fs.ErrNotExist) {
		return usageError{err}
	}
	return err
}
