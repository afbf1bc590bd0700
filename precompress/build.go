package precompress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
)

// Build plans and runs one tree. The result is set even if some files failed
// ([Result.Err]); the error is for what kept the build from running.
func Build(ctx context.Context, dir string, opts Options) (*Result, error) {
	t, err := Open(ctx, dir, opts)
	if err != nil {
		return nil, err
	}
	defer t.Close()
	p, err := t.Plan(ctx)
	if err != nil {
		return nil, err
	}
	return t.Run(ctx, p)
}

// Plan looks at every source and variant of the tree and decides what a run has to
// do. It fails only if the manifest or an earlier release cannot be read or ctx is
// done; errors about single files are in the plan.
func (t *Tree) Plan(ctx context.Context) (*Plan, error) {
	p := &Plan{tree: t, version: t.version}
	found, err := t.look(ctx, p)
	if err != nil {
		return nil, err
	}
	planner := &assetPlanner{t, p.Before}
	if err := planner.files(ctx, p, found); err != nil {
		return nil, err
	}
	if err := t.planDeltas(ctx, p); err != nil {
		return nil, err
	}
	t.planOrphans(ctx, p, found)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := t.planLeftovers(ctx, p, found); err != nil {
		return nil, err
	}
	p.recordsChange = !p.changesFiles() && !bytes.Equal(p.beforeBytes, p.upToDateManifest())
	p.sort()
	return p, nil
}

// look reads the manifest, walks the tree and opens the earlier releases, all at the
// same time.
func (t *Tree) look(ctx context.Context, p *Plan) (found *scan, err error) {
	var group errgroup.Group
	var warnings []Warning
	group.Go(func() (err error) {
		p.Before, p.beforeBytes, p.Warnings, err = t.manifest.load()
		return err
	})
	group.Go(func() (err error) {
		found, err = t.discover(ctx)
		return err
	})
	group.Go(func() (err error) {
		warnings, err = t.openHistory(ctx)
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	p.Warnings = append(p.Warnings, warnings...)
	p.Failures, p.Skipped = found.failures, found.skipped
	if t.opts.Out == "" {
		found.files = slices.DeleteFunc(found.files, func(s source) bool { return isOutput(p.Before, s.path) })
	}
	return found, nil
}

// isOutput reports whether the last build wrote the file of this path. Once its
// source is gone, it looks like any other file.
func isOutput(before *manifest.Manifest, name string) bool {
	if from, short, coding, ok := manifest.SplitDelta(name); ok {
		asset, found := before.Lookup(from)
		if !found {
			return false
		}
		d, found := asset.Delta(short, coding)
		return found && d.Omitted == ""
	}
	from, coding, ok := manifest.SplitSuffix(name)
	if !ok {
		return false
	}
	asset, found := before.Lookup(from)
	if !found {
		return false
	}
	v, found := asset.Variant(coding)
	return found && v.Omitted == ""
}

// Run carries out a plan of this tree. The result is set even if some files failed
// ([Result.Err]). The error is for what kept the run from ending in order: the plan
// is another tree's ([ErrOtherTree]) or old ([ErrStalePlan]), the tree was opened to
// read only ([ErrReadOnly]), or the manifest could not be written. If ctx is done or the disk is
// full, Run stops early, and the manifest records what is true by then.
func (t *Tree) Run(ctx context.Context, p *Plan) (*Result, error) {
	if t.mode != toBuild {
		return nil, ErrReadOnly
	}
	if err := p.isFor(t); err != nil {
		return nil, err
	}
	t.version++
	r := newRun(t, p)
	working, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	r.stop = stop
	r.removeOrphans(working)
	if err := r.announce(working); err != nil {
		r.stopIfDiskFull(err)
		result, _ := r.collect(working)
		return result, err
	}
	r.work(working)
	r.removeEmptyDirectories()
	result, m := r.collect(working)
	if !p.UpToDate() || result.Stopped != nil {
		if err := t.manifest.save(m); err != nil {
			return result, err
		}
	}
	t.storeRelease(working, result)
	return result, nil
}

// storeRelease adds the sources to the store of releases, if there is one and the run
// had no failures: what failed today is built tomorrow, and only then can someone hold
// it. An error is a failure of the run.
func (t *Tree) storeRelease(ctx context.Context, result *Result) {
	if !t.history.HasStore() || result.Err() != nil {
		return
	}
	sources := make([]release.Source, 0, len(result.Assets))
	for _, a := range result.Assets {
		sources = append(sources, release.Source{Path: a.Path, Size: a.Size, Digest: a.Digest, Open: func() (io.ReadCloser, error) {
			f, _, err := osfile.OpenRegular(t.sources, a.Path, os.O_RDONLY)
			return f, err
		}})
	}
	err := t.history.Add(ctx, sources, t.opts.Keep)
	switch {
	case err == nil:
	case ctx.Err() != nil:
		result.Stopped = context.Cause(ctx)
	default:
		result.Failures = append(result.Failures, &Error{Op: OpStore, Err: fmt.Errorf("%w; %s", err, storeHint(err))})
	}
}

// storeHint says what to do about a store that a release could not be added to.
func storeHint(err error) string {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return "make room on its disk and build again"
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return "make the directory writable, or name another, and build again"
	}
	return "build again, or name another directory"
}
