//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/precompress/precompress/internal/osfile"
)

// TestReplaceFile: the new content has the old file's name and mode, a link stays
// one, nothing else is left in the directory, and what is no file is refused.
func TestReplaceFile(t *testing.T) {
	dir := t.TempDir()
	name, link := filepath.Join(dir, "page.html"), filepath.Join(dir, "link.html")
	if err := os.WriteFile(name, []byte("old"), 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("page.html", link); err != nil {
		t.Fatal(err)
	}
	old, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	if err := replaceFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got := read(t, dir, "page.html"); got != "new" {
		t.Errorf("the file has %q", got)
	}
	was := make([]byte, 3)
	if _, err := old.ReadAt(was, 0); err != nil || string(was) != "old" {
		t.Errorf("who had the file open reads %q, %v", was, err)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("the mode is %v, %v", info.Mode(), err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode().Type() != os.ModeSymlink {
		t.Errorf("the link is %v, %v", info.Mode(), err)
	}
	fifo := filepath.Join(dir, "fifo")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{fifo, dir, os.DevNull} {
		if err := replaceFile(bad, nil); !errors.Is(err, osfile.ErrNotRegular) {
			t.Errorf("%s: %v", bad, err)
		}
	}
	if err := replaceFile(filepath.Join(dir, "nosuch", "page.html"), nil); err == nil {
		t.Error("a page in a directory that is not there")
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 3 {
		t.Errorf("the directory has %v, %v", entries, err)
	}
}
