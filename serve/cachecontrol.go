package serve

import (
	"strings"

	"github.com/precompress/precompress/manifest"
)

const (
	cacheValidated = "no-cache"
	cacheForever   = "public, max-age=31536000, immutable" // RFC 8246
)

// cacheControl returns the value of an asset's Cache-Control field.
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

// Fingerprinted reports whether the name of a file contains a fingerprint of its
// content, for [Options.Immutable]: 8 or more lower-case hexadecimal digits, as in
// app.3f8a91c2d4.js, or 8 characters that no name would have, as in
// index-DiwrgTda.js. [manifest.Fingerprint] has the exact rules. They avoid false
// positives: app-20240131.js (a date), lib-Version2.js and facade.js have none, and
// some fingerprints that could be words are not found. If all files in a directory
// have one, this is better:
//
//	Immutable: func(path string) bool { return strings.HasPrefix(path, "assets/") }
func Fingerprinted(name string) bool {
	return hasFingerprint(manifest.Fingerprint{}, name)
}

func hasFingerprint(f manifest.Fingerprint, name string) bool {
	_, _, _, ok := f.Split(name)
	return ok
}

// hasLifetime reports whether a response with this Cache-Control field may be used
// without validation for some time, even if stale (RFC 9111, section 4.2; RFC 5861).
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
