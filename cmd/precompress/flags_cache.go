package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/precompress/cache"
	"github.com/precompress/precompress/precompress/cache/s3"
)

// cacheDirVariable names the environment variable with the cache directory.
const cacheDirVariable = "PRECOMPRESS_CACHE_DIR"

// cacheFlags are the flags for the cache of encodings, and for the store that many
// machines share it in.
type cacheFlags struct {
	dir  string // "": see cacheDir
	off  bool
	size int64  // in bytes; 0 means the default
	url  string // of the store, "" if there is none
	mode cache.Mode
}

// register adds the flags of a build. check takes them too, so that it can be given
// those of the build that it checks; it encodes nothing and does not use them, as the
// help says.
func (f *cacheFlags) register(fs *pflag.FlagSet) {
	f.registerDir(fs, "keep encodings in DIR for later builds (check does not use it)")
	fs.BoolVar(&f.off, "no-cache", false, "do not use the cache")
	f.registerSize(fs, "keep the cache below this: evict the least recently used entries, but none that this build used")
	fs.Var(parsed(&f.url, "URL", "", parseCacheURL), "cache", "share the cache with other machines in a store that speaks S3: s3://BUCKET/PREFIX[?endpoint=URL&region=NAME]")
	fs.Var(parsed(&f.mode, "MODE", "readwrite", cache.ParseMode), "cache-mode", "what to do with that store: read, write or readwrite")
}

func (f *cacheFlags) registerDir(fs *pflag.FlagSet, usage string) {
	fs.Var(parsed(&f.dir, "DIR", "$"+cacheDirVariable+" or the user's cache directory", nonEmpty), "cache-dir", usage)
}

func (f *cacheFlags) registerSize(fs *pflag.FlagSet, usage string) {
	fs.Var(parsed(&f.size, "SIZE", "2GiB", parseLimit), "cache-size", usage)
}

// cacheDir returns the cache directory: that of the flag, the environment's or the
// user's. chosen reports whether it is the flag's.
func (f *cacheFlags) cacheDir() (dir string, chosen bool, err error) {
	if f.dir != "" {
		return f.dir, true, nil
	}
	if dir := os.Getenv(cacheDirVariable); dir != "" {
		return dir, false, nil
	}
	user, err := os.UserCacheDir()
	if err != nil {
		return "", false, fmt.Errorf("the user's cache directory is not known (%w): set $%s or --cache-dir", err, cacheDirVariable)
	}
	return filepath.Join(user, "precompress"), false, nil
}

// maxBytes is the size that the cache directory is kept below.
func (f *cacheFlags) maxBytes() int64 {
	if f.size == 0 {
		return cache.DefaultMaxBytes
	}
	return f.size
}

// remote opens the store, nil if there is none.
func (f *cacheFlags) remote() (cache.Remote, error) {
	if f.url == "" {
		return nil, nil
	}
	return s3.Open(f.url)
}

func parseCacheURL(s string) (string, error) {
	if s == "" {
		return "", errors.New("the address is empty: write it like s3://BUCKET/PREFIX")
	}
	_, err := s3.Open(s)
	return s, err
}

// validate refuses flags that would have no effect. In the configuration file the mode
// may be there for other runs.
func (f *cacheFlags) validate(from *origins) error {
	switch {
	case f.off && f.url != "" && from.onCommandLine("no-cache") && !from.onCommandLine("cache"):
		return nil // for once without the cache of the file
	case f.off && f.url != "":
		return contradiction("no-cache", "cache")
	case f.url == "" && from.onCommandLine("cache-mode"):
		return usageErrorf("cache-mode", "--cache-mode is about a shared cache: name it with --cache s3://BUCKET/PREFIX")
	}
	return nil
}

// parseAge reads a duration such as 30d or 12h.
func parseAge(s string) (time.Duration, error) {
	const day = 24 * time.Hour
	age, err := time.ParseDuration(s)
	if number, isDays := strings.CutSuffix(s, "d"); isDays {
		var days float64
		days, err = strconv.ParseFloat(number, 64)
		if !(days < float64(1<<62/day)) {
			days = 0 // refused below
		}
		age = time.Duration(days * float64(day))
	}
	if err != nil || age <= 0 {
		return 0, fmt.Errorf("%q is not a duration such as 30d or 12h", s)
	}
	return age, nil
}
