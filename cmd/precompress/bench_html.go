package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/precompress/bench"
)

// checkPage refuses a name that no page can be written to, before hours are spent on
// what it is to show.
func checkPage(name string, paths []string) error {
	if name == "" {
		return nil
	}
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		if info, err = os.Stat(filepath.Dir(name)); err == nil && info.IsDir() {
			return nil
		}
	}
	switch {
	case err != nil:
		return usageError{fmt.Errorf("--html: %s: %w: check the name", precompress.PrintablePath(name), withoutName(err))}
	case !info.Mode().IsRegular():
		return usageError{fmt.Errorf("--html: %s: %w: name a file, or a name that is free", precompress.PrintablePath(name), errNotRegular)}
	}
	for _, path := range paths {
		if measured, err := os.Stat(path); err == nil && os.SameFile(info, measured) {
			return usageError{fmt.Errorf("--html: %s is to be measured: name another file", precompress.PrintablePath(name))}
		}
	}
	return nil
}

// writeHTML writes the page of results, whole or not at all.
func writeHTML(name string, results []*bench.Result, link bench.Link) error {
	return replaceFile(name, func(w io.Writer) error { return errors.New("pages are not there yet") })
}

// replaceFile gives a file the content that fill writes, whole or not at all.
func replaceFile(name string, fill func(io.Writer) error) error {
	temp := fmt.Sprintf("%s.%d.tmp", name, os.Getpid())
	f, err := os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return withoutName(err)
	}
	buffered := bufio.NewWriter(f)
	err = fill(buffered)
	if err == nil {
		err = buffered.Flush()
	}
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(temp, name)
	}
	if err != nil {
		os.Remove(temp) // best effort: the error to report is the one above
		return withoutName(err)
	}
	return nil
}
