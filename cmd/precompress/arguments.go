package main

import (
	"errors"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"

	"github.com/precompress/precompress/precompress"
)

// requireDirs requires at least one directory on the command line.
func requireDirs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return usageErrorf("", "no directory is named: write the one your build puts assets in, as in: %s dist", cmd.CommandPath())
	}
	for _, dir := range args {
		if dir == "" {
			return usageErrorf("", "a directory's name is empty: write . for the one you are in")
		}
	}
	return nil
}

// noArgs allows nothing after a command's name.
func noArgs(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	name := strings.TrimPrefix(cmd.CommandPath(), cmd.Root().Name()+" ")
	return usageErrorf("", "%s takes no arguments: leave %q out", name, args[0])
}

func completeDirs(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// validate checks everything before the first tree is touched.
func validate(dirs []string, opts precompress.Options) error {
	err := precompress.Validate(dirs, opts)
	if errors.Is(err, fs.ErrNotExist) {
		return asUsage(err)
	}
	return err
}

// errOneDirectory is about a command that takes no more.
var errOneDirectory = errors.New("one directory")

// requireDir requires exactly one directory on the command line.
func requireDir(cmd *cobra.Command, args []string) error {
	if len(args) > 1 {
		return usageErrorf("", "%s takes %w: leave %q out", cmd.Name(), errOneDirectory, args[1])
	}
	return requireDirs(cmd, args)
}
