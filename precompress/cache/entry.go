package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"

	"github.com/cespare/xxhash/v2"

	"github.com/precompress/precompress/manifest"
)

// Subject is everything that determines the result of an encoding.
type Subject struct {
	Source     [sha256.Size]byte // SHA-256 of the source's bytes
	Coding     manifest.Coding
	Level      int
	Encoder    string // its name and version
	Dictionary []byte // SHA-256 of the dictionary; nil without one
}

// Key identifies an entry: the SHA-256 of its subject.
type Key [sha256.Size]byte

// String returns the key as 64 lower-case hexadecimal digits.
func (k Key) String() string { return hex.EncodeToString(k[:]) }

// Key returns the key of the subject's entry.
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

// Entry is the result of encoding a subject. It does not depend on which savings are
// worth a variant: every build decides that for itself.
type Entry struct {
	// Size is the size of the encoded bytes; 0 if the source looked incompressible
	// and was not encoded.
	Size int64
	// Data is the encoded bytes; nil if they are not fewer than the source's: no build
	// keeps those. Neither the cache nor its caller changes them.
	Data []byte
	// Incompressible reports that the source looked incompressible and was not encoded.
	Incompressible bool
}

// An entry is stored in a file or an object in this form. All numbers are big-endian:
//
//	offset  bytes
//	     0      7  "precomp"
//	     7      1  version: 1
//	     8     32  key
//	    40      1  flags: 1 the payload follows, 2 incompressible
//	    41      8  size of the encoded bytes
//	    49      n  payload: the encoded bytes, n their size; or nothing
//	  49+n      8  XXH64 (seed 0) of all bytes before
//
// It has the key, so that an entry under the name of another is noticed.
const (
	formMagic   = "precomp"
	formVersion = 1

	flagPayload        = 1
	flagIncompressible = 2

	headerSize = len(formMagic) + 1 + len(Key{}) + 1 + 8
	formSize   = headerSize + 8 // without the payload

	// maxPayload bounds what a file can make us read.
	maxPayload = 1 << 30
)

// errDamaged is wrapped by errors about an entry that is not what was stored.
var errDamaged = errors.New("the entry is damaged")

// encodeEntry returns the stored form of an entry. It refuses an entry that contradicts
// itself.
func encodeEntry(key Key, e Entry) ([]byte, error) {
	var flags byte
	if e.Data != nil {
		flags |= flagPayload
	}
	if e.Incompressible {
		flags |= flagIncompressible
	}
	if err := consistent(flags, e.Size, int64(len(e.Data))); err != nil {
		return nil, err
	}
	b := make([]byte, 0, formSize+len(e.Data))
	b = append(b, formMagic...)
	b = append(b, formVersion)
	b = append(b, key[:]...)
	b = append(b, flags)
	b = binary.BigEndian.AppendUint64(b, uint64(e.Size))
	b = append(b, e.Data...)
	return binary.BigEndian.AppendUint64(b, xxhash.Sum64(b)), nil
}

// decodeEntry returns the entry with the given key from its stored form. It accepts
// exactly what encodeEntry makes; the error wraps [errDamaged]. The entry's data is
// part of b.
func decodeEntry(key Key, b []byte) (Entry, error) {
	if len(b) < formSize {
		return Entry{}, damaged("it is cut short")
	}
	length, err := storedLength(key, b[:headerSize])
	if err != nil {
		return Entry{}, err
	}
	if length != int64(len(b)) {
		return Entry{}, damaged("it has %d bytes in place of %d", len(b), length)
	}
	body := b[:len(b)-8]
	if xxhash.Sum64(body) != binary.BigEndian.Uint64(b[len(body):]) {
		return Entry{}, damaged("its digest differs")
	}
	flags, size := headerFields(b)
	e := Entry{Size: int64(size), Incompressible: flags&flagIncompressible != 0}
	if flags&flagPayload != 0 {
		e.Data = body[headerSize:len(body):len(body)]
	}
	return e, nil
}

// storedLength returns the length of a stored entry with this header, if it is one with
// the given key.
func storedLength(key Key, header []byte) (int64, error) {
	magic, rest := header[:len(formMagic)], header[len(formMagic):]
	if string(magic) != formMagic {
		return 0, damaged("it is no entry")
	}
	if rest[0] != formVersion {
		return 0, damaged("it is of version %d", rest[0])
	}
	if !bytes.Equal(rest[1:1+len(key)], key[:]) {
		return 0, damaged("it is that of another key")
	}
	flags, size := headerFields(header)
	if size > math.MaxInt64 {
		return 0, damaged("its size is out of range")
	}
	payload := int64(0)
	if flags&flagPayload != 0 {
		payload = int64(size)
	}
	if err := consistent(flags, int64(size), payload); err != nil {
		return 0, damaged("%w", err)
	}
	if payload > maxPayload {
		return 0, damaged("%d bytes are too many", payload)
	}
	return int64(formSize) + payload, nil
}

// headerFields returns the fields after the key.
func headerFields(header []byte) (flags byte, size uint64) {
	fields := header[headerSize-9 : headerSize]
	return fields[0], binary.BigEndian.Uint64(fields[1:])
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", errDamaged, fmt.Errorf(format, args...))
}

// consistent returns an error if an entry with these fields contradicts itself.
func consistent(flags byte, size, payload int64) error {
	hasPayload, incompressible := flags&flagPayload != 0, flags&flagIncompressible != 0
	switch {
	case flags&^(flagPayload|flagIncompressible) != 0:
		return fmt.Errorf("flags %#x are unknown", flags)
	case size < 0:
		return fmt.Errorf("the size is negative: %d", size)
	case hasPayload && incompressible:
		return errors.New("it has data, but says that nothing was encoded")
	case hasPayload && payload != size || !hasPayload && payload != 0:
		return fmt.Errorf("it has %d bytes of data and a size of %d", payload, size)
	case incompressible == (size > 0):
		return fmt.Errorf("its size is %d, but incompressible is %t", size, incompressible)
	}
	return nil
}
