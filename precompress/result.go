package precompress

import (
	"errors"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// Result says what a run did.
type Result struct {
	// Assets has every candidate, sorted by path.
	Assets []AssetResult
	// Removed are the files of ours that were removed, sorted by path.
	Removed []Removed
	// Skipped are the files that are not candidates, sorted by path.
	Skipped []Skipped
	// Failures are sorted by path and coding.
	Failures []*Error
	// Warnings are about the tree as a whole.
	Warnings []Warning
	// Stopped is set if the run ended before everything was done: the cause of the
	// context, or [ErrDiskFull].
	Stopped error
	// Releases are the names of the earlier releases that deltas were made for, the
	// newest first.
	Releases []string
}

// AssetResult is what became of one asset.
type AssetResult struct {
	Path     string
	Size     int64 // of the source in bytes
	Digest   manifest.Digest
	Variants []VariantResult
	// Deltas are sorted by release, the newest first, then by coding.
	Deltas []DeltaResult
	// Held are the releases that have the asset under its path and unchanged. Whoever
	// holds one of them needs no delta.
	Held []string
}

// VariantResult is what became of one coding of an asset.
type VariantResult struct {
	Coding manifest.Coding
	Status Status
	Reason Reason
	// Size is the size of the variant in bytes; if it is omitted, what it would have
	// been, or 0 if that is not known.
	Size int64
	// Cached is set if the cache spared the run from encoding it.
	Cached bool
}

// DeltaResult is what became of one delta of an asset. The fields are as those of
// [DeltaStep] and [VariantResult].
type DeltaResult struct {
	Coding         manifest.Coding
	Release        string
	Others         []string
	Dictionary     manifest.Dictionary
	DictionaryPath string
	DictionarySize int64 // in bytes

	Status Status
	Reason Reason
	Size   int64 // in bytes
	Cached bool
}

// Removed is a file that was removed.
type Removed struct {
	Path   string
	Size   int64 // in bytes
	Reason Reason
}

// Err returns nil if everything was done, else an error that joins the failures and
// Stopped.
func (r *Result) Err() error {
	errs := make([]error, 0, len(r.Failures)+1)
	for _, f := range r.Failures {
		errs = append(errs, f)
	}
	return errors.Join(append(errs, r.Stopped)...)
}

// Total is the sum of one coding over a result.
type Total struct {
	Coding manifest.Coding
	// Files counts stored variants, Reused those of them that were on disk already;
	// Omitted and Failed count assets.
	Files, Reused, Omitted, Failed int
	// Cached counts the encodings of stored or omitted variants that came from the
	// cache.
	Cached int
	// Before and After are the bytes of the sources and of the variants that Files
	// counts.
	Before, After int64
}

// Totals returns the sums of each coding, in the order of [manifest.Codings].
func (r *Result) Totals() []Total {
	sums := make(map[manifest.Coding]*Total)
	for _, a := range r.Assets {
		for _, v := range a.Variants {
			if sums[v.Coding] == nil {
				sums[v.Coding] = &Total{Coding: v.Coding}
			}
			sums[v.Coding].add(a, v)
		}
	}
	var totals []Total
	for _, c := range manifest.Codings() {
		if sums[c] != nil {
			totals = append(totals, *sums[c])
		}
	}
	return totals
}

func (t *Total) add(a AssetResult, v VariantResult) {
	if v.Cached {
		t.Cached++
	}
	switch v.Status {
	case Omitted:
		t.Omitted++
	case Failed, Pending:
		t.Failed++
	default:
		t.Files++
		t.Before += a.Size
		t.After += v.Size
		if v.Status == Reused {
			t.Reused++
		}
	}
}

// sort puts the lists in their documented order, whatever order the work ended in.
func (r *Result) sort() {
	slices.SortFunc(r.Removed, func(a, b Removed) int { return strings.Compare(a.Path, b.Path) })
	sortFailures(r.Failures)
}
