package examples_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/precompress/precompress/internal/testneeds"
)

func TestMake(t *testing.T) {
	testneeds.Programs(t, "make", "find")
	dir := example(t, "make")
	dist := filepath.Join(dir, "dist")
	upToDate := func() bool {
		later(t, filepath.Join(dir, "precompress.stamp"))
		return strings.Contains(run(t, dir, "make"), "up to date")
	}

	if upToDate() {
		t.Error("the first make did not run precompress")
	}
	compressed(t, dist)
	if !upToDate() {
		t.Error("the second make ran precompress")
	}
	for _, change := range []struct {
		name string
		do   func()
	}{
		{"edit", func() { write(t, filepath.Join(dist, "style.css"), strings.Repeat("h1 { margin: 0 }\n", 30)) }},
		{"new directory", func() {
			if err := os.Mkdir(filepath.Join(dist, "a directory"), 0o777); err != nil {
				t.Fatal(err)
			}
		}},
		{"new file", func() {
			write(t, filepath.Join(dist, "a directory", "$(a)'file.txt"), strings.Repeat("text ", 99))
		}},
		{"deletion", func() {
			if err := os.Remove(filepath.Join(dist, "a directory", "$(a)'file.txt")); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		change.do()
		if upToDate() {
			t.Errorf("%s: make did not run precompress", change.name)
		}
		compressed(t, dist)
		if !upToDate() {
			t.Errorf("%s: make ran precompress again", change.name)
		}
	}
	run(t, dir, "make", "clean")
	if got := len(files(t, dist)); got != 2 {
		t.Errorf("make clean left %d files, want the 2 assets", got)
	}
}

// later waits until a file written now would be newer than the named one.
func later(t *testing.T, name string) {
	t.Helper()
	stamp, err := os.Stat(name)
	if err != nil {
		return
	}
	probe := filepath.Join(t.TempDir(), "probe")
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		write(t, probe, "")
		if info, err := os.Stat(probe); err != nil || info.ModTime().After(stamp.ModTime()) {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("the clock of the file system does not advance")
		}
	}
}
