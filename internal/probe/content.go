package probe

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha256"
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

// Content is what is kept of the content of an answer.
type Content struct {
	Size     int64           // bytes, as they came
	Digest   manifest.Digest // of these
	TooLarge bool            // more than may be read: nothing else is known
	Cut      error           // why it ended before its end; nil if it did not
	// Form is what is wrong with it apart from damage: [manifest.ErrWindow].
	Form error
	// Decoded is what it decodes to; without a coding the content itself.
	Decoded Decoded

	start      []byte              // the first bytes, for ranges
	dictionary manifest.Dictionary // the SHA-256
	delta      manifest.Dictionary // that the header of dcb and dcz names
	hasDelta   bool                // there is such a header
	saving     int64               // what gzip would take off the start, in bytes
}

// Decoded is what some content decodes to.
type Decoded struct {
	Known    bool // its coding can be decoded; else nothing else is known
	Size     int64
	Digest   manifest.Digest
	TooLarge bool  // more than may be decoded
	Err      error // why it does not decode
	again    []nested
}

// nested is what decoded content decodes to once more.
type nested struct {
	coding manifest.Coding
	digest manifest.Digest
}

// decodesAgain reports whether it is itself the coded form of some content.
func (d Decoded) decodesAgain(to manifest.Digest) (manifest.Coding, bool) {
	for _, n := range d.again {
		if n.digest == to {
			return n.coding, true
		}
	}
	return "", false
}

// ok reports whether it was decoded to its end.
func (d Decoded) ok() bool { return d.Known && !d.TooLarge && d.Err == nil }

// startSize is how much of a content is kept, in bytes.
const startSize = 64 << 10

// look reads content in the given coding, and decodes no more than limit bytes.
func look(data []byte, coding string, limit int64) Content {
	c := Content{Size: int64(len(data)), Digest: manifest.Sum(data), dictionary: sha256.Sum256(data)}
	c.start = bytes.Clone(data[:min(len(data), startSize)])
	if err := checkForm(manifest.Coding(coding), data); errors.Is(err, manifest.ErrWindow) {
		c.Form = err
	}
	c.delta, c.hasDelta = deltaHeader(manifest.Coding(coding), data)
	if coding == "" {
		c.saving = saving(c.start)
	}
	decoder, known := decoders()[coding]
	switch {
	case !known:
		return c
	case len(data) == 0 && coding != "": // a decoder may take it for a stream of no frames
		c.Decoded = Decoded{Known: true, Err: errors.New("there is none")}
	default:
		c.Decoded = decodeOnce(decoder, data, limit)
	}
	if c.Decoded.ok() {
		c.Decoded.again = decodeAgain(decoder, data, limit)
	}
	return c
}

// decoders are those of the codings that can be looked into, "" among them.
func decoders() map[string]serve.Decoder {
	all := map[string]serve.Decoder{
		"":        func(r io.Reader) (io.ReadCloser, error) { return io.NopCloser(r), nil },
		"deflate": func(r io.Reader) (io.ReadCloser, error) { return zlib.NewReader(r) },
	}
	for c, d := range decode.All() {
		all[string(c)] = d
	}
	return all
}

func checkForm(c manifest.Coding, data []byte) error {
	return manifest.CheckForm(c, bytes.NewReader(data))
}

func decodeOnce(decoder serve.Decoder, data []byte, limit int64) Decoded {
	d := Decoded{Known: true}
	r, err := decoder(bytes.NewReader(data))
	if err == nil {
		defer r.Close()
		d.Size, d.Digest, err = measure(r, limit)
	}
	d.Err = err
	d.TooLarge = d.Size > limit
	return d
}

// measure reads to the end, or one byte past the limit.
func measure(r io.Reader, limit int64) (int64, manifest.Digest, error) {
	h := xxhash.New()
	n, err := io.Copy(h, io.LimitReader(r, limit+1))
	return n, manifest.Digest(h.Sum64()), err
}

// decodeAgain decodes what content decodes to once more, in each coding, and
// returns what comes out.
func decodeAgain(outer serve.Decoder, data []byte, limit int64) []nested {
	var found []nested
	for _, c := range manifest.Codings() {
		r, err := outer(bytes.NewReader(data))
		if err != nil {
			return nil
		}
		inner, err := decode.All()[c](r)
		if err == nil {
			n, digest, err := measure(inner, limit)
			if err == nil && n > 0 && n <= limit {
				found = append(found, nested{c, digest})
			}
			inner.Close()
		}
		r.Close()
	}
	return found
}

// saving returns how many bytes gzip takes off.
func saving(data []byte) int64 {
	var size counter
	w := gzip.NewWriter(&size)
	if _, err := w.Write(data); err != nil {
		return 0
	}
	if err := w.Close(); err != nil {
		return 0
	}
	return int64(len(data)) - int64(size)
}

type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// deltaHeader returns the dictionary that the header of a dcb or dcz names (RFC
// 9842, sections 4 and 5).
func deltaHeader(c manifest.Coding, data []byte) (d manifest.Dictionary, ok bool) {
	magic := map[manifest.Coding]string{
		manifest.DCB: "\xffDCB",
		manifest.DCZ: "\x5e\x2a\x4d\x18\x20\x00\x00\x00",
	}[c]
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if magic == "" || !ok || len(rest) < len(d) {
		return d, false
	}
	copy(d[:], rest)
	return d, true
}
