package precompress

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// writer brings the files of one task in line with what was decided, and records it.
type writer struct {
	run  *run
	task *Task
	in   *directory // of the source, or the root
	res  taskResult
}

// encodedStep is the result of encoding for one step.
type encodedStep struct {
	failure        *Error
	data           []byte  // nil if incompressible
	size           int64   // in bytes, of the file that would be kept
	incompressible bool    // nothing was encoded, and there is nothing to adopt
	cached         bool    // the encoding was in the cache
	sibling        sibling // the file that has the name of the variant now
	adopt          bool    // the sibling decodes to the source, and is the one to keep
	omission       manifest.Omission
}

// encodeStep encodes src for one step, unless the file with the name of the variant is
// not ours to replace.
func (w *writer) encodeStep(ctx context.Context, step *Step, set *encodingSet, src []byte) encodedStep {
	name := step.fileName(w.task.Path)
	sib, err := w.run.tree.hasher.observe(ctx, w.in.variants, w.in.name(name))
	if err != nil && !w.run.tree.opts.Force {
		return encodedStep{failure: &Error{Op: OpRead, File: path.Base(name), Err: bareError(err)}}
	}
	valid, failure := w.mayReplace(ctx, step, sib, name, src)
	if failure != nil {
		return encodedStep{failure: failure}
	}
	e, err := w.run.encodings.get(ctx, set, w.task.paramsOf(step), src)
	if err != nil {
		return encodedStep{failure: &Error{Op: OpEncode, Err: err}}
	}
	encoded := encodedStep{data: e.data, size: e.size, cached: e.cached, sibling: sib}
	switch {
	case e.incompressible:
		encoded.incompressible, encoded.adopt = !valid, valid
	case valid:
		encoded.adopt = sib.info.Size() < e.size || sib.digest == manifest.Sum(e.data)
	}
	if encoded.adopt {
		encoded.size = sib.info.Size()
	}
	return encoded
}

// mayReplace returns a failure if the sibling is not ours to replace. valid is true
// if the sibling decodes to the source although no build recorded it as it is, so that
// it can be kept in place of our encoding.
func (w *writer) mayReplace(ctx context.Context, step *Step, sib sibling, name string, src []byte) (valid bool, failure *Error) {
	if !sib.exists {
		return false, nil
	}
	if sib.info != nil && sib.info.IsDir() {
		return false, &Error{Op: OpWrite, Err: errDirectoryInTheWay}
	}
	record, own := step.recordIn(w.task.before)
	own = own && record.Omitted == "" && sib.info != nil && sib.info.Mode().IsRegular()
	if own && isAnnounced(record) {
		own = w.run.tree.wroteUnfinished(ctx, w.task.before, record, name)
	}
	if w.run.tree.opts.Force || own && sib.matches(record) {
		return false, nil
	}
	reason := osfile.ErrNotRegular
	if sib.regular {
		reason = w.decodesTo(ctx, w.task.paramsOf(step), name, src)
	}
	if !own && reason != nil && ctx.Err() == nil {
		return false, &Error{Op: OpWrite, Err: fmt.Errorf("%w and cannot be sent for its source (%w)", ErrForeign, reason)}
	}
	return reason == nil, nil
}

// errDirectoryInTheWay is about a directory with the name of a variant. Unlike a
// foreign file, not even Force replaces it.
var errDirectoryInTheWay = errors.New("a directory has the variant's name: rename it, or exclude the asset")

// decodesTo returns nil if the file of that name decodes to src in a way that clients
// can follow, else why it does not.
func (w *writer) decodesTo(ctx context.Context, p codec.Params, name string, src []byte) error {
	f, _, err := osfile.OpenRegular(w.run.tree.variants, name, os.O_RDONLY)
	if err != nil {
		return bareError(err)
	}
	defer f.Close()
	return codec.Verify(ctx, p, f, src)
}

// finishStep does the step of the given index in [Task.all], and records it.
func (w *writer) finishStep(i int, step *Step, encoded *encodedStep) {
	name := step.fileName(w.task.Path)
	var failure *Error
	result := VariantResult{Coding: step.Coding, Reason: step.Reason, Size: step.Size}
	record := step.record
	switch step.Action {
	case Keep:
		result.Status = Reused
	case Omit:
		result.Status = Omitted
	case Touch:
		result.Status = Reused
		failure = w.setAttributes(name)
	case Remove:
		result.Status = Omitted
		failure = w.remove(name, step.Size, step.Reason)
	case Encode:
		result, record, failure = w.store(step, name, encoded)
	}
	recorded := true
	if failure != nil {
		failure.Path, failure.Coding = w.task.Path, step.Coding
		result.Status, result.Cached = Failed, false
		w.res.failures = append(w.res.failures, failure)
		w.run.stopIfDiskFull(failure)
		record, recorded = w.task.recordUndone(step)
		record.Stale = record.Stale || w.task.sourceChanged() || errors.Is(failure, ErrForeign)
	}
	w.res.asset.add(w.task, i, result)
	if recorded {
		step.addTo(w.res.record, record)
	}
}

