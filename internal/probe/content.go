package probe

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"crypto/sha256"
	"errors"
	"io"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

// Content is what is known about the content of an answer.
type Content struct {
	Size     int64           // bytes as received
	Digest   manifest.Digest // of the bytes as received
	TooLarge bool            // more than [Options].MaxBody: nothing else is known

	truncated   error   // why it ended early; nil if it did not
	largeWindow bool    // decoding needs more memory than browsers allow
	decoded     decoded // without a coding, the content itself

	start      []byte              // the first bytes, to compare ranges with
	dictionary manifest.Dictionary // the SHA-256 of the content
	delta      manifest.Dictionary // the dictionary that the header of dcb or dcz names
	hasDelta   bool                // there is such a header
}

// decoded is what content decodes to.
type decoded struct {
	known    bool // the coding can be decoded; if not, nothing else is known
	size     int64
	digest   manifest.Digest
	tooLarge bool  // more than may be decoded
	err      error // why it does not decode
	again    []nested
}

// nested is what decoded content decodes to if it is decoded once more.
type nested struct {
	coding manifest.Coding
	digest manifest.Digest
}

// ok reports whether the content was decoded to its end.
func (d decoded) ok() bool { return d.known && !d.tooLarge && d.err == nil }

// decodesAgain returns the coding in which the decoded content decodes once more, to
// the content with this digest.
func (d decoded) decodesAgain(to manifest.Digest) (manifest.Coding, bool) {
	for _, n := range d.again {
		if n.digest == to {
			return n.coding, true
		}
	}
	return "", false
}

// startSize is how many bytes of content are kept.
const startSize = 64 << 10

// readContent examines content in a coding, and decodes at most limit bytes.
func readContent(data []byte, coding string, limit int64) Content {
	c := Content{Size: int64(len(data)), Digest: manifest.Sum(data), dictionary: sha256.Sum256(data)}
	c.start = bytes.Clone(data[:min(len(data), startSize)])
	c.largeWindow = errors.Is(framing.Check(manifest.Coding(coding), bytes.NewReader(data)), manifest.ErrWindow)
	c.delta, c.hasDelta = deltaHeader(manifest.Coding(coding), data)
	decoder, known := decoders()[coding]
	switch {
	case !known:
		return c
	case len(data) == 0 && coding != "": // a decoder may take it for a stream without frames
		c.decoded = decoded{known: true, err: errors.New("it is empty")}
	default:
		c.decoded = decodeOnce(decoder, data, limit)
	}
	if c.decoded.ok() {
		c.decoded.again = decodeAgain(decoder, data, limit)
	}
	return c
}

// decoders returns the decoders by coding, "" among them.
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

func decodeOnce(decoder serve.Decoder, data []byte, limit int64) decoded {
	d := decoded{known: true}
	r, err := decoder(bytes.NewReader(data))
	if err == nil {
		defer r.Close()
		d.size, d.digest, err = measure(r, limit)
	}
	d.err = err
	d.tooLarge = d.size > limit
	return d
}

// measure reads to the end, or one byte past the limit.
func measure(r io.Reader, limit int64) (int64, manifest.Digest, error) {
	h := xxhash.New()
	n, err := io.Copy(h, io.LimitReader(r, limit+1))
	return n, manifest.Digest(h.Sum64()), err
}

// decodeAgain decodes the decoded content once more, in each coding that it may be in.
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

// gzipSaving returns how many bytes smaller gzip makes data.
func gzipSaving(data []byte) int64 {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	w.Write(data) // to a bytes.Buffer: cannot fail
	w.Close()
	return int64(len(data) - b.Len())
}

// deltaHeader returns the dictionary that the header of a dcb or dcz stream names (RFC
// 9842, sections 4 and 5).
func deltaHeader(c manifest.Coding, data []byte) (d manifest.Dictionary, ok bool) {
	if !c.IsDelta() {
		return d, false
	}
	d, err := framing.ReadDeltaHeader(bytes.NewReader(data), c)
	return d, err == nil
}
