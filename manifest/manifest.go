// Package manifest describes what a build left in a tree: each asset with the
// digest of its source and the variants stored for it.
//
// It is a leaf: it reads and writes no files, so that a server can use it
// without linking an encoder. The file's form is documented for other
// programs in schema.json beside this file.
package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Name is the manifest's file name in the root of its tree. It starts with
// neither "." nor "_", which go:embed would leave out.
const Name = "precompress-manifest.json"

// Version is the version of the file's form that this package writes and
// the only one that it reads.
const Version = 1

// MaxSize is the most bytes that a file of a manifest can have, 1 TiB: sums over all
// that fits into memory stay far from the largest int64.
const MaxSize = 1 << 40

// Manifest is the record of one tree. Assets are sorted by path, each path
// once; [Decode] and [Manifest.Encode] both see to that.
type Manifest struct {
	Assets []Asset
}

// Asset is one source file and what is known of its variants.
type Asset struct {
	// Path is relative to the tree's root with "/" between its elements. It
	// holds the bytes of the file name, which need not be UTF-8.
	Path string
	// Size and Digest are those of the source's bytes. A size is no more than
	// [MaxSize].
	Size   int64
	Digest Digest
	// Original tells that the tree holds a copy of the source that the build
	// made (a tree of variants apart from the sources), not the source itself.
	Original bool
	// Match is the URL pattern of the requests that the asset may later be a
	// dictionary for, "" for none. DictionaryID is what such a
	// request is to name it by, "" for nothing (RFC 9842, sections 2.1.1 and
	// 2.1.3).
	Match        string
	DictionaryID string
	// Variants has at most one entry a coding, in the order of [Codings].
	Variants []Variant
	// Deltas are sorted by the first digits of their dictionary's SHA-256, then
	// by coding.
	Deltas []Delta
}

// Variant is the outcome of one coding of an asset: a stored file, or the
// decision to store none.
type Variant struct {
	Coding Coding
	// Level is the encoder's level, on the scale of the coding's reference
	// program. Encoder names the encoder and its version; compare it for
	// equality only.
	Level   int
	Encoder string
	// Size is that of the encoded bytes; for an omitted variant the size that
	// it would have had, or 0 where it was never encoded in full.
	Size int64
	// Digest is that of the stored file, 0 for an omitted variant.
	Digest Digest
	// Omitted is empty for a stored variant, else why there is none.
	Omitted Omission
	// Stale marks a file that a build wrote for an earlier content of the
	// source, or that was damaged since, and could not be written anew. It is
	// the build's own but must not be used.
	Stale bool
}

// Stored reports whether the variant is a file in the tree that may be used for
// its asset.
func (v Variant) Stored() bool { return v.Omitted == "" && !v.Stale }

// Omission is why an asset has no variant in a coding.
type Omission string

// The reasons for an omission.
const (
	Larger         Omission = "larger"         // it would save too little, or be larger than its source
	Incompressible Omission = "incompressible" // a quick estimate found nothing to gain
	Dominated      Omission = "dominated"      // a variant with at least the same client support is no larger
)

func (o Omission) known() bool { return o == Larger || o == Incompressible || o == Dominated }

// Variant returns the asset's variant in the given coding.
func (a *Asset) Variant(c Coding) (Variant, bool) {
	for _, v := range a.Variants {
		if v.Coding == c {
			return v, true
		}
	}
	return Variant{}, false
}

// Lookup returns the asset of the given path. Assets must be sorted.
func (m *Manifest) Lookup(path string) (*Asset, bool) {
	i, found := slices.BinarySearchFunc(m.Assets, path, func(a Asset, p string) int {
		return strings.Compare(a.Path, p)
	})
	if !found {
		return nil, false
	}
	return &m.Assets[i], true
}

// ValidPath reports whether path is one that a manifest may hold: relative,
// elements split by single slashes, none of them "." or "..", no NUL byte.
// Unlike [io/fs.ValidPath] it allows bytes that are not UTF-8.
func ValidPath(path string) bool {
	for element := range strings.SplitSeq(path, "/") {
		if element == "" || element == "." || element == ".." || strings.ContainsRune(element, 0) {
			return false
		}
	}
	return true
}

// normalize sorts m and checks it. The error names the asset at fault.
func (m *Manifest) normalize() error {
	slices.SortFunc(m.Assets, func(a, b Asset) int { return strings.Compare(a.Path, b.Path) })
	for i := range m.Assets {
		a := &m.Assets[i]
		if i > 0 && m.Assets[i-1].Path == a.Path {
			return fmt.Errorf("asset %q is listed twice", a.Path)
		}
		if err := a.normalize(); err != nil {
			return fmt.Errorf("asset %q: %w", a.Path, err)
		}
	}
	return nil
}

func (a *Asset) normalize() error {
	if !ValidPath(a.Path) {
		return errors.New("the path is not relative to the tree's root and inside it")
	}
	if err := checkSize(a.Size); err != nil {
		return err
	}
	slices.SortFunc(a.Variants, func(x, y Variant) int { return compareCodings(x.Coding, y.Coding) })
	for i, v := range a.Variants {
		if v.Coding.Suffix() == "" {
			return fmt.Errorf("unknown coding %q", v.Coding)
		}
		if i > 0 && a.Variants[i-1].Coding == v.Coding {
			return fmt.Errorf("coding %s is listed twice", v.Coding)
		}
		if err := checkSize(v.Size); err != nil {
			return fmt.Errorf("%s: %w", v.Coding, err)
		}
		if v.Stale && v.Omitted != "" {
			return fmt.Errorf("%s: both stale and omitted", v.Coding)
		}
		if v.Omitted != "" && !v.Omitted.known() {
			return fmt.Errorf("%s: unknown omission %q", v.Coding, v.Omitted)
		}
	}
	return a.normalizeDeltas()
}

func checkSize(n int64) error {
	switch {
	case n < 0:
		return fmt.Errorf("size %d is negative", n)
	case n > MaxSize:
		return fmt.Errorf("size %d is over 1 TiB", n)
	}
	return nil
}
