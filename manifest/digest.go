package manifest

import (
	"fmt"
	"strconv"

	"github.com/cespare/xxhash/v2"
)

// Digest is the XXH64 of a file's bytes, with seed 0. It detects accidental
// changes. It does not protect against content that was made to collide.
type Digest uint64

// Sum returns the digest of b.
func Sum(b []byte) Digest { return Digest(xxhash.Sum64(b)) }

// String returns the digest as 16 lower-case hexadecimal digits.
func (d Digest) String() string { return fmt.Sprintf("%016x", uint64(d)) }

// MarshalText implements [encoding.TextMarshaler] with the form of String.
func (d Digest) MarshalText() ([]byte, error) { return []byte(d.String()), nil }

// UnmarshalText implements [encoding.TextUnmarshaler]. It takes exactly 16
// hexadecimal digits.
func (d *Digest) UnmarshalText(text []byte) error {
	if len(text) != 16 {
		return fmt.Errorf("digest %q: want 16 hexadecimal digits", text)
	}
	n, err := strconv.ParseUint(string(text), 16, 64)
	if err != nil {
		return fmt.Errorf("digest %q: want 16 hexadecimal digits", text)
	}
	*d = Digest(n)
	return nil
}
