package osfile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/precompress/precompress/internal/osfile"
)

// TestMarker: a directory is marked, free, or somebody else's.
func TestMarker(t *testing.T) {
	t.Parallel()
	marker := osfile.NewMarker("This directory is ours.", "It may be removed.\nNothing is lost.")
	const tag = "Signature: 8a477f597d28d172789f06886806bc55\n"
	type files map[string]string
	for name, c := range map[string]struct {
		files        files
		marked, free bool
	}{
		"empty":           {nil, false, true},
		"leftover":        {files{osfile.TempName(): "x"}, false, true},
		"root of a disk":  {files{"lost+found/x": "x"}, false, true},
		"another's":       {files{"diary.txt": "dear"}, false, false},
		"another's cache": {files{osfile.MarkerName: tag + "# of another program\n"}, false, false},
		"no cache":        {files{osfile.MarkerName: ""}, false, false},
		"large":           {files{osfile.MarkerName: tag + "# This directory is ours.\n" + strings.Repeat("x", 5000)}, false, false},
		"directory":       {files{osfile.MarkerName + "/x": ""}, false, false},
		"ours":            {files{osfile.MarkerName: tag + "# This directory is ours.\n", "diary.txt": "dear"}, true, false},
	} {
		dir := t.TempDir()
		for path, content := range c.files {
			path = filepath.Join(dir, filepath.FromSlash(path))
			must(t, os.MkdirAll(filepath.Dir(path), 0o777))
			must(t, os.WriteFile(path, []byte(content), 0o666))
		}
		root, err := os.OpenRoot(dir)
		must(t, err)
		marked, free, err := marker.Find(root)
		if marked != c.marked || free != c.free || err != nil {
			t.Errorf("%s: marked %t, free %t, %v", name, marked, free, err)
		}
		if free {
			must(t, marker.Write(root, 0o666))
			if marked, _, err := marker.Find(root); !marked || err != nil {
				t.Errorf("%s: not marked, %v", name, err)
			}
			data, err := os.ReadFile(filepath.Join(dir, osfile.MarkerName))
			if want := tag + "# This directory is ours.\n# It may be removed.\n# Nothing is lost.\n"; string(data) != want || err != nil {
				t.Errorf("%s: %q, %v", name, data, err)
			}
		}
		root.Close()
	}
}

// TestLock: one at a time has a directory, and nothing is left in it.
func TestLock(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	standIn := "precompress-test" + osfile.TempName()
	waited := 0
	waiting := func() { waited++ }
	unlock, err := osfile.Lock(t.Context(), dir, standIn, waiting)
	must(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := osfile.Lock(ctx, dir, standIn, waiting); !errors.Is(err, context.DeadlineExceeded) || waited != 1 {
		t.Errorf("got %v after waiting %d times", err, waited)
	}
	must(t, unlock())
	unlock, err = osfile.Lock(t.Context(), dir, standIn, nil)
	must(t, err)
	must(t, unlock())
	if entries, err := os.ReadDir(dir); len(entries) > 0 || err != nil {
		t.Errorf("%v, %v", entries, err)
	}
	if _, err := osfile.Lock(t.Context(), filepath.Join(dir, "nosuch"), standIn, nil); err == nil {
		os.Remove(filepath.Join(os.TempDir(), standIn)) // the stand-in was locked
	}
}

// TestRealPath: links are resolved, also those that lead nowhere yet.
func TestRealPath(t *testing.T) {
	t.Parallel()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	must(t, err)
	must(t, os.Mkdir(filepath.Join(dir, "d"), 0o777))
	for link, target := range map[string]string{
		"toD": "d", "toNew": "d/new", "toAbs": filepath.Join(dir, "d", "abs"), "toLink": "toNew", "loop": "loop",
	} {
		if err := os.Symlink(target, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	for path, want := range map[string]string{
		"d": "d", "toD": "d", "toD/a/b": "d/a/b", "toNew": "d/new", "toNew/x": "d/new/x", "toAbs": "d/abs",
		"toLink": "d/new", "loop": "loop", "nosuch/../d": "d",
	} {
		if got := osfile.RealPath(filepath.Join(dir, filepath.FromSlash(path))); got != filepath.Join(dir, filepath.FromSlash(want)) {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
}
