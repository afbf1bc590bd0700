// Command bench-serve measures static servers side by side: over loopback,
// with wrk, one thread and 16 connections, a brotli variant of 30 kB. It prints
// a table in Markdown. `make bench-serve` runs it.
//
// The servers take turns, in another order in each round. A number is the
// median of the rounds, a ratio the median of the rounds' ratios: what else the
// machine does concerns all that run in a round. The processor time of a
// request is the whole server's.
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
	rounds := flag.Int("rounds", 15, "how often each server has its turn")
	turn := flag.Duration("turn", 2*time.Second, "how long a turn takes, in whole seconds")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := bench(ctx, *command, *rounds, *turn); err != nil {
		fmt.Fprintln(os.Stderr, "bench-serve:", err)
		os.Exit(1)
	}
}

// bench starts every server that is there, measures, and prints the table.
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
	stop() // what they have cost is known then
	fmt.Printf("%d rounds of %v a server, brotli variant of %d bytes\n\n", rounds, turn, len(site.variant))
	printTable(os.Stdout, running)
	return nil
}
