package probe_test

import (
	"crypto/sha256"
	"encoding/base64"

	"github.com/precompress/precompress/manifest"
)

// The source as a dictionary.
var (
	sourceSum        = manifest.Dictionary(sha256.Sum256(source))
	sourceDictionary = base64.StdEncoding.EncodeToString(sourceSum[:])
)
