package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/precompress/cache"
)

// cacheFlags are the flags that concern the cache of encodings.
type cacheFlags struct {
	dir  string // "": see cacheDir
	off  bool
	size int64 // 0 means the default
	remoteFlags
}

// register adds the flags of a build. check takes them too, so that it can be
// given those of the build that it checks; it encodes nothing and has no use
// for them, as the help says.
func (f *cacheFlags) register(fs *pflag.FlagSet) {
	f.registerDir(fs, "keep what encoding comes to in DIR for later builds (check has no use for it)")
	fs.BoolVar(&f.off, "no-cache", false, "take nothing from the cache and keep nothing in it")
	f.registerSize(fs, "keep the cache below this: evict what was not used for longest, but nothing that this build used")
	f.remoteFlags.register(fs)
}

func (f *cacheFlags) registerDir(fs *pflag.FlagSet, usage string) {
	fs.Var(parsedValue{"DIR", "$" + cacheDirVariable + " or the user's cache directory", nameValue{"DIR", &f.dir}.Set}, "cache-dir", usage)
}

func (f *cacheFlags) registerSize(fs *pflag.FlagSet, usage string) {
	fs.Var(parsedValue{"SIZE", "2GiB", func(s string) (err error) { f.size, err = parseLimit(s); return }}, "cache-size", usage)
}

// maxBytes is the size that the cache directory is kept below.
func (f *cacheFlags) maxBytes() int64 {
	if f.size == 0 {
		return cache.DefaultMaxBytes
	}
	return f.size
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
