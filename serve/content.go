package serve

import (
	"bytes"
	"errors"
	"io"
	"io/fs"

	"github.com/precompress/precompress/manifest"
)

// selection is a representation that was chosen for a request, with its
// content at hand.
type selection struct {
	resolved *resolved
	rep      *representation
	body     []byte        // the content, or
	stream   io.ReadCloser // where it is read from: a seeker, unless it is decoded
}

// Close closes the stream.
func (s *selection) Close() error {
	if s.stream == nil {
		return nil
	}
	return s.stream.Close()
}

// ranged reports whether parts of the content can be had.
func (s *selection) ranged() bool { return s.stream == nil || s.rep.decode == nil }

// attempts is how often an asset is looked at again when its files change
// between the look and the read.
const attempts = 3

// open negotiates an asset's representation and opens its content. The error
// is fs.ErrNotExist for an asset that is gone, ErrNotAcceptable, or one of
// reading.
func (ix *index) open(a *asset, w wish) (s selection, err error) {
	for range attempts {
		s.resolved, err = ix.resolve(a)
		if errors.Is(err, errChanged) {
			continue
		}
		if err != nil {
			return s, err
		}
		if s.rep, err = s.resolved.choose(w, ix.opts.Strict); err != nil {
			return s, err
		}
		if s.body, err = ix.keep(s.rep); s.body != nil {
			return s, nil
		}
		if err == nil {
			if s.stream, err = ix.openStream(s.rep); err == nil {
				return s, nil
			}
		}
		if !errors.Is(err, errChanged) && !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
		a.forget(s.resolved)
	}
	return s, err
}

// keep returns a small representation's bytes from memory, reading them at its
// first use. It returns nil for a large one, and when the memory limit is
// reached. Bytes that are not those that were verified are errChanged.
func (ix *index) keep(rep *representation) ([]byte, error) {
	if body := rep.body.Load(); body != nil {
		return *body, nil
	}
	if rep.size > smallBody {
		return nil, nil
	}
	if ix.memory.Add(rep.size) > ix.opts.MemoryLimit {
		ix.memory.Add(-rep.size)
		return nil, nil
	}
	body, err := ix.read(rep)
	if err != nil || !rep.body.CompareAndSwap(nil, &body) {
		ix.memory.Add(-rep.size)
	}
	return body, err
}

// read returns all bytes of a representation, never nil, or errChanged.
func (ix *index) read(rep *representation) ([]byte, error) {
	r, err := ix.openStream(rep)
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

// openStream opens a representation's content. It fails with errChanged if the
// file is not in the state that was verified.
func (ix *index) openStream(rep *representation) (io.ReadCloser, error) {
	f, info, err := openRegular(ix.tree, rep.file)
	if err != nil {
		return nil, err
	}
	if !sameState(info, rep.info) {
		f.Close()
		return nil, errChanged
	}
	if rep.decode == nil {
		return seekable(ix.tree, rep.file, f), nil
	}
	d, err := rep.decode(f)
	if err != nil {
		f.Close()
		return nil, err
	}
	return &decoded{d, f}, nil
}

// decoded is what a file decodes to.
type decoded struct {
	io.ReadCloser
	file fs.File
}

func (d *decoded) Close() error { return errors.Join(d.ReadCloser.Close(), d.file.Close()) }

// writeRange writes a part of the content. It returns the bytes written, and
// io.ErrUnexpectedEOF if the file has shrunk in the meantime.
func (s *selection) writeRange(w io.Writer, r byteRange) (int64, error) {
	if s.stream == nil {
		n, err := w.Write(s.body[r.start : r.start+r.length])
		return int64(n), err
	}
	if seeker, ok := s.stream.(io.Seeker); ok {
		if _, err := seeker.Seek(r.start, io.SeekStart); err != nil {
			return 0, err
		}
	}
	// A LimitedReader around an *os.File is what net/http uses sendfile for.
	n, err := io.Copy(w, io.LimitReader(s.stream, r.length))
	if err == nil && n < r.length {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// all is the range of the whole content.
func (s *selection) all() byteRange { return byteRange{0, s.rep.size} }

// seeker returns the content as something to seek in, reading what is decoded
// into memory.
func (s *selection) seeker() (io.ReadSeekCloser, error) {
	if s.stream == nil {
		return nopCloser{bytes.NewReader(s.body)}, nil
	}
	if f, ok := s.stream.(io.ReadSeekCloser); ok {
		return f, nil
	}
	defer s.Close()
	body, err := io.ReadAll(s.stream)
	if err == nil && int64(len(body)) != s.rep.size {
		err = io.ErrUnexpectedEOF
	}
	return nopCloser{bytes.NewReader(body)}, err
}

type nopCloser struct{ io.ReadSeeker }

func (nopCloser) Close() error { return nil }
