package examples_test

import "os/exec"

func stop(command *exec.Cmd) { _ = command.Process.Kill() }
