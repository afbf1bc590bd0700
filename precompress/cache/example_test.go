package cache_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/precompress/cache"
)

// A directory cache serves two builds. The second tree has the same bytes as the
// first, so nothing is encoded again.
func Example() {
	ctx := context.Background()
	temp, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(temp)

	for _, site := range []string{"first", "second"} {
		dir := filepath.Join(temp, site)
		if err := os.Mkdir(dir, 0o777); err != nil {
			log.Fatal(err)
		}
		page := strings.Repeat("<p>Hello, world!</p>\n", 200)
		if err := os.WriteFile(filepath.Join(dir, "index.html"), []byte(page), 0o666); err != nil {
			log.Fatal(err)
		}
		cached, err := buildWithCache(ctx, dir, filepath.Join(temp, "cache"))
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %d variants from the cache\n", site, cached)
	}
	// Output:
	// first: 0 variants from the cache
	// second: 3 variants from the cache
}

// buildWithCache builds a tree with a cache and returns the number of variants that
// came from it.
func buildWithCache(ctx context.Context, dir, cacheDir string) (cached int, err error) {
	c, err := cache.Open(cacheDir, cache.Options{MaxBytes: 1 << 30})
	if err != nil {
		return 0, err
	}
	defer func() {
		for _, warning := range c.Close(ctx) {
			log.Print(warning)
		}
	}()
	report, err := precompress.Build(ctx, dir, precompress.Options{Cache: c})
	if err != nil {
		return 0, err
	}
	for _, total := range report.Totals() {
		cached += total.Cached
	}
	return cached, report.Err()
}

// Entries that have not been used for a month are removed.
func ExampleDirectory_Prune() {
	directory, err := cache.OpenDirectory("/var/cache/precompress")
	if err != nil {
		log.Fatal(err)
	}
	defer directory.Close()
	pruned, err := directory.Prune(context.Background(), cache.DefaultMaxBytes, 30*24*time.Hour)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d entries removed, %d left\n", pruned.Removed, pruned.Entries)
}
