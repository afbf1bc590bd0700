package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/precompress/precompress/precompress/cache"
)

// newCacheCommand returns the commands that maintain the cache directory.
func newCacheCommand(out *output) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache info|prune|clear|verify",
		Short: "Inspect the cache of encodings, or remove from it",
		Long: `Builds keep their encodings in a cache directory, so that a tree that was wiped
is not encoded again. These commands inspect and maintain that directory. They
remove only what builds stored there, and refuse a directory that is not a cache
of precompress. Builds may run at the same time.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageErrorf("", "cache: there is no command %q: choose info, prune, clear or verify", args[0])
			}
			return usageErrorf("", "cache: say what to do: info, prune, clear or verify")
		},
	}
	exitCodes(cmd, exitsSimple)
	cmd.AddCommand(newCacheInfoCommand(out), newCachePruneCommand(out), newCacheClearCommand(out), newCacheVerifyCommand(out))
	return cmd
}

// newCacheSubcommand returns a command that works on the cache directory. register adds
// flags of its own, if it has any. directory is nil where there is none yet.
func newCacheSubcommand(out *output, name, short, codes string, register func(*pflag.FlagSet), work func(ctx context.Context, dir string, directory *cache.Directory) error) *cobra.Command {
	flags := &buildFlags{}
	cmd := &cobra.Command{
		Use:   name + " [flags]",
		Short: short,
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := out.configure(&flags.outputFlags); err != nil {
				return err
			}
			dir, _, err := flags.cache.cacheDir()
			if err != nil {
				return asUsage(err)
			}
			directory, err := cache.OpenDirectory(dir)
			switch {
			case isUnsuitable(err):
				return asUsage(err)
			case err != nil && !errors.Is(err, fs.ErrNotExist):
				return err
			case err == nil:
				defer directory.Close()
			}
			return work(cmd.Context(), dir, directory)
		},
	}
	fs := cmd.Flags()
	fs.SortFlags = false
	flags.cache.registerDir(fs, "the cache directory")
	flags.registerQuiet(fs)
	flags.registerJSON(fs)
	if register != nil {
		register(fs)
	}
	useConfig(cmd, &flags.origins, nil)
	exitCodes(cmd, codes)
	return cmd
}

func newCacheInfoCommand(out *output) *cobra.Command {
	return newCacheSubcommand(out, "info", "Print where the cache is and what it holds", exitsCache, nil, func(ctx context.Context, dir string, directory *cache.Directory) (err error) {
		var info cache.Info
		if directory != nil {
			info, err = directory.Info(ctx)
		}
		if err == nil {
			out.cacheInfo(dir, directory != nil, info)
		}
		return err
	})
}

func newCachePruneCommand(out *output) *cobra.Command {
	var size cacheFlags
	var unusedFor time.Duration
	register := func(fs *pflag.FlagSet) {
		size.registerSize(fs, "remove the least recently used entries until the cache is no larger than this")
		fs.Var(parsed(&unusedFor, "DURATION", "", parseAge), "older-than", "remove all entries that were not used for this long, such as 30d or 12h")
	}
	return newCacheSubcommand(out, "prune", "Remove the least recently used entries from the cache", exitsCache, register, func(ctx context.Context, dir string, directory *cache.Directory) error {
		return cacheRemoval(out, "prune", dir, directory, func() (cache.Pruned, error) {
			return directory.Prune(ctx, size.maxBytes(), unusedFor)
		})
	})
}

func newCacheClearCommand(out *output) *cobra.Command {
	return newCacheSubcommand(out, "clear", "Remove everything from the cache", exitsCache, nil, func(ctx context.Context, dir string, directory *cache.Directory) error {
		return cacheRemoval(out, "clear", dir, directory, func() (cache.Pruned, error) { return directory.Clear(ctx) })
	})
}

// cacheRemoval removes from the cache directory, if there is one, and prints how much.
func cacheRemoval(out *output, command, dir string, directory *cache.Directory, remove func() (cache.Pruned, error)) error {
	var removed cache.Pruned
	if directory != nil {
		var err error
		if removed, err = remove(); err != nil && removed.Err == nil {
			return fmt.Errorf("cache directory %q: %w", dir, err)
		}
	}
	out.cacheRemoved(command, dir, directory != nil, removed)
	if removed.Failed > 0 {
		return errFailed
	}
	return nil
}

func newCacheVerifyCommand(out *output) *cobra.Command {
	return newCacheSubcommand(out, "verify", "Read the whole cache and remove damaged entries", exitsCacheVerify, nil, func(ctx context.Context, dir string, directory *cache.Directory) (err error) {
		var verified cache.Verified
		if directory != nil {
			if verified, err = directory.Verify(ctx); err != nil {
				return err
			}
		}
		out.cacheVerified(dir, directory != nil, verified)
		if len(verified.Damaged) > 0 {
			return errFailed
		}
		return nil
	})
}

// openCache opens the cache for a build of these trees and sets it in the options. The
// caller calls done after the build. If the directory cannot be used, that is a warning
// and the build goes on without; if the flag names the wrong directory, an error.
func openCache(out *output, flags *buildFlags, dirs []string) (done func(context.Context), err error) {
	done = func(context.Context) {}
	if err := flags.cache.validate(&flags.origins); err != nil {
		return done, err
	}
	if flags.cache.off {
		return done, nil
	}
	remote, err := flags.cache.remote()
	if err != nil {
		return done, usageErrorf("cache", "--cache: %w", err)
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
		return done, usageErrorf("cache-dir", "--cache-dir: %w", err)
	}
	if err != nil {
		if options.Remote == nil && flags.isShard() {
			return done, errNoCacheForShard(err)
		}
		if options.Remote == nil {
			out.cacheWarnings([]string{err.Error() + "; continuing without a cache"})
			return done, nil
		}
		out.cacheWarnings([]string{err.Error() + "; continuing with the shared cache alone"})
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
var errCacheInTree = errors.New("it is in a tree that is built: choose one outside")

// apartFromTrees refuses a cache directory in a tree. A hidden name does not help:
// --exclude can take it in again, and not every server hides it.
func apartFromTrees(dir string, trees []string) error {
	for _, tree := range trees {
		if tree == "" || !isInside(tree, dir) {
			continue
		}
		return fmt.Errorf("cache directory %q: %w", dir, errCacheInTree)
	}
	return nil
}

// errNoCacheForShard is about a shard whose cache cannot be used.
func errNoCacheForShard(err error) error {
	return fmt.Errorf("a shard only fills a cache, and none can be used: %w", err)
}
