// Command testsummary runs a `go test -json` command and prints what plain
// `go test` prints, then which programs tests did not find and what was skipped:
//
//	go run ./internal/testsummary go test -json ./...
//
// Its exit code is 0 only if the command succeeds and every package that was
// started has a result that is not a failure.
package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: testsummary COMMAND [ARG...], where COMMAND is one like: go test -json ./...")
		os.Exit(2)
	}
	out := bufio.NewWriter(os.Stdout)
	err := run(out, os.Args[1:])
	out.Flush()
	if err != nil {
		fmt.Fprintln(os.Stderr, "testsummary:", err)
		os.Exit(1)
	}
}

// run runs the command and summarizes what it prints.
func run(out *bufio.Writer, args []string) error {
	// The command gets an interrupt, too, and says how far it came.
	signal.Notify(make(chan os.Signal, 1), os.Interrupt)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stdin, cmd.Stderr = os.Stdin, os.Stderr
	stream, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	result := summarize(stream, out)
	io.Copy(io.Discard, stream) // after an error, the command must not wait for a reader
	if err := cmd.Wait(); err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	return result
}
