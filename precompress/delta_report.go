package precompress

import "github.com/precompress/precompress/manifest"

// DeltaStep is what to do about one delta of an asset: its content encoded with
// an earlier content as the dictionary (RFC 9842).
type DeltaStep struct {
	Coding manifest.Coding // [manifest.DCB] or [manifest.DCZ]
	// Release is the newest release that has the dictionary, Others are further
	// ones that do, and DictionaryPath is the file's path in Release.
	Release        string
	Others         []string
	Dictionary     manifest.Dictionary
	DictionaryPath string
	DictionarySize int64 // in bytes

	Action Action
	Reason Reason
	// Size is that of the delta in bytes where it is known, else 0.
	Size int64
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
