package serve

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
)

// selection is a representation that was selected for a request, with its content.
type selection struct {
	resolved *resolved
	rep      *representation
	body     []byte        // the content, or
	stream   io.ReadCloser // where to read it; an [io.Seeker] unless it is decoded
}

// Close closes the stream.
func (s *selection) Close() error {
	if s.stream == nil {
		return nil
	}
	return s.stream.Close()
}

// ranged reports whether the content can be read in parts.
func (s *selection) ranged() bool { return s.stream == nil || s.rep.decode == nil }

// attempts is how often an asset is resolved again when its files change before they
// can be opened.
const attempts = 3

// open negotiates a representation of an entry and opens its content. The error is
// fs.ErrNotExist for an asset that is gone, ErrNotAcceptable, or one of reading.
func (ix *index) open(e *entry, w wish) (s selection, err error) {
	for range attempts {
		s.resolved, err = ix.resolve(e)
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
			if s.stream, err = s.rep.open(ix.tree); err == nil {
				return s, nil
			}
		}
		if !errors.Is(err, errChanged) && !errors.Is(err, fs.ErrNotExist) {
			return s, err
		}
		e.resolved.CompareAndSwap(s.resolved, nil) // read the files again
	}
	return s, err
}

// keep returns the bytes of a small representation from memory, and reads them at
// the first use. It returns nil for a large one, and when the memory limit is
// reached. Bytes other than those that were verified are errChanged.
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
	body, err := rep.read(ix.tree)
	if err != nil || !rep.body.CompareAndSwap(nil, &body) {
		ix.memory.Add(-rep.size)
	}
	return body, err
}

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

// seeker returns the content for seeking. Decoded content is read into memory.
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
