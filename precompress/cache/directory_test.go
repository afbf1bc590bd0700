package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/internal/osfile"
)

// TestMarks: a new directory is marked as a cache, in the way that backup programs
// know.
func TestMarks(t *testing.T) {
	for name, dir := range map[string]string{"new": filepath.Join(t.TempDir(), "a", "b"), "empty": t.TempDir()} {
		mustClose(t, mustOpen(t, dir, Options{}))
		data, err := os.ReadFile(filepath.Join(dir, "CACHEDIR.TAG"))
		if err != nil || !strings.HasPrefix(string(data), "Signature: 8a477f597d28d172789f06886806bc55\n") {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

// TestOnlyOurCaches: a directory that is something else is not used, not looked
// at, and nothing in it changes.
func TestOnlyOurCaches(t *testing.T) {
	shard := "ab/" + strings.Repeat("ab", 32)
	for name, files := range map[string]map[string]string{
		"other files":       {"diary.txt": "dear"},
		"names like ours":   {shard: "git has such", "growth": "1\n"},
		"another's cache":   {"CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n# of another program\n", "x": "y"},
		"only its tag":      {"CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n"},
		"tag that is empty": {"CACHEDIR.TAG": "", shard: "x"},
	} {
		dir := t.TempDir()
		for file, content := range files {
			write(t, filepath.Join(dir, filepath.FromSlash(file)), content)
		}
		if _, err := Open(dir, Options{}); !errors.Is(err, ErrNotCache) {
			t.Errorf("%s: opened: %v", name, err)
		}
		if _, err := OpenDirectory(dir); !errors.Is(err, ErrNotCache) {
			t.Errorf("%s: opened to tend it: %v", name, err)
		}
		if difference := cmp.Diff(files, names(t, dir)); difference != "" {
			t.Errorf("%s: %s", name, difference)
		}
	}
}

// TestNoCacheYet: tending makes no cache.
func TestNoCacheYet(t *testing.T) {
	empty := t.TempDir()
	for _, dir := range []string{empty, filepath.Join(empty, "missing")} {
		if _, err := OpenDirectory(dir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if found := names(t, empty); len(found) > 0 {
		t.Errorf("made %v", found)
	}
}

// TestMarkedByMany: processes that make a cache at the same time all get it.
func TestMarkedByMany(t *testing.T) {
	t.Parallel()
	for range 20 {
		dir := filepath.Join(t.TempDir(), "cache")
		var group sync.WaitGroup
		for n := range 8 {
			group.Go(func() {
				c, err := Open(dir, Options{})
				if err != nil {
					t.Error(err)
					return
				}
				c.Put(t.Context(), numberedKey(n), testEntry(n, 10))
				c.Close(t.Context())
			})
		}
		group.Wait()
		if v := verifyAll(t, dir); v.Entries != 8 {
			t.Errorf("%d entries", v.Entries)
		}
	}
}

// TestMarkerRemoved: a directory whose marker was removed while a build was at work
// is a cache afterwards, whenever it was.
func TestMarkerRemoved(t *testing.T) {
	for name, isLast := range map[string]bool{"before the last entry": false, "after it": true} {
		dir := filled(t, 2, 10)
		c := mustOpen(t, dir, Options{})
		remove := func() {
			if err := os.Remove(filepath.Join(dir, osfile.MarkerName)); err != nil {
				t.Fatal(err)
			}
		}
		if !isLast {
			remove()
		}
		c.Put(t.Context(), numberedKey(3), testEntry(3, 10))
		if isLast {
			remove()
		} else if !exists(filepath.Join(dir, osfile.MarkerName)) {
			t.Errorf("%s: a process that is killed now leaves no cache", name)
		}
		mustClose(t, c)
		if v := verifyAll(t, dir); v.Entries != 3 {
			t.Errorf("%s: %d entries", name, v.Entries)
		}
	}
}

// TestRootOfVolume: the directory that file systems have in their root does not
// count.
func TestRootOfVolume(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "lost+found"), 0o700); err != nil {
		t.Fatal(err)
	}
	mustClose(t, mustOpen(t, dir, Options{}))
}

// TestDirectoryIsFile: the error is one about the directory.
func TestDirectoryIsFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, "x")
	for _, dir := range []string{file, filepath.Join(file, "below")} {
		_, err := Open(dir, Options{})
		_, tendErr := OpenDirectory(dir)
		for _, err := range []error{err, tendErr} {
			if !errors.Is(err, ErrNotDirectory) || !strings.Contains(err.Error(), dir) {
				t.Errorf("%s: %v", dir, err)
			}
		}
	}
}
