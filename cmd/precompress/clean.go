package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/precompress/precompress/precompress"
)

func newCleanCommand(out *output) *cobra.Command {
	flags := &buildFlags{}
	cmd := &cobra.Command{
		Use:   "clean [flags] DIR...",
		Short: "Remove exactly what builds wrote",
		Long: `clean removes the variants and deltas that the manifest of each DIR lists, then
the manifest. It keeps files that precompress did not write, files that were
changed since, and the releases in a store.`,
		Args:              requireDirs,
		ValidArgsFunction: completeDirs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := out.configure(&flags.outputFlags); err != nil {
				return err
			}
			// The manifest says what to remove; stored releases stay.
			flags.options.Previous, flags.options.Releases = nil, ""
			if err := validate(dirs, flags.options); err != nil {
				return err
			}
			return eachTree(cmd.Context(), out, "clean", dirs, nil, func(dir string) error {
				return clean(cmd.Context(), out, flags, dir)
			})
		},
	}
	flags.registerPlaces(cmd.Flags())
	registerReleases(cmd.Flags(), &flags.options, "; clean ignores it")
	flags.outputFlags.register(cmd.Flags())
	flags.registerDryRun(cmd.Flags())
	useConfig(cmd, &flags.origins, nil)
	exitCodes(cmd, exitsClean)
	return cmd
}

func clean(ctx context.Context, out *output, flags *buildFlags, dir string) error {
	opts := flags.options
	opts.Waiting = func() { out.waiting(dir) }
	tree, err := precompress.OpenReadOnly(ctx, dir, opts) // cleaning creates no directory
	if err != nil {
		return err
	}
	defer tree.Close()
	plan, err := tree.PlanClean(ctx)
	if err != nil {
		return err
	}
	if flags.dryRun {
		out.cleanPlan(dir, plan)
		if len(plan.Failures) > 0 {
			return errFailed
		}
		return nil
	}
	report, err := tree.Clean(ctx, plan)
	if report != nil {
		out.cleaned(dir, plan, report)
		if err == nil && (report.Err() != nil || len(report.Warnings) > 0) {
			err = errFailed
		}
	}
	return err
}
