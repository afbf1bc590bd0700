package serve

import (
	"errors"
	"io"
	"io/fs"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/precompress/precompress/manifest"
)

// representation is a representation of an asset (RFC 9110, section 3.2), with its
// header fields prepared.
type representation struct {
	coding manifest.Coding
	file   string      // in the tree, with its bytes
	info   fs.FileInfo // the file's state when its content was read
	decode Decoder     // nil unless the file has to be decoded
	size   int64
	digest manifest.Digest

	modTime     time.Time // of the asset; zero if unusable
	etag        string
	headers     []field // of a 200
	notModified []field // of a 304

	body atomic.Pointer[[]byte] // nil until it is kept in memory
}

// open opens the content. It fails with errChanged if the file is not in the state
// that was verified.
func (rep *representation) open(tree fs.FS) (io.ReadCloser, error) {
	f, info, err := openRegular(tree, rep.file)
	if err != nil {
		return nil, err
	}
	if !sameState(info, rep.info) {
		f.Close()
		return nil, errChanged
	}
	if rep.decode == nil {
		return seekable(tree, rep.file, f), nil
	}
	d, err := rep.decode(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &decoded{d, f}, nil
}

// decoded is the decoded content of a file.
type decoded struct {
	io.ReadCloser
	file fs.File
}

func (d *decoded) Close() error { return errors.Join(d.ReadCloser.Close(), d.file.Close()) }

// read returns all bytes of the content, never nil, or errChanged.
func (rep *representation) read(tree fs.FS) ([]byte, error) {
	r, err := rep.open(tree)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	body := make([]byte, rep.size)
	if _, err := io.ReadFull(r, body); err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if manifest.Sum(body) != rep.digest {
		return nil, errChanged
	}
	return body, nil
}

// field is a header field. Its values are shared between requests.
type field struct {
	name  string // in canonical form
	value []string
}

// sharedFields are the field values that the representations of an asset have in
// common; nil for no such field.
type sharedFields struct {
	contentType, modified, cacheControl, nosniff, vary []string
}

// etag returns a strong validator (RFC 9110, section 8.8.3): the digest of the
// representation's bytes and, for readers, its coding.
func etag(d manifest.Digest, c manifest.Coding) string {
	if c == "" {
		return `"` + d.String() + `"`
	}
	return `"` + d.String() + "-" + string(c) + `"`
}

// makeHeaders prepares the header fields. There are never more than eight: a ninth
// would make the map that net/http keeps them in grow at every request, as
// Use-As-Dictionary does. That is why only the representation without a coding has
// Accept-Ranges, although all of them support ranges: nobody asks for parts of a
// coded one.
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

// resolved is what is known of an asset after reading its files.
type resolved struct {
	asset    Asset
	choice                                  // for clients without a dictionary
	deltas   map[manifest.Dictionary]choice // for clients with one of these dictionaries
	identity *representation                // nil if there is none
	vary     string                         // "" for none
	use      *dictionaryUse                 // nil unless the asset may be a dictionary
	findings []Finding
}

// choice is what to choose a representation from.
type choice struct {
	reps   []*representation // variants in the order of the options, then identity, then deltas
	offers []Offer           // for each of reps
}

func (c *choice) add(rep *representation) {
	c.reps = append(c.reps, rep)
	c.offers = append(c.offers, Offer{Coding: rep.coding, Size: rep.size})
}

// choose negotiates (RFC 9110, section 12.1).
func (r *resolved) choose(w wish, strict bool) (*representation, error) {
	c := r.choice
	if w.dictionary != (manifest.Dictionary{}) {
		if with, ok := r.deltas[w.dictionary]; ok {
			c = with
		}
	}
	if i, ok := Negotiate(w.acceptEncoding, c.offers); ok {
		return c.reps[i], nil
	}
	if r.identity == nil || strict {
		return nil, ErrNotAcceptable
	}
	return r.identity, nil
}
