// Package codec encodes contents in the content codings that variants are stored
// in, decodes them with another implementation, and knows what both cost.
//
// [Encoder.Encode] is what builds use: it encodes a source, decodes the result and
// compares every byte. [Encoder.Append] encodes alone, for measuring. [Verify] and
// [CheckFraming] look at encodings that somebody else may have made.
//
// A source can be encoded with a dictionary as well (RFC 9842): dcb is brotli and
// dcz is zstd, each behind a header with the dictionary's SHA-256.
package codec

import (
	"context"
	"errors"
	"fmt"

	"github.com/precompress/precompress/internal/codec/zstdenc"
	"github.com/precompress/precompress/manifest"
)

// Params say how a source is encoded. Two values are equal if and only if they
// give the same bytes for the same source.
type Params struct {
	Coding manifest.Coding
	// Level is on the scale of the coding's reference program; see [LevelRange].
	// That of dcb is brotli's, that of dcz zstd's.
	Level int
	// Dictionary is for dcb and dcz, nil for the other codings.
	Dictionary Dictionary
}

// Dictionary is the earlier content that a delta is made with. There must be one
// value for each content, so that values can be compared.
type Dictionary interface {
	Sum() manifest.Dictionary // SHA-256
	Size() int64              // in bytes
	// Read returns the content, whose SHA-256 it has compared with Sum.
	Read(context.Context) ([]byte, error)
}

// ShortName returns [manifest.Dictionary.Short] of the dictionary, "" if there is
// none.
func (p Params) ShortName() string {
	if p.Dictionary == nil {
		return ""
	}
	return p.Dictionary.Sum().Short()
}

// errUnknownCoding is for callers that made up a coding: options are checked
// before anything is encoded.
var errUnknownCoding = errors.New("unknown content coding")

const mebibyte = 1 << 20

// DefaultLevel returns the level that builds use unless told otherwise: the
// strongest that the coding's reference program offers without extra memory. It
// returns 0 for a coding that has none.
func DefaultLevel(c manifest.Coding) int {
	switch c {
	case manifest.Brotli:
		return 11
	case manifest.Zstd:
		return 19
	case manifest.Gzip:
		return 9
	}
	return 0
}

// CheckLevel returns an error unless the coding is one that variants are stored in and
// the level is in its range.
func CheckLevel(c manifest.Coding, level int) error {
	low, high := LevelRange(c)
	switch {
	case c.Suffix() == "":
		return fmt.Errorf("unknown coding %q in levels", c)
	case level < low || level > high:
		return fmt.Errorf("level %d of %s is out of range: choose from %d to %d", level, c, low, high)
	}
	return nil
}

// LevelRange returns the lowest and highest level of a coding, 0 and 0 for one
// that has none. The levels of gzip above 9, which its reference program does not
// have, search for the cheapest encoding, each harder than the one before.
func LevelRange(c manifest.Coding) (low, high int) {
	switch c {
	case manifest.Brotli:
		return 0, 11
	case manifest.Zstd:
		return 1, zstdenc.MaxLevel
	case manifest.Gzip:
		return 1, 13
	}
	return 0, 0
}
