package cache

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// numberedKey returns a key of its own for every n, in shard n % 256.
func numberedKey(n int) (k Key) {
	k[0] = byte(n)
	binary.BigEndian.PutUint32(k[28:], uint32(n))
	return k
}

// testEntry returns an entry of so many bytes that differ with n.
func testEntry(n, size int) Entry {
	data := make([]byte, size)
	for i := range data {
		data[i] = byte(n + i*7)
	}
	return Entry{Size: int64(size), Data: data}
}

// same compares entries; cmp.Equal takes long for bytes.
func same(a, b Entry) bool {
	return a.Size == b.Size && a.Incompressible == b.Incompressible && (a.Data == nil) == (b.Data == nil) && bytes.Equal(a.Data, b.Data)
}

func mustOpen(t *testing.T, dir string, opts Options) *Cache {
	t.Helper()
	c, err := Open(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// mustClose closes a cache that nothing is to be said about.
func mustClose(t *testing.T, c *Cache) {
	t.Helper()
	if warnings := c.Close(t.Context()); len(warnings) > 0 {
		t.Errorf("warnings: %q", warnings)
	}
}

// filled returns a directory with a cache of n entries of so many bytes.
func filled(t *testing.T, n, size int) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "cache")
	c := mustOpen(t, dir, Options{})
	for i := range n {
		c.Put(t.Context(), numberedKey(i), testEntry(i, size))
	}
	mustClose(t, c)
	return dir
}

// age sets the time of an entry's last use.
func age(t *testing.T, dir string, key Key, ago time.Duration) {
	t.Helper()
	then := time.Now().Add(-ago)
	if err := os.Chtimes(entryFile(dir, key), then, then); err != nil {
		t.Fatal(err)
	}
}

func entryFile(dir string, key Key) string {
	return filepath.Join(dir, filepath.FromSlash(entryName(key)))
}

// refuse is a check that no entry passes.
func refuse(Entry) error { return errors.New("refused") }

func accept(Entry) error { return nil }

// memoryRemote is a [Remote] in memory.
type memoryRemote struct {
	mu      sync.Mutex
	objects map[Key][]byte
	gets    int
}

func newMemoryRemote() *memoryRemote { return &memoryRemote{objects: make(map[Key][]byte)} }

func (r *memoryRemote) Get(_ context.Context, key Key) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.gets++
	data, found := r.objects[key]
	if !found {
		return nil, fs.ErrNotExist
	}
	return append([]byte(nil), data...), nil
}

func (r *memoryRemote) Put(_ context.Context, key Key, data []byte) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.objects[key] = append([]byte(nil), data...)
	return nil
}

func (r *memoryRemote) String() string { return "memory:test" }

// names returns the paths of all files below a directory, with their contents.
func names(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		if e.Type().IsRegular() {
			data, err := os.ReadFile(name)
			found[filepath.ToSlash(rel)] = string(data)
			return err
		}
		found[filepath.ToSlash(rel)] = e.Type().String()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
