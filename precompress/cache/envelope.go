package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/cespare/xxhash/v2"
)

// An envelope is the form in which an entry stands in a file or an object. All
// numbers are big-endian:
//
//	offset  bytes
//	     0      7  "precomp"
//	     7      1  version: 1
//	     8     32  key
//	    40      1  flags: 1 the payload follows, 2 incompressible
//	    41      8  size of the encoded bytes
//	    49      n  payload: the encoded bytes, n their size; or nothing
//	  49+n      8  XXH64 (seed 0) of all that is before
//
// The key is in it so that an entry which was given another's name is noticed.
const (
	envelopeMagic   = "precomp"
	envelopeVersion = 1

	flagPayload        = 1
	flagIncompressible = 2

	headerSize   = len(envelopeMagic) + 1 + len(Key{}) + 1 + 8
	envelopeSize = headerSize + 8 // without the payload

	// maxPayload bounds what a file can make us read.
	maxPayload = 1 << 30
)

// ErrDamaged is wrapped by errors about an entry that is not what was stored.
var ErrDamaged = errors.New("the entry is damaged")

// encodeEnvelope returns the envelope of an entry. It refuses an entry that
// contradicts itself.
func encodeEnvelope(key Key, e Entry) ([]byte, error) {
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
	b := make([]byte, 0, envelopeSize+len(e.Data))
	b = append(b, envelopeMagic...)
	b = append(b, envelopeVersion)
	b = append(b, key[:]...)
	b = append(b, flags)
	b = binary.BigEndian.AppendUint64(b, uint64(e.Size))
	b = append(b, e.Data...)
	return binary.BigEndian.AppendUint64(b, xxhash.Sum64(b)), nil
}

// decodeEnvelope returns the entry of the given key that an envelope holds. It
// takes exactly what encodeEnvelope makes; the error wraps [ErrDamaged]. The
// entry's data is part of b.
func decodeEnvelope(key Key, b []byte) (Entry, error) {
	if len(b) < envelopeSize {
		return Entry{}, damaged("it is cut short")
	}
	length, err := envelopeLength(key, b[:headerSize])
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

// envelopeLength returns how many bytes an envelope has that starts with this
// header, if it is one of the given key.
func envelopeLength(key Key, header []byte) (int64, error) {
	magic, rest := header[:len(envelopeMagic)], header[len(envelopeMagic):]
	if string(magic) != envelopeMagic {
		return 0, damaged("it is no entry")
	}
	if rest[0] != envelopeVersion {
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
	return int64(envelopeSize) + payload, nil
}

// headerFields returns what stands behind the key.
func headerFields(header []byte) (flags byte, size uint64) {
	fields := header[headerSize-9 : headerSize]
	return fields[0], binary.BigEndian.Uint64(fields[1:])
}

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %w", ErrDamaged, fmt.Errorf(format, args...))
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
		return errors.New("it has data of what was not encoded")
	case hasPayload && payload != size || !hasPayload && payload != 0:
		return fmt.Errorf("it has %d bytes of data and a size of %d", payload, size)
	case incompressible == (size > 0):
		return fmt.Errorf("a size of %d contradicts that it is incompressible or not", size)
	}
	return nil
}
