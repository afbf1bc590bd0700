package precompress

import (
	"context"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Orphan is a file of ours that no longer belongs to the tree.
type Orphan struct {
	Path   string
	Size   int64
	Reason Reason

	digest   manifest.Digest
	leftover bool // a temporary file, of any content
}

// planOrphans finds the files of the last build that no candidate of this one
// accounts for.
func (t *Tree) planOrphans(ctx context.Context, p *Plan, found *scan) {
	skipped := make(map[string]Reason)
	for _, s := range p.Skipped {
		skipped[s.Path] = s.Reason
	}
	directories := newRealDirectories(t.variants)
	now := make(map[string]*Task, len(p.Assets))
	claimed := make(map[string]bool) // by where they really are
	for _, task := range p.Assets {
		now[task.Path] = task
		real, _ := directories.file(task.Path)
		claimed[real] = true
	}
	orphans := &planner{Tree: t}
	for _, a := range p.Before.Assets {
		task := now[a.Path]
		if task == nil && underAny(found.unread, a.Path) {
			p.untouched = append(p.untouched, a)
			continue
		}
		if real, there := directories.file(a.Path); task == nil && (!there || claimed[real]) {
			continue
		}
		reason := goneReason(skipped, a.Path)
		if a.Original && (task == nil || !t.opts.OutOriginals) && t.opts.Out != "" {
			orphans.orphan(ctx, p, &a, a.Path, manifest.Variant{Size: a.Size, Digest: a.Digest}, t.copyReason(reason, task))
		}
		for _, v := range a.Variants {
			switch {
			case v.Omitted != "":
			case task == nil || !task.encode:
				orphans.orphan(ctx, p, &a, a.Path+v.Coding.Suffix(), v, reason)
			case !slices.Contains(task.codings, v.Coding):
				orphans.orphan(ctx, p, &a, a.Path+v.Coding.Suffix(), v, ReasonCodingNotChosen)
			}
		}
		orphans.deltas(ctx, p, &a, task, reason)
	}
}

// copyReason returns why the copy of a source is not wanted, of whose asset it is
// known why it is no candidate any more.
func (t *Tree) copyReason(gone Reason, task *Task) Reason {
	if !t.opts.OutOriginals && (task != nil || gone != ReasonSourceGone) {
		return ReasonCopyNotChosen
	}
	return gone
}

// goneReason returns why an asset is no candidate any more: the reason that it
// or a directory above it is skipped, else that it is gone.
func goneReason(skipped map[string]Reason, name string) Reason {
	if reason := skipped[name]; reason != "" {
		return reason
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if reason := skipped[dir+"/"]; reason != "" {
			return reason
		}
	}
	return ReasonSourceGone
}

// orphan adds a recorded file of an asset to the plan's orphans if it is still
// the one that was recorded, or one that a killed run wrote. Another's file is
// left alone.
func (t *planner) orphan(ctx context.Context, p *Plan, a *manifest.Asset, name string, record manifest.Variant, reason Reason) {
	sib, err := t.observe(ctx, t.variants, name)
	switch {
	case err != nil:
		p.Failures = append(p.Failures, &Error{Op: "read", Path: name, Err: bareError(err)})
		p.unseen = append(p.unseen, Orphan{Path: name})
	case sib.matches(record), sib.regular && t.wrote(ctx, a, record, name):
		p.Orphans = append(p.Orphans, Orphan{Path: name, Size: sib.info.Size(), Reason: reason, digest: sib.digest})
	case sib.exists:
		p.Skipped = append(p.Skipped, Skipped{Path: name, Reason: ReasonModified})
	}
}

// planLeftovers finds temporary files of interrupted runs, which the lock
// proves to be nobody's.
func (t *Tree) planLeftovers(ctx context.Context, p *Plan, found *scan) error {
	leftovers := found.leftovers
	if t.opts.Out != "" && t.variants != nil {
		var err error
		if leftovers, err = tempFiles(ctx, t.variants, "."); err != nil {
			return err
		}
	}
	p.addLeftovers(leftovers)
	return nil
}

func (p *Plan) addLeftovers(names []string) {
	for _, name := range names {
		p.Orphans = append(p.Orphans, Orphan{Path: name, Reason: ReasonLeftover, leftover: true})
	}
}

// tempFiles returns the temporary files in a tree of variants. A directory that
// cannot be read is one that no run can have written to.
func tempFiles(ctx context.Context, root *os.Root, dir string) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var found []string
	entries, _ := readDir(root, dir)
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case e.IsDir():
			below, err := tempFiles(ctx, root, name)
			if err != nil {
				return nil, err
			}
			found = append(found, below...)
		case osfile.IsTempName(e.Name()):
			found = append(found, name)
		}
	}
	return found, nil
}

func underAny(directories []string, name string) bool {
	return slices.ContainsFunc(directories, func(f string) bool {
		return f == "." || f == name || strings.HasPrefix(name, f+"/")
	})
}
