package precompress

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Problem is one thing in a tree that is not as a build would leave it.
type Problem struct {
	// Path is the asset's; of an orphan and of the manifest it is the file's.
	Path string
	// Coding is the variant's, "" where the problem is not one coding's.
	Coding manifest.Coding
	// Dictionary is [manifest.Dictionary.Short] of a delta's, else "".
	Dictionary string
	Kind       ProblemKind
	// Text says in words what is wrong.
	Text string
}

// ProblemKind is a kind of [Problem]. The values are stable.
type ProblemKind string

// The kinds of problems.
const (
	ProblemMissing  ProblemKind = "missing"  // there is no variant and it is not known that none would pay; no copy of the source; no manifest
	ProblemStale    ProblemKind = "stale"    // made from another source, with other settings or by another encoder
	ProblemOrphan   ProblemKind = "orphan"   // a file of ours that does not belong to the tree any more
	ProblemDamaged  ProblemKind = "damaged"  // the variant is not what was written
	ProblemForeign  ProblemKind = "foreign"  // no manifest lists the file under a variant's name
	ProblemLarger   ProblemKind = "larger"   // the variant is larger than it may be
	ProblemWindow   ProblemKind = "window"   // clients refuse the variant: it needs a larger window than they grant
	ProblemMetadata ProblemKind = "metadata" // its mode or modification time is not its source's
)

// ProblemKinds returns every kind, in the order that sums use.
func ProblemKinds() []ProblemKind {
	return []ProblemKind{ProblemMissing, ProblemStale, ProblemOrphan, ProblemDamaged, ProblemForeign, ProblemLarger, ProblemWindow, ProblemMetadata}
}

// Problems returns what a plan found to do as what is wrong with the tree, each
// variant and file once, sorted by path. It looks closer at files that no
// manifest lists. Nothing is wrong if and only if [Plan.UpToDate], but for paths
// that cannot be read, which are in the plan. It fails if ctx is done.
func (t *Tree) Problems(ctx context.Context, p *Plan) ([]Problem, error) {
	var found []Problem
	look := &planner{Tree: t}
	for _, task := range p.Assets {
		if task.CopyOriginal {
			found = append(found, Problem{Path: task.Path, Kind: ProblemMissing, Text: "the output directory lacks the right copy of the source"})
		}
		for _, step := range task.all() {
			if kind, text := look.problem(ctx, task, step); kind != "" {
				found = append(found, Problem{task.Path, step.Coding, step.short(), kind, text})
			}
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	for _, o := range p.Orphans {
		_, short, coding, _ := manifest.SplitDelta(o.Path)
		found = append(found, Problem{o.Path, coding, short, ProblemOrphan, o.Reason.Text()})
	}
	if p.recordsChange {
		found = append(found, t.manifestProblem(p))
	}
	slices.SortStableFunc(found, func(a, b Problem) int { return strings.Compare(a.Path, b.Path) })
	return found, nil
}

func (t *Tree) manifestProblem(p *Plan) Problem {
	name := cmp.Or(filepath.ToSlash(t.opts.Manifest), manifest.Name)
	if p.beforeBytes == nil {
		return Problem{Path: name, Kind: ProblemMissing, Text: "there is no manifest"}
	}
	return Problem{Path: name, Kind: ProblemStale, Text: "the manifest does not say what is there"}
}

// problem returns what is wrong with one variant, a kind of "" for nothing.
func (t *planner) problem(ctx context.Context, task *Task, step *Step) (ProblemKind, string) {
	switch step.Action {
	case Touch:
		return ProblemMetadata, t.attributesDiffer(task, step)
	case Remove:
		if step.Size >= task.Size {
			return ProblemLarger, notSmaller(step.Size, task.Size)
		}
		return ProblemLarger, step.Reason.Text()
	case Encode:
		switch step.Reason {
		case ReasonMissing:
			return ProblemMissing, step.Reason.Text()
		case ReasonDamaged:
			return ProblemDamaged, step.Reason.Text()
		case ReasonWindow:
			return ProblemWindow, step.Reason.Text()
		}
		return t.unbuilt(ctx, task, step)
	}
	return "", ""
}

// unbuilt returns what is wrong with a variant whose record, if there is one,
// does not hold any more.
func (t *planner) unbuilt(ctx context.Context, task *Task, step *Step) (ProblemKind, string) {
	record, recorded := step.recorded(task.prev)
	sib, err := t.observeStep(ctx, task, step)
	switch {
	case err != nil:
		return ProblemDamaged, "cannot be read: " + bareError(err).Error()
	case !sib.exists && recorded && record.Omitted != "":
		return ProblemStale, step.Reason.Text() // that none pays was found before
	case !sib.exists && recorded:
		return ProblemMissing, ReasonMissing.Text()
	case !sib.exists:
		return ProblemMissing, ReasonNew.Text()
	case recorded && record.Omitted == "":
		return ProblemStale, step.Reason.Text()
	case !sib.regular:
		return ProblemForeign, osfile.ErrNotRegular.Error()
	case sib.info.Size() >= task.Size:
		return ProblemLarger, notSmaller(sib.info.Size(), task.Size)
	case errors.Is(sib.form, manifest.ErrWindow):
		return ProblemWindow, ReasonWindow.Text()
	}
	return ProblemForeign, "no manifest lists the file that is there"
}

// observeStep looks at what stands under the name of a step's file.
func (t *planner) observeStep(ctx context.Context, task *Task, step *Step) (sibling, error) {
	if step.dictionary != nil {
		return t.observe(ctx, t.variants, step.name(task.Path))
	}
	return t.observeVariant(ctx, t.variants, task.Path, step.Coding)
}

func notSmaller(variant, source int64) string {
	return fmt.Sprintf("it has %d bytes, its source %d", variant, source)
}

// attributesDiffer says in which attributes a variant differs from its source.
func (t *planner) attributesDiffer(task *Task, step *Step) string {
	info, err := t.variants.Lstat(step.name(task.Path))
	if err != nil {
		return step.Reason.Text()
	}
	var parts []string
	if is := info.Mode().Perm(); is != task.attr.mode {
		parts = append(parts, fmt.Sprintf("the mode is %04o, its source's %04o", is, task.attr.mode))
	}
	if !info.ModTime().Equal(task.attr.mtime) {
		parts = append(parts, "the modification time is not its source's")
	}
	if parts == nil {
		return step.Reason.Text()
	}
	return strings.Join(parts, "; ")
}
