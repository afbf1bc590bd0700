//go:build unix

package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// systemCommands are the script commands that need signals, locks and users.
func systemCommands() map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"signal":       cmdSignal,
		"ended":        cmdEnded,
		"unread":       cmdUnread,
		"unprivileged": cmdUnprivileged,
	}
}

// cmdSignal sends a signal to the first process in the background. One that is
// stopped goes on after a while by itself: a script that fails in between waits
// for it.
func cmdSignal(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 1, "signal INT|TERM|STOP|CONT")
	signals := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT}
	state := stateOf(ts)
	state.signaled, state.since = ts.BackgroundCmds()[0], time.Now()
	process := state.signaled.Process
	ts.Check(process.Signal(signals[args[0]]))
	if args[0] == "STOP" {
		time.AfterFunc(patience+5*time.Second, func() { process.Signal(syscall.SIGCONT) })
	}
}

// cmdEnded checks that the process that got a signal ended with this code, in
// less than this time after it.
func cmdEnded(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 2, "ended CODE DURATION")
	limit, err := time.ParseDuration(args[1])
	ts.Check(err)
	state := stateOf(ts)
	if took := time.Since(state.since); took > limit {
		ts.Fatalf("it took %v", took)
	}
	if code := state.signaled.ProcessState.ExitCode(); strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// cmdUnprivileged runs a program that is to end with the given exit code, as a
// user whom permissions bind: nobody, if the test runs as root.
func cmdUnprivileged(ts *testscript.TestScript, _ bool, args []string) {
	runAs(ts, args, func(cmd *exec.Cmd) {
		if os.Getuid() == 0 {
			const nobody = 65534
			reachable(ts, cmd.Path)
			reachable(ts, cmd.Dir)
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
		}
	})
}

// cmdUnread runs a program that is to end with the given exit code, with
// standard output going into a pipe that nobody reads.
func cmdUnread(ts *testscript.TestScript, _ bool, args []string) {
	reader, writer, err := os.Pipe()
	ts.Check(err)
	defer writer.Close()
	ts.Check(reader.Close())
	runAs(ts, args, func(cmd *exec.Cmd) { cmd.Stdout = writer })
}

// runAs runs a program that is to end with the exit code in front of it, in
// the way that prepare sets up.
func runAs(ts *testscript.TestScript, args []string, prepare func(*exec.Cmd)) {
	if len(args) < 2 {
		ts.Fatalf("usage: COMMAND CODE PROGRAM [ARG...]")
	}
	program, err := exec.LookPath(args[1])
	ts.Check(err)
	cmd := exec.Command(program, args[2:]...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = ts.MkAbs("."), ts.Stdout(), ts.Stderr()
	prepare(cmd)
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		ts.Fatalf("%v", err)
	}
	if code := cmd.ProcessState.ExitCode(); strconv.Itoa(code) != args[0] {
		ts.Fatalf("exit code %d, want %s", code, args[0])
	}
}

// reachable lets every user reach a file through the test's own directories, which
// are root's alone.
func reachable(ts *testscript.TestScript, name string) {
	temp := filepath.Clean(os.TempDir()) + string(filepath.Separator)
	for dir := filepath.Dir(name); strings.HasPrefix(dir, temp); dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		ts.Check(err)
		ts.Check(os.Chmod(dir, info.Mode().Perm()|0o055))
	}
}
