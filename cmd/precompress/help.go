package main

import (
	"fmt"

	"github.com/spf13/cobra"
)

func newHelpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 || len(args) > 0 && about == cmd.Root() {
				return usageError{fmt.Errorf("there is no command %q: see precompress --help", args[0])}
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
	exitCodes(cmd, exitsSimple)
	return cmd
}
