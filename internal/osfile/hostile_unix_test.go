//go:build unix

package osfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/precompress/precompress/internal/osfile"
)

// TestNotRegular: a FIFO, a device and a link to either is refused, without waiting.
func TestNotRegular(t *testing.T) {
	inBoth(t, func(t *testing.T, fsys osfile.FS, dir string, in func(string) string) {
		must(t, syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o666))
		must(t, os.Symlink("fifo", filepath.Join(dir, "link")))
		for _, name := range []string{"fifo", "link", "."} {
			if _, err := osfile.ReadFile(fsys, in(name), 9); !errors.Is(err, osfile.ErrNotRegular) {
				t.Errorf("%s: %v", name, err)
			}
		}
		for _, name := range []string{"fifo", "link"} {
			if _, err := osfile.OpenUnlinked(fsys, in(name)); !errors.Is(err, osfile.ErrNotRegular) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
	for _, flag := range []int{os.O_RDONLY, os.O_WRONLY | os.O_CREATE | os.O_APPEND} {
		if _, _, err := osfile.OpenRegular(osfile.Paths{}, os.DevNull, flag); !errors.Is(err, osfile.ErrNotRegular) {
			t.Errorf("a device: %v", err)
		}
	}
}

// TestMarkerReplaced: what is no regular file is no marker.
func TestMarkerReplaced(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(name string) error{
		"FIFO":            func(name string) error { return syscall.Mkfifo(name, 0o666) },
		"link out":        func(name string) error { return os.Symlink("/etc/passwd", name) },
		"link to nowhere": func(name string) error { return os.Symlink("nowhere", name) },
		"link to itself":  func(name string) error { return os.Symlink(osfile.MarkerName, name) },
	} {
		dir := t.TempDir()
		must(t, plant(filepath.Join(dir, osfile.MarkerName)))
		root, err := os.OpenRoot(dir)
		must(t, err)
		defer root.Close()
		if marked, free, err := osfile.NewMarker("Ours.", "").Find(root); marked || free || err != nil {
			t.Errorf("%s: marked %t, free %t, %v", name, marked, free, err)
		}
	}
}
