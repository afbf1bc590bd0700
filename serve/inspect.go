package serve

import (
	"errors"
	"io/fs"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/manifest"
)

// inspection finds out what an asset's files are. The content without a coding
// comes from the source, or else from what a variant decodes to.
type inspection struct {
	ix       *index
	a        *asset
	content  *measured // nil while it is not known
	variants []variant // in use
	deltas   []delta   // in use
	problems []Problem
	identity *representation
}

// variant is a variant that is in use.
type variant struct {
	coding manifest.Coding
	file   string
	measured
}

// fault is why a variant is not used. A nil fault means that it is.
type fault struct {
	reason Reason
	err    error
}

// lookAtSource measures the source, if there is one.
func (in *inspection) lookAtSource() error {
	if !in.a.source {
		return nil
	}
	m, err := measure(in.ix.tree, in.a.path, nil, -1)
	if err != nil {
		return err
	}
	in.content = &m
	in.identity = &representation{file: in.a.path, info: m.info, size: m.size, digest: m.digest}
	return nil
}

// lookAtVariant decides about one coding's variant.
func (in *inspection) lookAtVariant(c manifest.Coding) error {
	record, listed := in.record(c)
	if !in.a.siblings.has(c) {
		if listed {
			in.refuse(c, &fault{reason: Missing})
		}
		return nil
	}
	v := variant{coding: c, file: in.a.path + c.Suffix()}
	var err error
	v.measured, err = measure(in.ix.tree, v.file, nil, -1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		in.refuse(c, &fault{reason: Missing})
		return nil
	case errors.Is(err, fs.ErrPermission):
		in.refuse(c, &fault{Damaged, err})
		return nil
	case err != nil:
		return err
	}
	f := in.compareWithManifest(v, record, listed)
	if f == nil {
		f, err = in.checkForm(v)
	}
	if err == nil && f == nil {
		f, err = in.compareWithSource(v)
	}
	if err != nil {
		return err
	}
	if f != nil {
		in.refuse(c, f)
		return nil
	}
	in.variants = append(in.variants, v)
	return nil
}

func (in *inspection) refuse(c manifest.Coding, f *fault) {
	in.problems = append(in.problems, Problem{Path: in.a.path, Coding: c, Reason: f.reason, Err: f.err})
}

// record returns what the manifest says of a stored variant.
func (in *inspection) record(c manifest.Coding) (manifest.Variant, bool) {
	if in.a.listed == nil {
		return manifest.Variant{}, false
	}
	v, ok := in.a.listed.Variant(c)
	return v, ok && v.Stored()
}

// compareWithManifest trusts the build, which has decoded what it wrote: the
// source and the variant must be the very contents that it recorded.
func (in *inspection) compareWithManifest(v variant, record manifest.Variant, listed bool) *fault {
	switch {
	case in.ix.manifest == nil:
		return nil
	case !listed:
		return &fault{reason: Foreign}
	case in.content != nil && !in.content.equal(in.a.listed.Size, in.a.listed.Digest):
		return &fault{reason: Stale}
	case !v.equal(record.Size, record.Digest):
		return &fault{reason: Damaged}
	case v.size >= in.a.listed.Size:
		return &fault{reason: Larger}
	}
	return nil
}

// compareWithSource has, without a manifest, nobody to trust. Where the coding's decoder is linked
// the content decides; else a variant that is older than its source is stale.
func (in *inspection) compareWithSource(v variant) (*fault, error) {
	if in.ix.manifest != nil || in.content == nil {
		return nil, nil // it was compared, or decodeOne compares it with the others
	}
	if v.size >= in.content.size {
		return &fault{reason: Larger}, nil
	}
	decode := in.ix.opts.Decoders[v.coding]
	if decode == nil {
		made, changed := usableTime(v.info.ModTime()), usableTime(in.content.info.ModTime())
		if !made.IsZero() && !changed.IsZero() && made.Before(changed) {
			return &fault{reason: Stale}, nil
		}
		return nil, nil
	}
	m, err := measure(in.ix.tree, v.file, decode, in.content.size)
	var notDecoded *decodeError
	switch {
	case errors.As(err, &notDecoded):
		return &fault{Damaged, err}, nil
	case err != nil:
		return nil, err
	case !m.equal(in.content.size, in.content.digest):
		return &fault{reason: Stale}, nil
	}
	return nil, nil
}

// checkForm checks what can be told of a stream without decoding it.
func (in *inspection) checkForm(v variant) (*fault, error) {
	f, _, err := openRegular(in.ix.tree, v.file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	err = framing.Check(v.coding, f)
	switch {
	case errors.Is(err, manifest.ErrWindow):
		return &fault{Window, err}, nil
	case err != nil:
		return &fault{Damaged, err}, nil
	}
	return nil, nil
}
