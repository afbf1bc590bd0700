package serve

import (
	"strings"

	"github.com/precompress/precompress/manifest"
)

const (
	cacheValidated = "no-cache"
	cacheForever   = "public, max-age=31536000, immutable" // RFC 8246
)

// cacheControl returns the Cache-Control field of an asset.
func (o *Options) cacheControl(a Asset) string {
	if o.CacheControl != nil {
		if value := o.CacheControl(a); value != "" {
			return value
		}
	}
	immutable := o.Immutable
	if immutable == nil && a.Match != "" && !o.NoDictionaries {
		immutable = func(name string) bool { return hasFingerprint(o.Fingerprint, name) }
	}
	if immutable != nil && !isHTML(a.ContentType) && immutable(a.Path) {
		return cacheForever
	}
	return cacheValidated
}

func isHTML(contentType string) bool {
	return strings.HasPrefix(contentType, "text/html") || strings.HasPrefix(contentType, "application/xhtml+xml")
}

// Fingerprinted reports whether the last element of a path looks as if it had a
// fingerprint of the file's content in it, for [Options.Immutable]: 8 or more
// lower-case hexadecimal digits, as in app.3f8a91c2d4.js, or 8 characters that no
// name would have, as in index-DiwrgTda.js. [manifest.Fingerprint] says which
// exactly. A year in a cache asks for certainty, so names such as app-20240131.js
// (a date), lib-Version2.js and facade.js have none, and some fingerprints that
// could be words are not found. Where a directory holds fingerprinted names only, say
// so instead:
//
//	Immutable: func(path string) bool { return strings.HasPrefix(path, "assets/") }
func Fingerprinted(name string) bool {
	return hasFingerprint(manifest.Fingerprint{}, name)
}

func hasFingerprint(f manifest.Fingerprint, name string) bool {
	_, _, _, ok := f.Split(name)
	return ok
}
