package probe_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"
)

func cachingFaults() map[string]fault {
	drop := func(name string) func(*server, *http.Request, *reply) {
		return func(_ *server, _ *http.Request, a *reply) { a.header.Del(name) }
	}
	set := func(name, value string) func(*server, *http.Request, *reply) {
		return func(_ *server, _ *http.Request, a *reply) { a.header.Set(name, value) }
	}
	fingerprinted := func(_ *testing.T, s *server) { s.path = "/app.3f8a91c2d4.js" }
	page := func(_ *testing.T, s *server) { s.path = "/index.html" }
	return map[string]fault{
		"no Vary": {want: "vary", change: drop("Vary")},
		"no Vary without a coding": {want: "vary", change: func(_ *server, _ *http.Request, a *reply) {
			if coded(a, "") && a.status != http.StatusNotModified {
				a.header.Del("Vary")
			}
		}},
		"Vary: *":               {want: "vary-wide", change: set("Vary", "*")},
		"Vary: User-Agent, too": {want: "vary-wide", change: set("Vary", "User-Agent, accept-encoding")},
		"no ETag":               {want: "etag-missing", change: drop("Etag")},
		"bare ETag":             {want: "etag-malformed etag-malformed etag-malformed etag-malformed", change: set("Etag", "abc")},
		"endless ETag":          {want: "etag-malformed", change: onAny("gzip", func(a *reply) { a.header.Set("Etag", `"`+strings.Repeat("x", 2000)+`"`) })},
		"two ETags":             {want: "etag-malformed", change: onAny("gzip", func(a *reply) { a.header["Etag"] = []string{`"a"`, `"b"`} })},
		"weak ETags":            {want: "etag-weak", change: func(_ *server, _ *http.Request, a *reply) { a.header.Set("Etag", "W/"+a.header.Get("Etag")) }},
		"one ETag for all": {want: "etag-shared", ask: func(r *http.Request) {
			if strings.Contains(r.Header.Get("If-None-Match"), etagOf(source)) {
				r.Header.Set("X-Same", "1")
			}
			if r.Header.Get("If-Range") == etagOf(source) {
				r.Header.Del("If-Range")
			}
		}, change: func(_ *server, r *http.Request, a *reply) {
			a.header.Set("Etag", etagOf(source))
			if r.Header.Get("X-Same") != "" {
				a.status, a.body = http.StatusNotModified, nil
			}
		}},
		"ETags per machine": {want: "etag-unstable", change: func(_ *server, r *http.Request, a *reply) {
			if r.Header.Get("Accept-Encoding") == "br;q=0, gzip" {
				a.header.Set("Etag", `"machine-2"`)
			}
		}},
		"no Cache-Control":                   {want: "cache-control-missing", change: drop("Cache-Control")},
		"no-store for long names":            {want: "cache-control-odd", prep: fingerprinted, change: set("Cache-Control", "no-store")},
		"an hour for long names":             {want: "cache-control-odd", prep: fingerprinted, change: set("Cache-Control", "max-age=3600")},
		"a year for long names":              {prep: fingerprinted, change: set("Cache-Control", "public, max-age=31536000, immutable")},
		"immutable for pages":                {want: "cache-control-odd", prep: page, change: html(set("Cache-Control", "max-age=31536000, immutable"))},
		"no-cache for pages with long names": {prep: func(_ *testing.T, s *server) { s.path = "/page.3f8a91c2d4.html" }, change: html(nil)},
		"no-cache for pages":                 {prep: page, change: html(nil)},
	}
}

// at changes the replies of a status.
func at(status int, f func(a *reply)) func(*server, *http.Request, *reply) {
	return func(_ *server, _ *http.Request, a *reply) {
		if a.status == status {
			f(a)
		}
	}
}

