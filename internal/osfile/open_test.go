package osfile_test

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/osfile"
)

func TestReadFile(t *testing.T) {
	inBoth(t, func(t *testing.T, fsys osfile.FS, dir string, in func(string) string) {
		must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("12345"), 0o666))
		must(t, os.Mkdir(filepath.Join(dir, "d"), 0o777))
		for limit, isTaken := range map[int64]bool{4: false, 5: true, 6: true} {
			data, err := osfile.ReadFile(fsys, in("a"), limit)
			if isTaken != (string(data) == "12345" && err == nil) || !isTaken && !errors.Is(err, osfile.ErrTooLarge) {
				t.Errorf("limit %d: %q, %v", limit, data, err)
			}
		}
		if _, err := osfile.ReadFile(fsys, in("d"), 9); !errors.Is(err, osfile.ErrNotRegular) {
			t.Errorf("a directory: %v", err)
		}
		for _, name := range []string{"nosuch", "nosuch/a", "a/b"} {
			if _, err := osfile.ReadFile(fsys, in(name), 9); !osfile.IsNotExist(err) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

// TestOpenUnlinked: unlike OpenRegular, it follows no link.
func TestOpenUnlinked(t *testing.T) {
	inBoth(t, func(t *testing.T, fsys osfile.FS, dir string, in func(string) string) {
		must(t, os.WriteFile(filepath.Join(dir, "a"), []byte("a"), 0o666))
		if err := os.Symlink("a", filepath.Join(dir, "link")); err != nil {
			t.Skip(err)
		}
		f, err := osfile.OpenUnlinked(fsys, in("a"))
		must(t, err)
		f.Close()
		if _, err := osfile.OpenUnlinked(fsys, in("link")); !errors.Is(err, osfile.ErrNotRegular) {
			t.Errorf("got %v", err)
		}
		f, info, err := osfile.OpenRegular(fsys, in("link"), os.O_RDONLY)
		must(t, err)
		f.Close()
		if info.Size() != 1 {
			t.Errorf("%d bytes", info.Size())
		}
	})
}

// TestOpenRegularCreates: with that flag, a file is made where there is none.
func TestOpenRegularCreates(t *testing.T) {
	inBoth(t, func(t *testing.T, fsys osfile.FS, dir string, in func(string) string) {
		for _, text := range []string{"a", "b"} {
			f, _, err := osfile.OpenRegular(fsys, in("log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND)
			must(t, err)
			_, err = f.WriteString(text)
			must(t, errors.Join(err, f.Close()))
		}
		wantFiles(t, dir, "log", "ab", 1)
	})
}

func TestContextReader(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r := osfile.ContextReader{Ctx: ctx, Reader: strings.NewReader("abc")}
	if n, err := r.Read(make([]byte, 1)); n != 1 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
	cancel()
	if _, err := io.ReadAll(r); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestBareError(t *testing.T) {
	_, err := os.Open(filepath.Join(t.TempDir(), "nosuch"))
	renamed := os.Rename(filepath.Join(t.TempDir(), "nosuch"), filepath.Join(t.TempDir(), "a"))
	for _, err := range []error{err, renamed} {
		if bare := osfile.BareError(err); !errors.Is(bare, fs.ErrNotExist) || strings.Contains(bare.Error(), "nosuch") {
			t.Errorf("%v", bare)
		}
	}
	if osfile.BareError(io.EOF) != io.EOF || osfile.BareError(nil) != nil {
		t.Error("another error changed")
	}
}
