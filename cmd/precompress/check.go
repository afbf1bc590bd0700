package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/precompress/precompress/precompress"
)

func newCheckCommand(out *output) *cobra.Command {
	flags := &buildFlags{}
	cmd := &cobra.Command{
		Use:   "check [flags] DIR...",
		Short: "Say what a build would do, and fail if that is anything",
		Long: `check prints what a build with the same flags would do, and why, without writing
anything. It exits with 3 if a tree is not up to date.`,
		Args:              requireDirs,
		ValidArgsFunction: completeDirs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := out.configure(flags); err != nil {
				return err
			}
			if err := validate(dirs, flags.options); err != nil {
				return err
			}
			upToDate, err := look(cmd.Context(), out, "check", flags, dirs)
			if err == nil && !upToDate {
				return errNotUpToDate
			}
			return err
		},
	}
	flags.register(cmd.Flags())
	exitCodes(cmd, exitsCheck)
	return cmd
}

// look plans each tree and prints the plans, on behalf of the named command.
func look(ctx context.Context, out *output, command string, flags *buildFlags, dirs []string) (upToDate bool, err error) {
	upToDate = true
	failed := false
	for _, dir := range dirs {
		plan, err := lookAt(ctx, out, flags.options, dir)
		if err != nil {
			out.finish(command, false)
			return false, err
		}
		empty := flags.failIfEmpty && len(plan.Assets) == 0
		out.plan(dir, plan, empty)
		upToDate = upToDate && plan.UpToDate()
		failed = failed || len(plan.Failures) > 0 || empty
	}
	out.finish(command, !failed && (upToDate || command != "check"))
	if failed {
		return false, errFailed
	}
	return upToDate, nil
}

func lookAt(ctx context.Context, out *output, opts precompress.Options, dir string) (*precompress.Plan, error) {
	opts.Waiting = func() { out.waiting(dir) }
	tree, err := precompress.OpenToLook(ctx, dir, opts)
	if err != nil {
		return nil, err
	}
	defer tree.Close()
	return tree.Plan(ctx)
}
