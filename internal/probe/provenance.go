package probe

import (
	"net/http"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// Provenance is where an answer comes from: what its fields say, and what the digests
// of a manifest show. Nothing is guessed: what is unknown is empty.
type Provenance struct {
	// From is "cache" if the answer says that a cache had it, "origin" if it says that
	// a cache forwarded the request, or "".
	From string
	// Fields are the field lines with the evidence, as received: Server, Via (RFC 9110,
	// section 7.6.3), Age (RFC 9111, section 5.1), Cache-Status (RFC 9211), X-Cache,
	// CF-Cache-Status, and cdn-cache of Server-Timing.
	Fields []string
	// Bytes is what the content is by the manifest: one of the constants, or "".
	Bytes string
}

// Values of [Provenance].Bytes.
const (
	BuildSource  = "the build's source"
	BuildVariant = "the build's variant"
	BuildDelta   = "the build's delta"
	OnTheWay     = "compressed on the way" // it decodes to the source, and is not the build's variant
	OtherBytes   = "not of the build"
)

// String returns all of it in one line, "" if nothing is known.
func (p Provenance) String() string {
	var parts []string
	for _, s := range append([]string{p.From, p.Bytes}, p.Fields...) {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, "; ")
}

// provenanceOf reads what the fields of an answer say.
func provenanceOf(h http.Header) Provenance {
	var p Provenance
	for _, name := range []string{"Server", "Via", "Age", "Cache-Status", "X-Cache", "CF-Cache-Status"} {
		if value := fieldValue(h, name); value != "" {
			p.Fields = append(p.Fields, name+": "+shown(value))
		}
	}
	timing := cdnCache(h)
	if timing != "" {
		p.Fields = append(p.Fields, "Server-Timing: "+shown(timing))
	}
	_, description, _ := strings.Cut(timing, "desc=")
	from := []string{fromCacheStatus(h), fromWord(fieldValue(h, "CF-Cache-Status")), fromWord(fieldValue(h, "X-Cache")), fromWord(description)}
	switch {
	case h.Get("Age") != "", slices.Contains(from, "cache"): // one hit among several caches is enough
		p.From = "cache"
	case slices.Contains(from, "origin"):
		p.From = "origin"
	}
	return p
}

// cdnCache returns the metric of Server-Timing in which some CDNs say hit or miss.
func cdnCache(h http.Header) string {
	for _, m := range members(h, "Server-Timing") {
		if strings.HasPrefix(m, "cdn-cache") {
			return m
		}
	}
	return ""
}

// fromCacheStatus reads what the caches on the way say (RFC 9211, section 2).
func fromCacheStatus(h http.Header) string {
	from := ""
	for _, m := range members(h, "Cache-Status") {
		for _, p := range strings.Split(m, ";")[1:] { // the first is the cache's name
			name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
			switch {
			case name == "hit" && value != "?0":
				return "cache"
			case name == "fwd":
				from = "origin"
			}
		}
	}
	return from
}

// fromWord reads what caches say without a standard: HIT, TCP_MISS, "Hit from
// cloudfront", or for several caches "MISS, HIT".
func fromWord(value string) string {
	value = strings.ToLower(value)
	says := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(value, w) })
	}
	switch {
	case says("hit", "stale", "updating", "revalidated"):
		return "cache"
	case says("miss", "expired", "bypass", "dynamic"):
		return "origin"
	}
	return ""
}

// bytesOf identifies the complete content of an answer by an asset's digests.
func bytesOf(c Content, coding string, asset *manifest.Asset) string {
	if coding == "" && c.Digest == asset.Digest {
		return BuildSource
	}
	if v, ok := asset.Variant(manifest.Coding(coding)); ok && v.Stored() && v.Digest == c.Digest {
		return BuildVariant
	}
	for _, d := range asset.Deltas {
		if string(d.Coding) == coding && d.Stored() && d.Digest == c.Digest {
			return BuildDelta
		}
	}
	switch {
	case coding != "" && c.decoded.ok() && c.decoded.digest == asset.Digest:
		return OnTheWay
	case coding != "" && !c.decoded.known:
		return "" // it cannot be decoded here
	}
	return OtherBytes
}
