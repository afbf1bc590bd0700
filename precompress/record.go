package precompress

import (
	"slices"

	"github.com/precompress/precompress/manifest"
)

// asVariant returns what a delta's record has in common with a variant's.
func asVariant(d manifest.Delta) manifest.Variant {
	return manifest.Variant{
		Coding: d.Coding, Level: d.Level, Encoder: d.Encoder, Size: d.Size, Digest: d.Digest, Omitted: d.Omitted, Stale: d.Stale,
	}
}

// recordedFiles calls yield with the name and the record of each variant and delta
// that an asset's record tells of.
func recordedFiles(a *manifest.Asset, yield func(name string, v manifest.Variant)) {
	for _, v := range a.Variants {
		if v.Omitted == "" {
			yield(a.Path+v.Coding.Suffix(), v)
		}
	}
	for _, d := range a.Deltas {
		if d.Omitted == "" {
			yield(d.Name(a.Path), asVariant(d))
		}
	}
}

// keepStale leaves in an asset's record only the files of the given names, which
// are not to be used.
func keepStale(a *manifest.Asset, names map[string]bool) {
	path, variants, deltas := a.Path, slices.Clone(a.Variants), slices.Clone(a.Deltas)
	a.Variants, a.Deltas = nil, nil
	for _, v := range variants {
		if v.Stale = true; names[path+v.Coding.Suffix()] {
			a.Variants = append(a.Variants, v)
		}
	}
	for _, d := range deltas {
		if d.Stale = true; names[d.Name(path)] {
			a.Deltas = append(a.Deltas, d)
		}
	}
}
