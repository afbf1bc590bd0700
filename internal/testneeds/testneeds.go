// Package testneeds skips tests that this machine or this run is not for. Its
// messages have one form, so that internal/testsummary can count them.
package testneeds

import (
	"os"
	"os/exec"
	"testing"
)

// Program returns the path of a program, and skips the test where it is not
// installed.
func Program(t testing.TB, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("needs %s: not found on PATH", name)
	}
	return path
}

// Programs is Program for each of the names.
func Programs(t testing.TB, names ...string) {
	t.Helper()
	for _, name := range names {
		Program(t, name)
	}
}

// File skips the test where a file of some software is missing.
func File(t testing.TB, software, path string) {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		t.Skipf("needs %s: not found at %s", software, path)
	}
}

// Long skips the test with -short, as `make test` runs it. The reason says what
// makes the test slow.
func Long(t testing.TB, reason string) {
	t.Helper()
	if testing.Short() {
		t.Skip("left out by -short: " + reason)
	}
}
