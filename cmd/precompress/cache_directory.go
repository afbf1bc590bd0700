package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/precompress/precompress/precompress/cache"
)

// cacheDirVariable names the environment variable with the cache directory.
const cacheDirVariable = "PRECOMPRESS_CACHE_DIR"

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

// openCache opens the cache for a build of these trees, and has the build use
// it. done is to be called after the build. A directory that cannot be used costs
// a warning and the build goes on without; it is an error if the flag that
// names it is at fault.
func openCache(out *output, flags *buildFlags, dirs []string) (done func(context.Context), err error) {
	done = func(context.Context) {}
	if err := flags.cache.validate(flags.cache.off); err != nil {
		return done, err
	}
	if flags.cache.off {
		return done, nil
	}
	remote, err := flags.cache.remote()
	if err != nil {
		return done, usageError{fmt.Errorf("--cache: %w", err)}
	}
	dir, chosen, err := flags.cache.cacheDir()
	if err == nil {
		err = apartFromTrees(dir, append(dirs[:len(dirs):len(dirs)], flags.options.Out))
	}
	options := cache.Options{MaxBytes: flags.cache.maxBytes(), Remote: remote, Mode: flags.cache.mode, Complete: flags.isShard()}
	var opened *cache.Cache
	if err == nil {
		opened, err = cache.Open(dir, options)
	}
	if chosen && isUnsuitable(err) {
		return done, usageError{fmt.Errorf("--cache-dir: %w", err)}
	}
	if err != nil {
		if options.Remote == nil && flags.isShard() {
			return done, errNoCacheForShard(err)
		}
		if options.Remote == nil {
			out.cacheWarnings([]string{err.Error() + "; going on without a cache"})
			return done, nil
		}
		out.cacheWarnings([]string{err.Error() + "; going on with the shared cache alone"})
		if opened, err = cache.Open("", options); err != nil {
			return done, err
		}
	}
	flags.options.Cache = opened
	return func(ctx context.Context) { out.cacheWarnings(opened.Close(ctx)) }, nil
}

// isUnsuitable reports whether a cache directory is the wrong one to name, as opposed
// to one that cannot be used at the moment.
func isUnsuitable(err error) bool {
	return errors.Is(err, cache.ErrNotCache) || errors.Is(err, cache.ErrNotDirectory) || errors.Is(err, errCacheInTree)
}

// errCacheInTree is about a cache that would be built and deployed like assets.
var errCacheInTree = errors.New("it lies in a tree that is built: choose one outside")

// apartFromTrees refuses a cache directory in a tree. A hidden name is no way out:
// --exclude can take it in again, and not every server leaves it alone.
func apartFromTrees(dir string, trees []string) error {
	for _, tree := range trees {
		if tree == "" || !isInside(tree, dir) {
			continue
		}
		return fmt.Errorf("cache directory %q: %w", dir, errCacheInTree)
	}
	return nil
}
