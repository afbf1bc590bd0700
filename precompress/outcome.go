package precompress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// outcome is what encoding came to for one step.
type outcome struct {
	fault    *Error
	encoded  []byte  // ours; nil where the probe spared it
	size     int64   // of the one that would be kept, in bytes
	probed   bool    // nothing was encoded, and nothing is there to adopt
	cached   bool    // what encoding comes to was in the cache
	sibling  sibling // what stands under the variant's name
	adopt    bool    // the sibling decodes to the source and is the one to keep
	omission manifest.Omission
}

// encodeStep has src encoded for one step, unless that would be of no use: the
// file under the variant's name is not ours to replace.
func (j *job) encodeStep(ctx context.Context, step *Step, c *content, src []byte) outcome {
	name := step.name(j.task.Path)
	sib, err := j.observe(ctx, j.in.variants, j.in.name(name))
	if err != nil && !j.opts.Force {
		return outcome{fault: &Error{Op: "read " + path.Base(name), Err: bareError(err)}}
	}
	valid, fault := j.mayReplace(ctx, step, sib, name, src)
	if fault != nil {
		return outcome{fault: fault}
	}
	e, err := j.encoding(ctx, c, j.task.setting(step), src)
	if err != nil {
		return outcome{fault: &Error{Op: "encode", Err: err}}
	}
	o := outcome{encoded: e.data, size: e.size, cached: e.cached, sibling: sib}
	switch {
	case e.probed:
		o.probed, o.adopt = !valid, valid
	case valid:
		o.adopt = sib.info.Size() < e.size || sib.digest == manifest.Sum(e.data)
	}
	if o.adopt {
		o.size = sib.info.Size()
	}
	return o
}

// mayReplace reports whether the sibling decodes to the source though no build
// recorded it as it is, so that it may be kept in place of ours. It fails if
// the sibling is not ours to replace.
func (j *job) mayReplace(ctx context.Context, step *Step, sib sibling, name string, src []byte) (valid bool, fault *Error) {
	if !sib.exists {
		return false, nil
	}
	if sib.info != nil && sib.info.IsDir() {
		return false, &Error{Op: "write", Err: errDirectoryInTheWay}
	}
	record, own := step.recorded(j.task.prev)
	own = own && record.Omitted == "" && sib.info != nil && sib.info.Mode().IsRegular()
	if own && isClaim(record) {
		own = j.wrote(ctx, j.task.prev, record, name)
	}
	if j.opts.Force || own && sib.matches(record) {
		return false, nil
	}
	reason := osfile.ErrNotRegular
	if sib.regular {
		reason = j.decodesTo(ctx, j.task.setting(step), name, src)
	}
	if !own && reason != nil && ctx.Err() == nil {
		return false, &Error{Op: "write", Err: fmt.Errorf("%w and cannot be sent for its source (%w)", ErrForeign, reason)}
	}
	return reason == nil, nil
}

// errDirectoryInTheWay is about a directory with a variant's name. Unlike a foreign
// file it is not replaced by force.
var errDirectoryInTheWay = errors.New("a directory has the variant's name: rename it, or exclude the asset")

// decodesTo returns nil if the file of that name decodes to src in a way that
// clients can follow, else why it does not.
func (j *job) decodesTo(ctx context.Context, s setting, name string, src []byte) error {
	f, _, err := osfile.OpenRegular(j.variants, name, os.O_RDONLY)
	if err != nil {
		return bareError(err)
	}
	defer f.Close()
	return s.verify(ctx, f, src)
}

// weigh decides which codings of the asset are kept. Where codings do not
// depend on each other, those that are not encoded stay as planned.
func (j *job) weigh() {
	var candidates []candidate
	var at []int
	for i, step := range j.task.Steps {
		o := &j.outcomes[i]
		if step.Action == Encode && o.fault == nil {
			candidates = append(candidates, candidate{step.Coding, o.size, o.probed})
			at = append(at, i)
		}
	}
	for k, omission := range weigh(j.task.Size, candidates, j.opts.MinSaving, j.opts.DropDominated) {
		j.outcomes[at[k]].omission = omission
	}
}

