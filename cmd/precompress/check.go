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
		Short: "Say what a build would change, and fail if that is anything",
		Long: `check prints one line for everything in DIR that a build with the same flags
would change. It writes nothing, and exits with 3 if it finds anything.

A line has the path, the coding if it is about one variant (for a delta also the
dictionary in its file name), and what is wrong:
  missing   there is no variant, and one may pay
  stale     it was made from another source, with other settings or by another
            encoder
  orphan    a build wrote the file, and it does not belong there any more
  damaged   it is not what was written
  foreign   no manifest lists the file
  larger    it is not smaller than its source, or than --min-saving and
            --drop-dominated require
  window    browsers refuse it: it needs a window of more than 8 MiB
  metadata  its mode or modification time differs from its source's`,
		Example: `  precompress check dist
  precompress check --budget 'assets/*.js=170kB:br' dist`,
		Args:              requireDirs,
		ValidArgsFunction: completeDirs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := out.configure(&flags.outputFlags); err != nil {
				return err
			}
			if err := flags.check(dirs); err != nil {
				return err
			}
			review, err := newSizeReview(flags, dirs)
			if err != nil {
				return err
			}
			return eachTree(cmd.Context(), out, "check", dirs, review, func(dir string) error {
				return check(cmd.Context(), out, flags, review, dir)
			})
		},
	}
	flags.register(cmd.Flags())
	useConfig(cmd, &flags.origins, &flags.options.Rules)
	exitCodes(cmd, exitsCheck)
	return cmd
}

// check plans one tree and prints what is wrong with it.
func check(ctx context.Context, out *output, flags *buildFlags, review *sizeReview, dir string) error {
	return readPlan(ctx, out, flags, dir, func(tree *precompress.Tree, plan *precompress.Plan) error {
		problems, err := tree.Problems(ctx, plan)
		if err != nil {
			return err
		}
		audit := review.checked(dir, plan, problems)
		out.check(dir, plan, problems, audit)
		switch {
		case len(plan.Failures) > 0:
			return errFailed
		case !plan.UpToDate():
			return errNotUpToDate
		case len(audit.over) > 0:
			return errOverBudget
		}
		return nil
	})
}
