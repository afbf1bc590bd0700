package manifest

import (
	"errors"
	"fmt"
	"strings"
)

// Coding is the registered name of an HTTP content coding, as in a
// Content-Encoding field (RFC 9110, section 8.4.1).
type Coding string

// The content codings that variants are stored in.
const (
	Brotli Coding = "br"   // RFC 7932
	Zstd   Coding = "zstd" // RFC 8878; window limit: RFC 9659
	Gzip   Coding = "gzip" // RFC 1952
)

// The content codings of deltas: an asset's content, encoded with an earlier
// content that the client has as the dictionary (RFC 9842).
const (
	DCB Coding = "dcb" // dictionary-compressed brotli (section 4)
	DCZ Coding = "dcz" // dictionary-compressed zstd (section 5)
)

// DeltaCodings returns the codings of deltas, in the order that manifests use.
// [Codings] does not list them: not every client can decode them.
func DeltaCodings() []Coding { return []Coding{DCB, DCZ} }

// IsDelta reports whether the coding is one of [DeltaCodings].
func (c Coding) IsDelta() bool { return c == DCB || c == DCZ }

// MaxWindow is the largest window, in bytes, that every decoder of the content
// coding zstd supports (RFC 9659, section 3). Browsers refuse larger ones.
const MaxWindow = 8 << 20

// ErrWindow is wrapped by the error for content that decodes only with a larger
// window than every client supports.
var ErrWindow = errors.New("the window is larger than clients accept")

// Codings returns the codings of variants, in the order that manifests use.
func Codings() []Coding { return []Coding{Brotli, Zstd, Gzip} }

// Suffix returns what is added to the source's file name to make the variant's:
// ".br", ".zst", ".gz", or "" for any other coding.
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

// ParseCoding returns the coding of a variant by its name, its file suffix, the
// name of its program, or "x-gzip" (RFC 9110, section 8.4.1.3), in any case.
func ParseCoding(name string) (Coding, error) {
	switch strings.ToLower(strings.TrimPrefix(strings.TrimSpace(name), ".")) {
	case "br", "brotli":
		return Brotli, nil
	case "zstd", "zst", "zstandard":
		return Zstd, nil
	case "gzip", "gz", "x-gzip":
		return Gzip, nil
	}
	return "", fmt.Errorf("unknown coding %q: choose from %s, %s, %s", name, Brotli, Zstd, Gzip)
}

// SplitSuffix splits the file name or path of a variant into the source's and
// the coding. ok is false for a name that does not end in a [Coding.Suffix], in
// lower case, or that has nothing in front of it.
func SplitSuffix(name string) (source string, c Coding, ok bool) {
	for _, c := range Codings() {
		source, found := strings.CutSuffix(name, c.Suffix())
		if found && source != "" && !strings.HasSuffix(source, "/") {
			return source, c, true
		}
	}
	return "", "", false
}

// FieldSize returns the size in bytes of the Content-Encoding field line that a
// response with this coding needs over HTTP/1.1. A variant that saves no more than
// this is not worth sending.
func (c Coding) FieldSize() int64 {
	return int64(len("Content-Encoding: ") + len(c) + len("\r\n"))
}
