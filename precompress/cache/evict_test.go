package cache

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestEvicts: a cache above its limit loses the least recently used entries
// when it is closed, and no others.
func TestEvicts(t *testing.T) {
	dir := filled(t, 20, 100)
	for n := range 20 {
		age(t, dir, numberedKey(n), time.Duration(100-n)*time.Hour) // 0 is the oldest
	}
	c := mustOpen(t, dir, Options{MaxBytes: 10 * blockSize})
	if _, found := c.Get(t.Context(), numberedKey(0), accept); !found {
		t.Fatal("not found")
	}
	c.Put(t.Context(), numberedKey(20), testEntry(20, 100))
	mustClose(t, c)
	// A tenth below the limit: 9 blocks.
	for n := range 21 {
		_, err := os.Stat(entryFile(dir, numberedKey(n)))
		if want := n == 0 || n >= 13; (err == nil) != want {
			t.Errorf("entry %d: %v", n, err)
		}
	}
}

// TestEvictsNothingInUse: what a build read or wrote stays, even if that alone
// is more than the limit.
func TestEvictsNothingInUse(t *testing.T) {
	dir := filled(t, 20, 100)
	c := mustOpen(t, dir, Options{MaxBytes: 3 * blockSize})
	for n := range 10 {
		age(t, dir, numberedKey(n), time.Duration(100-n)*time.Hour)
		if _, found := c.Get(t.Context(), numberedKey(n), accept); !found {
			t.Fatal("not found")
		}
	}
	for n := 20; n < 25; n++ {
		c.Put(t.Context(), numberedKey(n), testEntry(n, 100))
		age(t, dir, numberedKey(n), 1000*time.Hour)
	}
	mustClose(t, c)
	for n := range 25 {
		_, err := os.Stat(entryFile(dir, numberedKey(n)))
		if want := n < 10 || n >= 20; (err == nil) != want {
			t.Errorf("entry %d: %v", n, err)
		}
	}
}

// TestWalksRarely: as long as the estimate is below the limit, closing does not
// look at the entries; hidden from it, they stay uncounted.
func TestWalksRarely(t *testing.T) {
	dir := filled(t, 5, 100)
	old := filepath.Join(dir, "00", ".precompress-"+"0123456789abcdef"+".tmp")
	write(t, old, "left over")
	ageFile(t, old, 2*tempAge)
	build := func(limit int64, n int) {
		c := mustOpen(t, dir, Options{MaxBytes: limit})
		c.Put(t.Context(), numberedKey(n), testEntry(n, 100))
		mustClose(t, c)
	}
	build(1<<20, 5)
	if !exists(old) {
		t.Error("a walk, though there is room")
	}
	if f := mustOpenDirectory(t, dir); mustGrowth(t, f) != 6*blockSize {
		t.Errorf("the estimate is %d", mustGrowth(t, f))
	}
	build(6*blockSize, 6)
	if exists(old) {
		t.Error("no walk, though there is no room")
	}
	if f := mustOpenDirectory(t, dir); mustGrowth(t, f) > 6*blockSize {
		t.Errorf("the estimate is %d", mustGrowth(t, f))
	}
}

func mustGrowth(t *testing.T, f *Directory) int64 {
	t.Helper()
	estimate, known := f.estimateSize(0)
	if !known {
		t.Fatal("no estimate")
	}
	return estimate
}

// TestEstimateLost: an estimate that cannot be read is made anew.
func TestEstimateLost(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "no number": "x\n", "negative": "-5\n", "cut": "12", "overflow": "9223372036854775807\n1\n",
		"huge": "9223372036854775807\n", "words": "abc", "minus one": "-1",
		"long": strings.Repeat("1\n", maxGrowth),
	} {
		dir := filled(t, 5, 100)
		for _, run := range []struct {
			use  func(c *Cache)
			want int64 // blocks
		}{
			{func(c *Cache) { c.Get(t.Context(), numberedKey(1), refuse) }, 5},
			{func(c *Cache) { c.Put(t.Context(), numberedKey(5), testEntry(5, 100)) }, 6},
		} {
			write(t, filepath.Join(dir, growthName), text)
			c := mustOpen(t, dir, Options{MaxBytes: 1 << 20})
			run.use(c)
			mustClose(t, c)
			if f := mustOpenDirectory(t, dir); mustGrowth(t, f) != run.want*blockSize {
				t.Errorf("%s: the estimate is %d of %d blocks", name, mustGrowth(t, f), run.want)
			}
		}
	}
}

