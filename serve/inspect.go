package serve

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/manifest"
)

// inspection finds out which of an asset's files may be sent. The content without
// a coding comes from the source or, without one, from decoding a variant.
type inspection struct {
	ix       *index
	e        *entry
	content  *measured // without a coding; nil while unknown
	variants []variant // in use
	deltas   []variant // in use
	findings []Finding
	identity *representation // nil if there is none
}

// variant is the file of a variant or a delta.
type variant struct {
	coding manifest.Coding
	file   string
	short  string         // of a delta: the start of its dictionary's SHA-256, from the file name
	record manifest.Delta // of a variant, without a dictionary
	listed bool           // the manifest lists it as stored, and record is what it says
	measured
	dictionary manifest.Dictionary // of a delta, from its header
}

// defect is the error for a variant that must not be sent.
type defect struct {
	reason Reason
	err    error // may be nil
}

func (d *defect) Error() string { return fmt.Sprintf("%s: %v", d.reason, d.err) }

// checkSource measures the source, if there is one.
func (in *inspection) checkSource() error {
	if !in.e.source {
		return nil
	}
	m, err := measure(in.ix.tree, in.e.path, nil, -1)
	if err != nil {
		return err
	}
	in.content = &m
	in.identity = &representation{file: in.e.path, info: m.info, size: m.size, digest: m.digest}
	return nil
}

// checkVariant decides about the variant in a coding.
func (in *inspection) checkVariant(c manifest.Coding) error {
	v := variant{coding: c, file: in.e.path + c.Suffix()}
	if in.e.listed != nil {
		v.record.Variant, v.listed = in.e.listed.Variant(c)
		v.listed = v.listed && v.record.Stored()
	}
	if in.e.siblings.has(c) {
		return in.decide(v, &in.variants)
	}
	if v.listed {
		in.report(v, &defect{reason: Missing})
	}
	return nil
}

// checkDeltas decides about the deltas.
func (in *inspection) checkDeltas() error {
	for _, file := range in.e.deltas {
		if err := in.decide(in.delta(file), &in.deltas); err != nil {
			return err
		}
	}
	if in.e.listed != nil {
		for _, d := range in.e.listed.Deltas {
			if file := d.Name(in.e.path); d.Stored() && !slices.Contains(in.e.deltas, file) {
				in.report(in.delta(file), &defect{reason: Missing})
			}
		}
	}
	slices.SortFunc(in.deltas, func(x, y variant) int {
		return cmp.Or(bytes.Compare(x.dictionary[:], y.dictionary[:]), cmp.Compare(x.coding, y.coding))
	})
	return nil
}

func (in *inspection) delta(file string) variant {
	_, short, c, _ := manifest.SplitDelta(file)
	v := variant{coding: c, file: file, short: short}
	if in.e.listed != nil {
		v.record, v.listed = in.e.listed.Delta(short, c)
		v.listed = v.listed && v.record.Stored()
	}
	return v
}

// decide adds v to those in use, or a finding.
func (in *inspection) decide(v variant, used *[]variant) error {
	err := in.verify(&v)
	var d *defect
	if errors.As(err, &d) {
		in.report(v, d)
		return nil
	}
	if err == nil {
		*used = append(*used, v)
	}
	return err
}

func (in *inspection) report(v variant, d *defect) {
	in.findings = append(in.findings, Finding{Path: in.e.path, Coding: v.coding, Dictionary: v.short, Reason: d.reason, Err: d.err})
}

// verify returns a [defect] if v must not be sent.
func (in *inspection) verify(v *variant) (err error) {
	v.measured, err = measure(in.ix.tree, v.file, nil, -1)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &defect{reason: Missing}
	case errors.Is(err, fs.ErrPermission):
		return &defect{Damaged, err}
	case err != nil:
		return err
	}
	if err := in.compareWithManifest(v); err != nil {
		return err
	}
	if err := in.checkFraming(v); err != nil {
		return err
	}
	return in.compareWithSource(v)
}

// compareWithManifest requires the source and v to be exactly what the build
// recorded. It decoded what it wrote.
func (in *inspection) compareWithManifest(v *variant) error {
	switch {
	case in.ix.manifest == nil:
		return nil
	case !v.listed:
		return &defect{reason: Foreign}
	case in.content != nil && !in.content.equal(in.e.listed.Size, in.e.listed.Digest):
		return &defect{reason: Stale}
	case !v.equal(v.record.Size, v.record.Digest):
		return &defect{reason: Damaged}
	case v.size >= in.e.listed.Size:
		return &defect{reason: Larger}
	}
	return nil
}

