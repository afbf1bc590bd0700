package serve

import (
	"errors"
	"io"
	"io/fs"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/manifest"
)

// errChanged tells that a file is no longer what it was when it was looked at.
var errChanged = errors.New("the content has changed")

// resolved is what an asset's files were found to be.
type resolved struct {
	asset    Asset
	choice                                  // for a client without a dictionary
	deltas   map[manifest.Dictionary]choice // for one that holds a dictionary of one
	identity *representation                // nil if there is none
	vary     string                         // "" for none
	use      *dictionaryUse                 // makes the Use-As-Dictionary field; nil for none
	problems []Problem
}

// choice is what a client can choose from.
type choice struct {
	reps   []*representation // variants in the order of the options, then identity, then deltas
	offers []Offer           // of the same indices as reps
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

// resolve looks at an asset's files, at its first use and when they were found
// to have changed. Meanwhile other requests for the same asset wait.
func (ix *index) resolve(a *asset) (*resolved, error) {
	if r := a.resolved.Load(); r != nil {
		return r, nil
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if r := a.resolved.Load(); r != nil {
		return r, nil
	}
	r, err := ix.inspect(a)
	if err != nil {
		return nil, err
	}
	a.resolved.Store(r)
	return r, nil
}

// forget makes the next request look at the files again.
func (a *asset) forget(r *resolved) { a.resolved.CompareAndSwap(r, nil) }

// inspect reads an asset's source and variants in full and decides which
// variants are in use. What it cannot read for lack of means, such as too many
// open files, is an error; a variant that is not in order is a problem.
func (ix *index) inspect(a *asset) (*resolved, error) {
	in := &inspection{ix: ix, a: a}
	if err := in.lookAtSource(); err != nil {
		return nil, err
	}
	for _, c := range ix.opts.Codings {
		if err := in.lookAtVariant(c); err != nil {
			return nil, err
		}
	}
	if !a.source {
		if err := in.decodeOne(); err != nil {
			return nil, err
		}
	}
	if !ix.opts.NoDictionaries {
		if err := in.lookAtDeltas(); err != nil {
			return nil, err
		}
	}
	return in.result(), nil
}

// measured is what reading a file, or decoding one, to its end has shown.
type measured struct {
	info   fs.FileInfo // of the file that was read
	size   int64
	digest manifest.Digest
	head   []byte // the first bytes
}

func (m measured) equal(size int64, digest manifest.Digest) bool {
	return m.size == size && m.digest == digest
}

// measure reads a file, decoding it if decode is not nil. It stops decoding
// beyond limit bytes, if that is not negative.
func measure(tree fs.FS, name string, decode Decoder, limit int64) (m measured, err error) {
	f, info, err := openRegular(tree, name)
	if err != nil {
		return m, err
	}
	defer f.Close()
	m.info = info
	var r io.Reader = f
	if decode != nil {
		d, err := decode(f)
		if err != nil {
			return m, &decodeError{err}
		}
		defer d.Close()
		r = d
	}
	if decode != nil && limit >= 0 {
		r = io.LimitReader(r, limit+1)
	}
	sum := xxhash.New()
	head := headWriter{max: 512}
	m.size, err = io.Copy(io.MultiWriter(sum, &head), r)
	if err != nil && decode != nil {
		err = &decodeError{err}
	}
	m.digest, m.head = manifest.Digest(sum.Sum64()), head.b
	if err == nil && decode == nil && m.size != info.Size() {
		err = errChanged // while it was read
	}
	return m, err
}

// decodeError sets faults of a variant's content apart from those of its file.
type decodeError struct{ err error }

func (e *decodeError) Error() string { return "decode: " + e.err.Error() }
func (e *decodeError) Unwrap() error { return e.err }

// headWriter keeps the first max bytes that are written to it.
type headWriter struct {
	b   []byte
	max int
}

func (w *headWriter) Write(p []byte) (int, error) {
	if n := min(w.max-len(w.b), len(p)); n > 0 {
		w.b = append(w.b, p[:n]...)
	}
	return len(p), nil
}

// usableTime returns a file's time where it tells anything: archives,
// reproducible builds and embedding leave 0 or 1, and a time to come must not
// be sent (RFC 9110, section 8.8.2.1).
func usableTime(t time.Time) time.Time {
	if t.Unix() <= 1 || t.After(time.Now()) {
		return time.Time{}
	}
	return t
}
