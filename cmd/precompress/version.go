package main

import (
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/precompress/precompress/precompress"
)

func newVersionCommand(out *output) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version and those of the encoders",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			version := "(devel)"
			if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
				version = info.Main.Version
			}
			out.version(version, precompress.Encoders())
			return nil
		},
	}
	exitCodes(cmd, exitsSimple)
	return cmd
}
