//go:build linux || darwin

package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
)

// slowTree makes a tree that takes a second or more to build.
func slowTree(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"a.js", "b.js"} {
		var text strings.Builder
		for i := 0; text.Len() < 500_000; i++ {
			fmt.Fprintf(&text, "%s = %d;", name, i*i*7919%100_003)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// inTerminal runs precompress with standard error, and unless stdout is given
// standard output too, in a terminal, and returns what that got.
func inTerminal(t *testing.T, columns uint16, stdout io.Writer, environment string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "precompress", args...)
	cmd.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=", environment)
	cmd.Stdout = stdout
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: columns})
	if err != nil {
		t.Skipf("no pseudo-terminal: %v", err)
	}
	defer terminal.Close()
	var got bytes.Buffer
	io.Copy(&got, terminal) // ends with an error when the other end is closed
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() > exitFailed {
		t.Fatalf("%v: %s", err, got.String())
	}
	return got.String()
}

// screen returns the lines that a terminal shows after it got text, which may
// return to the line's start and clear to its end.
func screen(text string) []string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i, line := range lines {
		at := strings.LastIndex(line, "\r\x1b[K")
		if at >= 0 {
			lines[i] = line[at+len("\r\x1b[K"):]
		}
	}
	return lines
}

func TestProgressInTerminal(t *testing.T) {
	t.Parallel()
	dir := slowTree(t)
	got := inTerminal(t, 80, nil, "", "--no-cache", "-j", "1", "--codings", "br", dir)
	bar := regexp.MustCompile(`\r 50 %  \d+ kB of 1\.0 MB  [\dms]+ left  [\d.]+ [kM]B/s  \[#+-+\]\x1b\[K`)
	if !bar.MatchString(got) {
		t.Errorf("no bar with bytes, time left and rate in %q", got)
	}
	for _, part := range strings.Split(got, "\r")[1:] {
		if line, _, isBar := strings.Cut(part, "\x1b[K"); isBar && len(line) >= 80 {
			t.Errorf("%q does not fit into 80 columns", line)
		}
	}
	lines := screen(got)
	if !strings.Contains(lines[0], "2 assets, 1.0 MB") || strings.ContainsAny(lines[0], "%\r") {
		t.Errorf("the table does not follow a cleared bar: %q", lines)
	}
	if !strings.Contains(got, "\x1b[1m") {
		t.Errorf("the heading is not bold in a terminal: %q", got)
	}
}

func TestBenchProgressInTerminal(t *testing.T) {
	t.Parallel()
	got := inTerminal(t, 80, nil, "", "bench", "--runs", "2", "--levels", "br=11", slowTree(t))
	bar := regexp.MustCompile(`\r 50 %  1\.0 MB of 2\.0 MB  [\dms]+ left  [\d.]+ [kM]B/s  \[#+-+\]\x1b\[K`)
	if !bar.MatchString(got) {
		t.Errorf("no bar at half of 2 runs of 1 MB in %q", got)
	}
	if lines := screen(got); !strings.Contains(lines[0], "2 files, 1,000,") || strings.ContainsAny(lines[0], "%\r") {
		t.Errorf("the table does not follow a cleared bar: %q", lines)
	}
}

func TestNoProgress(t *testing.T) {
	t.Parallel()
	dir := slowTree(t)
	build := []string{"--force", "--codings", "br", "--include", "a.js", dir}
	for _, test := range []struct {
		name, environment string
		args              []string
	}{
		{"quiet", "", append([]string{"-q"}, build...)},
		{"dumb terminal", "TERM=dumb", build},
	} {
		if got := inTerminal(t, 80, nil, test.environment, test.args...); strings.Contains(got, "left") || strings.Contains(got, "\x1b") {
			t.Errorf("%s: the terminal got %q", test.name, got)
		}
	}
	var stdout, stderr bytes.Buffer
	cmd := exec.Command("precompress", build...)
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if stderr.Len() > 0 {
		t.Errorf("standard error is no terminal and got %q", stderr.String())
	}
}

// TestTerminalAndFile has standard output go to a file: the bar stays out of it.
func TestTerminalAndFile(t *testing.T) {
	t.Parallel()
	var stdout bytes.Buffer
	got := inTerminal(t, 40, &stdout, "", "--no-cache", "--json", "-j", "1", "--codings", "br", slowTree(t))
	if !regexp.MustCompile(`\r 50 %  \d+ kB of 1\.0 MB  [\dms]+ left\x1b\[K`).MatchString(got) {
		t.Errorf("no bar that fits 40 columns in %q", got)
	}
	if text := stdout.String(); !strings.HasPrefix(text, "{\n") || strings.Contains(text, "\x1b") {
		t.Errorf("standard output got %q", text)
	}
}

// TestColorInTerminal has a fault told of in color where standard error is a
// terminal, whatever standard output is.
func TestColorInTerminal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	makeFiles(t, dir, map[string]string{"app.js": strings.Repeat("a line of text\n", 50), "app.js.br": "foreign"})
	const bold, red = "\x1b[1m", "\x1b[31m"
	var stdout bytes.Buffer
	if got := inTerminal(t, 80, &stdout, "", dir); !strings.Contains(got, red) || strings.Contains(stdout.String(), "\x1b") {
		t.Errorf("standard error got %q, a file %q", got, stdout.String())
	}
	if got := inTerminal(t, 80, nil, "", dir); !strings.Contains(got, red) || !strings.Contains(got, bold) {
		t.Errorf("the terminal got %q", got)
	}
	for _, environment := range []string{"NO_COLOR=1", "TERM=dumb"} {
		if got := inTerminal(t, 80, nil, environment, dir); strings.Contains(got, bold) || strings.Contains(got, red) {
			t.Errorf("%s: the terminal got %q", environment, got)
		}
	}
}
