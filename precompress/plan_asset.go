package precompress

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/internal/urlpattern"
	"github.com/precompress/precompress/manifest"
)

// assetPlanner plans the variants of assets, in several goroutines at a time.
type assetPlanner struct {
	tree   *Tree
	before *manifest.Manifest // of the last build
}

// plannedFile is the task of a file or why it could not be planned; neither, if
// there is nothing to do about it.
type plannedFile struct {
	task    *Task
	failure *Error
}

// files plans all files found, in parallel, and adds the tasks to the plan.
func (ap *assetPlanner) files(ctx context.Context, p *Plan, found *scan) error {
	paths := make([]string, len(found.files))
	for i, src := range found.files {
		if src.skip == "" || ap.tree.opts.OutOriginals {
			paths[i] = src.path
		}
	}
	planned := make([]plannedFile, len(found.files))
	err := ap.tree.inDirectories(ctx, paths, func(i int, in *directory, err error) {
		if err != nil {
			planned[i].failure = &Error{Op: OpRead, Path: paths[i], Err: bareError(err)}
			return
		}
		planned[i].task, planned[i].failure = ap.file(ctx, in, found.files[i])
	})
	for i, src := range found.files {
		if src.skip != "" {
			p.Skipped = append(p.Skipped, Skipped{Path: src.path, Reason: src.skip})
		}
		if planned[i].failure != nil {
			p.Failures = append(p.Failures, planned[i].failure)
			found.unread = append(found.unread, src.path)
		}
		if planned[i].task != nil {
			p.Assets = append(p.Assets, planned[i].task)
		}
	}
	return err
}

// file plans one source. One that is not a candidate is planned only for the copy of
// its original.
func (ap *assetPlanner) file(ctx context.Context, in *directory, src source) (*Task, *Error) {
	var also []io.Writer
	sum := sha256.New()
	if src.info == nil || ap.tree.history.MayHold(src.path, src.info.Size()) {
		also = append(also, sum)
	}
	digest, info, err := ap.tree.hasher.file(ctx, in.sources, in.name(src.path), also...)
	if err != nil {
		return nil, &Error{Op: OpRead, Path: src.path, Err: bareError(err)}
	}
	task := &Task{Path: src.path, Size: info.Size(), Digest: digest, attr: osfile.AttributesOf(info), encode: src.skip == "", settings: src.settings}
	task.before, _ = ap.before.Lookup(src.path)
	if ap.tree.opts.OutOriginals {
		if hiddenName(src.path) && src.skip != "" {
			return nil, nil // never copied where it could be served
		}
		task.original, task.CopyOriginal = true, !ap.isCopied(ctx, in, task)
	}
	if task.encode {
		task.sum = manifest.Dictionary(sum.Sum(nil))
		task.pattern = ap.tree.opts.urlPattern(src.path, task.Size)
		ap.steps(ctx, in, task)
	}
	return task, nil
}

func (ap *assetPlanner) isCopied(ctx context.Context, in *directory, task *Task) bool {
	if in.variants == nil || ap.tree.opts.Force {
		return false
	}
	copied, err := ap.tree.hasher.observe(ctx, in.variants, in.name(task.Path))
	return err == nil && copied.has(task.Size, task.Digest) && task.attr.Match(copied.info)
}

// steps decides about each coding of a task.
func (ap *assetPlanner) steps(ctx context.Context, in *directory, task *Task) {
	t := ap.tree
	var steps []Step
	var known []candidate // measured by earlier builds, with the index of its step
	var knownAt []int
	for i, c := range task.codings {
		step := Step{Coding: c, Action: Encode}
		var record manifest.Variant
		record, step.Reason = t.reusable(task, &step)
		steps = append(steps, step)
		if step.Reason == "" {
			known = append(known, candidate{c, record.Size, record.Omitted == manifest.Incompressible})
			knownAt = append(knownAt, i)
		}
	}
	for k, omission := range weigh(task.Size, known, t.opts.MinSaving, t.opts.DropDominated) {
		step := &steps[knownAt[k]]
		record, _ := task.before.Variant(step.Coding)
		// A sibling that cannot be read matches no record; the step that follows from
		// that says what is wrong with it.
		sib, _ := t.hasher.observeVariant(ctx, in.variants, in.name(task.Path), step.Coding)
		*step = decide(record, omission, sib, task.attr)
	}
	if t.opts.DropDominated && slices.ContainsFunc(steps, func(s Step) bool { return s.Action == Encode }) {
		encodeEach(steps)
	}
	task.Steps = steps
}

