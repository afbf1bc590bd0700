package serve

import (
	"fmt"
	"io"
	"io/fs"
	"net/http"
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
		rep := &representation{coding: v.coding, file: v.file, info: v.info, size: v.size, digest: v.digest}
		rep.etag = etag(v.digest, v.coding)
		a.Variants = append(a.Variants, Variant{Coding: v.coding, Size: v.size, Digest: v.digest, ETag: rep.etag})
		r.reps = append(r.reps, rep)
	}
	if in.identity != nil {
		in.identity.etag = etag(in.identity.digest, "")
		r.reps = append(r.reps, in.identity)
	}
	a.integrity = &integrity{open: in.opener()}
	r.asset = a
	negotiable := len(in.variants) > 0 || in.ix.opts.Strict
	cacheControl := in.ix.opts.cacheControl(a)
	for _, rep := range r.reps {
		r.offers = append(r.offers, Offer{Coding: rep.coding, Size: rep.size})
		rep.modTime = a.ModTime
		rep.makeHeaders(a.ContentType, cacheControl, negotiable)
	}
	return r
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
// ninth makes the map that net/http keeps them in grow, at every request. That
// is why only identity tells that ranges are accepted (they are of every
// representation): nobody looks for parts of a coded one.
func (rep *representation) makeHeaders(contentType, cacheControl string, negotiable bool) {
	add := func(name, value string, in304 bool) {
		f := field{name, []string{value}}
		rep.headers = append(rep.headers, f)
		if in304 {
			rep.notModified = append(rep.notModified, f)
		}
	}
	add("Content-Type", contentType, false)
	add("Content-Length", strconv.FormatInt(rep.size, 10), false)
	switch {
	case rep.coding != "":
		add("Content-Encoding", string(rep.coding), false)
	case rep.decode == nil:
		add("Accept-Ranges", "bytes", false)
	}
	add("Etag", rep.etag, true)
	if !rep.modTime.IsZero() {
		add("Last-Modified", rep.modTime.UTC().Format(http.TimeFormat), false)
	}
	add("Cache-Control", cacheControl, true)
	add("X-Content-Type-Options", "nosniff", false)
	if negotiable {
		add("Vary", "Accept-Encoding", true)
	}
}
