package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// event is a line of `go test -json`; see `go doc test2json` and `go help buildjson`.
type event struct {
	Action  string
	Package string
	Test    string
	Output  string
}

// results collects what the stream says.
type results struct {
	out    *bufio.Writer
	open   map[string]*pkg // packages without a result
	passed int
	failed int
	skips  skips
}

// pkg is a package whose tests run.
type pkg struct {
	output []event
	tests  []string          // in the order in which they start
	action map[string]string // of each test: its result, or none
}

// summarize prints a stream of `go test -json`, and a summary behind it. The
// error says that something failed, or that the stream is not whole.
func summarize(stream io.Reader, out *bufio.Writer) error {
	r := &results{out: out, open: map[string]*pkg{}, skips: skips{missing: map[string]int{}}}
	lines := bufio.NewReader(stream)
	for {
		line, err := lines.ReadString('\n')
		r.line(line)
		if errors.Is(err, io.EOF) {
			return r.end()
		}
		if err != nil {
			return errors.Join(err, r.end())
		}
	}
}

func (r *results) line(line string) {
	var e event
	switch err := json.Unmarshal([]byte(line), &e); {
	case err != nil || e.Action == "": // not of the stream
		r.out.WriteString(line)
	case e.Package == "": // of a build
		r.out.WriteString(e.Output)
	default:
		r.event(e)
	}
}

func (r *results) event(e event) {
	p := r.open[e.Package]
	if p == nil {
		p = &pkg{action: map[string]string{}}
		r.open[e.Package] = p
	}
	if _, known := p.action[e.Test]; !known && e.Test != "" {
		p.tests, p.action[e.Test] = append(p.tests, e.Test), ""
	}
	switch e.Action {
	case "output":
		p.output = append(p.output, e)
	case "pass", "fail", "skip":
		if e.Test != "" {
			p.action[e.Test] = e.Action
			if e.Action == "skip" {
				r.skips.add(p.outputOf(e.Test))
			}
			return
		}
		r.close(e.Package, e.Action)
	}
}

// close prints what came of a package.
func (r *results) close(name, action string) {
	p := r.open[name]
	delete(r.open, name)
	if action == "fail" {
		r.failed++
		p.printFailure(r.out)
	} else {
		r.passed++
		p.printResult(r.out)
	}
	r.out.Flush()
}

// end prints the summary, and returns an error if something failed or is missing.
func (r *results) end() error {
	var unfinished []string
	for name := range r.open {
		unfinished = append(unfinished, name)
	}
	slices.Sort(unfinished)
	for _, name := range unfinished {
		r.close(name, "fail")
		fmt.Fprintf(r.out, "FAIL\t%s\t[no result]\n", name)
	}
	r.skips.print(r.out)
	switch {
	case unfinished != nil:
		return fmt.Errorf("the stream ended before the result of %s", strings.Join(unfinished, ", "))
	case r.failed > 0:
		return fmt.Errorf("packages that failed: %d of %d", r.failed, r.failed+r.passed)
	case r.passed == 0:
		return errors.New("no package was tested")
	}
	return nil
}

func (p *pkg) outputOf(test string) (text string) {
	for _, e := range p.output {
		if e.Test == test {
			text += e.Output
		}
	}
	return text
}

// printResult prints the one line that go test prints of a package that passed.
func (p *pkg) printResult(out *bufio.Writer) {
	for line := range strings.Lines(p.outputOf("")) {
		if strings.HasPrefix(line, "ok  \t") || strings.HasPrefix(line, "?   \t") {
			out.WriteString(line)
		}
	}
}

// progress are the lines that tell when a test starts and waits.
var progress = regexp.MustCompile(`^=== (RUN|PAUSE|CONT|NAME) `)

// printFailure prints what the tests that failed printed, test by test, and then
// what belongs to none. Where it is not clear which test failed, as after a
// crash, that is the output of all.
func (p *pkg) printFailure(out *bufio.Writer) {
	actions := slices.Collect(maps.Values(p.action))
	all := slices.Contains(actions, "") || !slices.Contains(actions, "fail")
	for _, test := range append(p.tests, "") {
		if test != "" && !all && p.action[test] != "fail" {
			continue
		}
		for line := range strings.Lines(p.outputOf(test)) {
			if !progress.MatchString(line) {
				out.WriteString(line)
			}
		}
		if test != "" && p.action[test] == "" {
			fmt.Fprintf(out, "--- FAIL: %s (no result)\n", test)
		}
	}
}
