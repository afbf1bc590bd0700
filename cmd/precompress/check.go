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
		Long: `check prints one line for everything in DIR that is not as a build with the same
flags would leave it, and writes nothing. It exits with 3 if there is any.

A line has the path, the coding if it is about one variant (of a delta also the
dictionary that its file's name has), and what is wrong:
  missing   there is no variant, and it is not known that none would pay
  stale     it was made from another source, with other settings or by another
            encoder
  orphan    a file that a build wrote and that does not belong there any more
  damaged   it is not what was written
  foreign   no manifest lists the file
  larger    it is not smaller than its source, or than --min-saving and
            --drop-dominated ask for
  window    browsers refuse it: it needs a window of more than 8 MiB
  metadata  its mode or modification time is not its source's`,
		Example: `  precompress check dist
  precompress check --budget 'assets/*.js=170kB:br' dist`,
		Args:              requireDirs,
		ValidArgsFunction: completeDirs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := out.configure(flags); err != nil {
				return err
			}
			if err := validate(dirs, flags.options); err != nil {
				return err
			}
			if err := checkReleases(&flags.options); err != nil {
				return err
			}
			if err := flags.review.prepare(flags, dirs); err != nil {
				return err
			}
			return eachTree(cmd.Context(), out, "check", dirs, &flags.review, func(dir string) error {
				return check(cmd.Context(), out, flags, dir)
			})
		},
	}
	flags.register(cmd.Flags())
	heedConfig(cmd, &flags.options.Rules)
	exitCodes(cmd, exitsCheck)
	return cmd
}

// check plans one tree and prints what is wrong with it.
func check(ctx context.Context, out *output, flags *buildFlags, dir string) error {
	return withPlan(ctx, out, flags, dir, func(tree *precompress.Tree, plan *precompress.Plan) error {
		problems, err := tree.Problems(ctx, plan)
		if err != nil {
			return err
		}
		audit := flags.review.checked(dir, plan, problems)
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

// look plans one tree and prints what a build would do.
func look(ctx context.Context, out *output, flags *buildFlags, dir string) error {
	return withPlan(ctx, out, flags, dir, func(_ *precompress.Tree, plan *precompress.Plan) error {
		empty := flags.failIfEmpty && len(plan.Assets) == 0
		out.plan(dir, plan, empty)
		over := flags.review.planned(out, dir, plan)
		switch {
		case len(plan.Failures) > 0 || empty:
			return errFailed
		case over:
			return errOverBudget
		}
		return nil
	})
}

// withPlan plans one tree, without a right to change it, and hands the plan on.
func withPlan(ctx context.Context, out *output, flags *buildFlags, dir string, do func(*precompress.Tree, *precompress.Plan) error) error {
	opts := flags.options
	opts.Waiting = func() { out.waiting(dir) }
	tree, err := precompress.OpenReadOnly(ctx, dir, opts)
	if err != nil {
		return err
	}
	defer tree.Close()
	plan, err := tree.Plan(ctx)
	if err != nil {
		return err
	}
	return do(tree, plan)
}
