package manifest

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"
)

// ErrVersion is wrapped by the error of [Decode] for a manifest of a version that
// this package cannot read.
var ErrVersion = errors.New("unsupported manifest version")

// jsonAsset is an asset in the file. JSON strings are Unicode, file names are
// bytes: a path that is not UTF-8 is in path_base64 instead.
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
	Coding Coding `json:"coding"`
	jsonFile
}

type jsonDelta struct {
	Coding         Coding      `json:"coding"`
	Dictionary     *Dictionary `json:"dictionary"`
	DictionarySize int64       `json:"dictionary_size,omitempty"`
	Release        string      `json:"release,omitempty"`
	jsonFile
}

// jsonFile is what the records of variants and deltas have in common.
type jsonFile struct {
	Size    *int64   `json:"size,omitempty"`
	Digest  *Digest  `json:"xxh64,omitempty"`
	Level   int      `json:"level"`
	Encoder string   `json:"encoder"`
	Omitted Omission `json:"omitted,omitempty"`
	Stale   bool     `json:"stale,omitempty"`
}

// Encode returns the bytes of the manifest file: JSON with one line per asset,
// sorted by path, ending in a newline. Equal manifests encode to equal bytes. It
// sorts m in place. It returns an error for a manifest that [Decode] would refuse.
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
		j.Variants = append(j.Variants, jsonVariant{v.Coding, fileToJSON(v)})
	}
	for i := range a.Deltas {
		d := &a.Deltas[i]
		j.Deltas = append(j.Deltas, jsonDelta{d.Coding, &d.Dictionary, d.DictionarySize, d.Release, fileToJSON(&d.Variant)})
	}
	return j
}

func fileToJSON(v *Variant) jsonFile {
	j := jsonFile{Level: v.Level, Encoder: v.Encoder, Omitted: v.Omitted, Stale: v.Stale}
	if v.Omitted == "" {
		j.Digest = &v.Digest
	}
	if v.Omitted == "" || v.Size > 0 {
		j.Size = &v.Size
	}
	return j
}

// Decode parses the bytes of a manifest file. Unknown members are ignored.
// Anything but one complete, valid document of [Version] is an error, so that a
// truncated or hostile file is never partly used; for another version the error
// wraps [ErrVersion].
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

// otherVersion returns the version of a document whose other members are not as
// in [Version]; ok is false if it has none or says [Version].
func otherVersion(data []byte) (version int, ok bool) {
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
	for _, j := range j.Variants {
		v, ok := j.variant(j.Coding)
		if !ok {
			return Asset{}, fmt.Errorf(`%q: %s: want one of "xxh64" and "omitted"`, a.Path, v.Coding)
		}
		a.Variants = append(a.Variants, v)
	}
	for _, j := range j.Deltas {
		if j.Dictionary == nil {
			return Asset{}, fmt.Errorf(`%q: delta %s: "dictionary" is missing`, a.Path, j.Coding)
		}
		v, ok := j.variant(j.Coding)
		if !ok {
			return Asset{}, fmt.Errorf(`%q: delta %s %s: want one of "xxh64" and "omitted"`, a.Path, v.Coding, j.Dictionary.Short())
		}
		a.Deltas = append(a.Deltas, Delta{v, *j.Dictionary, j.DictionarySize, j.Release})
	}
	return a, nil
}

// variant returns the record; ok is false unless it has either a digest or an
// omission.
func (j jsonFile) variant(c Coding) (v Variant, ok bool) {
	v = Variant{Coding: c, Level: j.Level, Encoder: j.Encoder, Omitted: j.Omitted, Stale: j.Stale}
	if j.Digest != nil {
		v.Digest = *j.Digest
	}
	if j.Size != nil {
		v.Size = *j.Size
	}
	return v, (v.Omitted == "") == (j.Digest != nil)
}

// typeError is the error for a JSON value of the wrong type. Its text names JSON's
// types, not Go's.
type typeError struct{ *json.UnmarshalTypeError }

func (e typeError) Error() string {
	member := "the document"
	if e.Field != "" { // which also has the name of the embedded struct
		member = strconv.Quote(strings.Replace(e.Field, "jsonFile.", "", 1))
	}
	names := map[string]string{"object": "an object", "array": "a list", "string": "a string", "number": "a number", "bool": "true or false"}
	kind, _, _ := strings.Cut(e.Value, " ") // behind it, a number, however long
	return fmt.Sprintf("%s is %s and not %s (before byte %d)", member, names[kind], wanted(e.Type), e.Offset)
}

// wanted names the JSON value that a type stands for.
func wanted(t reflect.Type) string {
	if reflect.PointerTo(t).Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) {
		return "a string"
	}
	switch t.Kind() {
	case reflect.Struct:
		return "an object"
	case reflect.Slice:
		return "a list"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number of 64 bits"
	}
	return "a string"
}

func (e typeError) Unwrap() error { return e.UnmarshalTypeError }

func jsonError(err error) error {
	var mistyped *json.UnmarshalTypeError
	if errors.As(err, &mistyped) {
		return typeError{mistyped}
	}
	return err
}
