package serve

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/precompress/precompress/manifest"
)

// representation is one of the forms of an asset (RFC 9110, section 3.2), with
// everything that an answer needs made ready.
type representation struct {
	coding manifest.Coding
	file   string      // where its bytes are, in the tree
	info   fs.FileInfo // the file's state when its content was read
	decode Decoder     // nil unless the file has to be decoded
	size   int64
	digest manifest.Digest

	modTime     time.Time // of the asset; zero if useless
	etag        string
	headers     []field // of a 200
	notModified []field // of a 304

	body atomic.Pointer[[]byte] // nil until it is kept in memory
}

// field is a header field. Its values are shared between requests.
type field struct {
	name  string // in canonical form
	value []string
}

// result makes the asset's representations from what was found.
func (in *inspection) result() *resolved {
	a := Asset{Path: in.a.path}
	var head []byte
	if in.content != nil {
		a.Size, a.Digest, head = in.content.size, in.content.digest, in.content.head
	}
	a.ContentType = contentType(a.Path, head)
	a.ModTime = in.modTime()
	r := &resolved{identity: in.identity, problems: in.problems}
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
	in.mayBeDictionary(&a)
	a.integrity = &integrity{open: in.opener()}
	r.asset = a
	shared := in.sharedFields(a)
	if shared.vary != nil {
		r.vary = shared.vary[0]
	}
	if in.a.listed != nil {
		r.use = in.ix.opts.useAsDictionary(a, in.a.listed.DictionaryID, shared.cacheControl[0])
	}
	for _, rep := range all {
		rep.modTime = a.ModTime
		rep.makeHeaders(shared)
	}
	return r
}

// offerDeltas adds the deltas to what a client is offered that holds their
// dictionary, and to the asset, and returns them.
func (in *inspection) offerDeltas(r *resolved, a *Asset) (reps []*representation) {
	for _, d := range in.deltas {
		rep, public := d.representation()
		a.Deltas = append(a.Deltas, Delta{public, d.dictionary, d.release})
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

// mayBeDictionary says so where the manifest does, of the content that it knew.
func (in *inspection) mayBeDictionary(a *Asset) {
	if listed := in.a.listed; listed != nil && in.content != nil && in.content.equal(listed.Size, listed.Digest) {
		a.Match = listed.Match
	}
}

// representation returns a variant's representation, and what is told of it.
func (v variant) representation() (*representation, Variant) {
	rep := &representation{coding: v.coding, file: v.file, info: v.info, size: v.size, digest: v.digest}
	rep.etag = etag(v.digest, v.coding)
	return rep, Variant{Coding: v.coding, Size: v.size, Digest: v.digest, ETag: rep.etag}
}

// sharedFields are field values that an asset's representations have in common.
type sharedFields struct {
	contentType, modified, cacheControl, nosniff, vary []string // nil: no such field
}

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

// modTime returns the time of the source; without one, that of its newest
// variant, which the build takes from the source.
func (in *inspection) modTime() (newest time.Time) {
	if in.a.source {
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
	ix, rep := in.ix, in.identity
	return func() (io.ReadCloser, error) {
		if rep == nil {
			return nil, fmt.Errorf("neither a source nor a decoder: %w", fs.ErrNotExist)
		}
		return ix.openStream(rep)
	}
}

// etag is a strong validator (RFC 9110, section 8.8.3): the digest of the
// representation's own bytes, and its coding for the reader's sake.
func etag(d manifest.Digest, c manifest.Coding) string {
	if c == "" {
		return `"` + d.String() + `"`
	}
	return `"` + d.String() + "-" + string(c) + `"`
}

// makeHeaders prepares the header fields. There are never more than eight: a
// ninth makes the map that net/http keeps them in grow, at every request (as
// Use-As-Dictionary does for the assets that have it). That is why only identity tells that ranges are accepted (they are of every
// representation): nobody looks for parts of a coded one.
func (rep *representation) makeHeaders(shared sharedFields) {
	rep.headers = make([]field, 0, 8)
	add := func(name string, value ...string) {
		if len(value) > 0 {
			rep.headers = append(rep.headers, field{name, value})
		}
	}
	// A 304 has the first three only (RFC 9110, section 15.4.5).
	add("Etag", rep.etag)
	add("Cache-Control", shared.cacheControl...)
	add("Vary", shared.vary...)
	rep.notModified = rep.headers[:len(rep.headers):len(rep.headers)]
	add("Content-Type", shared.contentType...)
	add("Content-Length", strconv.FormatInt(rep.size, 10))
	add("Last-Modified", shared.modified...)
	add("X-Content-Type-Options", shared.nosniff...)
	switch {
	case rep.coding != "":
		add("Content-Encoding", string(rep.coding))
	case rep.decode == nil:
		add("Accept-Ranges", "bytes")
	}
}
