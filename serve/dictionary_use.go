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
// path: Chromium keeps one dictionary of an origin per pattern as it was sent, so
// that "app-*.js" from two directories would be one place for two assets.
type dictionaryUse struct {
	name      string // of the asset's file
	match, id string // as in the manifest
	relative  []string
	last      atomic.Pointer[usedFor]
}

// usedFor is the field for one path: nearly every request for an asset has the
// same.
type usedFor struct {
	path  string
	value []string
}

func newDictionaryUse(asset, match, id string) *dictionaryUse {
	u := &dictionaryUse{name: path.Base(asset), match: match, id: id}
	u.relative = u.value(match)
	return u
}

// value returns the field's line with the given pattern.
func (u *dictionaryUse) value(match string) []string {
	line := "match=" + sfv.FormatString(match)
	if u.id != "" {
		line += ", id=" + sfv.FormatString(u.id)
	}
	return []string{line}
}

// field returns the field's lines for the answer to a request.
func (u *dictionaryUse) field(r *http.Request) []string {
	asked := targetPath(r.RequestURI)
	if last := u.last.Load(); last != nil && last.path == asked {
		return last.value
	}
	match, ok := u.absolute(asked)
	if !ok {
		return u.relative
	}
	f := &usedFor{strings.Clone(asked), u.value(match)} // the target may be long behind the path
	u.last.Store(f)
	return f.value
}

// absolute returns the pattern for clients that have asked for a path. ok is
// false if the pattern is absolute already, or nothing can be made of the path:
// it does not end in the asset's name, or has characters that are in no URL.
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
		match = urlpattern.Quote(directory) // the directory's index page goes by this name
	}
	return match, urlpattern.Check(match) == nil
}

// isAbsolute reports whether a pattern does not depend on the dictionary's URL (URL
// Pattern standard, "is an absolute pathname").
func isAbsolute(pattern string) bool {
	return strings.HasPrefix(pattern, "/") || strings.HasPrefix(pattern, `\/`) || strings.HasPrefix(pattern, "{/")
}

// targetPath returns the path of a request's target as the client has written it
// (RFC 9112, sections 3.2.1 and 3.2.2), "" if there is none. A request's URL may
// have lost a prefix on the way here.
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
