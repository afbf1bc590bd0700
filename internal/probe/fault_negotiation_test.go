package probe_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/probe"
	"github.com/precompress/precompress/manifest"
)

func negotiationFaults() map[string]fault {
	browser := "gzip, deflate, br, zstd"
	none := func(c string) func(*testing.T, *server) {
		return func(_ *testing.T, s *server) { delete(s.files, c) }
	}
	return map[string]fault{
		"no fault":        {},
		"no fault, known": {asset: true},
		"words that are no secrets": {opts: probe.Options{Header: http.Header{
			"X-A": {"gzip"}, "X-B": {"no-cache"}, "X-C": {"text/javascript"}, "X-D": {"Accept-Encoding"}, "X-E": {"2025"}, "X-F": {"x"},
		}}},
		"404":              {want: "status", prep: func(_ *testing.T, s *server) { s.asked = "/other.js" }},
		"500 for br":       {want: "status", ask: rewrite("br", "boom"), change: failFor("boom", 500)},
		"429 for browsers": {want: "status", ask: rewrite(browser, "boom"), change: failFor("boom", 429)},
		"401":              {want: "status", change: always(401)},
		"406 for identity": {want: "status", ask: rewrite("identity", "boom"), change: failFor("boom", 406)},
		"503 for all":      {want: "status", change: always(503)},
		"500 for all":      {want: "status", change: always(500)},
		"500 for HEAD":     {want: "head", change: onHead("br", func(a *reply) { a.status = 500 })},
		"203":              {want: "transformed", change: transform},
		"br to no field": {want: "coding-default", ask: func(r *http.Request) {
			if r.Header.Get("Accept-Encoding") == "" {
				r.Header.Set("Accept-Encoding", "br")
			}
		}},
		"svgz":            {want: "coding-only", prep: movedTo("/logo.svgz"), change: alwaysGzip},
		"gzip to all":     {want: "coding-default coding-unasked qvalue-ignored", prep: movedTo("/logo"), change: alwaysGzip},
		"br to identity":  {want: "coding-unasked", ask: rewrite("identity", "br")},
		"gzip to zstd":    {want: "coding-unasked", ask: rewrite("zstd", "gzip")},
		"br for xbr":      {want: "coding-unasked", ask: rewrite("xbr, gzip2, zstandard", "br")},
		"q=0 of all":      {want: "qvalue-ignored", ask: rewrite("br;q=0, gzip;q=0, zstd;q=0", "br")},
		"q=0 of one":      {want: "qvalue-ignored", ask: rewrite("br;q=0, gzip", "br")},
		"q=0 of the rest": {want: "qvalue-ignored", ask: rewrite("identity, *;q=0", "gzip")},
		"unknown coding":  {want: "coding-unknown", change: rename("br", "brotli")},
		"x-gzip":          {want: "coding-name", change: rename("gzip", "x-gzip")},
		"identity": {want: "coding-name", change: func(_ *server, r *http.Request, a *reply) {
			if coded(a, "") && a.status != http.StatusNotModified {
				a.header.Set("Content-Encoding", "identity")
			}
		}},
		"an empty Content-Encoding": {want: "coding-name", change: emptyCoding},
		"two codings":               {want: "double-coding", change: rename("gzip", "gzip, gzip")},
		"nothing compressed": {want: "uncompressed", prep: func(_ *testing.T, s *server) {
			s.files = map[string][]byte{"": source}
		}},
		"no br without a build":   {want: "uncompressed", prep: none("br")},
		"no zstd without a build": {prep: none("zstd")},
		"no br": {want: "variant-missing", asset: true, ask: func(r *http.Request) {
			r.Header.Set("Accept-Encoding", strings.ReplaceAll(strings.ReplaceAll(r.Header.Get("Accept-Encoding"), "deflate, br,", ""), "br", "none"))
		}},
		"browsers get gzip":     {want: "larger-chosen", ask: rewrite(browser, "gzip")},
		"browsers get identity": {want: "larger-chosen", ask: rewrite(browser, "identity")},
	}
}

func redirectFaults() map[string]fault {
	to := func(location func(s *server, r *http.Request) string) func(*server, *http.Request, *reply) {
		return func(s *server, r *http.Request, a *reply) {
			if r.URL.RawQuery != "" || r.URL.Path == "/index.html" {
				*a = reply{status: http.StatusFound, header: http.Header{"Location": {location(s, r)}}}
			}
		}
	}
	old := func(_ *testing.T, s *server) { s.query = "?old" }
	always := func(location string) func(*server, *http.Request) string {
		return func(*server, *http.Request) string { return location }
	}
	return map[string]fault{
		"redirect":               {want: "redirect", prep: old, change: to(always(script))},
		"redirect to itself":     {want: "redirect-loop", prep: old, change: to(always(""))},
		"redirect without place": {want: "status", change: failFor("br", http.StatusFound)},
		"redirect to ftp":        {want: "status", prep: old, change: to(always("ftp://127.0.0.1/"))},
		"redirects without end": {want: "redirect-loop", prep: old,
			change: to(func(_ *server, r *http.Request) string { return "/?" + r.URL.RawQuery + "x" })},
		"index.html to its directory": {asset: true, prep: func(_ *testing.T, s *server) { s.path, s.asked = "/", "/index.html" }, change: to(always("./"))},
	}
}

// always answers with a status that is no success.
func always(status int) func(*server, *http.Request, *reply) {
	return func(_ *server, _ *http.Request, a *reply) {
		*a = reply{status: status, header: http.Header{}, body: []byte("no\n")}
	}
}

// transform has all whole answers come from a proxy that says that it changes them.
func transform(_ *server, _ *http.Request, a *reply) {
	if whole(a) {
		a.status = http.StatusNonAuthoritativeInfo
	}
}

func failFor(accept string, status int) func(*server, *http.Request, *reply) {
	return func(_ *server, r *http.Request, a *reply) {
		if r.Header.Get("Accept-Encoding") == accept {
			*a = reply{status: status, header: http.Header{}, body: []byte("no\n")}
		}
	}
}

// rename sends a coding by another name.
func rename(from, to string) func(*server, *http.Request, *reply) {
	return func(_ *server, _ *http.Request, a *reply) {
		if coded(a, manifest.Coding(from)) {
			a.header.Set("Content-Encoding", to)
		}
	}
}

// alwaysGzip has whole answers and parts be of the gzip, whoever asks.
func alwaysGzip(s *server, r *http.Request, a *reply) {
	forced := r.Clone(r.Context())
	forced.Header.Set("Accept-Encoding", "gzip")
	*a = *s.answer(forced)
	if a.header.Get("Content-Type") != "" {
		a.header.Set("Content-Type", "image/svg+xml")
	}
}

// emptyCoding sends the field with nothing in it.
func emptyCoding(_ *server, _ *http.Request, a *reply) {
	if whole(a) && coded(a, "") {
		a.header["Content-Encoding"] = []string{""}
	}
}
