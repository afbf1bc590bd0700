package serve

import (
	"net/http"
	"strings"

	"github.com/precompress/precompress/internal/sfv"
	"github.com/precompress/precompress/manifest"
)

// dictionaryVary is the Vary field of an asset with deltas (RFC 9842, section
// 6.2).
const dictionaryVary = "Accept-Encoding, Available-Dictionary"

// maxAvailableDictionary is the longest Available-Dictionary field that is read,
// in bytes. It has 46 and perhaps a few parameters.
const maxAvailableDictionary = 1024

// wish is what a client has said of the representation that it wants.
type wish struct {
	acceptEncoding []string            // the field's lines
	dictionary     manifest.Dictionary // that it holds and that may be used; zero: none
}

// wishOf reads a request. response is the header of the answer so far.
func wishOf(r *http.Request, response http.Header) wish {
	w := wish{acceptEncoding: r.Header["Accept-Encoding"]}
	if d, ok := AvailableDictionary(r.Header, response); ok {
		w.dictionary = d
	}
	return w
}

// AvailableDictionary returns the dictionary that a client offers to use, for
// [FileSystem.OpenVariantWith], from the header of a request. ok is false if
// there is none, or if the Available-Dictionary field is not one line with an
// item that is a byte sequence of 32 bytes (RFC 9842, section 2.2; RFC 9651,
// section 4.2).
//
// It is also false for a request from another site whose answer the page there
// may not read: the size of a delta would tell of its content. For this, the
// header of the response must have its Access-Control-Allow-Origin, if any
// (RFC 9842, section 9.3.3).
func AvailableDictionary(request, response http.Header) (d manifest.Dictionary, ok bool) {
	lines := request["Available-Dictionary"]
	if len(lines) != 1 || len(lines[0]) > maxAvailableDictionary || !isReadable(request, response) {
		return d, false
	}
	ok = sfv.ParseBytes(d[:], lines[0])
	return d, ok
}

// isReadable reports whether who has sent the request may read the answer, as far
// as the request's fields tell (RFC 9842, section 9.3.3). Programs that are no
// browsers do not send such fields.
func isReadable(request, response http.Header) bool {
	site, mode := request["Sec-Fetch-Site"], request["Sec-Fetch-Mode"]
	if len(site) == 0 || len(site) == 1 && site[0] == "same-origin" || len(mode) == 0 {
		return true
	}
	if len(mode) > 1 {
		return false
	}
	switch mode[0] {
	case "navigate", "same-origin":
		return true
	case "cors":
		origin, allowed := request["Origin"], response["Access-Control-Allow-Origin"]
		return len(origin) == 1 && len(allowed) == 1 && (allowed[0] == "*" || allowed[0] == origin[0])
	}
	return false
}

// useAsDictionary returns what makes an asset's Use-As-Dictionary field, nil for
// none. An asset that a client may not keep, or has to validate at each use, has
// none: a dictionary can be used only while it is fresh (RFC 9842, section
// 2.2.1).
func (o *Options) useAsDictionary(a Asset, id, cacheControl string) *dictionaryUse {
	if a.Match == "" || o.NoDictionaries || !hasLifetime(cacheControl) {
		return nil
	}
	return newDictionaryUse(a.Path, a.Match, id)
}

// hasLifetime reports whether an answer with this Cache-Control field can be used
// without asking for any time, be it stale (RFC 9111, section 4.2; RFC 5861).
func hasLifetime(cacheControl string) bool {
	zero, stale := false, false
	for directive := range strings.SplitSeq(strings.ToLower(cacheControl), ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(directive), "=")
		isZero := strings.Trim(strings.Trim(value, `"`), "0") == ""
		switch name {
		case "no-store", "no-cache":
			return false
		case "max-age":
			zero = isZero
		case "stale-while-revalidate":
			stale = !isZero
		}
	}
	return !zero || stale
}
