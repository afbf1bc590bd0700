package cache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// fakeRemote is a store that does what a test wants. Unless it is told
// otherwise, it keeps what is put.
type fakeRemote struct {
	get func(ctx context.Context, n int) ([]byte, error) // the nth lookup
	put func(ctx context.Context, n int) error

	gets, puts atomic.Int64
	at, most   atomic.Int64 // requests at work, and their largest number
	mu         sync.Mutex
	objects    map[Key][]byte
}

func (f *fakeRemote) String() string { return "fake://store" }

func (f *fakeRemote) enter() func() {
	n := f.at.Add(1)
	for m := f.most.Load(); n > m && !f.most.CompareAndSwap(m, n); m = f.most.Load() {
	}
	return func() { f.at.Add(-1) }
}

func (f *fakeRemote) Get(ctx context.Context, key Key) ([]byte, error) {
	defer f.enter()()
	if n := int(f.gets.Add(1)); f.get != nil {
		return f.get(ctx, n)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if data, found := f.objects[key]; found {
		return data, nil
	}
	return nil, fs.ErrNotExist
}

func (f *fakeRemote) Put(ctx context.Context, key Key, data []byte) error {
	defer f.enter()()
	if n := int(f.puts.Add(1)); f.put != nil {
		if err := f.put(ctx, n); err != nil {
			return err
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.objects == nil {
		f.objects = make(map[Key][]byte)
	}
	f.objects[key] = data
	return nil
}

// after lets time go by, of which the tests' bubbles have their own.
func after(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

const forever = 1000 * time.Hour

func testKey(n int) Key { return Subject{Level: n}.Key() }

// lookUp asks for n keys, as many at a time as the store wants, and returns the
// number of hits.
func lookUp(s *sharedStore, n int) int64 {
	var hits atomic.Int64
	var wg sync.WaitGroup
	keys := make(chan Key)
	for range s.parallel() {
		wg.Go(func() {
			for key := range keys {
				if _, ok := s.get(context.Background(), key); ok {
					hits.Add(1)
				}
			}
		})
	}
	for i := range n {
		keys <- testKey(i)
	}
	close(keys)
	wg.Wait()
	return hits.Load()
}

// wantWarnings compares warnings with parts of them, one each.
func wantWarnings(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d warnings in place of %d: %q", len(got), len(want), got)
	}
	for i, w := range want {
		if !strings.HasPrefix(got[i], "shared cache fake://store: ") || !strings.Contains(got[i], w) {
			t.Errorf("warning %q, want %q in it", got[i], w)
		}
	}
}

func TestSharedKeeps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeRemote{}
		s := newShared(f, ReadWrite, defaultLimits())
		if _, ok := s.get(t.Context(), testKey(1)); ok {
			t.Error("an empty store has an object")
		}
		s.put(testKey(1), []byte("one"))
		wantWarnings(t, s.close(t.Context()))
		s = newShared(f, ReadWrite, defaultLimits())
		if data, ok := s.get(t.Context(), testKey(1)); !ok || string(data) != "one" {
			t.Errorf("got %q, %t", data, ok)
		}
		wantWarnings(t, s.close(t.Context()))
	})
}

func TestSharedModes(t *testing.T) {
	for mode, want := range map[Mode][2]int64{ReadWrite: {1, 1}, ReadOnly: {1, 0}, WriteOnly: {0, 1}} {
		t.Run(mode.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeRemote{}
				s := newShared(f, mode, defaultLimits())
				s.get(t.Context(), testKey(1))
				s.put(testKey(1), nil)
				wantWarnings(t, s.close(t.Context()))
				if got := [2]int64{f.gets.Load(), f.puts.Load()}; got != want {
					t.Errorf("lookups and uploads %v, want %v", got, want)
				}
			})
			if parsed, err := ParseMode(mode.String()); err != nil || parsed != mode {
				t.Errorf("read as %v, %v", parsed, err)
			}
		})
	}
	if _, err := ParseMode("rw"); err == nil || !strings.Contains(err.Error(), "read, write or readwrite") {
		t.Errorf("an unknown mode: %v", err)
	}
}

