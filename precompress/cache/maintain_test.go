package cache

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/internal/osfile"
)

func TestInfo(t *testing.T) {
	dir := filled(t, 3, 5000)
	age(t, dir, numberedKey(1), 72*time.Hour)
	write(t, filepath.Join(dir, "00", ".precompress-"+strings.Repeat("0", 16)+".tmp"), "x")
	write(t, filepath.Join(dir, "00", "notes.txt"), "x")
	got, err := mustOpenDirectory(t, dir).Info(t.Context())
	if err != nil || got.Entries != 3 || got.Leftover != 1 || got.Bytes != 7*blockSize {
		t.Errorf("got %+v, %v", got, err)
	}
	if !got.Oldest.Equal(modified(t, dir, numberedKey(1))) || time.Since(got.Newest) > time.Hour {
		t.Errorf("used from %v to %v", got.Oldest, got.Newest)
	}
}

// TestClear: all entries go, and nothing that is not ours.
func TestClear(t *testing.T) {
	t.Parallel()
	dir := filled(t, 300, 10)
	foreign := map[string]string{
		"notes.txt":                         "mine",
		"00/notes.txt":                      "mine",
		"00/" + strings.Repeat("0", 63):     "too short for an entry",
		"00/" + strings.Repeat("1", 64):     "in the wrong directory",
		"AB/" + strings.Repeat("ab", 32):    "not a directory of entries",
		"sub/00/" + numberedKey(0).String(): "deeper",
		"ff0/x.tmp":                         "no name of ours",
	}
	for name, content := range foreign {
		write(t, filepath.Join(dir, filepath.FromSlash(name)), content)
	}
	write(t, filepath.Join(dir, "01", ".precompress-"+strings.Repeat("0", 16)+".tmp"), "x")
	got, err := mustOpenDirectory(t, dir).Clear(t.Context())
	if err != nil || got.Removed != 300 || got.RemovedBytes != 301*blockSize || got.Entries != 0 || got.Bytes != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
	left := names(t, dir)
	delete(left, osfile.MarkerName)
	delete(left, growthName)
	if difference := cmp.Diff(foreign, left); difference != "" {
		t.Error(difference)
	}
	if exists(filepath.Join(dir, "02")) || !exists(filepath.Join(dir, "00")) {
		t.Error("not exactly the empty directories are gone")
	}
	mustClose(t, mustOpen(t, dir, Options{}))
}

// TestVerify: damaged entries are named and gone, whole ones stay.
func TestVerify(t *testing.T) {
	dir := filled(t, 10, 100)
	envelope, err := os.ReadFile(entryFile(dir, numberedKey(4)))
	if err != nil {
		t.Fatal(err)
	}
	write(t, entryFile(dir, numberedKey(5)), string(envelope))
	write(t, entryFile(dir, numberedKey(3)), "")
	got := verifyAll(t, dir)
	if got.Entries != 8 || got.Bytes != 8*blockSize || len(got.Damaged) != 2 {
		t.Fatalf("got %+v", got)
	}
	for i, n := range []int{3, 5} {
		d := got.Damaged[i]
		if d.Name != entryName(numberedKey(n)) || !errors.Is(d.Err, errDamaged) || !d.Removed || exists(entryFile(dir, numberedKey(n))) {
			t.Errorf("got %+v", d)
		}
	}
	if again := verifyAll(t, dir); again.Entries != 8 || len(again.Damaged) != 0 {
		t.Errorf("again: %+v", again)
	}
}
