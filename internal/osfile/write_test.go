package osfile_test

import (
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/precompress/precompress/internal/osfile"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// inBoth runs a test in a root and with plain paths. in returns the name of a file of
// the directory dir.
func inBoth(t *testing.T, test func(t *testing.T, fsys osfile.FS, dir string, in func(name string) string)) {
	t.Parallel()
	t.Run("root", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		root, err := os.OpenRoot(dir)
		must(t, err)
		defer root.Close()
		test(t, root, dir, func(name string) string { return name })
	})
	t.Run("paths", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		test(t, osfile.Paths{}, dir, func(name string) string { return filepath.Join(dir, name) })
	})
}

// wantFiles checks the names in a directory and what a file of them holds.
func wantFiles(t *testing.T, dir, name, content string, count int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil || string(data) != content {
		t.Errorf("%s has %q, %v", name, data, err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != count {
		t.Errorf("the directory has %v, %v", entries, err)
	}
}

func TestTempNames(t *testing.T) {
	name := osfile.TempName()
	if !osfile.IsTempName(name) || osfile.TempName() == name {
		t.Errorf("%q", name)
	}
	for _, other := range []string{"", ".precompress-.tmp", ".precompress-0123456789abcde.tmp", ".precompress-0123456789abcdeF.tmp", "x" + name, name + "x"} {
		if osfile.IsTempName(other) {
			t.Errorf("%q is taken for one of ours", other)
		}
	}
}

// TestWriteFile: a file is made and replaced, and whoever had the old one open still
// reads it.
func TestWriteFile(t *testing.T) {
	inBoth(t, func(t *testing.T, fsys osfile.FS, dir string, in func(string) string) {
		must(t, osfile.WriteFile(fsys, in("a"), []byte("old"), 0o640))
		old, err := os.Open(filepath.Join(dir, "a"))
		must(t, err)
		defer old.Close()
		if info, err := old.Stat(); err != nil || info.Mode().Perm()&^0o640 != 0 {
			t.Errorf("the mode is %v, %v", info.Mode(), err)
		}
		must(t, osfile.WriteFile(fsys, in("a"), []byte("new"), 0o640))
		wantFiles(t, dir, "a", "new", 1)
		if was, err := io.ReadAll(old); string(was) != "old" || err != nil {
			t.Errorf("read %q, %v", was, err)
		}
		must(t, os.Mkdir(filepath.Join(dir, "b"), 0o777))
		must(t, osfile.WriteFile(fsys, in("b/c"), nil, 0o666))
		wantFiles(t, filepath.Join(dir, "b"), "c", "", 1)
		if err := osfile.WriteFile(fsys, in("nosuch/a"), nil, 0o666); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("in a directory that is missing: %v", err)
		}
	})
}

// TestWriteFails: the file is as it was, and nothing is left.
func TestWriteFails(t *testing.T) {
	inBoth(t, func(t *testing.T, fsys osfile.FS, dir string, in func(string) string) {
		fault := errors.New("fault")
		must(t, osfile.WriteFile(fsys, in("a"), []byte("old"), 0o666))
		for _, attr := range []*osfile.Attributes{nil, {Mode: 0o600}} {
			err := osfile.Write(fsys, in("a"), attr, func(w io.Writer) error {
				io.WriteString(w, "new")
				return fault
			})
			if !errors.Is(err, fault) {
				t.Errorf("got %v", err)
			}
			wantFiles(t, dir, "a", "old", 1)
		}
		must(t, os.MkdirAll(filepath.Join(dir, "d", "full"), 0o777))
		if err := osfile.WriteFile(fsys, in("d"), nil, 0o666); err == nil {
			t.Error("a directory was replaced")
		}
		wantFiles(t, dir, "a", "old", 2)
	})
}

// TestAttributes: a file gets the mode and the time of another, at once or later.
func TestAttributes(t *testing.T) {
	inBoth(t, func(t *testing.T, fsys osfile.FS, dir string, in func(string) string) {
		fill := func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err }
		for _, want := range []osfile.Attributes{
			{Mode: 0o444, ModTime: time.Unix(1e9, 5e8)}, {Mode: 0o646, ModTime: time.Unix(0, 0)},
		} {
			must(t, osfile.Write(fsys, in("a"), &want, fill))
			info, err := os.Stat(filepath.Join(dir, "a"))
			must(t, err)
			if got := osfile.AttributesOf(info); !want.Match(info) || !got.Match(info) {
				t.Errorf("got %v, want %v", got, want)
			}
			other := osfile.Attributes{Mode: 0o600, ModTime: time.Unix(2e9, 0)}
			must(t, other.Set(fsys, in("a"), info))
			if info, err = os.Stat(filepath.Join(dir, "a")); err != nil || !other.Match(info) || want.Match(info) {
				t.Errorf("got %v, want %v, %v", osfile.AttributesOf(info), other, err)
			}
		}
		must(t, osfile.Write(fsys, in("a"), &osfile.Attributes{Mode: 0o640}, fill))
		info, err := os.Stat(filepath.Join(dir, "a"))
		if err != nil || info.Mode().Perm() != 0o640 || time.Since(info.ModTime()).Abs() > time.Hour {
			t.Errorf("without a time: %v, %v", osfile.AttributesOf(info), err)
		}
	})
}

// fileInfo is the state of a file that was changed at some time.
type fileInfo struct {
	fs.FileInfo
	at time.Time
}

func (f fileInfo) Mode() fs.FileMode  { return 0o644 | fs.ModeSetuid }
func (f fileInfo) ModTime() time.Time { return f.at }

// TestExtremeTimes: those that cannot be set become the nearest that can.
func TestExtremeTimes(t *testing.T) {
	earliest, latest := time.Unix(0, math.MinInt64), time.Unix(0, math.MaxInt64)
	for _, c := range []struct{ at, want time.Time }{
		{time.Unix(7, 7), time.Unix(7, 7)}, {latest.Add(time.Hour), latest}, {earliest.Add(-time.Hour), earliest},
	} {
		if got := osfile.AttributesOf(fileInfo{at: c.at}); !got.ModTime.Equal(c.want) || got.Mode != 0o644 {
			t.Errorf("%v: got %v", c.at, got)
		}
	}
}

func TestCanWrite(t *testing.T) {
	inBoth(t, func(t *testing.T, fsys osfile.FS, dir string, in func(string) string) {
		must(t, osfile.WriteFile(fsys, in("a"), []byte("a"), 0o666))
		must(t, osfile.CanWrite(fsys, in("a")))
		must(t, osfile.CanWrite(fsys, in("new")))
		if err := osfile.CanWrite(fsys, in("nosuch/a")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("in a directory that is missing: %v", err)
		}
		wantFiles(t, dir, "a", "a", 1)
	})
}
