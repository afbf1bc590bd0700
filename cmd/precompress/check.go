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
			return eachTree(cmd.Context(), out, "check", dirs, func(dir string) error {
				upToDate, err := look(cmd.Context(), out, flags, dir)
				if err == nil && !upToDate {
					err = errNotUpToDate
				}
				return err
			})
		},
	}
	flags.register(cmd.Flags())
	heedConfig(cmd, &flags.options.Rules)
	exitCodes(cmd, exitsCheck)
	return cmd
}

// look plans one tree and prints the plan.
func look(ctx context.Context, out *output, flags *buildFlags, dir string) (upToDate bool, err error) {
	opts := flags.options
	opts.Waiting = func() { out.waiting(dir) }
	tree, err := precompress.OpenToLook(ctx, dir, opts)
	if err != nil {
		return false, err
	}
	defer tree.Close()
	plan, err := tree.Plan(ctx)
	if err != nil {
		return false, err
	}
	empty := flags.failIfEmpty && len(plan.Assets) == 0
	out.plan(dir, plan, empty)
	if len(plan.Failures) > 0 || empty {
		err = errFailed
	}
	return plan.UpToDate(), err
}
