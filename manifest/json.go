package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// ErrVersion is wrapped by [Decode]'s error for a manifest of a version that
// this package does not read.
var ErrVersion = errors.New("unsupported manifest version")

// jsonAsset is an asset as the file holds it. JSON strings are Unicode, file
// names are bytes: a path that is not UTF-8 goes into path_base64 instead.
type jsonAsset struct {
	Path         *string       `json:"path,omitempty"`
	PathBytes    []byte        `json:"path_base64,omitempty"`
	Size         int64         `json:"size"`
	Digest       *Digest       `json:"xxh64"`
	IsOriginal   bool          `json:"original,omitempty"`
	Match        string        `json:"match,omitempty"`
	DictionaryID string        `json:"dictionary_id,omitempty"`
	Variants     []jsonVariant `json:"variants,omitempty"`
	Deltas       []jsonDelta   `json:"deltas,omitempty"`
}

type jsonVariant struct {
	Coding  Coding   `json:"coding"`
	Size    *int64   `json:"size,omitempty"`
	Digest  *Digest  `json:"xxh64,omitempty"`
	Level   int      `json:"level"`
	Encoder string   `json:"encoder"`
	Omitted Omission `json:"omitted,omitempty"`
	Stale   bool     `json:"stale,omitempty"`
}

// jsonDelta is a delta as the file holds it.
type jsonDelta struct {
	Coding         Coding      `json:"coding"`
	Dictionary     *Dictionary `json:"dictionary"`
	DictionarySize int64       `json:"dictionary_size,omitempty"`
	Release        string      `json:"release,omitempty"`
	Size           *int64      `json:"size,omitempty"`
	Digest         *Digest     `json:"xxh64,omitempty"`
	Level          int         `json:"level"`
	Encoder        string      `json:"encoder"`
	Omitted        Omission    `json:"omitted,omitempty"`
	Stale          bool        `json:"stale,omitempty"`
}

// Encode returns m as the manifest file's bytes: JSON with one line an asset,
// sorted by path, without times, ending in a newline. Equal manifests give
// equal bytes. It sorts m in place and fails on one that [Decode] would not
// take.
func (m *Manifest) Encode() ([]byte, error) {
	if err := m.normalize(); err != nil {
		return nil, fmt.Errorf("encode manifest: %w", err)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n\"version\": %d,\n\"assets\": [", Version)
	lines := json.NewEncoder(&b)
	lines.SetEscapeHTML(false)
	for i := range m.Assets {
		if i > 0 {
			b.Truncate(b.Len() - len("\n"))
			b.WriteString(",")
		}
		b.WriteString("\n")
		if err := lines.Encode(toJSON(&m.Assets[i])); err != nil {
			return nil, fmt.Errorf("encode manifest: %w", err)
		}
	}
	if len(m.Assets) == 0 {
		b.WriteString("\n")
	}
	b.WriteString("]\n}\n")
	return b.Bytes(), nil
}

func toJSON(a *Asset) jsonAsset {
	j := jsonAsset{Size: a.Size, Digest: &a.Digest, IsOriginal: a.Original, Match: a.Match, DictionaryID: a.DictionaryID}
	if utf8.ValidString(a.Path) {
		j.Path = &a.Path
	} else {
		j.PathBytes = []byte(a.Path)
	}
	for i := range a.Variants {
		v := &a.Variants[i]
		jv := jsonVariant{Coding: v.Coding, Level: v.Level, Encoder: v.Encoder, Omitted: v.Omitted, Stale: v.Stale}
		if v.Omitted == "" {
			jv.Digest = &v.Digest
		}
		if v.Omitted == "" || v.Size > 0 {
			jv.Size = &v.Size
		}
		j.Variants = append(j.Variants, jv)
	}
	for i := range a.Deltas {
		j.Deltas = append(j.Deltas, deltaToJSON(&a.Deltas[i]))
	}
	return j
}

func deltaToJSON(d *Delta) jsonDelta {
	j := jsonDelta{
		Coding: d.Coding, Dictionary: &d.Dictionary, DictionarySize: d.DictionarySize, Release: d.Release,
		Level: d.Level, Encoder: d.Encoder, Omitted: d.Omitted, Stale: d.Stale,
	}
	if d.Omitted == "" {
		j.Digest = &d.Digest
	}
	if d.Omitted == "" || d.Size > 0 {
		j.Size = &d.Size
	}
	return j
}