func TestPrune(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		maxBytes  int64
		unusedFor time.Duration
		stay      int
	}{
		"all fit":      {10 * blockSize, 0, 10},
		"some fit":     {4 * blockSize, 0, 4},
		"none fit":     {1, 0, 0},
		"old ones":     {10 * blockSize, 150 * time.Minute, 3},
		"old and more": {2 * blockSize, 150 * time.Minute, 2},
		"none is old":  {10 * blockSize, 24 * time.Hour, 10},
	} {
		dir := filled(t, 10, 100)
		for n := range 10 {
			age(t, dir, numberedKey(n), time.Duration(n)*time.Hour) // 0 was used last
		}
		got, err := mustOpenDirectory(t, dir).Prune(t.Context(), test.maxBytes, test.unusedFor)
		want := Pruned{Removed: 10 - test.stay, RemovedBytes: int64(10-test.stay) * blockSize, Entries: test.stay, Bytes: int64(test.stay) * blockSize}
		if err != nil || got != want {
			t.Errorf("%s: got %+v, %v, want %+v", name, got, err, want)
		}
		for n := range 10 {
			if exists(entryFile(dir, numberedKey(n))) != (n < test.stay) {
				t.Errorf("%s: entry %d", name, n)
			}
		}
	}
}

// TestPruneLeftovers: temporary files of killed processes go, those that are
// being written stay.
func TestPruneLeftovers(t *testing.T) {
	dir := filled(t, 1, 100)
	var old, recent []string
	for i, directory := range []string{"", "00"} {
		name := filepath.Join(dir, directory, ".precompress-"+strings.Repeat("0", 15)+string(rune('0'+i))+".tmp")
		write(t, name, "x")
		ageFile(t, name, 2*tempAge)
		old = append(old, name)
		name = filepath.Join(dir, directory, ".precompress-"+strings.Repeat("1", 15)+string(rune('0'+i))+".tmp")
		write(t, name, "x")
		recent = append(recent, name)
	}
	if _, err := mustOpenDirectory(t, dir).Prune(t.Context(), DefaultMaxBytes, 0); err != nil {
		t.Fatal(err)
	}
	for i := range old {
		if exists(old[i]) || !exists(recent[i]) {
			t.Errorf("%s is there: %t; %s is there: %t", old[i], exists(old[i]), recent[i], exists(recent[i]))
		}
	}
}

// TestEvictEnds: a walk ends with its context.
func TestEvictEnds(t *testing.T) {
	dir := filled(t, 5, 100)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	f := mustOpenDirectory(t, dir)
	_, pruneErr := f.Prune(ctx, 1, 0)
	_, clearErr := f.Clear(ctx)
	_, verifyErr := f.Verify(ctx)
	_, infoErr := f.Info(ctx)
	for i, err := range []error{pruneErr, clearErr, verifyErr, infoErr} {
		if err != context.Canceled {
			t.Errorf("%d: %v", i, err)
		}
	}
	c := mustOpen(t, dir, Options{MaxBytes: 1})
	c.Put(t.Context(), numberedKey(9), testEntry(9, 100))
	if warnings := c.Close(ctx); len(warnings) > 0 {
		t.Errorf("warnings: %q", warnings)
	}
	if info, err := f.Info(t.Context()); err != nil || info.Entries != 6 {
		t.Errorf("got %+v, %v", info, err)
	}
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func ageFile(t *testing.T, name string, ago time.Duration) {
	t.Helper()
	then := time.Now().Add(-ago)
	if err := os.Chtimes(name, then, then); err != nil {
		t.Fatal(err)
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}
