// Package manifest is the format of the file in which a build records what it
// stored in a tree: every asset, the digest of its source, and its variants.
//
// The package reads and writes no files and links no encoder, so that servers can
// use it. For other programs, schema.json in the package's directory documents the
// format.
package manifest

import (
	"slices"
	"strings"
)

// Name is the name of the manifest's file, in the root of its tree. It starts with
// neither "." nor "_": go:embed would leave it out.
const Name = "precompress-manifest.json"

// Version is the version of the format that this package writes, and the only one
// that it reads.
const Version = 1

// MaxSize is the largest size in bytes that a manifest can record for a file, 1 TiB.
// The sum of all sizes in a manifest cannot overflow an int64.
const MaxSize = 1 << 40

// Manifest is the record of a tree. [Decode] and [Manifest.Encode] ensure that the
// assets are sorted by path and that no path is listed twice.
type Manifest struct {
	Assets []Asset
}

// Asset is the record of a source file, its variants and deltas.
type Asset struct {
	// Path is relative to the root of the tree and separated by slashes; see
	// [ValidPath]. It need not be UTF-8.
	Path string
	// Size, in bytes and at most [MaxSize], and Digest are of the source.
	Size   int64
	Digest Digest
	// Original reports whether the tree has a copy of the source, which the build
	// made, rather than the source itself.
	Original bool
	// Match is the URL pattern of the requests that the asset may later be a
	// dictionary for, "" for none (RFC 9842, section 2.1.1). DictionaryID is the ID
	// that such requests name it by, "" for none (section 2.1.3).
	Match        string
	DictionaryID string
	// Variants are in the order of [Codings], at most one per coding.
	Variants []Variant
	// Deltas are sorted by [Dictionary.Short], then by coding.
	Deltas []Delta
}

// Variant is the result of encoding an asset in one coding: a stored file, or the
// decision to store none.
type Variant struct {
	Coding Coding
	// Level is the level of the encoder, on the scale of the coding's reference
	// program. Encoder is its name and version, to be compared for equality only.
	Level   int
	Encoder string
	// Size is the size of the encoded bytes. For an omitted variant it is the size
	// that the file would have had, or 0 if it was not encoded completely.
	Size int64
	// Digest is of the stored file; 0 for an omitted variant.
	Digest Digest
	// Omitted is why no file is stored; "" for a stored one.
	Omitted Omission
	// Stale marks a file that must not be used: it was made for an earlier content
	// of the source or damaged later, and the build could not replace it.
	Stale bool
}

// Stored reports whether there is a file that may be used.
func (v Variant) Stored() bool { return v.Omitted == "" && !v.Stale }

// Delta is the result of encoding an asset in one coding with one dictionary: a
// stored file, or the decision to store none. Its Coding is [DCB] or [DCZ]; Size
// and Digest are of the whole file, including the header that names the
// dictionary.
type Delta struct {
	Variant
	// Dictionary is the SHA-256 of the dictionary, and DictionarySize its size in
	// bytes, 0 if unknown. Clients can decode a dcz with a window of more than 8 MiB
	// only if the dictionary is large enough (RFC 9842, section 5).
	Dictionary     Dictionary
	DictionarySize int64
	// Release is the name of the release that the dictionary comes from, or "".
	Release string
}

// Name returns the path of the delta's file, given the path of its asset.
func (d Delta) Name(asset string) string { return DeltaName(asset, d.Dictionary, d.Coding) }

// Omission is why an asset has no variant in a coding.
type Omission string

// Why variants are omitted.
const (
	Larger         Omission = "larger"         // it would be larger than the source, or save too little
	Incompressible Omission = "incompressible" // a quick estimate found nothing to gain
	Dominated      Omission = "dominated"      // a variant that at least as many clients support is no larger
)

// Variant returns the asset's variant in the given coding.
func (a *Asset) Variant(c Coding) (Variant, bool) {
	for _, v := range a.Variants {
		if v.Coding == c {
			return v, true
		}
	}
	return Variant{}, false
}

// Delta returns the asset's delta in the given coding whose dictionary has the
// given [Dictionary.Short].
func (a *Asset) Delta(short string, c Coding) (Delta, bool) {
	for _, d := range a.Deltas {
		if d.Coding == c && d.Dictionary.Short() == short {
			return d, true
		}
	}
	return Delta{}, false
}

// Lookup returns the asset with the given path. The assets must be sorted.
func (m *Manifest) Lookup(path string) (*Asset, bool) {
	i, found := slices.BinarySearchFunc(m.Assets, path, func(a Asset, p string) int {
		return strings.Compare(a.Path, p)
	})
	if !found {
		return nil, false
	}
	return &m.Assets[i], true
}
