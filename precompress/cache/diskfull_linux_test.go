package cache

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/precompress/precompress/internal/osfile"
)

// TestDiskFull: one warning, hits go on, nothing is left in parts.
func TestDiskFull(t *testing.T) {
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("a small disk cannot be mounted, which needs root: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(disk, 0); err != nil {
			t.Error(err)
		}
	})
	dir := filepath.Join(disk, "cache")
	c := mustOpen(t, dir, Options{})
	const size = 300_000
	for n := range 10 {
		c.Put(t.Context(), numberedKey(n), testEntry(n, size))
	}
	for n := range 10 {
		if got, found := c.Get(t.Context(), numberedKey(n), refuse); found != (n < 3) || found && !same(got, testEntry(n, size)) {
			t.Errorf("entry %d: found %t", n, found)
		}
	}
	c.Put(t.Context(), numberedKey(20), testEntry(20, 10))
	if exists(entryFile(dir, numberedKey(20))) {
		t.Error("it goes on writing to a full disk")
	}
	if warnings := c.Close(t.Context()); len(warnings) != 1 || !strings.Contains(warnings[0], "no space left") {
		t.Errorf("warnings: %q", warnings)
	}
	if directory, _ := c.Unstored(); directory != 8 {
		t.Errorf("%d entries count as not stored", directory)
	}
	for name := range names(t, dir) {
		if osfile.IsTempName(filepath.Base(name)) {
			t.Errorf("%s is left", name)
		}
	}
	if v := verifyAll(t, dir); v.Entries != 3 || len(v.Damaged) > 0 {
		t.Errorf("got %+v", v)
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Error(err)
	}
}
