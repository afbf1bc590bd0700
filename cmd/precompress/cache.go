package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/spf13/cobra"

	"github.com/precompress/precompress/precompress/cache"
)

// newCacheCommand makes the commands that look at the cache directory and tend it.
func newCacheCommand(out *output) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "cache info|prune|clear|verify",
		Short: "Look at the cache of encodings, or remove from it",
		Long: `Builds keep in a cache directory what encoding each file came to, so that a tree
that was wiped is not encoded again. These commands look at that directory and tend
it. They remove nothing but what builds stored there, and refuse a directory that
is not a cache of precompress. Builds may go on meanwhile.`,
		Args: cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError{fmt.Errorf("cache: there is no command %q: choose info, prune, clear or verify", args[0])}
			}
			return usageError{errors.New("cache: say what to do: info, prune, clear or verify")}
		},
	}
	exitCodes(cmd, exitsSimple)
	cmd.AddCommand(newCacheInfoCommand(out), newCachePruneCommand(out), newCacheClearCommand(out), newCacheVerifyCommand(out))
	return cmd
}

// newCacheSubcommand makes a command that works on the cache directory. Where
// there is none yet, directory is nil. The command is to heed the file of settings
// once it has its flags.
func newCacheSubcommand(out *output, name, short, codes string, work func(ctx context.Context, dir string, directory *cache.Directory) error) *cobra.Command {
	flags := &buildFlags{}
	cmd := &cobra.Command{
		Use:   name + " [flags]",
		Short: short,
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := out.configure(flags); err != nil {
				return err
			}
			dir, _, err := flags.cache.cacheDir()
			if err != nil {
				return usageError{err}
			}
			directory, err := cache.OpenDirectory(dir)
			switch {
			case isUnsuitable(err):
				return usageError{err}
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
	fs.BoolVarP(&flags.quiet, "quiet", "q", false, "print nothing but faults")
	fs.BoolVar(&flags.json, "json", false, "print one JSON object and nothing else on standard output")
	exitCodes(cmd, codes)
	return cmd
}

func newCacheInfoCommand(out *output) *cobra.Command {
	cmd := newCacheSubcommand(out, "info", "Say where the cache is and what it holds", exitsCache,
		func(ctx context.Context, dir string, directory *cache.Directory) error {
			var info cache.Info
			var err error
			if directory != nil {
				if info, err = directory.Info(ctx); err != nil {
					return err
				}
			}
			out.cacheInfo(dir, directory != nil, info)
			return nil
		})
	heedConfig(cmd, nil)
	return cmd
}

func newCachePruneCommand(out *output) *cobra.Command {
	var size cacheFlags
	var unusedFor time.Duration
	cmd := newCacheSubcommand(out, "prune", "Remove from the cache what was not used for longest", exitsCache,
		func(ctx context.Context, dir string, directory *cache.Directory) error {
			return cacheRemoval(out, "prune", dir, directory, func() (cache.Pruned, error) {
				return directory.Prune(ctx, size.maxBytes(), unusedFor)
			})
		})
	size.registerSize(cmd.Flags(), "remove what was not used for longest until the cache is no larger than this")
	cmd.Flags().Var(parsedValue{"DURATION", "", func(s string) (err error) { unusedFor, err = parseAge(s); return }}, "older-than", "remove all that was not used for this long, such as 30d or 12h")
	heedConfig(cmd, nil)
	return cmd
}

func newCacheClearCommand(out *output) *cobra.Command {
	cmd := newCacheSubcommand(out, "clear", "Remove everything from the cache", exitsCache,
		func(ctx context.Context, dir string, directory *cache.Directory) error {
			return cacheRemoval(out, "clear", dir, directory, func() (cache.Pruned, error) { return directory.Clear(ctx) })
		})
	heedConfig(cmd, nil)
	return cmd
}

// cacheRemoval removes from the cache directory, if there is one, and tells of it.
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
	cmd := newCacheSubcommand(out, "verify", "Read the whole cache and remove what is damaged", exitsCacheVerify,
		func(ctx context.Context, dir string, directory *cache.Directory) error {
			var verified cache.Verified
			var err error
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
	heedConfig(cmd, nil)
	return cmd
}
