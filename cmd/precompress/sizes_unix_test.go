//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestReviewDevices: a FIFO and a device are neither a baseline nor a place for a
// summary. Nobody waits for the other end, and what has no end is not read.
func TestReviewDevices(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := os.Mkdir("site", 0o777); err != nil {
		t.Fatal(err)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o666); err != nil {
		t.Skipf("no FIFO can be made here: %v", err)
	}
	for _, name := range []string{fifo, "/dev/zero"} {
		for _, args := range [][]string{
			{"--baseline", name, "--summary", "S.md", "site"},
			{"check", "--baseline", name, "--summary", "S.md", "site"},
			{"--summary", name, "site"},
			{"check", "--summary", name, "site"},
		} {
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), args, &stdout, &stderr)
			if code != exitUsage || !strings.Contains(stderr.String(), "not a regular file: name ") {
				t.Errorf("%q: exit code %d: %s", args, code, stderr.String())
			}
		}
	}
}

// TestBaselineTooLarge: what is too large for a manifest is not read to its end.
func TestBaselineTooLarge(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("huge", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate("huge", 100); err != nil {
		t.Fatal(err)
	}
	if _, err := readRegular("huge", 99); err == nil || !strings.Contains(err.Error(), "too large: more than 99 B") {
		t.Errorf("%v, want that it is too large", err)
	}
	if data, err := readRegular("huge", 100); err != nil || len(data) != 100 {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}
