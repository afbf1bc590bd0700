package probe_test

import (
	"fmt"
	"net/http"
	"testing"
)

func cacheControlFaults() map[string]fault {
	all := map[string]fault{
		"another for br": {want: "cache-control-differs", change: func(s *server, r *http.Request, a *reply) {
			if s.choose(r) == "br" {
				a.header.Set("Cache-Control", "max-age=31536000")
			}
		}},
		"counted down": {change: func(_ *server, r *http.Request, a *reply) {
			a.header.Set("Cache-Control", fmt.Sprintf("max-age=%d", 5000-len(r.Header.Get("Accept-Encoding"))))
		}},
		"no-store for a delta": {want: "cache-control-differs", change: func(s *server, r *http.Request, a *reply) {
			a.header.Set("Vary", "Accept-Encoding, Available-Dictionary")
			if r.Header.Get("Available-Dictionary") == ":"+sourceDictionary+":" {
				a.body = append([]byte("\xffDCB"), sourceSum[:]...)
				a.header.Set("Content-Encoding", "dcb")
				a.header.Set("Etag", `"delta"`)
				a.header.Set("Cache-Control", "no-store")
			}
		}},
	}
	for _, test := range []struct{ age, value, want string }{
		{"61", "max-age=60", "age"},
		{"60", "max-age=60", ""},
		{"61", "max-age=60, s-maxage=100", ""},
		{"61", "max-age=60, stale-while-revalidate=5", ""},
	} {
		all["Age "+test.age+" of "+test.value] = fault{want: test.want, change: func(_ *server, _ *http.Request, a *reply) {
			a.header.Set("Age", test.age)
			a.header.Set("Cache-Control", test.value)
		}}
	}
	for _, test := range []struct{ path, value, want string }{
		{"/index.html", "max-age=31536000", "cache-control-odd"},
		{"/index.html", "no-store, max-age=0, immutable", ""},
		{"/index.html", "max-age=0, immutable", ""},
		{"/index.html", "immutable", "cache-control-odd"},
		{"/index.html", "max-age=3600", ""},
		{"/page.3f8a91c2d4.html", "max-age=31536000, immutable", ""},
	} {
		all[test.path+": "+test.value] = fault{want: test.want, prep: func(_ *testing.T, s *server) { s.path = test.path }, change: html(func(_ *server, _ *http.Request, a *reply) {
			a.header.Set("Cache-Control", test.value)
		})}
	}
	return all
}

// fieldFaults are fields with a value that is wrong wherever it comes.
func fieldFaults() map[string]fault {
	all := make(map[string]fault)
	for _, test := range []struct{ name, value, want string }{
		{"Cache-Control", "max-age=-1", "cache-control-malformed"},
		{"Cache-Control", "max-age=abc", "cache-control-malformed"},
		{"Cache-Control", "max-age", "cache-control-malformed"},
		{"Cache-Control", "max-age=1.5", "cache-control-malformed"},
		{"Cache-Control", "max-age=60, max-age=70", "cache-control-malformed"},
		{"Cache-Control", "max-age=60; public", "cache-control-malformed"},
		{"Cache-Control", "public max-age=60", "cache-control-malformed"},
		{"Cache-Control", "no_cache", "cache-control-unknown"},
		{"Cache-Control", "maxage=60", "cache-control-unknown"},
		{"Cache-Control", `private="Set-Cookie`, "cache-control-malformed"},
		{"Cache-Control", `max-age="60"`, "cache-control-malformed"},
		{"Cache-Control", `no-cache, s-maxage="60"`, "cache-control-malformed"},
		{"Cache-Control", "maxage=60, max-age=x", "cache-control-malformed cache-control-unknown"},
		{"Cache-Control", "private, public", "cache-control-odd"},
		{"Cache-Control", "no-store, max-age=31536000", "cache-control-odd"},
		{"Cache-Control", ",", "cache-control-missing"},
		{"Cache-Control", "no-cache, no-store, max-age=0, must-revalidate", ""},
		{"Cache-Control", `private="Set-Cookie, X", max-age=60,, stale-if-error="5"`, ""},
		{"Cache-Control", "MAX-AGE=99999999999999999999, community=\"UCI\", max-age=99999999999999999999", ""},
		{"Last-Modified", "yesterday", "last-modified-malformed"},
		{"Last-Modified", "", "last-modified-malformed"},
		{"Age", "abc", "age"},
		{"Age", "5", ""},
	} {
		all[test.name+": "+test.value] = fault{want: test.want, change: func(_ *server, _ *http.Request, a *reply) {
			a.header.Set(test.name, test.value)
		}}
	}
	return all
}
