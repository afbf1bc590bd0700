//go:build unix

package examples_test

import (
	"os/exec"
	"syscall"
)

// stop asks a server to end, so that it ends the processes it started.
func stop(command *exec.Cmd) { _ = command.Process.Signal(syscall.SIGTERM) }
