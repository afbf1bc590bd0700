package cache

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestCacheKeeps: what was put is there, in this process and the next, and is
// believed without a check.
func TestCacheKeeps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "cache")
	c := mustOpen(t, dir, Options{})
	entries := goodEntries()
	keys := make(map[string]Key)
	for name, e := range entries {
		keys[name] = numberedKey(len(keys))
		if _, found := c.Get(t.Context(), keys[name], refuse); found {
			t.Errorf("%s: found before it was put", name)
		}
		c.Put(t.Context(), keys[name], e)
	}
	for range 2 {
		for name, want := range entries {
			if got, found := c.Get(t.Context(), keys[name], refuse); !found || !same(got, want) {
				t.Errorf("%s: got %+v, %t", name, got, found)
			}
		}
		mustClose(t, c)
		c = mustOpen(t, dir, Options{})
	}
	mustClose(t, c)
}

// TestCacheWithoutDirectory: there may be none.
func TestCacheWithoutDirectory(t *testing.T) {
	c := mustOpen(t, "", Options{})
	c.Put(t.Context(), numberedKey(1), testEntry(1, 10))
	if _, found := c.Get(t.Context(), numberedKey(1), accept); found {
		t.Error("found")
	}
	mustClose(t, c)
}

// TestDamageIsMiss: whatever was made of an entry's file, it is a miss, it is
// gone after that, and the entry can be stored again.
func TestDamageIsMiss(t *testing.T) {
	t.Parallel()
	other, err := encodeEntry(numberedKey(2), testEntry(2, 100))
	if err != nil {
		t.Fatal(err)
	}
	good, err := encodeEntry(numberedKey(1), testEntry(1, 100))
	if err != nil {
		t.Fatal(err)
	}
	flipped := bytes.Clone(good)
	flipped[headerSize+50] ^= 1
	for name, content := range map[string][]byte{
		"empty": {}, "cut in the header": good[:20], "cut in the data": good[:len(good)-20], "longer": append(bytes.Clone(good), 0),
		"flipped": flipped, "of another key": other, "text": bytes.Repeat([]byte("text"), 50),
		"claims to be huge": forged(1, flagPayload, maxPayload, ""),
	} {
		dir := filled(t, 3, 100)
		file := entryFile(dir, numberedKey(1))
		if err := os.WriteFile(file, content, 0o666); err != nil {
			t.Fatal(err)
		}
		c := mustOpen(t, dir, Options{})
		if e, found := c.Get(t.Context(), numberedKey(1), accept); found {
			t.Errorf("%s: got %+v", name, e)
		}
		if _, err := os.Lstat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the file is still there: %v", name, err)
		}
		c.Put(t.Context(), numberedKey(1), testEntry(1, 100))
		if _, found := c.Get(t.Context(), numberedKey(1), accept); !found {
			t.Errorf("%s: not stored again", name)
		}
		mustClose(t, c)
	}
}

// TestLargeHole: a file that claims gigabytes costs no memory.
func TestLargeHole(t *testing.T) {
	dir := filled(t, 2, 100)
	if err := os.Truncate(entryFile(dir, numberedKey(1)), 1<<40); err != nil {
		t.Skipf("no files with holes here: %v", err)
	}
	c := mustOpen(t, dir, Options{})
	if _, found := c.Get(t.Context(), numberedKey(1), accept); found {
		t.Error("found")
	}
	mustClose(t, c)
}

// TestRecency: a hit renews the time of an entry's last use if that is old.
func TestRecency(t *testing.T) {
	dir := filled(t, 2, 100)
	age(t, dir, numberedKey(0), 48*time.Hour)
	age(t, dir, numberedKey(1), touchAfter/2)
	before := modified(t, dir, numberedKey(1))
	c := mustOpen(t, dir, Options{})
	for n := range 2 {
		if _, found := c.Get(t.Context(), numberedKey(n), accept); !found {
			t.Fatal("not found")
		}
	}
	mustClose(t, c)
	if ago := time.Since(modified(t, dir, numberedKey(0))); ago > touchAfter {
		t.Errorf("last used %v ago after a hit", ago)
	}
	if !modified(t, dir, numberedKey(1)).Equal(before) {
		t.Error("a recent time was renewed")
	}
}

func modified(t *testing.T, dir string, key Key) time.Time {
	t.Helper()
	info, err := os.Stat(entryFile(dir, key))
	if err != nil {
		t.Fatal(err)
	}
	return info.ModTime()
}

// TestManyAtOnce has several caches, as of several processes, work on one
// directory that is too small for them: everything that is found is right.
func TestManyAtOnce(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "cache")
	const caches, keys, size = 6, 60, 5000
	var group sync.WaitGroup
	for range caches {
		group.Go(func() {
			for range 3 {
				c, err := Open(dir, Options{MaxBytes: keys / 2 * 2 * blockSize})
				if err != nil {
					t.Error(err)
					return
				}
				for n := range keys {
					got, found := c.Get(t.Context(), numberedKey(n), refuse)
					if found && !same(got, testEntry(n, size)) {
						t.Errorf("a wrong entry for key %d", n)
					}
					if !found {
						c.Put(t.Context(), numberedKey(n), testEntry(n, size))
					}
				}
				if warnings := c.Close(t.Context()); len(warnings) > 0 {
					t.Errorf("warnings: %q", warnings)
				}
			}
		})
	}
	group.Wait()
	verified := verifyAll(t, dir)
	if len(verified.Damaged) > 0 {
		t.Errorf("damaged: %v", verified.Damaged)
	}
}

func verifyAll(t *testing.T, dir string) Verified {
	t.Helper()
	f := mustOpenDirectory(t, dir)
	v, err := f.Verify(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func mustOpenDirectory(t *testing.T, dir string) *Directory {
	t.Helper()
	f, err := OpenDirectory(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func BenchmarkGet(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "cache")
	c, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close(b.Context())
	const keys = 1000
	for n := range keys {
		c.Put(b.Context(), numberedKey(n), testEntry(n, 4000))
	}
	for n := 0; b.Loop(); n++ {
		if _, found := c.Get(b.Context(), numberedKey(n%keys), refuse); !found {
			b.Fatal("not found")
		}
	}
}

func BenchmarkPut(b *testing.B) {
	dir := filepath.Join(b.TempDir(), "cache")
	c, err := Open(dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close(b.Context())
	e := testEntry(1, 4000)
	for n := 0; b.Loop(); n++ {
		c.Put(b.Context(), numberedKey(n), e)
	}
}

// TestOneWarning: however often the directory fails, it is told once, and what it
// does not keep is still given to the shared store.
func TestOneWarning(t *testing.T) {
	dir := filled(t, 1, 100)
	for _, shard := range []string{"01", "02"} {
		write(t, filepath.Join(dir, shard), "not a directory")
	}
	remote := newMemoryRemote()
	c := mustOpen(t, dir, Options{Remote: remote})
	for n := range 4 {
		c.Put(t.Context(), numberedKey(n), testEntry(n, 100))
	}
	if warnings := c.Close(t.Context()); len(warnings) != 1 || !strings.Contains(warnings[0], dir) {
		t.Errorf("warnings: %q", warnings)
	}
	if v := verifyAll(t, dir); v.Entries != 2 || len(remote.objects) != 4 {
		t.Errorf("%d entries in the directory, %d in the store", v.Entries, len(remote.objects))
	}
}