// checkFraming checks v without decoding it.
func (in *inspection) checkFraming(v *variant) error {
	f, _, err := openRegular(in.ix.tree, v.file)
	if err != nil {
		return err
	}
	defer f.Close()
	if v.coding.IsDelta() {
		err = v.checkDelta(f)
	} else {
		err = framing.Check(v.coding, f)
	}
	switch {
	case errors.Is(err, manifest.ErrWindow):
		return &defect{Window, err}
	case err != nil:
		return &defect{Damaged, err}
	}
	return nil
}

// checkDelta checks a delta's header, which must fit its name and its record, and
// the framing behind it. Decoding it would take the dictionary.
func (v *variant) checkDelta(r io.Reader) (err error) {
	v.dictionary, err = framing.ReadDeltaHeader(r, v.coding)
	switch {
	case err != nil:
		return err
	case v.dictionary.Short() != v.short, v.listed && v.dictionary != v.record.Dictionary:
		return fmt.Errorf("it is made for dictionary %s", v.dictionary)
	case v.coding == manifest.DCZ:
		return framing.CheckZstd(r, framing.DeltaWindow(v.record.DictionarySize))
	}
	return framing.Check(manifest.Brotli, r)
}

// compareWithSource is for trees without a manifest. With a decoder, v must decode
// to the source; without one, v must not be older than the source.
func (in *inspection) compareWithSource(v *variant) error {
	if in.ix.manifest != nil || in.content == nil {
		return nil // compareWithManifest has decided, or decodeOne will
	}
	if v.size >= in.content.size {
		return &defect{reason: Larger}
	}
	decode := in.ix.opts.Decoders[v.coding]
	if decode == nil {
		made, changed := usableTime(v.info.ModTime()), usableTime(in.content.info.ModTime())
		if !made.IsZero() && !changed.IsZero() && made.Before(changed) {
			return &defect{reason: Stale}
		}
		return nil
	}
	m, err := measure(in.ix.tree, v.file, decode, in.content.size)
	var notDecoded *decodeError
	switch {
	case errors.As(err, &notDecoded):
		return &defect{Damaged, err}
	case err != nil:
		return err
	case !m.equal(in.content.size, in.content.digest):
		return &defect{reason: Stale}
	}
	return nil
}

// decodeOne finds the content of an asset without a source, and drops the variants
// of other content. The manifest has the content's digest. Without one, the content
// is what the newest variant decodes to, of those that do decode. Variants without a
// decoder are not checked.
func (in *inspection) decodeOne() error {
	if listed := in.e.listed; listed != nil {
		in.content = &measured{size: listed.Size, digest: listed.Digest}
	}
	decoded := make([]*measured, len(in.variants))
	var newest *measured
	for i, v := range in.variants {
		decode := in.ix.opts.Decoders[v.coding]
		if decode == nil || in.content != nil && in.identity != nil {
			continue
		}
		m, err := measure(in.ix.tree, v.file, decode, -1)
		var notDecoded *decodeError
		if err != nil && !errors.As(err, &notDecoded) {
			return err
		}
		if err != nil {
			in.drop(i, &defect{Damaged, err})
			continue
		}
		decoded[i] = &m
		if newest == nil || m.info.ModTime().After(newest.info.ModTime()) {
			newest = &m
		}
		if in.content != nil && m.equal(in.content.size, in.content.digest) {
			in.content.head = m.head
			in.identity = in.decodedFrom(v, m)
		}
	}
	if in.content == nil {
		in.content = newest
	}
	for i, m := range decoded {
		switch {
		case m == nil:
		case !m.equal(in.content.size, in.content.digest):
			in.drop(i, &defect{reason: Stale})
		case in.identity == nil:
			in.identity = in.decodedFrom(in.variants[i], *m)
		}
	}
	in.variants = slices.DeleteFunc(in.variants, func(v variant) bool { return v.coding == "" })
	return nil
}

// drop marks a variant for removal.
func (in *inspection) drop(i int, d *defect) {
	in.report(in.variants[i], d)
	in.variants[i].coding = ""
}

// decodedFrom returns the representation without a coding that a variant decodes
// to. Its validator is the content's, as if there were a source.
func (in *inspection) decodedFrom(v variant, m measured) *representation {
	return &representation{
		file: v.file, info: m.info, size: m.size, digest: m.digest,
		decode: in.ix.opts.Decoders[v.coding],
	}
}
