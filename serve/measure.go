package serve

import (
	"io"
	"io/fs"
	"time"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/manifest"
)

// measured is what was found by reading a file, or decoding it, to its end.
type measured struct {
	info   fs.FileInfo // of the file
	size   int64
	digest manifest.Digest
	head   []byte // the first bytes
}

func (m measured) equal(size int64, digest manifest.Digest) bool {
	return m.size == size && m.digest == digest
}

// measure reads a file and decodes it if decode is not nil. It stops decoding
// beyond limit bytes, if limit is not negative.
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

// decodeError distinguishes errors of a variant's content from those of reading
// its file.
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

// usableTime returns a file's time, or zero if it means nothing: archives,
// reproducible builds and embedding leave 0 or 1, and a time in the future must not
// be sent (RFC 9110, section 8.8.2.1).
func usableTime(t time.Time) time.Time {
	if t.Unix() <= 1 || t.After(time.Now()) {
		return time.Time{}
	}
	return t
}
