// Command precompress stores compressed variants next to the files of a tree
// of web assets, and serves them. See the README, or run it with --help.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	os.Exit(runWithSignals(os.Args[1:]))
}

// runWithSignals runs the command until it ends or is interrupted. A second
// signal ends the process at once. A reader of the output that goes away does
// not: the work goes on, and the exit code says that the output was lost. Only
// serve, whose work has no end, stops.
func runWithSignals(args []string) int {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		s := <-signals
		signal.Stop(signals)
		cancel(signalError{s})
	}()
	signal.Ignore(syscall.SIGPIPE)
	return run(ctx, args, os.Stdout, os.Stderr)
}
