package serve

import (
	"path"
	"strings"
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
		immutable = Fingerprinted
	}
	if immutable != nil && !isHTML(a.ContentType) && immutable(a.Path) {
		return cacheForever
	}
	return cacheValidated
}

func isHTML(contentType string) bool {
	return strings.HasPrefix(contentType, "text/html") || strings.HasPrefix(contentType, "application/xhtml+xml")
}

// Fingerprinted tells whether the last element of a path looks as if it had a
// fingerprint of the file's content in it, for [Options.Immutable]: one of the
// parts between its dots, hyphens and underscores, before the extension, is
// at least 8 lower-case hexadecimal digits, of which at least one is a letter
// and one is not. So app.3f8a91c2d4.js does; app-20240131.js (a date),
// facade.js and app.js do not.
//
// Hashes with other letters (index-DiwrgTda.js) cannot be told from words such
// as Version2 with the certainty that a year in a cache asks for. Where a
// folder holds such names only, say so instead:
//
//	Immutable: func(path string) bool { return strings.HasPrefix(path, "assets/") }
func Fingerprinted(name string) bool {
	name = path.Base(name)
	name = strings.TrimSuffix(name, path.Ext(name))
	isSeparator := func(r rune) bool { return r == '.' || r == '-' || r == '_' }
	for part := range strings.FieldsFuncSeq(name, isSeparator) {
		if isFingerprint(part) {
			return true
		}
	}
	return false
}

func isFingerprint(s string) bool {
	letters, digits := 0, 0
	for _, c := range s {
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c >= 'a' && c <= 'f':
			letters++
		default:
			return false
		}
	}
	return letters > 0 && digits > 0 && letters+digits >= 8
}
