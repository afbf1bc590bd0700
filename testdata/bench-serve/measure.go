package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"time"
)

// measure adds a rate for each round to every server, after a second of warm-up.
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

// printTable prints each server's rate, its CPU time per request, and the ratio of
// its rate to that of each server of others.
func printTable(w io.Writer, servers []*server) {
	var others []*server
	header, rule := "| server | requests/s | CPU per request |", "|---|---|---|"
	for _, s := range servers {
		if s.short != "" {
			others = append(others, s)
			header += " vs " + s.short + " |"
			rule += "---|"
		}
	}
	fmt.Fprintln(w, header)
	fmt.Fprintln(w, rule)
	for _, s := range servers {
		line := fmt.Sprintf("| %s | %.0f | %.0f µs |", s.name, median(s.rates), s.cost())
		for _, other := range others {
			line += fmt.Sprintf(" %.2f |", ratio(s, other))
		}
		fmt.Fprintln(w, line)
	}
}

// ratio returns the median of the ratios of the rates of s and to in each round.
func ratio(s, to *server) float64 {
	var all []float64
	for i := range s.rates {
		all = append(all, s.rates[i]/to.rates[i])
	}
	return median(all)
}

// median returns the median, 0 if there are no values.
func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}
