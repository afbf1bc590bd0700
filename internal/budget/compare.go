package budget

import (
	"cmp"
	"slices"

	"github.com/precompress/precompress/manifest"
)

// Comparison says how the assets of an earlier build have changed.
type Comparison struct {
	// Changes are the names whose sizes or number of files changed, the largest
	// change first: by the smallest representation, then by the source, then by name.
	Changes []Change
	// Unknown is the number of names left out because a size is not known
	// before a build.
	Unknown int
	// Before and After are the sums of all names, changed or not, except those that
	// are left out.
	Before, After Extent
}

// Change compares the assets of one stable name.
type Change struct {
	Name          string
	Before, After Extent
}

// Extent is the number and the bytes of the assets of one stable name.
type Extent struct {
	Files int
	// Source and Smallest are the bytes of the sources and of the smallest
	// representation of each.
	Source, Smallest int64
}

// Delta returns the change of the smallest representations in bytes.
func (c Change) Delta() int64 { return c.After.Smallest - c.Before.Smallest }

// Compare compares the assets of two builds by their stable names
// ([manifest.Fingerprint.Stable]), so that app-3f8a91c2.js and the app-77aa01bc.js
// that takes its place are one asset that changed. Assets that share a stable name
// are compared by their sums.
func Compare(before, after []manifest.Asset, names manifest.Fingerprint) Comparison {
	changes := make(map[string]*Change)
	unknown := make(map[string]bool)
	of := func(a *manifest.Asset) (*Change, string) {
		name := names.Stable(a.Path)
		if changes[name] == nil {
			changes[name] = &Change{Name: name}
		}
		return changes[name], name
	}
	for i := range before {
		c, _ := of(&before[i])
		c.Before.add(&before[i]) // what was not finished then was not served
	}
	for i := range after {
		c, name := of(&after[i])
		if !c.After.add(&after[i]) {
			unknown[name] = true
		}
	}
	var found Comparison
	for name, c := range changes {
		if unknown[name] {
			found.Unknown++
			continue
		}
		found.Before.join(c.Before)
		found.After.join(c.After)
		if c.Before != c.After {
			found.Changes = append(found.Changes, *c)
		}
	}
	slices.SortFunc(found.Changes, func(a, b Change) int {
		return cmp.Or(
			cmp.Compare(abs(b.Delta()), abs(a.Delta())),
			cmp.Compare(abs(b.After.Source-b.Before.Source), abs(a.After.Source-a.Before.Source)),
			cmp.Compare(a.Name, b.Name))
	})
	return found
}

// add counts an asset. known is false if its size is not known.
func (e *Extent) add(a *manifest.Asset) (known bool) {
	size, _, known := smallest(a)
	e.Files++
	e.Source += a.Size
	e.Smallest += size
	return known
}

func (e *Extent) join(other Extent) {
	e.Files += other.Files
	e.Source += other.Source
	e.Smallest += other.Smallest
}

func abs(n int64) int64 { return max(n, -n) }
