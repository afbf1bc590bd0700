package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/internal/report"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// reportFlags are the flags of report.
type reportFlags struct {
	buildFlags
	html     string // the file, or standardOutput
	baseline string

	before []manifest.Asset // of the baseline
}

func newReportCommand(out *output) *cobra.Command {
	flags := &reportFlags{}
	cmd := &cobra.Command{
		Use:   "report [flags] --html FILE DIR",
		Short: "Write an HTML page about what a build left",
		Long: `report writes a page about DIR, as a build with the same flags left it: what each
coding saves, where the bytes are, what was done with every file and why, and
what visitors download. The page is self-contained: it needs no network, and
JavaScript only to sort and filter its tables. FILE is replaced as a whole; - is
standard output. FILE cannot be one that the command reads or keeps: it cannot
be in DIR, --out, --releases, --previous or the cache, nor be a manifest, a
configuration file, a file of summaries or a variant.

Nothing is built. If DIR is not up to date, the page says what check would say.
It counts variants that are yet to be encoded as missing, and a comparison
leaves them out. While a build works on DIR, report waits for it.`,
		Example: `  precompress report --html report.html dist
  precompress report --html report.html --baseline last/precompress-manifest.json dist`,
		Args:              requireDir,
		ValidArgsFunction: completeDirs,
		RunE: func(cmd *cobra.Command, dirs []string) error {
			if err := flags.prepare(out, dirs); err != nil {
				return err
			}
			return eachTree(cmd.Context(), out, "report", dirs, nil, func(dir string) error {
				return reportTree(cmd.Context(), out, flags, dir)
			})
		},
	}
	flags.register(cmd.Flags())
	useConfig(cmd, &flags.origins, &flags.options.Rules)
	exitCodes(cmd, exitsReport)
	return cmd
}

func (f *reportFlags) register(fs *pflag.FlagSet) {
	fs.SortFlags = false
	fs.Var(named(&f.html, "FILE"), "html", "write the page to FILE; - for standard output")
	fs.Var(named(&f.baseline, "FILE"), "baseline", "compare with this manifest of an earlier build")
	f.registerSettings(fs)
	f.registerQuiet(fs)
	f.registerColor(fs)
}

// prepare checks what was asked for, and reads the baseline.
func (f *reportFlags) prepare(out *output, dirs []string) (err error) {
	if err := out.configure(&f.outputFlags); err != nil {
		return err
	}
	if f.html == "" {
		return usageErrorf("", "no file is named for the page: write --html FILE, or --html - for standard output")
	}
	if err := f.check(dirs); err != nil {
		return err
	}
	if f.baseline != "" {
		if f.before, err = readBaseline(f.baseline); err != nil {
			return err
		}
	}
	if f.html == standardOutput {
		return nil
	}
	return refusePage(f.html, reservedByBuild(&f.buildFlags, dirs, f.baseline), &f.origins)
}

// reportTree plans one tree and writes the page about it.
func reportTree(ctx context.Context, out *output, flags *reportFlags, dir string) error {
	return readPlan(ctx, out, &flags.buildFlags, dir, func(tree *precompress.Tree, plan *precompress.Plan) error {
		if len(plan.Before.Assets) == 0 && !plan.UpToDate() {
			out.warnings(dir, warningTexts(plan.Warnings)) // they may say why
			return fmt.Errorf("no build with these flags is here to report on: build first, as in: precompress %s", printable(dir))
		}
		problems, err := tree.Problems(ctx, plan)
		if err != nil {
			return err
		}
		subject := report.Subject{Name: directoryName(dir), Plan: plan, Problems: problems, Names: flags.options.Fingerprint, SkipText: reasonText}
		if flags.baseline != "" {
			subject.Baseline = &report.Baseline{Name: flags.baseline, Assets: flags.before}
		}
		var page bytes.Buffer
		if err := report.Write(&page, subject); err != nil {
			return err
		}
		if err := writePage(out, flags.html, page.Bytes()); err != nil {
			return err
		}
		out.reported(dir, flags.html, plan, problems, page.Len())
		if len(plan.Failures) > 0 {
			return errFailed
		}
		return nil
	})
}

// directoryName names a directory to readers who are not in the one that its path starts
// from.
func directoryName(dir string) string {
	switch filepath.Base(filepath.Clean(dir)) {
	case ".", "..":
		return filepath.Base(osfile.RealPath(dir))
	}
	return dir
}

// writePage writes a page to a file or to standard output.
func writePage(out *output, name string, page []byte) error {
	if name == standardOutput {
		out.print(string(page))
		return nil
	}
	if err := replaceFile(name, page); err != nil {
		return fmt.Errorf("the page could not be written: %s: %w", printable(name), err)
	}
	return nil
}
