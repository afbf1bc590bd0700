// Command precompress stores compressed variants next to the files of a tree
// of web assets. See the README, or run it with --help.
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
// not: the work goes on, and the exit code tells that the output was lost.
func runWithSignals(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	signal.Ignore(syscall.SIGPIPE)
	return run(ctx, args, os.Stdout, os.Stderr)
}