// Decode reads a manifest file's bytes. It fails on anything but one complete,
// valid document of [Version] (another version: [ErrVersion]), so that a
// truncated, hostile or foreign file is never half believed. Unknown members
// are ignored.
func Decode(data []byte) (*Manifest, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	var head struct {
		Version int         `json:"version"`
		Assets  []jsonAsset `json:"assets"`
	}
	if err := d.Decode(&head); err != nil {
		if v, ok := otherVersion(data); ok {
			return nil, fmt.Errorf("decode manifest: %w %d (this program reads %d)", ErrVersion, v, Version)
		}
		return nil, fmt.Errorf("decode manifest: %w", jsonError(err))
	}
	if head.Version != Version {
		return nil, fmt.Errorf("decode manifest: %w %d (this program reads %d)", ErrVersion, head.Version, Version)
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("decode manifest: data after the end of the document")
	}
	m := &Manifest{Assets: make([]Asset, 0, len(head.Assets))}
	for i, j := range head.Assets {
		a, err := j.asset()
		if err != nil {
			return nil, fmt.Errorf("decode manifest: asset %d: %w", i, err)
		}
		m.Assets = append(m.Assets, a)
	}
	if err := m.normalize(); err != nil {
		return nil, fmt.Errorf("decode manifest: %w", err)
	}
	return m, nil
}

// otherVersion looks for a version other than ours in a document whose other
// members did not fit ours.
func otherVersion(data []byte) (int, bool) {
	var head struct {
		Version int `json:"version"`
	}
	err := json.Unmarshal(data, &head)
	return head.Version, err == nil && head.Version != Version
}

func (j jsonAsset) asset() (Asset, error) {
	a := Asset{Size: j.Size, Original: j.IsOriginal, Match: j.Match, DictionaryID: j.DictionaryID}
	switch {
	case j.Path != nil && j.PathBytes == nil:
		a.Path = *j.Path
	case j.Path == nil && j.PathBytes != nil:
		a.Path = string(j.PathBytes)
	default:
		return Asset{}, errors.New(`want one of "path" and "path_base64"`)
	}
	if j.Digest == nil {
		return Asset{}, fmt.Errorf(`%q: "xxh64" is missing`, a.Path)
	}
	a.Digest = *j.Digest
	for _, jv := range j.Variants {
		v := Variant{Coding: jv.Coding, Level: jv.Level, Encoder: jv.Encoder, Omitted: jv.Omitted, Stale: jv.Stale}
		if (v.Omitted == "") != (jv.Digest != nil) {
			return Asset{}, fmt.Errorf(`%q: %s: want one of "xxh64" and "omitted"`, a.Path, v.Coding)
		}
		if jv.Digest != nil {
			v.Digest = *jv.Digest
		}
		if jv.Size != nil {
			v.Size = *jv.Size
		}
		a.Variants = append(a.Variants, v)
	}
	for _, jd := range j.Deltas {
		d, err := jd.delta()
		if err != nil {
			return Asset{}, fmt.Errorf("%q: %w", a.Path, err)
		}
		a.Deltas = append(a.Deltas, d)
	}
	return a, nil
}

func (j jsonDelta) delta() (Delta, error) {
	d := Delta{
		Coding: j.Coding, DictionarySize: j.DictionarySize, Release: j.Release,
		Level: j.Level, Encoder: j.Encoder, Omitted: j.Omitted, Stale: j.Stale,
	}
	if j.Dictionary == nil {
		return d, fmt.Errorf(`delta %s: "dictionary" is missing`, j.Coding)
	}
	d.Dictionary = *j.Dictionary
	if (d.Omitted == "") != (j.Digest != nil) {
		return d, fmt.Errorf(`delta %s %s: want one of "xxh64" and "omitted"`, d.Coding, d.Dictionary.Short())
	}
	if j.Digest != nil {
		d.Digest = *j.Digest
	}
	if j.Size != nil {
		d.Size = *j.Size
	}
	return d, nil
}
