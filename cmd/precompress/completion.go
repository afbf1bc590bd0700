package main

import (
	"errors"

	"github.com/spf13/cobra"
)

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
		return usageError{errors.New("completion: name the shell: bash, fish, powershell or zsh")}
	}
	exitCodes(cmd, exitsSimple)
	for _, shell := range cmd.Commands() {
		shell.Short = "Print the script for " + shell.Name()
		shell.Args = noArgs
	}
}