// store writes the encoded variant, unless it is omitted or there already.
func (w *writer) store(step *Step, name string, e *encodedStep) (VariantResult, manifest.Variant, *Error) {
	result := VariantResult{Coding: step.Coding, Reason: step.Reason, Size: e.size, Cached: e.cached}
	level := w.task.level(step.Coding)
	record := manifest.Variant{Coding: step.Coding, Level: level, Encoder: w.run.tree.versions.At(step.Coding, level), Size: e.size}
	if e.failure != nil {
		return result, record, e.failure
	}
	if e.omission != "" {
		result.Status, result.Reason, record.Omitted = Omitted, Reason(e.omission), e.omission
		if e.sibling.exists {
			return result, record, w.remove(name, e.sibling.info.Size(), result.Reason)
		}
		return result, record, nil
	}
	if e.adopt {
		result.Status, record.Digest = Adopted, e.sibling.digest
		return result, record, w.setAttributes(name)
	}
	result.Status, record.Digest = Written, manifest.Sum(e.data)
	if e.sibling.has(e.size, record.Digest) {
		result.Status = Reused // identical: its bytes stay
		return result, record, w.setAttributes(name)
	}
	err := w.write(name, func(file io.Writer) error {
		_, err := file.Write(e.data)
		return err
	})
	if err != nil {
		return result, record, &Error{Op: OpWrite, Err: bareError(err)}
	}
	return result, record, nil
}

// remove removes the file of a variant.
func (w *writer) remove(name string, size int64, reason Reason) *Error {
	if err := w.run.remove(name, size, reason); err != nil {
		return &Error{Op: OpRemove, Err: bareError(err)}
	}
	return nil
}

// write writes a file with the source's attributes, whole or not at all. Its directory
// is created if it is missing.
func (w *writer) write(name string, fill func(io.Writer) error) error {
	if w.run.tree.opts.Out != "" && w.in.prefix == "" {
		if err := w.run.tree.variants.MkdirAll(path.Dir(name), 0o777); err != nil {
			return err
		}
	}
	return osfile.Write(w.in.variants, w.in.name(name), w.task.attr, fill)
}

// setAttributes gives a file that stays the attributes of the source.
func (w *writer) setAttributes(name string) *Error {
	info, err := w.run.tree.variants.Lstat(name)
	if err == nil {
		err = w.task.attr.Set(w.run.tree.variants, name, info)
	}
	if err != nil {
		return &Error{Op: OpSetAttributes, Err: bareError(err)}
	}
	return nil
}

// copyOriginal copies the source to the output directory. It fails with
// [ErrSourceChanged] if the source is not the one that was planned; any other failure
// is in the result.
func (w *writer) copyOriginal(ctx context.Context) error {
	w.res.record.Original = true
	if !w.task.CopyOriginal {
		return nil
	}
	err := w.replaceOriginal(ctx)
	if errors.Is(err, ErrSourceChanged) || ctx.Err() != nil {
		return err
	}
	if err != nil {
		failure := &Error{Op: OpCopy, Path: w.task.Path, Err: bareError(err)}
		w.res.failures = append(w.res.failures, failure)
		w.res.record.Original = w.task.before != nil && w.task.before.Original
		w.run.stopIfDiskFull(failure)
	}
	return nil
}

func (w *writer) replaceOriginal(ctx context.Context) error {
	tree := w.run.tree
	sib, err := tree.hasher.observe(ctx, tree.variants, w.task.Path)
	if err != nil {
		return err
	}
	own := sib.regular && w.task.before != nil && w.task.before.Original
	switch {
	case sib.has(w.task.Size, w.task.Digest):
		return w.task.attr.Set(tree.variants, w.task.Path, sib.info)
	case sib.exists && !own && !tree.opts.Force:
		return ErrForeign
	case sib.exists && sib.info.IsDir():
		return errDirectoryInTheWay
	}
	return w.write(w.task.Path, func(file io.Writer) error {
		f, _, err := osfile.OpenRegular(tree.sources, w.task.Path, os.O_RDONLY)
		if err != nil {
			return err
		}
		defer f.Close()
		digest := xxhash.New()
		if _, err := io.Copy(io.MultiWriter(file, digest), osfile.ContextReader{Ctx: ctx, Reader: f}); err != nil {
			return err
		}
		if manifest.Digest(digest.Sum64()) != w.task.Digest {
			return ErrSourceChanged
		}
		return nil
	})
}
