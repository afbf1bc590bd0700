package cache

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
)

// TestSharedHit: what one machine stored, another has after a check, and then
// in its own directory.
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
// get into the directory, and all of them together are one warning.
func TestSharedWrong(t *testing.T) {
	envelope := func(n int) []byte {
		b, err := encodeEntry(numberedKey(n), testEntry(n, 100))
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
		"refused":        {envelope(1), refuse, "an object is not the result of encoding its source"},
		"truncated":      {envelope(1)[:60], accept, "an object is damaged"},
		"of another key": {envelope(2), accept, "an object is damaged"},
		"empty":          {nil, accept, "an object is damaged"},
		"a page":         {[]byte(strings.Repeat("<html>", 100)), accept, "an object is damaged"},
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
			t.Errorf("%s: it got into the directory", name)
		}
	}
}

// TestSharedAlone: the shared store works without a directory.
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

// TestSharedWrongKinds: objects that are each damaged in another way are one kind.
func TestSharedWrongKinds(t *testing.T) {
	remote := newMemoryRemote()
	for n := range 5 {
		remote.objects[numberedKey(n)] = make([]byte, 60+n)
	}
	c := mustOpen(t, "", Options{Remote: remote})
	for n := range 5 {
		c.Get(t.Context(), numberedKey(n), accept)
	}
	if warnings := c.Close(t.Context()); len(warnings) != 1 || !strings.Contains(warnings[0], "5 times") {
		t.Errorf("warnings: %q", warnings)
	}
}

// TestComplete: what the directory has and the store lacks gets into the store, if
// that is asked for; what cannot is counted.
func TestComplete(t *testing.T) {
	dir := filled(t, 6, 100)
	remote := newMemoryRemote()
	look := func(n int, opts Options) (directory, shared int) {
		opts.Remote = remote
		c := mustOpen(t, dir, opts)
		for i := range n {
			if _, found := c.Get(t.Context(), numberedKey(i), refuse); !found {
				t.Errorf("entry %d is not found", i)
			}
		}
		mustClose(t, c)
		return c.Unstored()
	}
	for _, step := range []struct {
		entries int
		opts    Options
		shared  int
		objects int
	}{
		{2, Options{}, 0, 0},
		{2, Options{Complete: true, Mode: ReadOnly}, 2, 0},
		{2, Options{Complete: true}, 0, 2},
		{6, Options{Complete: true, Mode: WriteOnly}, 0, 6},
	} {
		directory, shared := look(step.entries, step.opts)
		if directory != 0 || shared != step.shared || len(remote.objects) != step.objects {
			t.Errorf("%+v: %d and %d not stored, %d objects", step.opts, directory, shared, len(remote.objects))
		}
	}
	before := remote.objects[numberedKey(0)]
	remote.objects[numberedKey(1)] = []byte("damaged")
	look(2, Options{Complete: true})
	if &before[0] != &remote.objects[numberedKey(0)][0] || len(remote.objects[numberedKey(1)]) < 100 {
		t.Error("not exactly the damaged object was stored again")
	}
}

// TestUnstored: entries that nothing takes are counted, whatever the reason.
func TestUnstored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, put := range map[string]func(context.Context, int) error{
			"denies":       func(context.Context, int) error { return ErrDenied },
			"hangs":        func(ctx context.Context, _ int) error { return after(ctx, forever) },
			"is not there": func(context.Context, int) error { return errors.New("connection refused") },
		} {
			c := mustOpen(t, "", Options{Remote: &fakeRemote{put: put}})
			for n := range 10 {
				c.Put(t.Context(), numberedKey(n), testEntry(n, 100))
			}
			c.Close(t.Context())
			if directory, shared := c.Unstored(); directory != 10 || shared != 10 {
				t.Errorf("%s: %d and %d", name, directory, shared)
			}
		}
	})
}
