package report

import (
	"slices"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// smallest returns the size of an asset's smallest known representation.
func smallest(a *manifest.Asset) int64 {
	size := a.Size
	for _, v := range a.Variants {
		if v.Stored() {
			size = min(size, v.Size)
		}
	}
	return size
}

// sizeIn returns the size in which a client that accepts only one coding gets an asset.
func sizeIn(a *manifest.Asset, c manifest.Coding) int64 {
	if v, ok := a.Variant(c); ok && v.Stored() {
		return v.Size
	}
	return a.Size
}

// isStored reports whether the file is there and up to date.
func isStored(s precompress.Step) bool {
	return s.Action == precompress.Keep || s.Action == precompress.Touch
}

// hasStep reports whether the settings choose a coding for an asset.
func hasStep(t *precompress.Task, c manifest.Coding) bool {
	return slices.ContainsFunc(t.Steps, func(s precompress.Step) bool { return s.Coding == c })
}
