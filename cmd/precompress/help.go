package main

import (
	"github.com/spf13/cobra"
)

func newHelpCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Print the help of a command",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if err != nil || len(rest) > 0 || len(args) > 0 && about == cmd.Root() {
				return usageErrorf("", "there is no command %q: see precompress --help", args[0])
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
	exitCodes(cmd, exitsSimple)
	return cmd
}

// addCompletionCommand adds cobra's command, which without the name of a shell
// would print its help as if all were well.
func addCompletionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	cmd, _, err := root.Find([]string{"completion"})
	if err != nil {
		return
	}
	cmd.Use = "completion SHELL"
	cmd.Short = "Print the script that completes commands and flags in a shell"
	cmd.Long = `completion prints the script that lets a shell complete this program's commands
and flags. The help of each shell's command says where to put the script.`
	cmd.Args = cobra.ArbitraryArgs
	cmd.RunE = func(*cobra.Command, []string) error {
		return usageErrorf("", "completion: name the shell: bash, fish, powershell or zsh")
	}
	exitCodes(cmd, exitsSimple)
	for _, shell := range cmd.Commands() {
		shell.Short = "Print the script for " + shell.Name()
		shell.Args = noArgs
	}
}
