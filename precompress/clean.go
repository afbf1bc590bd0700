package precompress

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/precompress/precompress/manifest"
)

// PlanClean returns the plan of removing exactly what builds wrote: variants
// and copied originals that are still as the manifest says, and temporary
// files. [Tree.Clean] carries it out. Without a manifest nothing is known to be
// ours.
func (t *Tree) PlanClean(ctx context.Context) (*Plan, error) {
	p := &Plan{}
	var err error
	if p.Before, p.beforeBytes, err = t.loadManifest(p); err != nil {
		return nil, err
	}
	if len(p.Warnings) > 0 {
		p.Warnings = append(p.Warnings, "without its manifest nothing is known to be ours: build once, then clean")
	}
	if err := t.refuseOutput(p.Before); err != nil {
		return nil, err
	}
	ours := &planner{Tree: t}
	directories := newRealDirectories(t.variants)
	for _, a := range p.Before.Assets {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if _, there := directories.file(a.Path); !there {
			continue
		}
		if a.Original {
			ours.orphan(ctx, p, &a, a.Path, manifest.Variant{Size: a.Size, Digest: a.Digest}, ReasonCleaned)
		}
		recordedFiles(&a, func(name string, v manifest.Variant) {
			ours.orphan(ctx, p, &a, name, v, ReasonCleaned)
		})
	}
	if t.variants == nil {
		return p, nil
	}
	leftovers, err := tempFiles(ctx, t.variants, ".")
	p.addLeftovers(leftovers)
	p.sort()
	return p, err
}

// Clean carries out a plan of [Tree.PlanClean] and removes the manifest, unless
// something could not be removed. A manifest that could not be read stays.
func (t *Tree) Clean(ctx context.Context, p *Plan) (*Report, error) {
	r := newRun(t, p)
	r.removeOrphans(ctx)
	r.removeEmptyDirectories()
	report, _ := r.collect(ctx)
	if report.Err() != nil || len(p.Warnings) > 0 || p.beforeBytes == nil {
		return report, nil
	}
	err := t.record.root.Remove(t.record.name)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return report, &Error{Op: "remove", Path: t.record.name, Err: bareError(err)}
	}
	report.Removed = append(report.Removed, Removed{Path: t.record.name, Size: int64(len(p.beforeBytes)), Reason: ReasonCleaned})
	report.sort()
	return report, nil
}

// refuseOutput refuses to clean the output directory of another tree as if it were
// a tree of sources: the copies of originals in it would stay, no longer known
// as copies.
func (t *Tree) refuseOutput(before *manifest.Manifest) error {
	isCopy := func(a manifest.Asset) bool { return a.Original }
	if t.opts.Out == "" && slices.ContainsFunc(before.Assets, isCopy) {
		return invalid("Out", "%q is the output directory of another tree: name it as the output directory together with that tree", t.dir)
	}
	return nil
}
