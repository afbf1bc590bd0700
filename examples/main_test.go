// Package examples_test runs the examples with the command of this module.
package examples_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestMain puts the command on PATH, where the examples expect it, with a cache of
// its own.
func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "precompress-examples-")
	if err == nil {
		err = provide(dir)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

func provide(dir string) error {
	command := exec.Command("go", "build", "-o", filepath.Join(dir, "bin")+string(filepath.Separator), "../cmd/precompress")
	if output, err := command.CombinedOutput(); err != nil {
		return fmt.Errorf("%v: %w\n%s", command, err, output)
	}
	for name, value := range map[string]string{
		"PATH":                  filepath.Join(dir, "bin") + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"PRECOMPRESS_CACHE_DIR": filepath.Join(dir, "cache"),
		"GITHUB_STEP_SUMMARY":   "", // of the workflow that runs these tests
	} {
		if err := os.Setenv(name, value); err != nil {
			return err
		}
	}
	return nil
}

// example returns the directory of a copy of an example.
func example(t *testing.T, name string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), name)
	if err := os.CopyFS(dir, os.DirFS(name)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// site returns the directory of a copy of testdata/site, compressed with the given
// flags.
func site(t *testing.T, flags ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	if err := os.CopyFS(dir, os.DirFS("../testdata/site")); err != nil {
		t.Fatal(err)
	}
	run(t, ".", "precompress", append([]string{"--quiet", dir}, flags...)...)
	return dir
}

// run runs a program that must succeed, and returns its output.
func run(t *testing.T, dir, program string, args ...string) string {
	t.Helper()
	command := exec.Command(program, args...)
	command.Dir = dir
	return output(t, command)
}

func output(t *testing.T, command *exec.Cmd) string {
	t.Helper()
	output, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", command, err, output)
	}
	return string(output)
}

func read(t *testing.T, elements ...string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(elements...))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// replaced returns text with old, which must occur exactly once, replaced by new.
func replaced(t *testing.T, text, old, new string) string {
	t.Helper()
	if n := strings.Count(text, old); n != 1 {
		t.Fatalf("%q occurs %d times, want once:\n%s", old, n, text)
	}
	return strings.Replace(text, old, new, 1)
}
