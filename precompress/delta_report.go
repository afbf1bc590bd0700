package precompress

import "github.com/precompress/precompress/manifest"

// DeltaStep is what to do about one delta of an asset: its content encoded with
// an earlier content as the dictionary (RFC 9842).
type DeltaStep struct {
	// Coding is [manifest.DCB] or [manifest.DCZ].
	Step
	// Release is the newest release that has the dictionary, Others are further
	// ones that do, and DictionaryPath is the file's path in Release.
	Release        string
	Others         []string
	Dictionary     manifest.Dictionary
	DictionaryPath string
	DictionarySize int64 // in bytes
}

// DeltaReport is what became of one delta of an asset. Fields are as those of
// [DeltaStep] and [VariantReport].
type DeltaReport struct {
	Coding         manifest.Coding
	Release        string
	Others         []string
	Dictionary     manifest.Dictionary
	DictionaryPath string
	DictionarySize int64

	Status Status
	Reason Reason
	Size   int64
	Cached bool
}

// report returns the report of a step that nothing was done about yet.
func (s *DeltaStep) report() DeltaReport {
	return DeltaReport{
		Coding: s.Coding, Release: s.Release, Others: s.Others,
		Dictionary: s.Dictionary, DictionaryPath: s.DictionaryPath, DictionarySize: s.DictionarySize,
		Status: Pending, Reason: s.Reason, Size: s.Size,
	}
}
