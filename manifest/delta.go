package manifest

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// Dictionary identifies a dictionary by the SHA-256 of its content, as the
// Available-Dictionary field does (RFC 9842, section 2.2). The zero value stands
// for none.
type Dictionary [32]byte

// String returns the SHA-256 as 64 lower-case hexadecimal digits.
func (d Dictionary) String() string { return hex.EncodeToString(d[:]) }

// Short returns the first 16 digits of String, as in the names of delta files.
func (d Dictionary) Short() string { return hex.EncodeToString(d[:shortBytes]) }

const shortBytes = 8

// MarshalText implements [encoding.TextMarshaler] with the form of String.
func (d Dictionary) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It takes exactly 64
// hexadecimal digits.
func (d *Dictionary) UnmarshalText(text []byte) error {
	if len(text) == hex.EncodedLen(len(d)) {
		if _, err := hex.Decode(d[:], text); err == nil {
			return nil
		}
	}
	return fmt.Errorf("dictionary %q: want 64 hexadecimal digits", text)
}

// DeltaName returns the path of a delta's file: the asset's path, a dot, the first
// 16 hexadecimal digits of the dictionary's SHA-256, and ".dcb" or ".dcz".
func DeltaName(asset string, dictionary Dictionary, c Coding) string {
	return asset + "." + dictionary.Short() + "." + string(c)
}

// SplitDelta splits the file name or path of a delta into the asset's, the
// dictionary's [Dictionary.Short] and the coding. ok is false for a name that is not
// in the form of [DeltaName].
func SplitDelta(name string) (asset, short string, c Coding, ok bool) {
	const digits = 2 * shortBytes
	for _, c := range DeltaCodings() {
		rest, found := strings.CutSuffix(name, "."+string(c))
		at := len(rest) - digits - 1
		if found && at >= 1 && rest[at] == '.' && rest[at-1] != '/' && strings.Trim(rest[at+1:], "0123456789abcdef") == "" {
			return rest[:at], rest[at+1:], c, true
		}
	}
	return "", "", "", false
}