// encodeEach encodes every coding again because one of them is encoded: they are
// weighed against each other.
func encodeEach(steps []Step) {
	for i, s := range steps {
		if s.Action != Encode {
			steps[i].Action, steps[i].Reason = Encode, ReasonSettingsChanged
		}
	}
}

// reusable returns the last build's record of a step's file and why it no longer
// holds, "" if it does.
func (t *Tree) reusable(task *Task, s *Step) (manifest.Variant, Reason) {
	switch {
	case t.opts.Force:
		return manifest.Variant{}, ReasonForced
	case task.before == nil:
		return manifest.Variant{}, ReasonNew
	}
	record, found := s.recordIn(task.before)
	switch {
	case task.sourceChanged():
		return record, ReasonSourceChanged
	case !found:
		return record, ReasonNew
	case record.Stale:
		return record, ReasonUnfinished
	case record.Level != task.level(s.Coding):
		return record, ReasonSettingsChanged
	case record.Encoder != t.versions.At(s.Coding, record.Level):
		return record, ReasonEncoderChanged
	}
	return record, ""
}

// decide compares a coding's record, which still holds, and the result of weighing
// it with the file on disk.
func decide(record manifest.Variant, omission manifest.Omission, sib sibling, attr *osfile.Attributes) Step {
	step := Step{Coding: record.Coding, Size: record.Size, record: record}
	keep := omission == ""
	if !keep {
		step.record.Omitted, step.record.Digest = omission, 0
	}
	switch {
	case keep && !record.Stored():
		step.Action, step.Reason = Encode, ReasonSettingsChanged
	case keep && !sib.exists:
		step.Action, step.Reason = Encode, ReasonMissing
	case keep && !sib.matches(record):
		step.Action, step.Reason = Encode, ReasonDamaged
	case keep && errors.Is(sib.format, manifest.ErrWindow):
		step.Action, step.Reason = Encode, ReasonWindow
	case keep && sib.format != nil:
		step.Action, step.Reason = Encode, ReasonDamaged
	case keep && !attr.Match(sib.info):
		step.Action, step.Reason = Touch, ReasonMetadata
	case keep:
		step.Action, step.Reason = Keep, ReasonFresh
	case !sib.exists:
		step.Action, step.Reason = Omit, Reason(omission)
	case sib.matches(record):
		step.Action, step.Reason = Remove, Reason(omission)
	default:
		step.Action, step.Reason = Encode, ReasonForeign
	}
	return step
}

// urlPattern returns the URL pattern of the requests that an asset may be a
// dictionary for, relative to its own URL: its name with "*" in place of the
// fingerprint and of what pages may percent-encode. It is "" if no pattern can be
// sent, or the asset would be too large for a dictionary.
func (o Options) urlPattern(asset string, size int64) string {
	if !o.usesDeltas() || size == 0 || size > release.MaxFile {
		return ""
	}
	name := urlPath(path.Base(asset))
	if prefix, _, suffix, ok := o.Fingerprint.Split(asset); ok {
		prefix = prefix[strings.LastIndex(prefix, "/")+1:]
		name = urlPath(prefix) + "*" + urlPath(suffix)
	}
	pattern := urlpattern.QuoteName(name) // in which "*" stays
	if urlpattern.Check(pattern) != nil {
		return ""
	}
	return pattern
}

// urlPath returns the name of a file as browsers write it in the path of a URL: they
// keep what is no delimiter there (URL standard, path percent-encode set). Percent
// signs and backslashes have another meaning in links, and whoever writes the link
// encodes them.
func urlPath(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if c <= ' ' || c > '~' || strings.IndexByte("\"#<>?^`{}%\\", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
