package precompress

import (
	"slices"

	"github.com/precompress/precompress/manifest"
)

// Step is what to do about one coding of an asset.
type Step struct {
	Coding manifest.Coding
	Action Action
	Reason Reason
	// Size is that of the variant in bytes where it is known, else 0.
	Size int64

	record manifest.Variant // what to record, unless Action is Encode
	// Of the steps of deltas: the dictionary, nil for a variant; the newest release
	// that has it; and whether nothing is recorded, because no delta was looked for.
	dictionary *dictionary
	release    string
	refused    bool
}

// all returns the steps of variants, then those of deltas.
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

// encodes reports whether any step needs the source's content.
func (t *Task) encodes() bool {
	return slices.ContainsFunc(t.all(), func(s *Step) bool { return s.Action == Encode })
}

// setting returns how the source is encoded in a step.
func (t *Task) setting(s *Step) setting {
	return setting{s.Coding, t.level(s.Coding), s.dictionary}
}

// short returns the name of a delta's dictionary, "" for a variant.
func (s *Step) short() string {
	if s.dictionary == nil {
		return ""
	}
	return s.dictionary.sum.Short()
}

// name returns the path of the step's file, given that of its asset.
func (s *Step) name(asset string) string {
	if s.dictionary != nil {
		return manifest.DeltaName(asset, s.dictionary.sum, s.Coding)
	}
	return asset + s.Coding.Suffix()
}

// recorded returns what a record of the asset, nil for none, says of the step's
// file.
func (s *Step) recorded(a *manifest.Asset) (record manifest.Variant, found bool) {
	if a == nil {
		return record, false
	}
	if s.dictionary == nil {
		return a.Variant(s.Coding)
	}
	d, found := a.Delta(s.dictionary.sum.Short(), s.Coding)
	if !found || d.Dictionary != s.dictionary.sum {
		return record, false
	}
	return asVariant(d), true
}

// enter adds what is to be recorded of the step's file to the record of its
// asset.
func (s *Step) enter(a *manifest.Asset, v manifest.Variant) {
	switch {
	case s.refused:
	case s.dictionary == nil:
		a.Variants = append(a.Variants, v)
	default:
		a.Deltas = append(a.Deltas, manifest.Delta{
			Coding: s.Coding, Dictionary: s.dictionary.sum, DictionarySize: s.dictionary.size, Release: s.release,
			Level: v.Level, Encoder: v.Encoder, Size: v.Size, Digest: v.Digest, Omitted: v.Omitted, Stale: v.Stale,
		})
	}
}
