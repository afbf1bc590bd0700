package manifest

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/precompress/precompress/internal/urlpattern"
)

// The content codings of deltas: an asset's content, encoded with an earlier
// content that the client holds as the dictionary (RFC 9842).
const (
	DCB Coding = "dcb" // dictionary-compressed brotli; section 4
	DCZ Coding = "dcz" // dictionary-compressed zstd; section 5
)

// DeltaCodings returns the codings of deltas, in the order that manifests use.
// [Codings] does not list them: they are no variants that any client can take.
func DeltaCodings() []Coding { return []Coding{DCB, DCZ} }

// IsDelta reports whether the coding is one of [DeltaCodings].
func (c Coding) IsDelta() bool { return c == DCB || c == DCZ }

// Dictionary names a dictionary by the SHA-256 of its content, as the
// Available-Dictionary field does. The zero value names none.
type Dictionary [32]byte

// String returns the SHA-256 as 64 lower-case hexadecimal digits.
func (d Dictionary) String() string { return hex.EncodeToString(d[:]) }

// Short returns the first 16 digits of String, which stand in file names.
func (d Dictionary) Short() string { return hex.EncodeToString(d[:shortBytes]) }

const shortBytes = 8

// MarshalText implements [encoding.TextMarshaler] with the form of String.
func (d Dictionary) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It takes exactly 64
// hexadecimal digits.
func (d *Dictionary) UnmarshalText(text []byte) error {
	if len(text) != hex.EncodedLen(len(d)) {
		return fmt.Errorf("dictionary %q: want 64 hexadecimal digits", text)
	}
	if _, err := hex.Decode(d[:], text); err != nil {
		return fmt.Errorf("dictionary %q: want 64 hexadecimal digits", text)
	}
	return nil
}

// Delta is the outcome of encoding an asset with one dictionary in one coding:
// a stored file, or the decision to store none.
type Delta struct {
	Coding Coding // DCB or DCZ
	// Dictionary is the SHA-256 of the dictionary and DictionarySize its size
	// in bytes, 0 if unknown. A dcz that needs a window of over 8 MiB is of use
	// only if the size is known (RFC 9842, section 5).
	Dictionary     Dictionary
	DictionarySize int64
	// Release names the release that the dictionary is of; it may be empty.
	Release string
	// The others are as those of a [Variant]. Size and Digest are those of the
	// whole file, with the header that names the dictionary.
	Level   int
	Encoder string
	Size    int64
	Digest  Digest
	Omitted Omission
	Stale   bool
}

// Stored reports whether the delta is a file in the tree that may be used for its
// asset.
func (d Delta) Stored() bool { return d.Omitted == "" && !d.Stale }

// Name returns the path of the delta's file, given that of its asset.
func (d Delta) Name(asset string) string { return DeltaName(asset, d.Dictionary, d.Coding) }

// DeltaName returns the path of a delta's file: that of its asset, a dot, the
// first 16 hexadecimal digits of the dictionary's SHA-256, and ".dcb" or ".dcz".
func DeltaName(asset string, dictionary Dictionary, c Coding) string {
	return asset + "." + dictionary.Short() + "." + string(c)
}

// SplitDelta splits the file name or path of a delta into its asset's name, the
// 16 digits and the coding. ok is false for any name that [DeltaName] does not
// make.
func SplitDelta(name string) (asset, dictionary string, c Coding, ok bool) {
	const digits = 2 * shortBytes
	for _, c := range DeltaCodings() {
		rest, found := strings.CutSuffix(name, "."+string(c))
		at := len(rest) - digits - 1
		if !found || at < 1 || rest[at] != '.' || rest[at-1] == '/' || !isLowerHex(rest[at+1:]) {
			continue
		}
		return rest[:at], rest[at+1:], c, true
	}
	return "", "", "", false
}

func isLowerHex(s string) bool {
	return strings.Trim(s, "0123456789abcdef") == ""
}

// Delta returns the asset's delta in the given coding whose dictionary's
// SHA-256 starts with the given 16 digits, as [SplitDelta] returns them.
func (a *Asset) Delta(dictionary string, c Coding) (Delta, bool) {
	for _, d := range a.Deltas {
		if d.Coding == c && d.Dictionary.Short() == dictionary {
			return d, true
		}
	}
	return Delta{}, false
}

// normalizeDeltas sorts the deltas and checks them, and what else there is
// about dictionaries. Two deltas of one file name are one too many, even if
// their dictionaries differ.
func (a *Asset) normalizeDeltas() error {
	if err := urlpattern.Check(a.Match); a.Match != "" && err != nil {
		return err
	}
	if err := checkDictionaryID(a.DictionaryID); err != nil {
		return err
	}
	if a.DictionaryID != "" && a.Match == "" {
		return errors.New("a dictionary ID without a match pattern")
	}
	slices.SortFunc(a.Deltas, func(x, y Delta) int {
		return cmp.Or(bytes.Compare(x.Dictionary[:shortBytes], y.Dictionary[:shortBytes]), strings.Compare(string(x.Coding), string(y.Coding)))
	})
	for i, d := range a.Deltas {
		if err := d.check(); err != nil {
			return fmt.Errorf("delta %s %s: %w", d.Coding, d.Dictionary.Short(), err)
		}
		if i > 0 && a.Deltas[i-1].Name("") == d.Name("") {
			return fmt.Errorf("delta %s %s: listed twice", d.Coding, d.Dictionary.Short())
		}
	}
	return nil
}

func (d Delta) check() error {
	if err := errors.Join(checkSize(d.Size), checkSize(d.DictionarySize)); err != nil {
		return err
	}
	switch {
	case !d.Coding.IsDelta():
		return fmt.Errorf("unknown coding %q", d.Coding)
	case d.Dictionary == Dictionary{}:
		return errors.New("no dictionary")
	case !utf8.ValidString(d.Release):
		return fmt.Errorf("release %q is not UTF-8", d.Release)
	case d.Stale && d.Omitted != "":
		return errors.New("both stale and omitted")
	case d.Omitted != "" && !d.Omitted.known():
		return fmt.Errorf("unknown omission %q", d.Omitted)
	}
	return nil
}

// maxDictionaryID is the longest id of a dictionary, in bytes (RFC 9842,
// section 2.1.3).
const maxDictionaryID = 1024

// checkDictionaryID takes what a string of a structured field can hold (RFC
// 9651, section 3.3.3).
func checkDictionaryID(id string) error {
	if len(id) > maxDictionaryID {
		return fmt.Errorf("the dictionary ID is longer than %d characters", maxDictionaryID)
	}
	for i := range len(id) {
		if id[i] < ' ' || id[i] > '~' {
			return fmt.Errorf("dictionary ID %q: only printable ASCII can be sent", id)
		}
	}
	return nil
}
