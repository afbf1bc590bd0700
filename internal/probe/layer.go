package probe

import (
	"net/http"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// Layer is what an answer says of who gave it, and what a manifest adds to that.
// Nothing in it is guessed: where an answer says nothing, it is empty.
type Layer struct {
	// From is "cache" if the answer says that it comes from one, "origin" if it
	// says that a cache has asked further on, else "".
	From string
	// Fields are the lines that tell, as they came: Server, Via (RFC 9110,
	// section 7.6.3), Age (RFC 9111, section 5.1), Cache-Status (RFC 9211), X-Cache,
	// CF-Cache-Status, and cdn-cache of Server-Timing.
	Fields []string
	// Bytes is where the bytes come from, by the manifest: see the constants.
	Bytes string
}

// Where bytes come from.
const (
	BuildSource  = "the build's source"
	BuildVariant = "the build's variant"
	BuildDelta   = "the build's delta"
	OnTheWay     = "compressed on the way" // to the source's content, and not the build's variant
	OtherBytes   = "not of the build"
)

// String returns it in one line, "" if nothing is known.
func (l Layer) String() string {
	var parts []string
	if l.From != "" {
		parts = append(parts, l.From)
	}
	if l.Bytes != "" {
		parts = append(parts, l.Bytes)
	}
	parts = append(parts, l.Fields...)
	return strings.Join(parts, "; ")
}

func layerOf(h http.Header) Layer {
	var l Layer
	for _, name := range []string{"Server", "Via", "Age", "Cache-Status", "X-Cache", "CF-Cache-Status"} {
		if value := line(h, name); value != "" {
			l.Fields = append(l.Fields, name+": "+shown(value))
		}
	}
	timing := cdnCache(h)
	if timing != "" {
		l.Fields = append(l.Fields, "Server-Timing: "+shown(timing))
	}
	verdicts := []string{fromCacheStatus(h), fromWord(line(h, "CF-Cache-Status")), fromWord(line(h, "X-Cache")), fromTiming(timing)}
	switch {
	case h.Get("Age") != "", slices.Contains(verdicts, "cache"): // one hit on the way is enough
		l.From = "cache"
	case slices.Contains(verdicts, "origin"):
		l.From = "origin"
	}
	return l
}

// cdnCache returns the member of Server-Timing that some networks tell hits in.
func cdnCache(h http.Header) string {
	for _, m := range members(h.Values("Server-Timing")) {
		if strings.HasPrefix(m, "cdn-cache") {
			return m
		}
	}
	return ""
}

func fromTiming(member string) string {
	_, description, _ := strings.Cut(member, "desc=")
	return fromWord(strings.Trim(description, `"`))
}

// fromCacheStatus reads the parameters of the caches that an answer has passed
// (RFC 9211, section 2).
func fromCacheStatus(h http.Header) string {
	verdict := ""
	for _, m := range members(h.Values("Cache-Status")) {
		for i, p := range strings.Split(m, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
			switch {
			case i == 0: // the cache's name
			case name == "hit" && value != "?0":
				return "cache"
			case name == "fwd":
				verdict = "origin"
			}
		}
	}
	return verdict
}

// fromWord reads what caches say without a standard: HIT, TCP_MISS, "Hit from
// cloudfront", and for several caches "MISS, HIT".
func fromWord(value string) string {
	value = strings.ToLower(value)
	is := func(words ...string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(value, w) })
	}
	switch {
	case is("hit", "stale", "updating", "revalidated"):
		return "cache"
	case is("miss", "expired", "bypass", "dynamic"):
		return "origin"
	}
	return ""
}

// bytesOf says where the bytes of an answer come from.
func bytesOf(a *Answer, asset *manifest.Asset) string {
	c := a.Content
	if asset == nil || !a.complete() || a.Question.Method != http.MethodGet {
		return ""
	}
	if a.Coding == "" && c.Digest == asset.Digest {
		return BuildSource
	}
	if v, ok := asset.Variant(manifest.Coding(a.Coding)); ok && v.Stored() && v.Digest == c.Digest {
		return BuildVariant
	}
	for _, d := range asset.Deltas {
		if string(d.Coding) == a.Coding && d.Stored() && d.Digest == c.Digest {
			return BuildDelta
		}
	}
	if a.Coding != "" && c.Decoded.ok() && c.Decoded.Digest == asset.Digest {
		return OnTheWay
	}
	if a.Coding != "" && !c.Decoded.Known {
		return "" // cannot be told
	}
	return OtherBytes
}
