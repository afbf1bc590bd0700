package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/precompress/precompress/manifest"
)

// Subject is everything that an encoding's outcome follows from.
type Subject struct {
	Source     [sha256.Size]byte // SHA-256 of the source's bytes
	Coding     manifest.Coding
	Level      int
	Encoder    string // its name and version
	Dictionary []byte // SHA-256 of the dictionary, nil without one
}

// Key names an entry: the SHA-256 of its subject.
type Key [sha256.Size]byte

// String returns the key as 64 hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Key returns the name of the subject's entry.
func (s Subject) Key() Key {
	h := sha256.New()
	for _, field := range [][]byte{
		s.Source[:], []byte(s.Coding), binary.BigEndian.AppendUint64(nil, uint64(s.Level)), []byte(s.Encoder), s.Dictionary,
	} {
		// With their lengths, so that no two lists of fields look alike.
		h.Write(binary.BigEndian.AppendUint64(nil, uint64(len(field))))
		h.Write(field)
	}
	return Key(h.Sum(nil))
}

// Entry is what encoding a subject came to. It does not depend on which savings
// are worth a variant: that is weighed anew at every build.
type Entry struct {
	// Size is that of the encoded bytes; 0 if a probe found nothing to gain and
	// nothing was encoded.
	Size int64
	// Data is the encoded bytes, nil if there are not fewer than the source
	// has: no build keeps those.
	Data []byte
	// Incompressible tells that the probe spared the encoder.
	Incompressible bool
}
