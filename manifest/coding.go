package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Coding is an HTTP content coding (RFC 9110, section 8.4.1) by its
// registered name, as it stands in a Content-Encoding field.
type Coding string

// The content codings that variants are stored in.
const (
	Brotli Coding = "br"   // RFC 7932
	Zstd   Coding = "zstd" // RFC 8878; window limit: RFC 9659
	Gzip   Coding = "gzip" // RFC 1952
)

// MaxWindow is the largest window, in bytes, that every decoder of the content
// coding zstd supports (RFC 9659, section 3). Browsers refuse larger ones.
const MaxWindow = 8 << 20

// ErrWindow is wrapped by the error for content that decodes only with a larger
// window than every client supports.
var ErrWindow = errors.New("the window is larger than clients accept")

// Codings returns every known coding, in the order that reports, manifests
// and defaults use.
func Codings() []Coding { return []Coding{Brotli, Zstd, Gzip} }

// Suffix returns what a variant's file name adds to its source's name:
// ".br", ".zst" or ".gz", and "" for an unknown coding.
func (c Coding) Suffix() string {
	switch c {
	case Brotli:
		return ".br"
	case Zstd:
		return ".zst"
	case Gzip:
		return ".gz"
	}
	return ""
}

// ParseCoding returns the coding of the given name. File suffixes, common
// program names and "x-gzip" (RFC 9110, section 8.4.1.3) are understood too;
// case does not matter.
func ParseCoding(name string) (Coding, error) {
	switch strings.ToLower(strings.TrimPrefix(strings.TrimSpace(name), ".")) {
	case "br", "brotli":
		return Brotli, nil
	case "zstd", "zst", "zstandard":
		return Zstd, nil
	case "gzip", "gz", "x-gzip":
		return Gzip, nil
	}
	return "", fmt.Errorf("unknown coding %q: choose from %s", name, joinCodings())
}

// SplitSuffix splits a sibling's file name or path into its source's name and
// the coding that the suffix stands for. Suffixes are matched as they are
// written by us, in lower case. ok is false for any other name, and for a
// suffix with nothing in front of it.
func SplitSuffix(name string) (source string, c Coding, ok bool) {
	for _, c := range Codings() {
		source, found := strings.CutSuffix(name, c.Suffix())
		if found && source != "" && !strings.HasSuffix(source, "/") {
			return source, c, true
		}
	}
	return "", "", false
}

// FieldSize returns the bytes that a response with this coding carries more
// than one without: the field line "Content-Encoding: " + name + CRLF of an
// HTTP/1.1 response. A variant that saves no more than this costs more than
// it gives.
func (c Coding) FieldSize() int64 {
	return int64(len("Content-Encoding: ") + len(c) + len("\r\n"))
}

// compareCodings orders codings as [Codings] does, unknown ones last by name.
func compareCodings(a, b Coding) int {
	ia, ib := slices.Index(Codings(), a), slices.Index(Codings(), b)
	switch {
	case ia < 0 && ib < 0:
		return strings.Compare(string(a), string(b))
	case ia < 0:
		return 1
	case ib < 0:
		return -1
	}
	return ia - ib
}

func joinCodings() string {
	names := make([]string, 0, len(Codings()))
	for _, c := range Codings() {
		names = append(names, string(c))
	}
	return strings.Join(names, ", ")
}
