// Command bench-serve compares the speed of static file servers. Each server sends
// a brotli variant of 30 kB over the loopback interface, requested by wrk with one
// thread and 16 connections. The result is a Markdown table on standard output.
// `make bench-serve` runs it.
//
// The servers take turns, in a different order in each round. Rates are the median
// over all rounds. Ratios are the median of the ratios within each round, so that
// other load on the machine affects both servers alike. The CPU time per request is
// that of the whole server process divided by the number of requests.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) == 5 && os.Args[1] == "program" {
		fmt.Fprintln(os.Stderr, runProgram(os.Args[2], os.Args[3], os.Args[4]))
		os.Exit(1)
	}
	command := flag.String("command", "precompress", "the precompress command to measure")
	rounds := flag.Int("rounds", 15, "the number of rounds")
	turn := flag.Duration("turn", 2*time.Second, "how long each server is measured in a round, in whole seconds")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := bench(ctx, *command, *rounds, *turn); err != nil {
		fmt.Fprintln(os.Stderr, "bench-serve:", err)
		os.Exit(1)
	}
}

// bench starts every server that is installed, measures them and prints the table.
func bench(ctx context.Context, command string, rounds int, turn time.Duration) error {
	if _, err := exec.LookPath("wrk"); err != nil {
		return fmt.Errorf("%w: install wrk", err)
	}
	dir, err := os.MkdirTemp("", "bench-serve-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil { // nginx's workers may be another user
		return err
	}
	site, err := makeSite(ctx, command, dir)
	if err != nil {
		return err
	}
	var running []*server
	stop := func() {
		for _, s := range running {
			s.stop()
		}
	}
	defer stop()
	for _, p := range peers(command, dir) {
		s, err := start(ctx, p, site)
		if err != nil {
			fmt.Printf("not measured: %s: %v\n", p.name, err)
			continue
		}
		running = append(running, s)
	}
	if err := measure(ctx, running, rounds, turn); err != nil {
		return err
	}
	stop() // the CPU time of a process is known once it has exited
	fmt.Printf("%d rounds of %v per server, brotli variant of %d bytes\n\n", rounds, turn, len(site.variant))
	printTable(os.Stdout, running)
	return nil
}
