package serve

import (
	"net/http"
	"net/url"
	"path"
	"strings"
	"sync/atomic"

	"github.com/precompress/precompress/internal/sfv"
	"github.com/precompress/precompress/internal/urlpattern"
)

// dictionaryUse makes the Use-As-Dictionary field of an asset that may be a
// dictionary (RFC 9842, section 2.1).
//
// The pattern in the manifest is relative to the asset. It is sent as an absolute
// path because Chromium keeps one dictionary per origin and pattern, as sent:
// "app-*.js" from two directories would make one asset replace the other.
type dictionaryUse struct {
	name      string // of the asset's file
	match, id string // from the manifest
	relative  []string
	last      atomic.Pointer[usedFor]
}

// usedFor is the field for one path. Nearly all requests for an asset have the same.
type usedFor struct {
	path  string
	value []string
}

// useAsDictionary returns nil if the asset is no dictionary, or if clients may not
// store it or have to validate it at every use: a dictionary can be used only while
// it is fresh (RFC 9842, section 2.2.1).
func (o *Options) useAsDictionary(a Asset, id, cacheControl string) *dictionaryUse {
	if a.Match == "" || o.NoDictionaries || !hasLifetime(cacheControl) {
		return nil
	}
	u := &dictionaryUse{name: path.Base(a.Path), match: a.Match, id: id}
	u.relative = u.value(a.Match)
	return u
}

// value returns the field's value with the given pattern.
func (u *dictionaryUse) value(match string) []string {
	line := "match=" + sfv.FormatString(match)
	if u.id != "" {
		line += ", id=" + sfv.FormatString(u.id)
	}
	return []string{line}
}

// field returns the field's value for the response to a request.
func (u *dictionaryUse) field(r *http.Request) []string {
	asked := targetPath(r.RequestURI)
	if last := u.last.Load(); last != nil && last.path == asked {
		return last.value
	}
	match, ok := u.absolute(asked)
	if !ok {
		return u.relative
	}
	f := &usedFor{strings.Clone(asked), u.value(match)} // the query may be long
	u.last.Store(f)
	return f.value
}

// absolute returns the pattern for a request's path. ok is false if the pattern is
// absolute already, or if the path does not end in the asset's name or has
// characters that are not allowed in URLs.
func (u *dictionaryUse) absolute(asked string) (match string, ok bool) {
	if isAbsolute(u.match) || !strings.HasPrefix(asked, "/") || strings.ContainsAny(asked, `{}\`) {
		return "", false
	}
	slash := strings.LastIndexByte(asked, '/') + 1
	directory, name := asked[:slash], asked[slash:]
	if name != u.name && name != "" {
		if decoded, err := url.PathUnescape(name); err != nil || decoded != u.name {
			return "", false
		}
	}
	match = urlpattern.Quote(directory) + u.match
	if name == "" && u.match == urlpattern.Quote(u.name) {
		match = urlpattern.Quote(directory) // the URL of an index page
	}
	return match, urlpattern.Check(match) == nil
}

// isAbsolute reports whether a pattern is independent of the dictionary's URL (URL
// Pattern standard, "is an absolute pathname").
func isAbsolute(pattern string) bool {
	return strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, `\/`) || strings.HasPrefix(pattern, "{/")
}

// targetPath returns the path of a request's target as the client sent it, or ""
// (RFC 9112, sections 3.2.1 and 3.2.2). The URL of the request may have lost a
// prefix.
func targetPath(target string) string {
	target, _, _ = strings.Cut(target, "?")
	if strings.HasPrefix(target, "/") {
		return target
	}
	_, rest, ok := strings.Cut(target, "://")
	if !ok {
		return ""
	}
	if slash := strings.IndexByte(rest, '/'); slash >= 0 {
		return rest[slash:]
	}
	return "/"
}
