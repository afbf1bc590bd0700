package probe

import (
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// browser is the Accept-Encoding that browsers send over TLS.
const browser = "gzip, deflate, br, zstd"

// negotiation is an Accept-Encoding and what it allows (RFC 9110, section 12.5.3): a
// coding that is not listed is not acceptable, one with q=0 is refused, and identity
// is acceptable unless it is refused itself.
type negotiation struct {
	accept  string
	takes   []string
	refuses []string // explicitly: "*" for all
}

// negotiations are sent for every URL, after a request without Accept-Encoding.
var negotiations = []negotiation{
	{"identity", nil, nil},
	{"gzip", []string{"gzip"}, nil},
	{"br", []string{"br"}, nil},
	{"zstd", []string{"zstd"}, nil},
	{browser, []string{"gzip", "deflate", "br", "zstd"}, nil},
	{"br;q=0, gzip;q=0, zstd;q=0", nil, []string{"br", "gzip", "zstd"}},
	{"br;q=0, gzip", []string{"gzip"}, []string{"br"}},
	{"identity, *;q=0", nil, []string{"*"}},
	{"xbr, gzip2, zstandard", nil, nil}, // names that contain those of codings
}

// negotiationOf returns what an Accept-Encoding of the negotiations allows.
func negotiationOf(accept string) (negotiation, bool) {
	i := slices.IndexFunc(negotiations, func(n negotiation) bool { return n.accept == accept })
	if i < 0 {
		return negotiation{}, false
	}
	return negotiations[i], true
}

func (n negotiation) refused(coding string) bool {
	return slices.Contains(n.refuses, "*") || slices.Contains(n.refuses, coding)
}

// acceptable reports whether an Accept-Encoding allows a coding; "" is identity.
func acceptable(coding, acceptEncoding string) bool {
	n, known := negotiationOf(acceptEncoding)
	if !known {
		return true // without the field, everything is acceptable
	}
	return slices.Contains(n.takes, coding) || coding == "" && !slices.Contains(n.refuses, "identity")
}

// registered are the content codings of the IANA registry. x-gzip is read as gzip
// before it is looked up here.
var registered = strings.Fields("aes128gcm br compress dcb dcz deflate exi gzip pack200-gzip x-compress zstd")

// buildCodings are the names of the codings that a build makes variants of.
func buildCodings() []string {
	var names []string
	for _, c := range manifest.Codings() {
		names = append(names, string(c))
	}
	return names
}
