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

// Problem is one thing in a tree that a build would change.
type Problem struct {
	// Path is the path of the asset; for an orphan and the manifest, that of the file.
	Path string
	// Coding is that of the variant, "" if the problem is not about one.
	Coding manifest.Coding
	// Dictionary is [manifest.Dictionary.Short] of a delta's, else "".
	Dictionary string
	Kind       ProblemKind
	// Text describes what is wrong.
	Text string
}

// ProblemKind is a kind of [Problem]. The values are stable.
type ProblemKind string

// The kinds of problems.
const (
	ProblemMissing  ProblemKind = "missing"  // there is no variant, and it is not known that none pays off; no copy of the source; no manifest
	ProblemStale    ProblemKind = "stale"    // made from another source, with other settings or by another encoder
	ProblemOrphan   ProblemKind = "orphan"   // a file of ours that no longer belongs to the tree
	ProblemDamaged  ProblemKind = "damaged"  // the variant is not what was written
	ProblemForeign  ProblemKind = "foreign"  // no manifest lists the file that has the name of a variant
	ProblemLarger   ProblemKind = "larger"   // the variant is larger than it may be
	ProblemWindow   ProblemKind = "window"   // clients refuse the variant: it needs a larger window than they allow
	ProblemMetadata ProblemKind = "metadata" // its mode or modification time is not its source's
)

// ProblemKinds returns every kind, in the order that sums use.
func ProblemKinds() []ProblemKind {
	return []ProblemKind{ProblemMissing, ProblemStale, ProblemOrphan, ProblemDamaged, ProblemForeign, ProblemLarger, ProblemWindow, ProblemMetadata}
}

// Problems returns what is wrong with the tree according to a plan of it, each
// variant and file once, sorted by path. It looks more closely at files that no
// manifest lists. It returns none if and only if [Plan.UpToDate], except for paths that
// cannot be read, which are in the plan. It fails if ctx is done, and with
// [ErrOtherTree] or [ErrStalePlan].
func (t *Tree) Problems(ctx context.Context, p *Plan) ([]Problem, error) {
	if err := p.isFor(t); err != nil {
		return nil, err
	}
	var found []Problem
	for _, task := range p.Assets {
		if task.CopyOriginal {
			found = append(found, Problem{Path: task.Path, Kind: ProblemMissing, Text: "the output directory lacks the right copy of the source"})
		}
		for _, step := range task.all() {
			if kind, text := t.problem(ctx, task, step); kind != "" {
				found = append(found, Problem{task.Path, step.Coding, step.dictionaryName(), kind, text})
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
	return Problem{Path: name, Kind: ProblemStale, Text: "the manifest does not describe the files that are there"}
}

// problem returns what is wrong with one variant, a kind of "" for nothing.
func (t *Tree) problem(ctx context.Context, task *Task, step *Step) (ProblemKind, string) {
	switch step.Action {
	case Touch:
		return ProblemMetadata, t.differentAttributes(task, step)
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
		return t.unbuiltProblem(ctx, task, step)
	}
	return "", ""
}

// unbuiltProblem returns what is wrong with a variant whose record, if there is one,
// no longer holds.
func (t *Tree) unbuiltProblem(ctx context.Context, task *Task, step *Step) (ProblemKind, string) {
	record, recorded := step.recordIn(task.before)
	sib, err := t.observeStep(ctx, task, step)
	switch {
	case err != nil:
		return ProblemDamaged, "cannot be read: " + bareError(err).Error()
	case !sib.exists && recorded && record.Omitted != "":
		return ProblemStale, step.Reason.Text() // an earlier build found that none pays off
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
	case errors.Is(sib.format, manifest.ErrWindow):
		return ProblemWindow, ReasonWindow.Text()
	}
	return ProblemForeign, "no manifest lists the file that is there"
}

// observeStep looks at the file of a step.
func (t *Tree) observeStep(ctx context.Context, task *Task, step *Step) (sibling, error) {
	if step.dictionary != nil {
		return t.hasher.observe(ctx, t.variants, step.fileName(task.Path))
	}
	return t.hasher.observeVariant(ctx, t.variants, task.Path, step.Coding)
}

func notSmaller(variant, source int64) string {
	return fmt.Sprintf("it has %d bytes, its source %d", variant, source)
}

// differentAttributes says in which attributes a variant differs from its source.
func (t *Tree) differentAttributes(task *Task, step *Step) string {
	info, err := t.variants.Lstat(step.fileName(task.Path))
	if err != nil {
		return step.Reason.Text()
	}
	var parts []string
	if mode := info.Mode().Perm(); mode != task.attr.Mode {
		parts = append(parts, fmt.Sprintf("the mode is %04o, its source's %04o", mode, task.attr.Mode))
	}
	if !info.ModTime().Equal(task.attr.ModTime) {
		parts = append(parts, "the modification time is not its source's")
	}
	if parts == nil {
		return step.Reason.Text()
	}
	return strings.Join(parts, "; ")
}
