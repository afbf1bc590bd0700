package precompress

import (
	"maps"
	"slices"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Task is one asset and what to do about each of its codings.
type Task struct {
	Path   string
	Size   int64 // of the source in bytes
	Digest manifest.Digest
	Steps  []Step
	// Deltas are the steps for deltas, sorted by release, the newest first, then by
	// coding.
	Deltas []DeltaStep
	// Held are the releases that have the asset under its path and unchanged.
	Held []string
	// CopyOriginal is set if the output directory lacks the right copy of the source.
	CopyOriginal bool

	settings
	attr       *osfile.Attributes
	before     *manifest.Asset     // the record of the last build, nil if there is none
	sum        manifest.Dictionary // SHA-256 of the source, if a release may have the same
	unreadable map[string]error    // by release: why its file for the asset cannot be read
	pattern    string              // the URL pattern to record; see [manifest.Asset]
	encode     bool                // it is a candidate; otherwise only its original is copied
	original   bool                // the output directory gets a copy
}

// Step is what to do about one coding of an asset.
type Step struct {
	Coding manifest.Coding
	Action Action
	Reason Reason
	// Size is the size of the variant in bytes if it is known, else 0.
	Size int64

	record manifest.Variant // what to record, unless Action is Encode
	// For deltas: the dictionary (nil for a variant), the newest release that has it,
	// and whether no delta is wanted, so that nothing is recorded.
	dictionary codec.Dictionary
	release    string
	refused    bool
}

// DeltaStep is what to do about one delta of an asset: its content encoded with an
// earlier content as the dictionary (RFC 9842).
type DeltaStep struct {
	// Coding is [manifest.DCB] or [manifest.DCZ].
	Step
	// Release is the newest release that has the dictionary, Others are further
	// releases that have it, and DictionaryPath is the path of the file in Release.
	Release        string
	Others         []string
	Dictionary     manifest.Dictionary
	DictionaryPath string
	DictionarySize int64 // in bytes
}

// all returns the steps for variants, then those for deltas.
func (t *Task) all() []*Step {
	steps := make([]*Step, 0, len(t.Steps)+len(t.Deltas))
	for i := range t.Steps {
		steps = append(steps, &t.Steps[i])
	}
	for i := range t.Deltas {
		steps = append(steps, &t.Deltas[i].Step)
	}
	return steps
}

// Work reports whether running the task would change anything on disk.
func (t *Task) Work() bool {
	return t.CopyOriginal || slices.ContainsFunc(t.all(), func(s *Step) bool {
		return s.Action != Keep && s.Action != Omit
	})
}

// encodes reports whether any step needs the source's content.
func (t *Task) encodes() bool {
	return slices.ContainsFunc(t.all(), func(s *Step) bool { return s.Action == Encode })
}

// paramsOf returns how a step encodes the source.
func (t *Task) paramsOf(s *Step) codec.Params { return t.params(s.Coding, s.dictionary) }

// encodings returns how the steps that encode do it.
func (t *Task) encodings() []codec.Params {
	var all []codec.Params
	for _, s := range t.all() {
		if s.Action == Encode {
			all = append(all, t.paramsOf(s))
		}
	}
	return all
}

// sourceChanged reports whether the source is not the one of the last build.
func (t *Task) sourceChanged() bool {
	return t.before != nil && (t.before.Size != t.Size || t.before.Digest != t.Digest)
}

// newRecord returns a record of the asset without variants.
func (t *Task) newRecord() manifest.Asset {
	return manifest.Asset{Path: t.Path, Size: t.Size, Digest: t.Digest, Match: t.pattern}
}

// plannedRecord returns the record of the asset after a run that encodes nothing.
func (t *Task) plannedRecord() manifest.Asset {
	a := t.newRecord()
	a.Original = t.original
	for _, s := range t.all() {
		s.addTo(&a, s.record)
	}
	return a
}

// recordUndone returns what to record of a step that was not done: what the last
// build recorded, for the content that the source had then.
func (t *Task) recordUndone(s *Step) (record manifest.Variant, found bool) {
	if s.Action == Keep || s.Action == Omit {
		return s.record, true
	}
	record, found = s.recordIn(t.before)
	if !found || record.Omitted != "" || s.Reason == ReasonMissing {
		return manifest.Variant{}, false
	}
	record.Stale = record.Stale || s.Reason == ReasonDamaged || s.Reason == ReasonWindow || s.Reason == ReasonForeign
	return record, true
}

// releases returns the names of the releases that have a file for the asset.
func (t *Task) releases() []string {
	names := slices.Concat(t.Held, slices.Collect(maps.Keys(t.unreadable)))
	for _, d := range t.Deltas {
		names = append(append(names, d.Release), d.Others...)
	}
	return names
}

// wants reports whether a recorded delta is one of the task's.
func (t *Task) wants(d manifest.Delta) bool {
	return slices.ContainsFunc(t.Deltas, func(s DeltaStep) bool { return !s.refused && s.isFor(d) })
}

// refusalOf returns why a recorded delta is not made again, "" if that has nothing
// to do with its dictionary.
func (t *Task) refusalOf(d manifest.Delta) Reason {
	for _, s := range t.Deltas {
		if s.refused && s.isFor(d) {
			return s.Reason
		}
	}
	if t.unreadable[d.Release] != nil {
		return ReasonDictionaryDamaged
	}
	return ""
}

func (s *DeltaStep) isFor(d manifest.Delta) bool {
	return s.Coding == d.Coding && s.Dictionary == d.Dictionary
}

// smallestPlanned returns the bytes of the smallest representation that the steps for
// variants will leave, the source included, or why that is not known yet.
func (t *Task) smallestPlanned() (size int64, unknown Reason) {
	size = t.Size
	for _, s := range t.Steps {
		switch {
		case s.Action == Omit, s.Action == Remove:
		case s.Action == Encode && s.Reason != ReasonMissing && s.Reason != ReasonDamaged && s.Reason != ReasonWindow:
			return 0, s.Reason
		default:
			size = min(size, s.Size)
		}
	}
	return size, ""
}

// dictionaryName returns the short name of a delta's dictionary, "" for a variant.
func (s *Step) dictionaryName() string {
	if s.dictionary == nil {
		return ""
	}
	return s.dictionary.Sum().Short()
}

// fileName returns the path of the step's file, given the path of its asset.
func (s *Step) fileName(asset string) string {
	if s.dictionary != nil {
		return manifest.DeltaName(asset, s.dictionary.Sum(), s.Coding)
	}
	return asset + s.Coding.Suffix()
}

// recordIn returns the record of the step's file in a record of the asset, which may
// be nil.
func (s *Step) recordIn(a *manifest.Asset) (record manifest.Variant, found bool) {
	if a == nil {
		return record, false
	}
	if s.dictionary == nil {
		return a.Variant(s.Coding)
	}
	d, found := a.Delta(s.dictionary.Sum().Short(), s.Coding)
	if !found || d.Dictionary != s.dictionary.Sum() {
		return record, false
	}
	return d.Variant, true
}

// addTo adds the record of the step's file to that of its asset.
func (s *Step) addTo(a *manifest.Asset, v manifest.Variant) {
	switch {
	case s.refused:
	case s.dictionary == nil:
		a.Variants = append(a.Variants, v)
	default:
		v.Coding = s.Coding
		a.Deltas = append(a.Deltas, manifest.Delta{
			Variant: v, Dictionary: s.dictionary.Sum(), DictionarySize: s.dictionary.Size(), Release: s.release,
		})
	}
}
