package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// maxBaseline is the largest manifest that is read as a baseline, in bytes: one
// of half a million assets.
const maxBaseline = 256 << 20

// chooseSummary finds out which file the summary goes to, if any. What the file of
// settings or the environment says goes for every run: where there cannot be a
// summary, there is none. A flag that has no effect is refused.
func (r *review) chooseSummary(flags *buildFlags, dirs []string) error {
	switch {
	case flags.dryRun && onCommandLine(r.flags, "summary") && r.summary != noSummary:
		return usageError{errors.New("--summary and --dry-run contradict each other: a dry run writes nothing")}
	case r.summary == noSummary, flags.dryRun:
		r.summary = ""
	case r.summary == "":
		r.summary = os.Getenv(summaryVariable)
		r.fromEnvironment = true
	}
	if r.summary == "" {
		return nil
	}
	err := fitForText(r.summary, keptByBuild(flags, dirs, r.baseline, r.flags))
	if err != nil && r.fromEnvironment {
		r.summary, r.refused = "", err
		return nil
	}
	if err != nil {
		return usageError{fmt.Errorf("--summary: %w", err)}
	}
	return nil
}

// loadBaseline reads the baseline, if the summary has a use for one.
func (r *review) loadBaseline(flags *buildFlags, dirs int) error {
	switch {
	case r.baseline == "":
		return nil
	case r.summary == "" && (!onCommandLine(r.flags, "baseline") || r.refused != nil):
		r.baseline = ""
		return nil
	case r.summary == "" && flags.dryRun:
		return usageError{errors.New("--baseline and --dry-run contradict each other: a dry run writes no summary that could compare")}
	case r.summary == "":
		return usageError{errors.New("--baseline is of use to the summary only: name a file with --summary")}
	case dirs > 1:
		return usageError{fmt.Errorf("a baseline goes with one tree, not with %d: build or check them one by one", dirs)}
	}
	var err error
	r.before, err = readBaseline(r.baseline)
	return err
}

// readBaseline returns the assets of a manifest that --baseline names.
func readBaseline(file string) ([]manifest.Asset, error) {
	name := precompress.PrintablePath(file)
	data, err := readRegular(file, maxBaseline)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageError{fmt.Errorf("--baseline: there is no file %q: check the name, or leave it out until there is one", name)}
	}
	if err != nil {
		return nil, usageError{fmt.Errorf("--baseline: %s: %w: name the manifest of an earlier build, or leave it out", name, err)}
	}
	m, err := manifest.Decode(data)
	if err != nil {
		return nil, usageError{fmt.Errorf("--baseline: %q is no manifest: %w: name that of an earlier build, or leave it out", name, err)}
	}
	return m.Assets, nil
}
