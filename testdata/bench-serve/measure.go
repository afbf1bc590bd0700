package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"
)

// measure gives every server its turn in each round, after one to warm up.
func measure(ctx context.Context, servers []*server, rounds int, turn time.Duration) error {
	for _, s := range servers {
		if _, err := s.load(ctx, time.Second); err != nil {
			return err
		}
	}
	for range rounds {
		for _, i := range rand.Perm(len(servers)) {
			s := servers[i]
			rate, err := s.load(ctx, turn)
			if err != nil {
				return err
			}
			s.rates = append(s.rates, rate)
		}
	}
	return nil
}

// printTable prints each server's rate, the processor time of a request, and
// what the rate is to those of others.
func printTable(w io.Writer, servers []*server) {
	var others []*server
	head, rule := "| server | requests/s | CPU of one |", "|---|---|---|"
	for _, s := range servers {
		if s.short != "" {
			others = append(others, s)
			head += " to " + s.short + " |"
			rule += "---|"
		}
	}
	fmt.Fprintln(w, head)
	fmt.Fprintln(w, rule)
	for _, s := range servers {
		line := fmt.Sprintf("| %s | %.0f | %.0f µs |", s.name, median(s.rates), s.cost())
		for _, other := range others {
			line += fmt.Sprintf(" %.2f |", ratio(s, other))
		}
		fmt.Fprintln(w, line)
	}
}

// ratio is the median of the rounds' ratios.
func ratio(s, to *server) float64 {
	var all []float64
	for i := range s.rates {
		all = append(all, s.rates[i]/to.rates[i])
	}
	return median(all)
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