// store brings the variant's file in line with its outcome.
func (j *job) store(step *Step, name string, o *outcome) (VariantReport, manifest.Variant, *Error) {
	report := VariantReport{Coding: step.Coding, Reason: step.Reason, Size: o.size, Cached: o.cached}
	level := j.task.level(step.Coding)
	record := manifest.Variant{Coding: step.Coding, Level: level, Encoder: j.encoderID(step.Coding, level), Size: o.size}
	if o.fault != nil {
		return report, record, o.fault
	}
	if o.omission != "" {
		report.Status, report.Reason, record.Omitted = Omitted, Reason(o.omission), o.omission
		if o.sibling.exists {
			return report, record, j.drop(name, o.sibling.info.Size(), report.Reason)
		}
		return report, record, nil
	}
	if o.adopt {
		report.Status, record.Digest = Adopted, o.sibling.digest
		return report, record, j.touch(name)
	}
	report.Status, record.Digest = Written, manifest.Sum(o.encoded)
	if o.sibling.regular && o.sibling.digest == record.Digest && o.sibling.info.Size() == o.size {
		report.Status = Reused // identical: left untouched
		return report, record, j.touch(name)
	}
	err := j.write(name, func(w io.Writer) error {
		_, err := w.Write(o.encoded)
		return err
	})
	if err != nil {
		return report, record, &Error{Op: "write", Err: bareError(err)}
	}
	return report, record, nil
}

// drop removes a variant's file.
func (j *job) drop(name string, size int64, reason Reason) *Error {
	if err := j.remove(name, size, reason); err != nil {
		return &Error{Op: "remove", Err: bareError(err)}
	}
	return nil
}

// write writes a file with the source's attributes, in a directory that may have
// to be made.
func (j *job) write(name string, fill func(io.Writer) error) error {
	if j.opts.Out != "" && j.in.prefix == "" {
		if err := j.variants.MkdirAll(path.Dir(name), 0o777); err != nil {
			return err
		}
	}
	return writeAtomic(j.in.variants, j.in.name(name), j.task.attr, fill)
}

// touch brings the attributes of a file that stays in line with the source's.
func (j *job) touch(name string) *Error {
	info, err := j.variants.Lstat(name)
	if err == nil {
		err = setAttributes(j.variants, name, info, j.task.attr)
	}
	if err != nil {
		return &Error{Op: "set mode and time", Err: bareError(err)}
	}
	return nil
}

// copyOriginal puts a copy of the source into the directory of variants. It fails
// with [ErrSourceChanged] if the source is not the one that was planned; any
// other fault is in the result.
func (j *job) copyOriginal(ctx context.Context) error {
	j.res.record.Original = true
	if !j.task.CopyOriginal {
		return nil
	}
	err := j.replaceOriginal(ctx)
	if errors.Is(err, ErrSourceChanged) || ctx.Err() != nil {
		return err
	}
	if err != nil {
		fault := &Error{Op: "copy", Path: j.task.Path, Err: bareError(err)}
		j.res.failures = append(j.res.failures, fault)
		j.res.record.Original = j.task.prev != nil && j.task.prev.Original
		j.fullDisk(fault)
	}
	return nil
}

func (j *job) replaceOriginal(ctx context.Context) error {
	sib, err := j.observe(ctx, j.variants, j.task.Path)
	if err != nil {
		return err
	}
	own := sib.regular && j.task.prev != nil && j.task.prev.Original
	switch {
	case sib.holds(j.task):
		return setAttributes(j.variants, j.task.Path, sib.info, j.task.attr)
	case sib.exists && !own && !j.opts.Force:
		return ErrForeign
	case sib.exists && sib.info.IsDir():
		return errDirectoryInTheWay
	}
	return j.write(j.task.Path, func(w io.Writer) error {
		f, _, err := osfile.OpenRegular(j.sources, j.task.Path, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer f.Close()
		d := xxhash.New()
		if _, err := io.Copy(io.MultiWriter(w, d), osfile.ContextReader{Ctx: ctx, Reader: f}); err != nil {
			return err
		}
		if manifest.Digest(d.Sum64()) != j.task.Digest {
			return ErrSourceChanged
		}
		return nil
	})
}