func conditionFaults() map[string]fault {
	return map[string]fault{
		"no 304":                 {want: "not-modified-missing not-modified-missing not-modified-missing not-modified-missing not-modified-wrong", ask: func(r *http.Request) { r.Header.Del("If-None-Match") }},
		"304 for any ETag":       {want: "not-modified-wrong not-modified-wrong not-modified-wrong not-modified-wrong not-modified-wrong", change: always304("If-None-Match")},
		"304 for another's ETag": {want: "not-modified-wrong not-modified-wrong not-modified-wrong not-modified-wrong", change: crossed304},
		"304 for an earlier date": {want: "not-modified-wrong", change: func(s *server, r *http.Request, a *reply) {
			if r.Header.Get("If-None-Match") == "" {
				always304("If-Modified-Since")(s, r, a)
			}
		}},
		"If-Modified-Since":         {want: "modified-since-ignored", ask: func(r *http.Request) { r.Header.Del("If-Modified-Since") }},
		"304 without ETag":          {want: "not-modified-fields not-modified-fields not-modified-fields not-modified-fields", change: at(304, func(a *reply) { a.header.Del("Etag") })},
		"304 without Vary":          {want: "not-modified-fields not-modified-fields not-modified-fields not-modified-fields", change: at(304, func(a *reply) { a.header.Del("Vary") })},
		"304 without Cache-Control": {want: "not-modified-fields not-modified-fields not-modified-fields not-modified-fields", change: at(304, func(a *reply) { a.header.Del("Cache-Control") })},
	}
}

func rangeFaults() map[string]fault {
	return map[string]fault{
		"206 without ETag":          {want: "range-fields range-fields", change: at(206, func(a *reply) { a.header.Del("Etag") })},
		"206 without Vary":          {want: "range-fields range-fields", change: at(206, func(a *reply) { a.header.Del("Vary") })},
		"206 without Content-Type":  {want: "range-fields range-fields", change: at(206, func(a *reply) { a.header["Content-Type"] = nil })},
		"206 without Last-Modified": {want: "range-fields range-fields", change: at(206, func(a *reply) { a.header.Del("Last-Modified") })},
		"206 of several parts":      {want: "range range", change: at(206, func(a *reply) { a.header.Set("Content-Type", "multipart/byteranges; boundary=x") })},
		"ranges are ignored":        {ask: func(r *http.Request) { r.Header.Del("Range") }},
		"416":                       {want: "range range", change: at(206, func(a *reply) { *a = reply{status: 416, header: http.Header{}} })},
		"500 for a part":            {want: "range range", change: at(206, func(a *reply) { *a = reply{status: 500, header: http.Header{}} })},
		"206 without Content-Range": {want: "range range", change: at(206, func(a *reply) { a.header.Del("Content-Range") })},
		"206 of another size":       {want: "range range", change: at(206, func(a *reply) { a.header.Set("Content-Range", "bytes 0-99/100000") })},
		"206 of other bytes":        {want: "range range", change: at(206, func(a *reply) { a.body = bytes.ToUpper(bytes.Repeat([]byte("x"), len(a.body))) })},
		"206 of the plain bytes": {want: "range", change: func(s *server, _ *http.Request, a *reply) {
			if a.status == 206 && coded(a, "br") {
				var first, last, size int
				fmt.Sscanf(a.header.Get("Content-Range"), "bytes %d-%d/%d", &first, &last, &size)
				a.body = source[first : last+1]
			}
		}},
		"206 without coding": {want: "range range-fields", change: func(_ *server, _ *http.Request, a *reply) {
			if a.status == 206 && coded(a, "br") {
				a.header.Del("Content-Encoding")
			}
		}},
		"206 of another part": {want: "range range", ask: func(r *http.Request) {
			if r.Header.Get("Range") != "" {
				r.Header.Set("Range", "bytes=0-5")
			}
		}},
		"206 in another coding": {ask: func(r *http.Request) {
			if r.Header.Get("Range") != "" {
				r.Header.Set("Accept-Encoding", "identity")
			}
		}},
		"206 cut short": {want: "range range", change: at(206, func(a *reply) { a.body = a.body[:5] })},
	}
}

// html has the file be a page.
func html(then func(*server, *http.Request, *reply)) func(*server, *http.Request, *reply) {
	return func(s *server, r *http.Request, a *reply) {
		if a.header.Get("Content-Type") != "" {
			a.header.Set("Content-Type", "text/html")
		}
		if then != nil {
			then(s, r, a)
		}
	}
}

func always304(name string) func(*server, *http.Request, *reply) {
	return func(_ *server, r *http.Request, a *reply) {
		if r.Header.Get(name) != "" {
			a.status, a.body = http.StatusNotModified, nil
		}
	}
}

// crossed304 takes the ETag of any representation for that of every one.
func crossed304(s *server, r *http.Request, a *reply) {
	for _, data := range s.files {
		if r.Header.Get("If-None-Match") == etagOf(data) {
			a.status, a.body = http.StatusNotModified, nil
		}
	}
}
