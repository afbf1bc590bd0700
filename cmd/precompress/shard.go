package main

import (
	"context"
	"errors"

	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/precompress/cache"
)

// buildShard fills a cache with one part of the trees' encodings. An encoding that
// could not be stored is a failure: no other machine will find it.
func buildShard(ctx context.Context, out *output, flags *buildFlags, dirs []string) error {
	switch {
	case flags.dryRun:
		return usageErrorf("", "--dry-run says what a build would do to the tree, and a shard does nothing to it: leave out --dry-run or --shard")
	case flags.cache.mode == cache.ReadOnly:
		return usageErrorf("cache-mode", "--shard stores what it encodes, and --cache-mode read stores nothing: choose write or readwrite")
	}
	relaxCollector(flags.options.MaxMemory)
	if err := flags.shard.Validate(); err != nil {
		return err
	}
	closeCache, err := openCache(out, flags, dirs)
	if err != nil {
		return err
	}
	if flags.options.Cache == nil {
		return &precompress.OptionError{Field: "Shard", Err: errors.New("a shard only fills a cache, and none is in use: use one, or leave the shard out")}
	}
	result := workOnTrees(ctx, out, dirs, func(dir string) error { return fillOne(ctx, out, flags, dir) })
	closeCache(ctx)
	if lost := unstored(flags); lost > 0 && ctx.Err() == nil {
		out.shardLost(lost, flags.cache.url != "")
		if result == nil {
			result = errFailed
		}
	}
	out.finish("build", result == nil)
	return result
}

// fillOne puts the shard of one tree into the cache.
func fillOne(ctx context.Context, out *output, flags *buildFlags, dir string) error {
	progress := out.progress()
	defer progress.stop()
	opts := flags.options
	opts.Progress = progress.update
	return withPlan(ctx, precompress.OpenUnlocked, dir, opts, func(tree *precompress.Tree, plan *precompress.Plan) error {
		limitHeap(plan.PeakMemory(), opts.MaxMemory)
		report, err := tree.FillCache(ctx, plan, flags.shard)
		progress.stop()
		if err != nil {
			return err
		}
		empty := flags.failIfEmpty && report.Total == 0
		out.filled(dir, report, empty)
		if report.Err() != nil || empty {
			return errFailed
		}
		return nil
	})
}

// unstored returns how many encodings are not where other machines look for them, once
// the cache is closed: in the shared store, if one is named, else in the directory.
func unstored(flags *buildFlags) int {
	opened, ok := flags.options.Cache.(*cache.Cache)
	if !ok {
		return 0
	}
	directory, shared := opened.Unstored()
	if flags.cache.url != "" {
		return shared
	}
	return directory
}
