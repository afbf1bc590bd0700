package precompress

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// Report says what a run did.
type Report struct {
	// Assets has every candidate, sorted by path.
	Assets []AssetReport
	// Removed are the files of ours that were removed, sorted by path.
	Removed []Removed
	// Skipped are the files that are not candidates, sorted by path.
	Skipped []Skipped
	// Failures are sorted by path and coding.
	Failures []*Error
	Warnings []string
	// Stopped is set if the run ended before all was done: the cause is ctx's
	// or a full disk.
	Stopped error
	// Releases are the names of the earlier releases that deltas were made for,
	// the newest first.
	Releases []string
	// Shard is set if only one was run: then there are no assets and no removed
	// files.
	Shard *ShardReport
}

// AssetReport is what became of one asset.
type AssetReport struct {
	Path     string
	Size     int64
	Digest   manifest.Digest
	Variants []VariantReport
	// Deltas are sorted by release, the newest first, then by coding.
	Deltas []DeltaReport
	// Held are the releases that have the asset, under its path and unchanged:
	// who holds one of them needs no delta.
	Held []string
}

// add adds what became of the task's step of the given index in [Task.all].
func (a *AssetReport) add(t *Task, i int, v VariantReport) {
	if i < len(t.Steps) {
		a.Variants = append(a.Variants, v)
		return
	}
	d := t.Deltas[i-len(t.Steps)].report()
	d.Status, d.Reason, d.Size, d.Cached = v.Status, v.Reason, v.Size, v.Cached
	a.Deltas = append(a.Deltas, d)
}

// VariantReport is what became of one coding of an asset.
type VariantReport struct {
	Coding manifest.Coding
	Status Status
	Reason Reason
	// Size is that of the variant in bytes; for an omitted one what it would
	// have been, or 0 if it was not encoded in full.
	Size int64
	// Cached is set if the run did not encode it, because the cache had what
	// that comes to.
	Cached bool
}

// Removed is a file that was removed.
type Removed struct {
	Path   string
	Size   int64
	Reason Reason
}

// Err returns nil if everything was done, else an error that joins what went
// wrong.
func (r *Report) Err() error {
	errs := make([]error, 0, len(r.Failures)+1)
	for _, f := range r.Failures {
		errs = append(errs, f)
	}
	return errors.Join(append(errs, r.Stopped)...)
}

// Total sums up one coding over a report.
type Total struct {
	Coding manifest.Coding
	// Files are stored variants, Reused those of them that were on disk
	// already; Omitted and Failed count assets.
	Files, Reused, Omitted, Failed int
	// Cached counts the encodings that the cache spared the run, of variants
	// stored or omitted.
	Cached int
	// Before and After are the bytes of the sources and of the variants of
	// Files.
	Before, After int64
}

// Totals returns the sums of each coding, in the order of [manifest.Codings].
func (r *Report) Totals() []Total {
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

func (t *Total) add(a AssetReport, v VariantReport) {
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

// sort puts a report in its documented order, whatever order work ended in.
func (r *Report) sort() {
	slices.SortFunc(r.Removed, func(a, b Removed) int { return strings.Compare(a.Path, b.Path) })
	sortFailures(r.Failures)
	if r.Shard != nil {
		slices.SortFunc(r.Shard.Encodings, func(a, b ShardEncoding) int {
			return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Coding), string(b.Coding)), cmp.Compare(a.Level, b.Level), strings.Compare(a.Dictionary, b.Dictionary))
		})
	}
}

// sortFailures sorts by path, then by coding.
func sortFailures(failures []*Error) {
	slices.SortStableFunc(failures, func(a, b *Error) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(string(a.Coding), string(b.Coding)))
	})
}
