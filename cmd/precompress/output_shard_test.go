package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/precompress/cache"
)

// memoryCache is a cache of this process.
type memoryCache struct{ entries sync.Map }

func (m *memoryCache) Get(_ context.Context, key cache.Key, _ func(cache.Entry) error) (cache.Entry, bool) {
	e, found := m.entries.Load(key)
	if !found {
		return cache.Entry{}, false
	}
	return e.(cache.Entry), true
}

func (m *memoryCache) Put(_ context.Context, key cache.Key, e cache.Entry) { m.entries.Store(key, e) }
func (m *memoryCache) Parallel() int                                       { return 1 }

// built is what a build prints, for people and as JSON.
func built(t *testing.T, dir string, opts precompress.Options, verbose bool) (string, documentTree) {
	t.Helper()
	report, err := precompress.Build(t.Context(), dir, opts)
	if err != nil || report.Err() != nil {
		t.Fatal(err, report)
	}
	var text bytes.Buffer
	people := &output{stdout: &text, stderr: &text, verbose: verbose}
	people.built("site", report, false)
	machines := &jsonOutput{}
	machines.report("site", report)
	var d document
	if err := strict([]byte(machines.text("build", true)), &d); err != nil {
		t.Fatal(err)
	}
	return text.String(), d.Trees[0]
}

// filled is what filling the cache with a shard prints, for people and as JSON.
func filled(t *testing.T, dir string, opts precompress.Options, shard precompress.Shard, verbose bool) (string, documentTree) {
	t.Helper()
	tree, err := precompress.OpenUnlocked(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	p, err := tree.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	report, err := tree.FillCache(t.Context(), p, shard)
	if err != nil || report.Err() != nil {
		t.Fatal(err, report)
	}
	var text bytes.Buffer
	people := &output{stdout: &text, stderr: &text, verbose: verbose}
	people.filled("site", report, false)
	machines := &jsonOutput{}
	machines.filled("site", report)
	var d document
	if err := strict([]byte(machines.text("build", true)), &d); err != nil {
		t.Fatal(err)
	}
	return text.String(), d.Trees[0]
}

func shardSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	makeFiles(t, dir, map[string]string{
		"a.js": strings.Repeat("function a() { return 1 }\n", 40), "b.css": strings.Repeat(".b { margin: 0 }\n", 30), "c.txt": "x",
	})
	return dir
}

// TestShardOutput: a shard says what its part was, and what of it was encoded.
func TestShardOutput(t *testing.T) {
	c := &memoryCache{}
	opts := precompress.Options{Cache: c}
	dir := shardSite(t)
	text, _ := filled(t, dir, opts, precompress.Shard{Index: 1, Count: 1}, true)
	want := `site: shard 1 of 1: 6 of 6 encodings, 100.0 % of the work: 6 encoded, 0 in the cache already
  a.js: br 11: encoded
  a.js: gzip 9: encoded
  a.js: zstd 19: encoded
  b.css: br 11: encoded
  b.css: gzip 9: encoded
  b.css: zstd 19: encoded
  c.txt: skipped (too small to gain anything)
`
	if text != want {
		t.Errorf("printed:\n%s", text)
	}
	half := precompress.Shard{Index: 1, Count: 2}
	text, tree := filled(t, dir, opts, half, false)
	if !strings.HasPrefix(text, "site: shard 1 of 2: ") || !strings.HasSuffix(text, " of the work: 0 encoded, "+number(tree.Shard.Cached)+" in the cache already\n") {
		t.Errorf("printed: %s", text)
	}
	if s := tree.Shard; s.Index != 1 || s.Count != 2 || s.Total != 6 || s.Encodings != s.Cached || s.Encoded+s.Failed != 0 || s.Cached == 0 {
		t.Errorf("%+v", tree.Shard)
	}
	if tree.Assets == nil || len(tree.Assets) > 0 {
		t.Errorf("assets: %v", tree.Assets)
	}
	text, _ = filled(t, t.TempDir(), opts, half, false)
	if text != "site: nothing to compress\n" {
		t.Errorf("printed: %s", text)
	}
}

func number(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// TestCachedOutput: what came from the cache has a column and members of its
// own, which are not there if nothing did.
func TestCachedOutput(t *testing.T) {
	opts := precompress.Options{Cache: &memoryCache{}}
	first, tree := built(t, shardSite(t), opts, true)
	if strings.Contains(first, "cache") || tree.Totals[0].Cached != 0 || tree.Assets[0].Variants[0].Cached {
		t.Errorf("nothing was in the cache, printed:\n%s", first)
	}
	second, tree := built(t, shardSite(t), opts, true)
	table := second[strings.LastIndex(second, "  coding"):]
	heads, cells := strings.Fields(strings.Split(table, "\n")[0]), strings.Fields(strings.Split(table, "\n")[1])
	if heads[len(heads)-1] != "cached" || cells[len(cells)-1] != "2" || !strings.Contains(second, "(not built before, from the cache)\n") {
		t.Errorf("printed:\n%s", second)
	}
	if tree.Totals[0].Cached != 2 || !tree.Assets[0].Variants[0].Cached {
		t.Errorf("%+v", tree)
	}
}
