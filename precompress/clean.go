package precompress

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/precompress/precompress/manifest"
)

// CleanPlan says what [Tree.Clean] would remove. Making one changes nothing. It is for
// the [Tree] that made it.
type CleanPlan struct {
	// Orphans are the files to remove, sorted by path. Then the manifest is removed, too,
	// unless some were taken out of the list.
	Orphans []Orphan
	// Skipped are files that builds wrote and someone changed since, sorted by path.
	Skipped []Skipped
	// Failures are about files that could not be read, sorted by path.
	Failures []*Error
	// Warnings are about the tree as a whole. With any, the manifest stays.
	Warnings []Warning
	// Before is the manifest of the last build, empty if there is none.
	Before *manifest.Manifest

	plan *Plan
}

// PlanClean returns the plan of removing exactly what builds wrote: variants and
// copied originals that are still as the manifest says, and temporary files. Without a
// manifest, nothing is known to be ours.
func (t *Tree) PlanClean(ctx context.Context) (*CleanPlan, error) {
	p := &Plan{tree: t, version: t.version}
	var err error
	if p.Before, p.beforeBytes, p.Warnings, err = t.manifest.load(); err != nil {
		return nil, err
	}
	if len(p.Warnings) > 0 {
		p.Warnings = append(p.Warnings, Warning{WarnManifest, t.manifest.name, "without its manifest, nothing is known to be ours: build once, then clean"})
	}
	if err := t.refuseOutput(p.Before); err != nil {
		return nil, err
	}
	finder := &orphanFinder{tree: t}
	if err := finder.all(ctx, p.Before); err != nil {
		return nil, err
	}
	p.Orphans, p.unread, p.Skipped, p.Failures = finder.orphans, finder.unread, finder.skipped, finder.failures
	if t.variants != nil {
		leftovers, err := tempFiles(ctx, t.variants, ".")
		if err != nil {
			return nil, err
		}
		p.Orphans = append(p.Orphans, asOrphans(leftovers)...)
	}
	p.sort()
	return &CleanPlan{Orphans: p.Orphans, Skipped: p.Skipped, Failures: p.Failures, Warnings: p.Warnings, Before: p.Before, plan: p}, nil
}

// all adds every file that the manifest records.
func (f *orphanFinder) all(ctx context.Context, m *manifest.Manifest) error {
	resolver := newLinkResolver(f.tree.variants)
	for _, a := range m.Assets {
		if err := ctx.Err(); err != nil {
			return err
		}
		if _, there := resolver.file(a.Path); !there {
			continue
		}
		if a.Original {
			f.add(ctx, &a, a.Path, manifest.Variant{Size: a.Size, Digest: a.Digest}, ReasonCleaned)
		}
		for _, v := range a.Variants {
			if v.Omitted == "" {
				f.add(ctx, &a, a.Path+v.Coding.Suffix(), v, ReasonCleaned)
			}
		}
		for _, d := range a.Deltas {
			if d.Omitted == "" {
				f.add(ctx, &a, d.Name(a.Path), d.Variant, ReasonCleaned)
			}
		}
	}
	return nil
}

// Clean carries out a plan of this tree and removes the manifest, unless something
// could not be removed. A manifest that could not be read stays. The error wraps
// [ErrOtherTree] or [ErrStalePlan] if the plan is not for the tree as it is, and
// [ErrReadOnly] if the tree is unlocked.
func (t *Tree) Clean(ctx context.Context, c *CleanPlan) (*Result, error) {
	if t.mode == unlocked {
		return nil, ErrReadOnly
	}
	if c == nil {
		c = &CleanPlan{}
	}
	if err := c.plan.isFor(t); err != nil {
		return nil, err
	}
	t.version++
	p := *c.plan
	p.Orphans = c.Orphans
	r := newRun(t, &p)
	r.removeOrphans(ctx)
	r.removeEmptyDirectories()
	result, _ := r.collect(ctx)
	if result.Err() != nil || len(p.Warnings) > 0 || c.keepsAny() || p.beforeBytes == nil {
		return result, nil
	}
	err := t.manifest.root.Remove(t.manifest.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return result, &Error{Op: OpRemove, Path: t.manifest.name, Err: bareError(err)}
	}
	result.Removed = append(result.Removed, Removed{Path: t.manifest.name, Size: int64(len(p.beforeBytes)), Reason: ReasonCleaned})
	result.sort()
	return result, nil
}

// keepsAny reports whether a file was taken out of the list since the plan was made.
func (c *CleanPlan) keepsAny() bool {
	listed := make(map[Orphan]bool)
	for _, o := range c.Orphans {
		listed[o] = true
	}
	return slices.ContainsFunc(c.plan.Orphans, func(o Orphan) bool { return !listed[o] })
}

// refuseOutput refuses to clean the output directory of another tree as if it were a
// tree of sources: the copies of originals in it would stay, and would no longer be
// known as copies.
func (t *Tree) refuseOutput(before *manifest.Manifest) error {
	isCopy := func(a manifest.Asset) bool { return a.Original }
	if t.opts.Out == "" && slices.ContainsFunc(before.Assets, isCopy) {
		return invalid("Out", "%q is the output directory of another tree: name it as the output directory together with that tree", t.dir)
	}
	return nil
}
