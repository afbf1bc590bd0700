package serve

import (
	"net/http"

	"github.com/precompress/precompress/internal/sfv"
	"github.com/precompress/precompress/manifest"
)

// dictionaryVary is the Vary field of an asset with deltas (RFC 9842, section
// 6.2).
const dictionaryVary = "Accept-Encoding, Available-Dictionary"

// maxAvailableDictionary is the longest Available-Dictionary field that is read,
// in bytes. It has 46 and perhaps a few parameters.
const maxAvailableDictionary = 1024

// wish is what a request says about the representations that the client accepts.
type wish struct {
	acceptEncoding []string            // the field's lines
	dictionary     manifest.Dictionary // that may be used; zero for none
}

// wishOf reads a request. response is the header of the response so far.
func wishOf(r *http.Request, response http.Header) wish {
	w := wish{acceptEncoding: r.Header["Accept-Encoding"]}
	if d, ok := AvailableDictionary(r.Header, response); ok {
		w.dictionary = d
	}
	return w
}

// AvailableDictionary returns the dictionary that a client has, for
// [FileSystem.OpenVariantWith], from the header of its request. ok is false unless
// the Available-Dictionary field is one line with a byte sequence of 32 bytes (RFC
// 9842, section 2.2; RFC 9651, section 4.2).
//
// ok is also false for a request from a page of another origin that may not read the
// response: the size of a delta would disclose something of its content. That
// depends on the response's Access-Control-Allow-Origin, which must be set before
// (RFC 9842, section 9.3.3).
func AvailableDictionary(request, response http.Header) (d manifest.Dictionary, ok bool) {
	lines := request["Available-Dictionary"]
	if len(lines) != 1 || len(lines[0]) > maxAvailableDictionary || !isReadable(request, response) {
		return d, false
	}
	ok = sfv.ParseBytes(d[:], lines[0])
	return d, ok
}

// isReadable reports whether the origin of a request may read the response (RFC
// 9842, section 9.3.3), as far as the request's fields say. Only browsers send these fields.
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