// TestSharedLookupFaults: whatever a store does, 1,000 lookups from it cost a
// few seconds and a warning, and it is left alone afterwards.
func TestSharedLookupFaults(t *testing.T) {
	broken := errors.New("broken")
	for name, test := range map[string]struct {
		get     func(ctx context.Context, n int) ([]byte, error)
		atMost  time.Duration
		lookups int64
		warning string
		writes  bool // is still written to
	}{
		"hangs":   {func(ctx context.Context, _ int) ([]byte, error) { return nil, after(ctx, forever) }, 20 * time.Second, 32, "failed once: context deadline exceeded; nothing more was looked up or stored in this run", false},
		"refuses": {func(context.Context, int) ([]byte, error) { return nil, broken }, 0, 96, "times: broken; nothing more was looked up or stored in this run", false},
		"fails slowly": {func(ctx context.Context, _ int) ([]byte, error) {
			after(ctx, 2*time.Second)
			return nil, broken
		}, 4 * time.Second, 64, "times: broken; nothing more", false},
		"every other one takes long": {func(ctx context.Context, n int) ([]byte, error) {
			if n%2 == 0 {
				after(ctx, time.Second)
				return nil, broken
			}
			return nil, nil
		}, 4 * time.Second, 1000, "times: broken; nothing more", false},
		"turns out unusable": {func(ctx context.Context, n int) ([]byte, error) {
			if n > 1 {
				return nil, after(ctx, forever)
			}
			after(ctx, time.Second)
			return nil, ErrUnusable
		}, time.Second, 32, "unusable store; nothing more", false},
		"is unusable": {func(context.Context, int) ([]byte, error) { return nil, fmt.Errorf("%w: no bucket", ErrUnusable) }, 0, 32, "no bucket; nothing more", false},
		"denies":      {func(context.Context, int) ([]byte, error) { return nil, ErrDenied }, 0, 48, "access denied; nothing more was looked up in this run", true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeRemote{get: test.get}
				s := newShared(f, ReadWrite, defaultLimits())
				from := time.Now()
				lookUp(s, 1000)
				if took := time.Since(from); took > test.atMost {
					t.Errorf("it took %v", took)
				}
				if n := f.gets.Load(); n > test.lookups {
					t.Errorf("%d lookups, want at most %d", n, test.lookups)
				}
				s.put(testKey(1), nil)
				wantWarnings(t, s.close(t.Context()), test.warning)
				if wrote := f.puts.Load() == 1; wrote != test.writes {
					t.Errorf("written to: %t, want %t", wrote, test.writes)
				}
			})
		})
	}
}

// TestSharedBearsFaults: a store that is slow, or fails now and then, is used
// until the end.
func TestSharedBearsFaults(t *testing.T) {
	hit := func(ctx context.Context, d time.Duration) ([]byte, error) { return nil, after(ctx, d) }
	for name, test := range map[string]struct {
		get     func(ctx context.Context, n int) ([]byte, error)
		hits    int64
		atMost  time.Duration
		warning []string
	}{
		"30 ms":  {func(ctx context.Context, _ int) ([]byte, error) { return hit(ctx, 30*time.Millisecond) }, 1000, time.Second, nil},
		"500 ms": {func(ctx context.Context, _ int) ([]byte, error) { return hit(ctx, 500*time.Millisecond) }, 1000, 16 * time.Second, nil},
		"a burst of faults": {func(ctx context.Context, n int) ([]byte, error) {
			data, err := hit(ctx, 30*time.Millisecond)
			if n > 100 && n <= 132 {
				err = errors.New("503")
			}
			return data, err
		}, 968, time.Second, []string{"lookup failed 32 times: 503"}},
		"denies what is not there": {func(ctx context.Context, n int) ([]byte, error) {
			if n > 5 && n%10 != 0 {
				return nil, ErrDenied
			}
			return hit(ctx, 0)
		}, 105, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeRemote{get: test.get}
				s := newShared(f, ReadWrite, defaultLimits())
				from := time.Now()
				if hits := lookUp(s, 1000); hits != test.hits {
					t.Errorf("%d hits, want %d", hits, test.hits)
				}
				if took := time.Since(from); took > test.atMost {
					t.Errorf("it took %v", took)
				}
				if test.atMost > 0 && f.most.Load() != sharedParallel {
					t.Errorf("%d lookups at a time", f.most.Load())
				}
				warnings := s.close(t.Context())
				wantWarnings(t, warnings, test.warning...)
				if strings.Contains(strings.Join(warnings, ""), "nothing more") {
					t.Errorf("left alone: %q", warnings)
				}
			})
		})
	}
}

