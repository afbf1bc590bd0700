package conformance

import (
	"bytes"
	"crypto/sha256"

	"github.com/klauspost/compress/zstd"
	"github.com/molecule-man/go-brrr"

	"github.com/precompress/precompress/manifest"
)

// EncodeDelta returns a delta: the content, encoded with a dictionary, after the
// header with the dictionary's hash (RFC 9842, sections 4 and 5). The coding is
// [manifest.DCB] or [manifest.DCZ].
func EncodeDelta(c manifest.Coding, content, dictionary []byte) ([]byte, error) {
	var b bytes.Buffer
	hash := sha256.Sum256(dictionary)
	if c == manifest.DCZ {
		b.WriteString("\x5e\x2a\x4d\x18\x20\x00\x00\x00")
		b.Write(hash[:])
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderDictRaw(0, dictionary))
		if err != nil {
			return nil, err
		}
		return w.EncodeAll(content, b.Bytes()), w.Close()
	}
	b.WriteString("\xffDCB")
	b.Write(hash[:])
	prepared, err := brrr.PrepareDictionary(dictionary)
	if err != nil {
		return nil, err
	}
	options := brrr.WriterOptions{Dictionaries: []*brrr.PreparedDictionary{prepared}, SizeHint: uint(len(content))}
	w, err := brrr.NewWriterOptions(&b, 11, options)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(content); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
