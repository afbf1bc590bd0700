package main

import (
	"bufio"
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// skips counts tests that were skipped, by reason.
type skips struct {
	missing      map[string]int // by what is not installed
	short, other int
}

// The messages of package testneeds.
var (
	needs = regexp.MustCompile(`needs (.+): not found `)
	short = regexp.MustCompile(`left out by -short`)
)

// add counts a test that was skipped and printed this.
func (s *skips) add(output string) {
	if match := needs.FindStringSubmatch(output); match != nil {
		s.missing[match[1]]++
	} else if short.MatchString(output) {
		s.short++
	} else {
		s.other++
	}
}

// print prints one line on tests that were skipped for what is not installed, and
// one on all others.
func (s *skips) print(out *bufio.Writer) {
	if s.short+s.other > 0 {
		fmt.Fprintf(out, "skipped: %s left out by -short, %d for other reasons (go test -v names them)\n", count(s.short), s.other)
	}
	if len(s.missing) == 0 {
		fmt.Fprintln(out, "no program that tests need was missing")
		return
	}
	names := slices.SortedFunc(maps.Keys(s.missing), func(a, b string) int {
		return cmp.Or(cmp.Compare(s.missing[b], s.missing[a]), cmp.Compare(a, b))
	})
	total := 0
	for i, name := range names {
		total += s.missing[name]
		names[i] = fmt.Sprintf("%s (%d)", name, s.missing[name])
	}
	fmt.Fprintf(out, "not installed: %s; %s skipped for that\n", strings.Join(names, ", "), count(total))
}

func count(tests int) string {
	if tests == 1 {
		return "1 test"
	}
	return fmt.Sprintf("%d tests", tests)
}