// TestSharedRejected: objects that are not what they should be have the store
// left alone, once they are many.
func TestSharedRejected(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeRemote{get: func(context.Context, int) ([]byte, error) { return nil, nil }}
		s := newShared(f, ReadWrite, defaultLimits())
		for range 100 {
			if _, ok := s.get(t.Context(), testKey(1)); ok {
				s.reject(errors.New("tampered with"))
			}
		}
		if n := f.gets.Load(); n != 8 {
			t.Errorf("%d lookups", n)
		}
		s.put(testKey(1), nil)
		wantWarnings(t, s.close(t.Context()), "failed 8 times: tampered with; nothing more was looked up")
		if f.puts.Load() != 1 {
			t.Error("not written to")
		}
	})
}

// TestSharedCanceled: a run that is canceled is no fault of the store.
func TestSharedCanceled(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		hang := func(ctx context.Context, _ int) error { return after(ctx, forever) }
		f := &fakeRemote{put: hang, get: func(ctx context.Context, n int) ([]byte, error) { return nil, hang(ctx, n) }}
		s := newShared(f, ReadWrite, defaultLimits())
		ctx, cancel := context.WithCancel(t.Context())
		from := time.Now()
		time.AfterFunc(time.Second, cancel)
		s.put(testKey(1), nil)
		if _, ok := s.get(ctx, testKey(1)); ok {
			t.Error("a hit")
		}
		wantWarnings(t, s.close(ctx))
		if took := time.Since(from); took != time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// TestSharedKinds: however many texts a store's faults have, the warnings are
// few.
func TestSharedKinds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeRemote{get: func(_ context.Context, n int) ([]byte, error) {
			if n%2 == 0 {
				return nil, nil
			}
			return nil, fmt.Errorf("fault %d", n)
		}}
		s := newShared(f, ReadWrite, defaultLimits())
		for i := range 100 {
			s.get(t.Context(), testKey(i))
		}
		warnings := s.close(t.Context())
		wantWarnings(t, warnings, "once: fault 1", "once: fault 3", "once: fault 5", "once: fault 7", "once: fault 9", "45 times: other errors")
	})
}

func TestSharedUploadFaults(t *testing.T) {
	for name, test := range map[string]struct {
		put     func(ctx context.Context, n int) error
		atMost  time.Duration
		uploads int64
		warning string
	}{
		"hangs":   {func(ctx context.Context, _ int) error { return after(ctx, forever) }, 21 * time.Second, 64, "storing failed once: context deadline exceeded; nothing more was stored"},
		"refuses": {func(context.Context, int) error { return errors.New("broken") }, 0, 192, "times: broken; nothing more was stored"},
		"denies":  {func(context.Context, int) error { return ErrDenied }, 0, 64, "access denied; nothing more was stored"},
		"fails in the end": {func(ctx context.Context, n int) error {
			if n < 50 {
				return nil
			}
			after(ctx, 2*time.Second)
			return errors.New("broken")
		}, 4 * time.Second, 178, "times: broken; nothing more was stored"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				f := &fakeRemote{put: test.put}
				s := newShared(f, ReadWrite, defaultLimits())
				from := time.Now()
				for i := range 500 {
					s.put(testKey(i), make([]byte, 100))
				}
				if took := time.Since(from); took != 0 {
					t.Errorf("the build waited for %v", took)
				}
				wantWarnings(t, s.close(t.Context()), test.warning)
				if took := time.Since(from); took > test.atMost {
					t.Errorf("it took %v", took)
				}
				if n := f.puts.Load(); n > test.uploads {
					t.Errorf("%d uploads, want at most %d", n, test.uploads)
				}
				if _, ok := s.get(t.Context(), testKey(0)); ok {
					t.Error("a lookup after the end")
				}
			})
		})
	}
}

