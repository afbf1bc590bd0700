package cache

import (
	"bytes"
	"encoding/binary"
	"errors"
	"testing"

	"github.com/cespare/xxhash/v2"
)

// goodEntries are entries that come back as they were.
func goodEntries() map[string]Entry {
	return map[string]Entry{
		"small":          {Size: 1, Data: []byte{0}},
		"large":          testEntry(1, 100_000),
		"looks like one": {Size: int64(formSize), Data: bytes.Repeat([]byte("p"), formSize)},
		"not smaller":    {Size: 1 << 40},
		"incompressible": {Incompressible: true},
	}
}

func TestEnvelope(t *testing.T) {
	for name, want := range goodEntries() {
		envelope, err := encodeEntry(numberedKey(7), want)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		got, err := decodeEntry(numberedKey(7), envelope)
		if err != nil || !same(got, want) {
			t.Errorf("%s: got %+v, %v", name, got, err)
		}
		if _, err := decodeEntry(numberedKey(8), envelope); !errors.Is(err, errDamaged) {
			t.Errorf("%s: under another key: %v", name, err)
		}
		if cap(got.Data) != len(got.Data) {
			t.Errorf("%s: appending to the data would write over what is behind it", name)
		}
	}
}

// TestEnvelopeDamage flips every bit of an envelope, and cuts it everywhere.
func TestEnvelopeDamage(t *testing.T) {
	for name, entry := range goodEntries() {
		if len(entry.Data) > 1000 {
			continue
		}
		envelope, err := encodeEntry(numberedKey(7), entry)
		if err != nil {
			t.Fatal(err)
		}
		for i := range envelope {
			for bit := range 8 {
				damaged := bytes.Clone(envelope)
				damaged[i] ^= 1 << bit
				if _, err := decodeEntry(numberedKey(7), damaged); !errors.Is(err, errDamaged) {
					t.Errorf("%s: byte %d, bit %d: %v", name, i, bit, err)
				}
			}
			if _, err := decodeEntry(numberedKey(7), envelope[:i]); !errors.Is(err, errDamaged) {
				t.Errorf("%s: cut to %d bytes: %v", name, i, err)
			}
		}
		if _, err := decodeEntry(numberedKey(7), append(envelope, 0)); !errors.Is(err, errDamaged) {
			t.Errorf("%s: one byte more: %v", name, err)
		}
	}
}

// forged returns an envelope with a right digest and these fields.
func forged(version, flags byte, size uint64, payload string) []byte {
	key := numberedKey(7)
	b := append([]byte(formMagic), version)
	b = append(b, key[:]...)
	b = append(b, flags)
	b = binary.BigEndian.AppendUint64(b, size)
	b = append(b, payload...)
	return binary.BigEndian.AppendUint64(b, xxhash.Sum64(b))
}

// badEnvelopes have a right digest and are wrong all the same.
func badEnvelopes() map[string][]byte {
	return map[string][]byte{
		"later version":          forged(2, flagPayload, 1, "x"),
		"unknown flag":           forged(1, flagPayload|4, 1, "x"),
		"payload without flag":   forged(1, 0, 1, "x"),
		"flag without payload":   forged(1, flagPayload, 1, ""),
		"payload too short":      forged(1, flagPayload, 2, "x"),
		"payload too long":       forged(1, flagPayload, 1, "xy"),
		"empty payload":          forged(1, flagPayload, 0, ""),
		"nothing":                forged(1, 0, 0, ""),
		"incompressible, size":   forged(1, flagIncompressible, 1, ""),
		"incompressible, data":   forged(1, flagIncompressible|flagPayload, 1, "x"),
		"negative size":          forged(1, 0, 1<<63, ""),
		"length that overflows":  forged(1, flagPayload, 1<<63-1, "x"),
		"more than can be taken": forged(1, flagPayload, maxPayload+1, "x"),
	}
}

func TestEnvelopeRefuses(t *testing.T) {
	if _, err := decodeEntry(numberedKey(7), forged(1, flagPayload, 1, "x")); err != nil {
		t.Fatalf("a good one: %v", err)
	}
	for name, envelope := range badEnvelopes() {
		if e, err := decodeEntry(numberedKey(7), envelope); !errors.Is(err, errDamaged) {
			t.Errorf("%s: got %+v, %v", name, e, err)
		}
	}
	for name, entry := range map[string]Entry{
		"zero":                    {},
		"size of other data":      {Size: 2, Data: []byte("x")},
		"negative":                {Size: -1},
		"incompressible and data": {Size: 1, Data: []byte("x"), Incompressible: true},
	} {
		if _, err := encodeEntry(numberedKey(7), entry); err == nil {
			t.Errorf("%s: encoded", name)
		}
	}
}

// FuzzEnvelope: what is taken is exactly what would be made of it, with its
// digest put right or not.
func FuzzEnvelope(f *testing.F) {
	for _, entry := range goodEntries() {
		envelope, err := encodeEntry(numberedKey(7), entry)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(envelope, false)
	}
	for _, envelope := range badEnvelopes() {
		f.Add(envelope, true)
	}
	f.Fuzz(func(t *testing.T, b []byte, repair bool) {
		if repair && len(b) >= 8 {
			b = binary.BigEndian.AppendUint64(bytes.Clone(b[:len(b)-8]), xxhash.Sum64(b[:len(b)-8]))
		}
		e, err := decodeEntry(numberedKey(7), b)
		if err != nil {
			if !errors.Is(err, errDamaged) || !same(e, Entry{}) {
				t.Fatalf("got %+v, %v", e, err)
			}
			return
		}
		again, err := encodeEntry(numberedKey(7), e)
		if err != nil || !bytes.Equal(again, b) {
			t.Fatalf("%x, %v made of %x", again, err, b)
		}
	})
}
