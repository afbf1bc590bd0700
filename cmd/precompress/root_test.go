package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// cancelingWriter cancels a context when something is written to it.
type cancelingWriter struct{ cancel context.CancelFunc }

func (w cancelingWriter) Write(p []byte) (int, error) {
	w.cancel()
	return len(p), nil
}

// TestInterruptedBetweenTrees has the signal come when the first tree is done:
// it must not pass for a run that did all.
func TestInterruptedBetweenTrees(t *testing.T) {
	for _, command := range []string{"build", "clean"} {
		one, two := t.TempDir(), t.TempDir()
		for _, dir := range []string{one, two} {
			makeFiles(t, dir, map[string]string{"app.js": strings.Repeat("a line of text\n", 50)})
		}
		args := []string{one, two}
		if command == "clean" {
			var discard bytes.Buffer
			if code := run(t.Context(), args, &discard, &discard); code != exitDone {
				t.Fatalf("exit code %d: %s", code, discard.String())
			}
			args = append([]string{command}, args...)
		}
		before := exists(filepath.Join(two, "app.js.br"))
		ctx, cancel := context.WithCancel(t.Context())
		stdout, stderr := cancelingWriter{cancel}, &bytes.Buffer{}
		if code := run(ctx, args, stdout, stderr); code != exitInterrupted {
			t.Errorf("%s: exit code %d, want %d", command, code, exitInterrupted)
		}
		if !strings.Contains(stderr.String(), "interrupted") {
			t.Errorf("%s: standard error got %q", command, stderr.String())
		}
		if exists(filepath.Join(one, "app.js.br")) == before || exists(filepath.Join(two, "app.js.br")) != before {
			t.Errorf("%s: not exactly the first tree was done", command)
		}
	}
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}