// TestSharedReadsOnWithoutWriting: a store that takes nothing is still read.
func TestSharedReadsOnWithoutWriting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeRemote{put: func(context.Context, int) error { return ErrDenied }, get: func(context.Context, int) ([]byte, error) { return nil, nil }}
		s := newShared(f, ReadWrite, defaultLimits())
		s.put(testKey(1), nil)
		synctest.Wait()
		s.put(testKey(2), nil)
		if _, ok := s.get(t.Context(), testKey(1)); !ok {
			t.Error("not read")
		}
		wantWarnings(t, s.close(t.Context()), "storing failed once: access denied")
	})
}

// TestSharedSlowUploads: uploads that get on are waited for at the end.
func TestSharedSlowUploads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeRemote{put: func(ctx context.Context, _ int) error { return after(ctx, 500*time.Millisecond) }}
		s := newShared(f, ReadWrite, defaultLimits())
		want := make(map[Key]bool)
		for i := range 1000 {
			s.put(testKey(i), make([]byte, 100))
			want[testKey(i)] = true
		}
		wantWarnings(t, s.close(t.Context()))
		got := maps.Collect(func(yield func(Key, bool) bool) {
			for key := range f.objects {
				yield(key, true)
			}
		})
		if !maps.Equal(got, want) {
			t.Errorf("%d objects of %d", len(got), len(want))
		}
	})
}

// TestSharedManySmall: some hundred small uploads to a store that takes a second
// for each are no matter of patience.
func TestSharedManySmall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeRemote{put: func(ctx context.Context, _ int) error { return after(ctx, time.Second) }}
		s := newShared(f, ReadWrite, defaultLimits())
		from := time.Now()
		for i := range 273 {
			s.put(testKey(i), make([]byte, 100))
		}
		wantWarnings(t, s.close(t.Context()))
		if took := time.Since(from); took > 5*time.Second || len(f.objects) != 273 {
			t.Errorf("%d objects in %v", len(f.objects), took)
		}
	})
}

// TestSharedEnd: uploads that would take too long are given up at the end.
func TestSharedEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeRemote{put: func(ctx context.Context, _ int) error { return after(ctx, 18*time.Second) }}
		s := newShared(f, ReadWrite, defaultLimits())
		for i := range 160 {
			s.put(testKey(i), make([]byte, 100))
		}
		from := time.Now()
		wantWarnings(t, s.close(t.Context()), "160 entries not stored: it took too long at the end")
		if took := time.Since(from); took > 16*time.Second {
			t.Errorf("it took %v", took)
		}
	})
}

// TestSharedQueue: what waits for being uploaded has a bound, and the build
// waits for it only so long.
func TestSharedQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeRemote{put: func(ctx context.Context, _ int) error { return after(ctx, 10*time.Second) }}
		l := defaultLimits()
		l.queue, l.minimum, l.uploads = 1000, 100, 2
		s := newShared(f, ReadWrite, l)
		from := time.Now()
		for i := range 12 {
			s.put(testKey(i), make([]byte, 100))
		}
		if took := time.Since(from); took != l.wait {
			t.Errorf("the build waited for %v", took)
		}
		time.Sleep(5 * time.Second)
		synctest.Wait()
		s.put(testKey(12), make([]byte, 200)) // two went, there is room
		s.put(testKey(13), make([]byte, MaxObject+1))
		wantWarnings(t, s.close(t.Context()), "2 entries not stored: the store was too slow", " not stored: it took too long at the end", "1 entry not stored: larger than 256 MiB")
	})
}

// TestSharedQueueLarge: an object that exceeds the queue waits alone.
func TestSharedQueueLarge(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fakeRemote{put: func(ctx context.Context, _ int) error { return after(ctx, time.Second) }}
		l := defaultLimits()
		l.queue, l.minimum = 1000, 100
		s := newShared(f, ReadWrite, l)
		for i := range 3 {
			s.put(testKey(i), make([]byte, 5000))
		}
		wantWarnings(t, s.close(t.Context()))
		if len(f.objects) != 3 || f.most.Load() != 1 {
			t.Errorf("%d objects, %d at a time", len(f.objects), f.most.Load())
		}
	})
}
