package serve

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"time"

	"github.com/precompress/precompress/manifest"
)

// resolve returns what an entry's files are. It reads them at the first use, and
// when they were found to have changed. Other requests for the entry wait meanwhile.
func (ix *index) resolve(e *entry) (*resolved, error) {
	if r := e.resolved.Load(); r != nil {
		return r, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if r := e.resolved.Load(); r != nil {
		return r, nil
	}
	r, err := ix.inspect(e)
	if err != nil {
		return nil, err
	}
	e.resolved.Store(r)
	return r, nil
}

// inspect reads an entry's source and variants in full and decides which of them to
// use. A variant that is not in order is a finding. What cannot be read for lack of
// means, such as too many open files, is an error.
func (ix *index) inspect(e *entry) (*resolved, error) {
	in := &inspection{ix: ix, e: e}
	if err := in.checkSource(); err != nil {
		return nil, err
	}
	for _, c := range ix.opts.Codings {
		if err := in.checkVariant(c); err != nil {
			return nil, err
		}
	}
	if !e.source {
		if err := in.decodeOne(); err != nil {
			return nil, err
		}
	}
	if !ix.opts.NoDictionaries {
		if err := in.checkDeltas(); err != nil {
			return nil, err
		}
	}
	return in.result(), nil
}

// result makes the representations.
func (in *inspection) result() *resolved {
	a := Asset{Path: in.e.path, ModTime: in.modTime(), integrity: &integrity{open: in.opener()}}
	var head []byte
	if in.content != nil {
		a.Size, a.Digest, head = in.content.size, in.content.digest, in.content.head
	}
	a.ContentType = contentType(a.Path, head)
	listed := in.e.listed
	if listed != nil && in.content != nil && in.content.equal(listed.Size, listed.Digest) {
		a.Match = listed.Match // of this very content
	}
	r := &resolved{identity: in.identity, findings: in.findings}
	for _, v := range in.variants {
		rep, public := v.representation()
		a.Variants = append(a.Variants, public)
		r.add(rep)
	}
	if in.identity != nil {
		in.identity.etag = etag(in.identity.digest, "")
		r.add(in.identity)
	}
	all := slices.Concat(r.reps, in.offerDeltas(r, &a))
	r.asset = a
	shared := in.sharedFields(a)
	if shared.vary != nil {
		r.vary = shared.vary[0]
	}
	if listed != nil {
		r.use = in.ix.opts.useAsDictionary(a, listed.DictionaryID, shared.cacheControl[0])
	}
	for _, rep := range all {
		rep.modTime = a.ModTime
		rep.makeHeaders(shared)
	}
	return r
}

// offerDeltas adds the deltas to the asset, and to the choice of the clients that
// have their dictionary. It returns them.
func (in *inspection) offerDeltas(r *resolved, a *Asset) (reps []*representation) {
	for _, d := range in.deltas {
		rep, public := d.representation()
		a.Deltas = append(a.Deltas, Delta{public, d.dictionary, d.record.Release})
		if r.deltas == nil {
			r.deltas = make(map[manifest.Dictionary]choice)
		}
		c, ok := r.deltas[d.dictionary]
		if !ok {
			c = choice{slices.Clone(r.reps), slices.Clone(r.offers)}
		}
		c.add(rep)
		r.deltas[d.dictionary] = c
		reps = append(reps, rep)
	}
	return reps
}

// representation returns the representation of a variant, and its public part.
func (v variant) representation() (*representation, Variant) {
	rep := &representation{coding: v.coding, file: v.file, info: v.info, size: v.size, digest: v.digest}
	rep.etag = etag(v.digest, v.coding)
	return rep, Variant{Coding: v.coding, Size: v.size, Digest: v.digest, ETag: rep.etag}
}

// sharedFields returns the field values that all representations have in common.
func (in *inspection) sharedFields(a Asset) (f sharedFields) {
	f.contentType = []string{a.ContentType}
	if !a.ModTime.IsZero() {
		f.modified = []string{a.ModTime.UTC().Format(http.TimeFormat)}
	}
	f.cacheControl = []string{in.ix.opts.cacheControl(a)}
	f.nosniff = []string{"nosniff"}
	switch {
	case len(in.deltas) > 0:
		f.vary = []string{dictionaryVary}
	case len(in.variants) > 0 || in.ix.opts.Strict:
		f.vary = []string{"Accept-Encoding"}
	}
	return f
}

// modTime returns the time of the source or, without one, of the newest variant:
// the build gives variants the time of their source.
func (in *inspection) modTime() (newest time.Time) {
	if in.e.source {
		return usableTime(in.content.info.ModTime())
	}
	for _, v := range in.variants {
		if t := usableTime(v.info.ModTime()); t.After(newest) {
			newest = t
		}
	}
	return newest
}

// opener returns a function that opens the content without a coding.
func (in *inspection) opener() func() (io.ReadCloser, error) {
	tree, rep := in.ix.tree, in.identity
	return func() (io.ReadCloser, error) {
		if rep == nil {
			return nil, fmt.Errorf("neither a source nor a decoder: %w", fs.ErrNotExist)
		}
		return rep.open(tree)
	}
}
