package main

import (
	"context"
	"errors"
	"os"
	"runtime/debug"

	"github.com/precompress/precompress/precompress"
)

// build builds each tree in turn.
func build(ctx context.Context, out *output, flags *buildFlags, dirs []string) error {
	if err := out.configure(&flags.outputFlags); err != nil {
		return err
	}
	if err := flags.check(dirs); err != nil {
		return err
	}
	if flags.isShard() {
		return buildShard(ctx, out, flags, dirs)
	}
	review, err := newSizeReview(flags, dirs)
	if err != nil {
		return err
	}
	relaxCollector(flags.options.MaxMemory)
	if flags.dryRun {
		return eachTree(ctx, out, "build", dirs, review, func(dir string) error {
			return dryRun(ctx, out, flags, review, dir)
		})
	}
	closeCache, err := openCache(out, flags, dirs)
	if err != nil {
		return err
	}
	defer closeCache(ctx)
	return eachTree(ctx, out, "build", dirs, review, func(dir string) error { return buildOne(ctx, out, flags, review, dir) })
}

// eachTree works on each tree in turn, on behalf of the named command, and ends its
// review, if there is one. An error with one tree does not keep the others from their
// turn; a signal does.
func eachTree(ctx context.Context, out *output, command string, dirs []string, review *sizeReview, work func(dir string) error) error {
	result := workOnTrees(ctx, out, dirs, work)
	if review != nil {
		result = review.finish(out, result)
	}
	out.finish(command, result == nil)
	return result
}

// workOnTrees is [eachTree] without its end.
func workOnTrees(ctx context.Context, out *output, dirs []string, work func(dir string) error) error {
	var result error
	for _, dir := range dirs {
		switch err := work(dir); {
		case err == nil, errors.Is(err, context.Canceled):
		case !isVerdict(err):
			result = out.treeFailed(dir, err)
		case result == nil:
			result = err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return result
}

func buildOne(ctx context.Context, out *output, flags *buildFlags, review *sizeReview, dir string) error {
	progress := out.progress()
	defer progress.stop()
	opts := flags.options
	opts.Waiting = func() { out.waiting(dir) }
	opts.Progress = progress.update
	return withPlan(ctx, precompress.Open, dir, opts, func(tree *precompress.Tree, plan *precompress.Plan) error {
		limitHeap(plan.PeakMemory(), opts.MaxMemory)
		report, err := tree.Run(ctx, plan)
		progress.stop()
		if report == nil {
			return err
		}
		empty := flags.failIfEmpty && len(report.Assets) == 0
		out.built(dir, report, empty)
		over := review.built(out, dir, plan, report)
		switch {
		case err != nil:
			return err
		case report.Err() != nil || empty:
			return errFailed
		case over:
			return errOverBudget
		}
		return nil
	})
}

// relaxCollector makes the garbage collector run less often: the heap is small until
// encoders are at work, and has a limit then. The user's own limit and setting win.
func relaxCollector(limit int64) {
	if limit == 0 && os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}

// limitHeap makes the garbage collector keep the heap near what the work needs, in
// bytes: left alone, it lets garbage grow to as much again. The user's own setting
// wins.
func limitHeap(need, limit int64) {
	if os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	heap := max(need+need/4, 320<<20)
	if limit != 0 {
		heap = min(heap, limit-limit/8)
	}
	debug.SetMemoryLimit(heap)
}

// dryRun plans one tree and prints what a build would do.
func dryRun(ctx context.Context, out *output, flags *buildFlags, review *sizeReview, dir string) error {
	return readPlan(ctx, out, flags, dir, func(_ *precompress.Tree, plan *precompress.Plan) error {
		empty := flags.failIfEmpty && len(plan.Assets) == 0
		out.plan(dir, plan, empty)
		over := review.planned(out, dir, plan)
		switch {
		case len(plan.Failures) > 0 || empty:
			return errFailed
		case over:
			return errOverBudget
		}
		return nil
	})
}

// readPlan plans one tree, without changing anything, and calls do with the plan.
func readPlan(ctx context.Context, out *output, flags *buildFlags, dir string, do func(*precompress.Tree, *precompress.Plan) error) error {
	opts := flags.options
	opts.Waiting = func() { out.waiting(dir) }
	return withPlan(ctx, precompress.OpenReadOnly, dir, opts, do)
}

// withPlan opens and plans one tree, and calls do with the plan.
func withPlan(ctx context.Context, open func(context.Context, string, precompress.Options) (*precompress.Tree, error), dir string, opts precompress.Options, do func(*precompress.Tree, *precompress.Plan) error) error {
	tree, err := open(ctx, dir, opts)
	if err != nil {
		return err
	}
	defer tree.Close()
	plan, err := tree.Plan(ctx)
	if err != nil {
		return err
	}
	return do(tree, plan)
}
