package probe_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
)

func dictionaryFaults() map[string]fault {
	use := func(value string) func(*server, *http.Request, *reply) {
		return func(_ *server, _ *http.Request, a *reply) {
			a.header.Set("Use-As-Dictionary", value)
			a.header.Set("Cache-Control", "max-age=31536000")
		}
	}
	good := `match="/app*.js", id="one;two", match-dest=("script")`
	// delta sends a delta made with the dictionary to those that ask with one.
	delta := func(d func(r *http.Request) manifest.Dictionary, vary string) func(*server, *http.Request, *reply) {
		return func(s *server, r *http.Request, a *reply) {
			use(good)(s, r, a)
			a.header.Set("Vary", vary)
			if strings.Contains(r.Header.Get("Accept-Encoding"), "dcb") {
				named := d(r)
				a.body = append([]byte("\xffDCB"), named[:]...)
				a.header.Set("Content-Encoding", "dcb")
				a.header.Set("Etag", `"delta"`)
			}
		}
	}
	both := "Accept-Encoding, Available-Dictionary"
	known := func(_ *testing.T, s *server) {}
	return map[string]fault{
		"a dictionary":                          {change: use(good)},
		"type raw":                              {change: use(`match="/a\\*b", type=raw;x=1`)},
		"no match":                              {want: "dictionary-use", change: use(`id="x"`)},
		"match is a token":                      {want: "dictionary-use", change: use(`match=app`)},
		"match is an expression":                {want: "dictionary-use", change: use(`match="/(a|b)"`)},
		"match on another host":                 {want: "dictionary-use", change: use(`match="https://example.com/a"`)},
		"type is unknown":                       {want: "dictionary-use", change: use(`match="/a", type=brotli`)},
		"not a structured field":                {want: "dictionary-use", change: use(`match="/a`)},
		"long id":                               {want: "dictionary-use", change: use(`match="/a", id="` + strings.Repeat("x", 1025) + `"`)},
		"the build's dictionary":                {know: match("app*.js", ""), change: use(`match="app*.js"`)},
		"the build's dictionary, as a path":     {know: match("app*.js", "x"), change: use(`match="/app*.js", id="x"`)},
		"the build's path":                      {know: match("/app*.js", ""), change: use(`match="app*.js"`)},
		"another match than the build's":        {want: "dictionary-use-differs", know: match("app*.js", ""), change: use(`match="/other*.js"`)},
		"a directory that the build knows not":  {want: "dictionary-use-differs", know: match("app*.js", ""), change: use(`match="/static/app*.js"`)},
		"another id than the build's":           {want: "dictionary-use-differs", know: match("app*.js", "x"), change: use(`match="app*.js", id="y"`)},
		"an id that the build has not":          {want: "dictionary-use-differs", know: match("app*.js", ""), change: use(`match="app*.js", id="y"`)},
		"no field, and to be validated":         {know: match("app*.js", "")},
		"a dictionary that the build wants not": {asset: true, change: use(good)},
		"no field, though fresh": {want: "dictionary-use-missing", know: match("app*.js", ""), change: func(_ *server, _ *http.Request, a *reply) {
			a.header.Set("Cache-Control", "max-age=31536000")
		}},
		"no field with br": {want: "dictionary-use-missing", know: match("app*.js", ""), change: func(s *server, r *http.Request, a *reply) {
			use(`match="app*.js"`)(s, r, a)
			if coded(a, "br") {
				a.header.Del("Use-As-Dictionary")
			}
		}},
		"no field with a delta": {want: "dictionary-use-missing", know: func(a *manifest.Asset) {
			match("app*.js", "")(a)
			b := append([]byte("\xffDCB"), sourceSum[:]...)
			a.Deltas = []manifest.Delta{{Variant: manifest.Variant{Coding: manifest.DCB, Size: 36, Digest: manifest.Sum(b)}, Dictionary: sourceSum}}
		}, change: func(s *server, r *http.Request, a *reply) {
			use(`match="app*.js"`)(s, r, a)
			a.header.Set("Vary", both)
			if r.Header.Get("Available-Dictionary") == ":"+sourceDictionary+":" {
				delta(func(*http.Request) manifest.Dictionary { return sourceSum }, both)(s, r, a)
				a.header.Del("Use-As-Dictionary")
			}
		}},
		"dcz alone with another dictionary": {want: "dictionary-mismatch", change: func(s *server, r *http.Request, a *reply) {
			use(good)(s, r, a)
			a.header.Set("Vary", both)
			if r.Header.Get("Available-Dictionary") != ":"+sourceDictionary+":" {
				return
			}
			delta(func(*http.Request) manifest.Dictionary { return sourceSum }, both)(s, r, a)
			if r.Header.Get("Accept-Encoding") == "dcz" {
				a.header.Set("Content-Encoding", "dcz")
				a.header.Set("Etag", `"dcz"`)
				a.body = append([]byte("\x5e\x2a\x4d\x18\x20\x00\x00\x00"), make([]byte, 40)...)
			}
		}},
		"500 to who holds a dictionary": {want: "status", change: func(s *server, r *http.Request, a *reply) {
			if use(good)(s, r, a); r.Header.Get("Available-Dictionary") != "" {
				*a = reply{status: http.StatusInternalServerError, header: http.Header{}}
			}
		}},
		"404 to who takes deltas": {want: "status", change: func(s *server, r *http.Request, a *reply) {
			if use(good)(s, r, a); strings.Contains(r.Header.Get("Accept-Encoding"), "dcb") {
				*a = reply{status: http.StatusNotFound, header: http.Header{}}
			}
		}},
		"dictionary of no time": {want: "dictionary-lifetime", change: func(s *server, r *http.Request, a *reply) {
			use(good)(s, r, a)
			a.header.Set("Cache-Control", "no-cache")
		}},
		"delta without dictionary": {want: "dictionary-unasked", prep: known, change: func(s *server, r *http.Request, a *reply) {
			if r.Header.Get("Available-Dictionary") == "" {
				delta(func(*http.Request) manifest.Dictionary { return manifest.Dictionary{1} }, both)(s, r, a)
				return
			}
			use(good)(s, r, a)
			a.header.Set("Vary", both)
		}},
		"delta with another dictionary": {want: "dictionary-mismatch", change: func(s *server, r *http.Request, a *reply) {
			if r.Header.Get("Available-Dictionary") != "" {
				delta(func(*http.Request) manifest.Dictionary { return manifest.Dictionary{1} }, both)(s, r, a)
				return
			}
			use(good)(s, r, a)
			a.header.Set("Vary", both)
		}},
		"delta, and Vary does not say so": {want: "dictionary-vary", change: func(s *server, r *http.Request, a *reply) {
			if r.Header.Get("Available-Dictionary") == ":"+sourceDictionary+":" {
				delta(func(*http.Request) manifest.Dictionary { return sourceSum }, "Accept-Encoding")(s, r, a)
				return
			}
			use(good)(s, r, a)
		}},
		"delta with the ETag of br": {want: "etag-shared", change: func(s *server, r *http.Request, a *reply) {
			if r.Header.Get("Available-Dictionary") == ":"+sourceDictionary+":" {
				delta(func(*http.Request) manifest.Dictionary { return sourceSum }, both)(s, r, a)
				a.header.Set("Etag", etagOf(s.files["br"]))
				return
			}
			use(good)(s, r, a)
			a.header.Set("Vary", both)
		}},
	}
}

