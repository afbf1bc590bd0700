//go:build unix

package serve_test

import (
	"path/filepath"
	"syscall"
	"testing"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
)

// TestManifestFIFO: a manifest that is no regular file is refused, not waited
// for.
func TestManifestFIFO(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, manifest.Name), 0o666); err != nil {
		t.Skipf("no FIFO can be made here: %v", err)
	}
	if h, err := serve.Dir(dir, serve.Options{}); err == nil {
		h.Close()
		t.Error("a FIFO was taken for a manifest")
	}
}
