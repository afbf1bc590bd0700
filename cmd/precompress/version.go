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
			out.version(programVersion(), precompress.Encoders())
			return nil
		},
	}
	exitCodes(cmd, exitsSimple)
	return cmd
}

// programVersion returns the version of this program, "(devel)" if it has none.
func programVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
