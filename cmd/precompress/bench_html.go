package main

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/bench"
)

// checkPage refuses a name that no page can be written to, before hours are spent on
// what it is to show.
func checkPage(name string, paths []string, set *pflag.FlagSet) error {
	switch name {
	case "":
		return nil
	case standardOutput:
		return usageError{errors.New("--html: standard output gets the numbers: name a file for the page")}
	}
	all := keptAnyway(set, &cacheFlags{})
	for _, path := range paths {
		all = append(all, kept{path: path, file: "to be measured", files: "to be measured"})
	}
	if err := fitForPage(name, all, set); err != nil {
		return usageError{fmt.Errorf("--html: %w", err)}
	}
	return nil
}

// writeHTML writes the page of results, whole or not at all.
func writeHTML(name string, results []*bench.Result, link bench.Link) error {
	var page bytes.Buffer
	if err := bench.WriteHTML(&page, results, link); err != nil {
		return err
	}
	return replaceFile(name, page.Bytes())
}
