//go:build unix

package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/precompress/precompress/cmd/precompress/internal/config"
)

// TestConfigFIFO: a FIFO by the name of the configuration file is refused. Nobody
// waits for its writer.
func TestConfigFIFO(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	if err := syscall.Mkfifo(filepath.Join(dir, config.Name), 0o666); err != nil {
		t.Skipf("no FIFO can be made here: %v", err)
	}
	for _, args := range [][]string{{"."}, {"--config", config.Name, "."}, {"config"}} {
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), args, &stdout, &stderr)
		if code != exitUsage || !strings.Contains(stderr.String(), "not a regular file") {
			t.Errorf("%q: exit code %d: %s", args, code, stderr.String())
		}
	}
}
