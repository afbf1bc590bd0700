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
		"a dictionary":           {change: use(good)},
		"type raw":               {change: use(`match="/a\\*b", type=raw;x=1`)},
		"no match":               {want: "dictionary-use", change: use(`id="x"`)},
		"match is a token":       {want: "dictionary-use", change: use(`match=app`)},
		"match is an expression": {want: "dictionary-use", change: use(`match="/(a|b)"`)},
		"match on another host":  {want: "dictionary-use", change: use(`match="https://example.com/a"`)},
		"type is unknown":        {want: "dictionary-use", change: use(`match="/a", type=brotli`)},
		"not a structured field": {want: "dictionary-use", change: use(`match="/a`)},
		"long id":                {want: "dictionary-use", change: use(`match="/a", id="` + strings.Repeat("x", 1025) + `"`)},
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
		a.Deltas = []manifest.Delta{{Coding: manifest.DCB, Dictionary: dictionary, Size: int64(len(content)), Digest: manifest.Sum(content)}}
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
	return map[string]fault{
		"the build's delta": {know: know, change: send("")},
		"no delta":          {want: "delta-missing", know: know},
		"the build's dcz": {know: func(a *manifest.Asset) {
			a.Deltas = []manifest.Delta{{Coding: manifest.DCZ, Dictionary: dictionary, Size: 40, Digest: manifest.Sum(dcz)}}
		}, change: func(s *server, r *http.Request, a *reply) {
			send("")(s, r, a)
			if coded(a, "dcb") {
				a.body = dcz
				a.header.Set("Content-Encoding", "dcz")
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

// The source as a dictionary.
var (
	sourceSum        = manifest.Dictionary(sha256.Sum256(source))
	sourceDictionary = base64.StdEncoding.EncodeToString(sourceSum[:])
)
