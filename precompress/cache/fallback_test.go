package cache

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestSharedHit: what one machine stored, another has after a check, and then
// in its own folder.
func TestSharedHit(t *testing.T) {
	remote := newMemoryRemote()
	one := mustOpen(t, filepath.Join(t.TempDir(), "one"), Options{Remote: remote})
	one.Put(t.Context(), numberedKey(1), testEntry(1, 100))
	mustClose(t, one)

	two := mustOpen(t, filepath.Join(t.TempDir(), "two"), Options{Remote: remote})
	checked := 0
	valid := func(e Entry) error {
		checked++
		if !same(e, testEntry(1, 100)) {
			t.Errorf("asked about %+v", e)
		}
		return nil
	}
	for range 2 {
		if e, found := two.Get(t.Context(), numberedKey(1), valid); !found || !same(e, testEntry(1, 100)) {
			t.Errorf("got %+v, %t", e, found)
		}
	}
	if checked != 1 || remote.gets != 1 {
		t.Errorf("checked %d times, asked %d times", checked, remote.gets)
	}
	mustClose(t, two)
}

// TestSharedWrong: an object that is not what it should be is a miss, does not
// get into the folder, and all of them together are one warning.
func TestSharedWrong(t *testing.T) {
	envelope := func(n int) []byte {
		b, err := encodeEnvelope(numberedKey(n), testEntry(n, 100))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for name, test := range map[string]struct {
		object []byte
		valid  func(Entry) error
		why    string
	}{
		"refused":        {envelope(1), refuse, "refused"},
		"truncated":      {envelope(1)[:60], accept, "bytes in place of"},
		"of another key": {envelope(2), accept, "another key"},
		"empty":          {nil, accept, "cut short"},
		"a page":         {[]byte(strings.Repeat("<html>", 100)), accept, "no entry"},
	} {
		remote := newMemoryRemote()
		remote.objects[numberedKey(1)] = test.object
		dir := filepath.Join(t.TempDir(), "cache")
		c := mustOpen(t, dir, Options{Remote: remote})
		for range 2 {
			if e, found := c.Get(t.Context(), numberedKey(1), test.valid); found {
				t.Errorf("%s: got %+v", name, e)
			}
		}
		if warnings := c.Close(t.Context()); len(warnings) != 1 || !strings.Contains(warnings[0], test.why) || !strings.Contains(warnings[0], "memory:test") {
			t.Errorf("%s: warnings: %q", name, warnings)
		}
		if v := verifyAll(t, dir); v.Entries != 0 {
			t.Errorf("%s: it got into the folder", name)
		}
	}
}

// TestSharedAlone: the shared store works without a folder.
func TestSharedAlone(t *testing.T) {
	remote := newMemoryRemote()
	c := mustOpen(t, "", Options{Remote: remote})
	c.Put(t.Context(), numberedKey(1), testEntry(1, 100))
	mustClose(t, c)
	c = mustOpen(t, "", Options{Remote: remote})
	if e, found := c.Get(t.Context(), numberedKey(1), accept); !found || !same(e, testEntry(1, 100)) {
		t.Errorf("got %+v, %t", e, found)
	}
	mustClose(t, c)
}
