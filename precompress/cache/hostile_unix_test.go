//go:build unix

package cache

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/internal/osfile"
)

// TestHostile puts things in the place of an entry, its directory and the other
// files of ours. Whatever is done with such a cache ends, warns at most once,
// finds nothing wrong, and changes nothing outside.
func TestHostile(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, filepath.Join(outside, "file"), "outside")
	write(t, filepath.Join(outside, "directory", numberedKey(1).String()), "outside")
	before := names(t, outside)
	things := map[string]func(name string) error{
		"FIFO":                func(name string) error { return syscall.Mkfifo(name, 0o666) },
		"directory":           func(name string) error { return os.MkdirAll(filepath.Join(name, "full"), 0o777) },
		"empty directory":     func(name string) error { return os.Mkdir(name, 0o777) },
		"empty file":          func(name string) error { return os.WriteFile(name, nil, 0o666) },
		"link to itself":      func(name string) error { return os.Symlink(filepath.Base(name), name) },
		"link to nowhere":     func(name string) error { return os.Symlink("nowhere", name) },
		"link to a file":      func(name string) error { return os.Symlink(filepath.Join(outside, "file"), name) },
		"link to a directory": func(name string) error { return os.Symlink(filepath.Join(outside, "directory"), name) },
		"link up":             func(name string) error { return os.Symlink("../../..", name) },
		"device":              func(name string) error { return os.Symlink("/dev/zero", name) },
	}
	for thing, put := range things {
		for _, place := range []string{entryName(numberedKey(1)), "01", growthName, "02", "01/" + ".precompress-" + strings.Repeat("0", 16) + ".tmp"} {
			t.Run(thing+" at "+place[:2], func(t *testing.T) {
				dir := filled(t, 5, 100)
				name := filepath.Join(dir, filepath.FromSlash(place))
				if err := os.RemoveAll(name); err != nil {
					t.Fatal(err)
				}
				if err := put(name); err != nil {
					t.Skipf("cannot make it: %v", err)
				}
				useHostile(t, dir)
			})
		}
	}
	if difference := cmp.Diff(before, names(t, outside)); difference != "" {
		t.Errorf("changed outside: %s", difference)
	}
}

// useHostile does all that can be done with a cache.
func useHostile(t *testing.T, dir string) {
	c := mustOpen(t, dir, Options{MaxBytes: 2 * blockSize})
	for range 2 {
		for n := range 7 {
			if got, found := c.Get(t.Context(), numberedKey(n), refuse); found && !same(got, testEntry(n, 100)) {
				t.Errorf("got %+v", got)
			}
			c.Put(t.Context(), numberedKey(n), testEntry(n, 100))
		}
	}
	if warnings := c.Close(t.Context()); len(warnings) > 1 {
		t.Errorf("warnings: %q", warnings)
	}
	f := mustOpenDirectory(t, dir)
	f.now = func() time.Time { return time.Now().Add(24 * time.Hour) }
	if _, err := f.Info(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := f.Verify(t.Context()); err != nil {
		t.Error(err)
	}
	f.Prune(t.Context(), 1, 0) // its errors are the system's
	f.Clear(t.Context())
}

// TestMarkerReplaced: a directory whose marker became something else is no cache.
func TestMarkerReplaced(t *testing.T) {
	for _, thing := range []func(name string) error{
		func(name string) error { return syscall.Mkfifo(name, 0o666) },
		func(name string) error { return os.Mkdir(name, 0o777) },
		func(name string) error { return os.Symlink("/etc/passwd", name) },
	} {
		dir := filled(t, 2, 10)
		name := filepath.Join(dir, osfile.MarkerName)
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if err := thing(name); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(dir, Options{}); !errors.Is(err, ErrNotCache) {
			t.Errorf("opened: %v", err)
		}
	}
}

// TestDeadLink: a link that leads to no directory is told from a directory that is not
// there yet.
func TestDeadLink(t *testing.T) {
	link := filepath.Join(t.TempDir(), "link")
	for _, target := range []string{"nowhere", "link"} {
		os.Remove(link)
		if err := os.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		for _, create := range []bool{true, false} {
			_, err := openDirectory(link, create)
			if !errors.Is(err, ErrNotDirectory) || !strings.Contains(err.Error(), "a link leads to what is not there") {
				t.Errorf("to %s, create %t: %v", target, create, err)
			}
		}
	}
	os.Remove(link)
	os.Symlink("nowhere", link)
	if _, err := Open(filepath.Join(link, "below"), Options{}); !errors.Is(err, ErrNotDirectory) {
		t.Errorf("below: %v", err)
	}
}

// TestMisplaced: what stands in the place of entries is reported, and removed if
// nothing can be lost by that.
func TestMisplaced(t *testing.T) {
	t.Parallel()
	plant := func() (dir string) {
		dir = filled(t, 8, 100)
		at := func(n int) string { return entryFile(dir, numberedKey(n)) }
		for n := 1; n < 5; n++ {
			os.Remove(at(n))
		}
		os.RemoveAll(filepath.Join(dir, "05"))
		os.RemoveAll(filepath.Join(dir, "06"))
		write(t, filepath.Join(at(1), "mine"), "mine")
		os.Mkdir(at(2), 0o777)
		os.Symlink("/etc", at(3))
		os.Symlink("/etc", filepath.Join(dir, "05"))
		write(t, filepath.Join(dir, "06"), "mine")
		return dir
	}
	stay := []string{"01/" + numberedKey(1).String(), "06"}
	dir := plant()
	got := verifyAll(t, dir)
	if got.Entries != 2 || len(got.Damaged) != 5 {
		t.Errorf("verified: %+v", got)
	}
	for _, d := range got.Damaged {
		if d.Removed == slices.Contains(stay, d.Name) || exists(filepath.Join(dir, d.Name)) == d.Removed {
			t.Errorf("%+v", d)
		}
	}
	dir = plant()
	cleared, err := mustOpenDirectory(t, dir).Clear(t.Context())
	if err != nil || cleared.Failed != 2 || cleared.Err == nil || !strings.Contains(cleared.Err.Error(), "by hand") {
		t.Errorf("cleared: %+v, %v", cleared, err)
	}
	left := names(t, dir)
	delete(left, osfile.MarkerName)
	delete(left, growthName)
	if difference := cmp.Diff(map[string]string{stay[0] + "/mine": "mine", "06": "mine"}, left); difference != "" {
		t.Error(difference)
	}
}

// TestUnwritable: hits go on, what cannot be stored is one warning.
func TestUnwritable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("permissions do not bind root")
	}
	dir := filled(t, 2, 100)
	for _, name := range []string{"00", "01", "."} {
		if err := os.Chmod(filepath.Join(dir, name), 0o555); err != nil {
			t.Fatal(err)
		}
		defer os.Chmod(filepath.Join(dir, name), 0o777)
	}
	c := mustOpen(t, dir, Options{})
	if _, found := c.Get(t.Context(), numberedKey(1), refuse); !found {
		t.Error("no hit")
	}
	for n := 2; n < 5; n++ {
		c.Put(t.Context(), numberedKey(n), testEntry(n, 100))
		c.Put(t.Context(), numberedKey(n*256), testEntry(n, 100))
	}
	if warnings := c.Close(t.Context()); len(warnings) != 1 || !strings.Contains(warnings[0], "permission denied") || !strings.Contains(warnings[0], dir) {
		t.Errorf("warnings: %q", warnings)
	}
}
