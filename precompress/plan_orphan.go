package precompress

import (
	"context"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// orphanFinder finds files of earlier builds that a plan does not account for.
type orphanFinder struct {
	tree     *Tree
	orphans  []Orphan
	skipped  []Skipped // files with the name of ours that were changed by someone else
	failures []*Error
	unread   []Orphan // of failures
}

// planOrphans adds the files of the last build that no candidate of this one accounts
// for to the plan.
func (t *Tree) planOrphans(ctx context.Context, p *Plan, found *scan) {
	skipped := make(map[string]Reason)
	for _, s := range p.Skipped {
		skipped[s.Path] = s.Reason
	}
	resolver := newLinkResolver(t.variants)
	tasks := make(map[string]*Task, len(p.Assets))
	taken := make(map[string]bool) // by resolved path
	for _, task := range p.Assets {
		tasks[task.Path] = task
		resolved, _ := resolver.file(task.Path)
		taken[resolved] = true
	}
	finder := &orphanFinder{tree: t}
	for _, a := range p.Before.Assets {
		task := tasks[a.Path]
		if task == nil && underAny(found.unread, a.Path) {
			p.untouched = append(p.untouched, a)
			continue
		}
		if resolved, there := resolver.file(a.Path); task == nil && (!there || taken[resolved]) {
			continue
		}
		finder.ofAsset(ctx, &a, task, goneReason(skipped, a.Path))
	}
	p.Orphans, p.unread = append(p.Orphans, finder.orphans...), finder.unread
	p.Skipped = append(p.Skipped, finder.skipped...)
	p.Failures = append(p.Failures, finder.failures...)
}

// ofAsset adds the recorded files of an asset that are not wanted any more. task is
// nil and gone is the reason if the asset is no candidate.
func (f *orphanFinder) ofAsset(ctx context.Context, a *manifest.Asset, task *Task, gone Reason) {
	opts := f.tree.opts
	if a.Original && (task == nil || !opts.OutOriginals) && opts.Out != "" {
		reason := gone
		if !opts.OutOriginals && (task != nil || gone != ReasonSourceGone) {
			reason = ReasonCopyNotChosen
		}
		f.add(ctx, a, a.Path, manifest.Variant{Size: a.Size, Digest: a.Digest}, reason)
	}
	for _, v := range a.Variants {
		switch {
		case v.Omitted != "":
		case task == nil || !task.encode:
			f.add(ctx, a, a.Path+v.Coding.Suffix(), v, gone)
		case !slices.Contains(task.codings, v.Coding):
			f.add(ctx, a, a.Path+v.Coding.Suffix(), v, ReasonCodingNotChosen)
		}
	}
	for _, d := range a.Deltas {
		if reason := f.tree.unwantedDelta(d, task, gone); d.Omitted == "" && reason != "" {
			f.add(ctx, a, d.Name(a.Path), d.Variant, reason)
		}
	}
}

// goneReason returns why an asset is no candidate any more: the reason why it or a
// directory above it is skipped, else that it is gone.
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

// add adds a recorded file of an asset if it is still the one that was recorded, or
// one that a killed run wrote. Anybody else's file is left alone.
func (f *orphanFinder) add(ctx context.Context, a *manifest.Asset, name string, record manifest.Variant, reason Reason) {
	sib, err := f.tree.hasher.observe(ctx, f.tree.variants, name)
	switch {
	case err != nil:
		f.failures = append(f.failures, &Error{Op: OpRead, Path: name, Err: bareError(err)})
		f.unread = append(f.unread, Orphan{Path: name})
	case sib.matches(record), sib.regular && f.tree.wroteUnfinished(ctx, a, record, name):
		f.orphans = append(f.orphans, Orphan{Path: name, Size: sib.info.Size(), Reason: reason, digest: sib.digest})
	case sib.exists:
		f.skipped = append(f.skipped, Skipped{Path: name, Reason: ReasonModified})
	}
}

// wroteUnfinished reports whether a run that was killed wrote the file that a stale
// record of the asset is about: it decodes to the content that the source had then.
func (t *Tree) wroteUnfinished(ctx context.Context, a *manifest.Asset, v manifest.Variant, name string) bool {
	if !v.Stale {
		return false
	}
	file, _, err := osfile.OpenRegular(t.variants, name, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer file.Close()
	if v.Coding.IsDelta() { // its dictionary may be gone; the name must do
		_, short, _, _ := manifest.SplitDelta(name)
		sum, err := framing.ReadDeltaHeader(file, v.Coding)
		return err == nil && sum.Short() == short
	}
	decoded, err := codec.NewReader(v.Coding, file)
	if err != nil {
		return false
	}
	defer decoded.Close()
	digest := xxhash.New()
	size, err := io.Copy(digest, io.LimitReader(osfile.ContextReader{Ctx: ctx, Reader: decoded}, a.Size+1))
	return err == nil && size == a.Size && manifest.Digest(digest.Sum64()) == a.Digest
}

// planLeftovers adds the temporary files of interrupted runs. The lock proves that
// they are nobody's.
func (t *Tree) planLeftovers(ctx context.Context, p *Plan, found *scan) error {
	leftovers := found.leftovers
	if t.opts.Out != "" && t.variants != nil {
		var err error
		if leftovers, err = tempFiles(ctx, t.variants, "."); err != nil {
			return err
		}
	}
	p.Orphans = append(p.Orphans, asOrphans(leftovers)...)
	return nil
}

func asOrphans(leftovers []string) []Orphan {
	var orphans []Orphan
	for _, name := range leftovers {
		orphans = append(orphans, Orphan{Path: name, Reason: ReasonLeftover, leftover: true})
	}
	return orphans
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
	return slices.ContainsFunc(directories, func(dir string) bool {
		return dir == "." || dir == name || strings.HasPrefix(name, dir+"/")
	})
}
