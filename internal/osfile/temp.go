package osfile

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Names of temporary files: no server sends a name of this kind, and a later run
// knows them again.
const (
	tempPrefix = ".precompress-"
	tempSuffix = ".tmp"
)

// TempName names a file that nobody else writes to.
func TempName() string { return fmt.Sprintf("%s%016x%s", tempPrefix, rand.Uint64(), tempSuffix) }

// IsTempName reports whether the last element of a path is such a name.
func IsTempName(base string) bool {
	middle, isPrefix := strings.CutPrefix(base, tempPrefix)
	middle, isSuffix := strings.CutSuffix(middle, tempSuffix)
	return isPrefix && isSuffix && len(middle) == 16 && strings.Trim(middle, "0123456789abcdef") == ""
}