// deltaFaults are those of deltas that the build has made: one from an earlier
// release.
func deltaFaults() map[string]fault {
	dictionary := manifest.Dictionary{1, 2, 3}
	content := append([]byte("\xffDCB"), dictionary[:]...)
	dcz := append([]byte("\x5e\x2a\x4d\x18\x20\x00\x00\x00"), dictionary[:]...)
	know := func(a *manifest.Asset) {
		a.Deltas = []manifest.Delta{{Variant: manifest.Variant{Coding: manifest.DCB, Size: int64(len(content)), Digest: manifest.Sum(content)}, Dictionary: dictionary}}
	}
	send := func(tail string) func(*server, *http.Request, *reply) {
		return func(_ *server, r *http.Request, a *reply) {
			a.header.Set("Vary", "Accept-Encoding, Available-Dictionary")
			if strings.HasPrefix(r.Header.Get("Available-Dictionary"), ":AQIDAA") {
				a.body = append(bytes.Clone(content), tail...)
				a.header.Set("Content-Encoding", "dcb")
				a.header.Set("Etag", `"delta"`)
			}
		}
	}
	both := func(a *manifest.Asset) {
		know(a)
		a.Deltas = append(a.Deltas, manifest.Delta{Variant: manifest.Variant{Coding: manifest.DCZ, Size: 40, Digest: manifest.Sum(dcz)}, Dictionary: dictionary})
	}
	// sendBoth sends either, dcz with a tail, and that with the field added.
	sendBoth := func(drop, tail string, h http.Header) func(*server, *http.Request, *reply) {
		return func(_ *server, r *http.Request, a *reply) {
			a.header.Set("Vary", "Accept-Encoding, Available-Dictionary")
			if !strings.HasPrefix(r.Header.Get("Available-Dictionary"), ":AQIDAA") {
				return
			}
			accepted := strings.ReplaceAll(r.Header.Get("Accept-Encoding"), drop, "")
			switch {
			case strings.Contains(accepted, "dcb"):
				a.body = content
				a.header.Set("Content-Encoding", "dcb")
			case strings.Contains(accepted, "dcz"):
				a.body = append(bytes.Clone(dcz), tail...)
				a.header.Set("Content-Encoding", "dcz")
			default:
				return
			}
			a.header.Set("Etag", etagOf(a.body))
			for name := range h {
				a.header.Set(name, h.Get(name))
			}
		}
	}
	return map[string]fault{
		"both deltas":           {know: both, change: sendBoth("none", "", nil)},
		"dcz is dropped":        {want: "delta-missing", know: both, change: sendBoth("dcz", "", nil)},
		"dcb is dropped":        {want: "delta-missing", know: both, change: sendBoth("dcb", "", nil)},
		"another dcz":           {want: "delta-differs", know: both, change: sendBoth("none", "more", nil)},
		"another type of delta": {want: "type-differs", know: both, change: sendBoth("none", "", http.Header{"Content-Type": {"application/octet-stream"}})},
		"a delta's end is missing": {want: "incomplete incomplete", know: both, change: func(s *server, r *http.Request, a *reply) {
			sendBoth("none", "", nil)(s, r, a)
			if coded(a, "dcb") || coded(a, "dcz") {
				a.asIs = true
				a.header.Set("Content-Length", "50")
			}
		}},
		"the build's delta": {know: know, change: send("")},
		"no delta":          {want: "delta-missing", know: know},
		"the build's dcz": {know: func(a *manifest.Asset) {
			a.Deltas = []manifest.Delta{{Variant: manifest.Variant{Coding: manifest.DCZ, Size: 40, Digest: manifest.Sum(dcz)}, Dictionary: dictionary}}
		}, change: func(s *server, r *http.Request, a *reply) {
			send("")(s, r, a)
			if coded(a, "dcb") {
				a.body = dcz
				a.header.Set("Content-Encoding", "dcz")
			}
		}},
		"406 to who takes dcz alone": {want: "status", know: both, change: func(s *server, r *http.Request, a *reply) {
			if sendBoth("none", "", nil)(s, r, a); r.Header.Get("Accept-Encoding") == "dcz" {
				*a = reply{status: http.StatusNotAcceptable, header: http.Header{}}
			}
		}},
		"another delta": {want: "delta-differs", know: know, change: send("more")},
		"a delta cut": {want: "dictionary-mismatch", know: know, change: func(s *server, r *http.Request, a *reply) {
			send("")(s, r, a)
			if coded(a, "dcb") {
				a.body = a.body[:20]
			}
		}},
	}
}

// match has the build want the asset to be a dictionary.
func match(pattern, id string) func(*manifest.Asset) {
	return func(a *manifest.Asset) { a.Match, a.DictionaryID = pattern, id }
}

// The source as a dictionary.
var (
	sourceSum        = manifest.Dictionary(sha256.Sum256(source))
	sourceDictionary = base64.StdEncoding.EncodeToString(sourceSum[:])
)
