package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// output is the only part of the command that formats anything. Its rules:
// results go to standard output, sorted by path; messages, errors and progress
// go to standard error; names from the file system are quoted unless
// printable; with --json, standard output gets one object at the end and
// nothing else.
type output struct {
	stdout, stderr io.Writer
	quiet, verbose bool
	color          bool        // on stdout
	errColor       bool        // on stderr
	json           *jsonOutput // nil without --json
	mu             sync.Mutex  // held while writing: serve does so from many goroutines
	err            error       // the first error of writing to stdout
}

// outputFlags are the flags for what a command prints.
type outputFlags struct {
	quiet, verbose, json bool
	color                string // "" means auto
}

// register adds all of them.
func (f *outputFlags) register(fs *pflag.FlagSet) {
	f.registerQuiet(fs)
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print every file and coding with the reason")
	f.registerJSON(fs)
	f.registerColor(fs)
}

func (f *outputFlags) registerQuiet(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but errors")
}

func (f *outputFlags) registerJSON(fs *pflag.FlagSet) {
	fs.BoolVar(&f.json, "json", false, "print one JSON object and nothing else on standard output")
}

func (f *outputFlags) registerColor(fs *pflag.FlagSet) {
	fs.Var(parsed(&f.color, "WHEN", "auto", parseColor), "color", "color the output: always, never, or auto: on a terminal without NO_COLOR")
}

func parseColor(s string) (string, error) {
	if !slices.Contains([]string{"auto", "always", "never"}, s) {
		return "", fmt.Errorf("%q is unknown: choose auto, always or never", s)
	}
	return s, nil
}

// configure takes over the flags for output.
func (o *output) configure(f *outputFlags) error {
	o.quiet, o.verbose = f.quiet, f.verbose
	o.color, o.errColor = f.paints(o.stdout), f.paints(o.stderr)
	if f.quiet && f.verbose {
		return contradiction("quiet", "verbose")
	}
	if f.json {
		o.json = &jsonOutput{}
	}
	return nil
}

// paints reports whether what is written to w is to be in color.
func (f *outputFlags) paints(w io.Writer) bool {
	switch f.color {
	case "always":
		return true
	case "never":
		return false
	}
	return isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// result prints to standard output, unless that is not for people.
func (o *output) result(format string, args ...any) {
	if o.quiet || o.json != nil {
		return
	}
	o.print(fmt.Sprintf(format, args...))
}

// finding prints a result that --quiet does not suppress: something is wrong.
func (o *output) finding(text string) {
	if o.json == nil {
		o.print(text)
	}
}

func (o *output) print(text string) {
	o.mu.Lock()
	_, err := io.WriteString(o.stdout, text)
	first := err != nil && o.err == nil
	if first {
		o.err = err
	}
	o.mu.Unlock()
	if first {
		o.message("cannot write the result: %v", err)
	}
}

// resultWriter prints help and scripts to standard output.
type resultWriter struct{ *output }

func (w resultWriter) Write(p []byte) (int, error) {
	w.print(string(p))
	return len(p), nil
}

// message prints a line to standard error.
func (o *output) message(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	fmt.Fprintf(o.stderr, "precompress: "+format+"\n", args...)
}

// fatal prints the error that ended the command, in one line with a hint.
func (o *output) fatal(err error, code int) {
	if code == exitInterrupted {
		stopped := interruption{outcome: "what was written is whole"}
		errors.As(err, &stopped)
		o.message("interrupted; %s", stopped.outcome)
		return
	}
	text := strings.Join(strings.Fields(err.Error()), " ")
	var near suggestion
	switch {
	case errors.As(err, &near):
		text += ": " + near.hint
	case errors.Is(err, precompress.ErrNotDirectory):
		text += ": name the directory that holds the assets"
	case code == exitUsage && errors.Is(err, fs.ErrNotExist):
		text += ": check the name, or run the build that makes it first"
	}
	o.message("%s", text)
}

func (o *output) waiting(dir string) {
	if !o.quiet {
		o.message("%s: another run is at work on this directory; waiting for it", printable(dir))
	}
}

// finish ends a command's output.
func (o *output) finish(command string, ok bool) {
	if o.json != nil {
		o.print(o.json.text(command, ok))
	}
}

func (o *output) version(version string, encoders map[manifest.Coding]string) {
	o.result("precompress %s\n", version)
	for _, c := range manifest.Codings() {
		o.result("  %-4s %s\n", c, encoders[c])
	}
}

// bold is for standard output, red for standard error.
func (o *output) bold(s string) string { return paint(o.color, "1", s) }
func (o *output) red(s string) string  { return paint(o.errColor, "31", s) }

func paint(color bool, code, s string) string {
	if !color {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

// printable is a name from the file system or the network as it is printed.
func printable(name string) string { return precompress.PrintablePath(name) }

// size formats a count of bytes for people.
func size(n int64) string { return humanize.Bytes(uint64(n)) }

func saved(before, after int64) string {
	if before == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(before-after)/float64(before))
}

// count returns a number and what it counts, in the plural where that is due.
func count[N int | int64](n N, what string) string {
	return humanize.Comma(int64(n)) + " " + english.PluralWord(int(min(n, 2)), what, "")
}
