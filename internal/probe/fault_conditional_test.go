package probe_test

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
)

// full has a reply to a condition be the whole one, as if there was none.
func full(s *server, r *http.Request, a *reply) {
	bare := r.Clone(r.Context())
	bare.Header.Del("If-None-Match")
	bare.Header.Del("If-Modified-Since")
	*a = *s.answer(bare)
}

func preconditionFaults() map[string]fault {
	// unless answers with 200 to some values of If-None-Match.
	unless := func(is func(match string) bool) func(*server, *http.Request, *reply) {
		return func(s *server, r *http.Request, a *reply) {
			if match := r.Header.Get("If-None-Match"); match != "" && is(match) {
				full(s, r, a)
			}
		}
	}
	return map[string]fault{
		"the date wins over the ETag": {want: "not-modified-wrong", change: func(_ *server, r *http.Request, a *reply) {
			if r.Header.Get("If-None-Match") != "" && r.Header.Get("If-Modified-Since") != "" {
				a.status, a.body = http.StatusNotModified, nil
			}
		}},
		"no 304 for a weak ETag": {want: "not-modified-missing", change: unless(func(m string) bool { return strings.HasPrefix(m, "W/") })},
		"no 304 for a list":      {want: "not-modified-missing", change: unless(func(m string) bool { return strings.Contains(m, ",") })},
		"no 304 for any":         {want: "not-modified-missing", change: unless(func(m string) bool { return m == "*" })},
		"500 for a foreign ETag": {want: "status", change: func(_ *server, r *http.Request, a *reply) {
			if r.Header.Get("If-None-Match") != "" && whole(a) {
				*a = reply{status: http.StatusInternalServerError, header: http.Header{}}
			}
		}},
		"500 for an earlier date": {want: "status", change: func(_ *server, r *http.Request, a *reply) {
			if r.Header.Get("If-Modified-Since") != "" && whole(a) {
				*a = reply{status: http.StatusInternalServerError, header: http.Header{}}
			}
		}},
		"500 for its own ETag": {want: "status", change: at(304, func(a *reply) { *a = reply{status: 500, header: http.Header{}} })},
		"412 for any": {want: "status", change: func(_ *server, r *http.Request, a *reply) {
			if r.Header.Get("If-None-Match") == "*" {
				*a = reply{status: http.StatusPreconditionFailed, header: http.Header{}}
			}
		}},
		"500 for its own date": {want: "status", change: func(_ *server, r *http.Request, a *reply) {
			if r.Header.Get("If-None-Match") == "" && a.status == http.StatusNotModified {
				*a = reply{status: 500, header: http.Header{}}
			}
		}},
		"500 for a foreign ETag with the date": {want: "status", change: func(_ *server, r *http.Request, a *reply) {
			if r.Header.Get("If-None-Match") != "" && r.Header.Get("If-Modified-Since") != "" {
				*a = reply{status: http.StatusInternalServerError, header: http.Header{}}
			}
		}},
		"another file for a foreign ETag":  {want: "content-differs content-differs content-differs content-differs", change: otherFile("If-None-Match")},
		"another file for an earlier date": {want: "content-differs", change: otherFile("If-Modified-Since")},
		"another file for an ETag, known":  {want: "stale stale stale stale", asset: true, change: otherFile("If-None-Match")},
		"another variant for an earlier date, known": {want: "recompressed", asset: true, change: func(_ *server, r *http.Request, a *reply) {
			if r.Header.Get("If-Modified-Since") != "" && r.Header.Get("If-None-Match") == "" && whole(a) {
				a.header.Set("Content-Encoding", "gzip")
				a.body = encode(new(testing.T), "gzip", append([]byte(nil), source...))
				a.body[4]++
			}
		}},
		"304 that names the plain ETag": {prep: func(_ *testing.T, s *server) {
			delete(s.files, "zstd")
			delete(s.files, "br")
		}, want: "uncompressed", change: namedPlain},
		"304 with gzip's ETag for the plain one": {prep: func(_ *testing.T, s *server) {
			delete(s.files, "zstd")
			delete(s.files, "br")
		}, want: "not-modified-wrong uncompressed", change: func(s *server, r *http.Request, a *reply) {
			if namedPlain(s, r, a); a.status == http.StatusNotModified && r.Header.Get("Accept-Encoding") != "identity" {
				a.header.Set("Etag", etagOf(s.files["gzip"]))
			}
		}},
		"304 with the ETag of a coding that is not taken": {want: "not-modified-wrong", change: func(s *server, r *http.Request, a *reply) {
			if r.Header.Get("If-None-Match") == etagOf(s.files["br"]) {
				a.status, a.body = http.StatusNotModified, nil
				a.header.Set("Etag", etagOf(s.files["br"]))
			}
		}},
	}
}

// otherFile sends another content where a condition does not hold.
func otherFile(name string) func(*server, *http.Request, *reply) {
	return func(_ *server, r *http.Request, a *reply) {
		if r.Header.Get(name) != "" && whole(a) {
			a.body = encode(new(testing.T), manifest.Coding(a.header.Get("Content-Encoding")), bytes.ToUpper(source))
		}
	}
}

// resumed changes the parts that come for If-Range.
func resumed(f func(a *reply)) func(*server, *http.Request, *reply) {
	return func(_ *server, r *http.Request, a *reply) {
		if r.Header.Get("If-Range") != "" && a.status == http.StatusPartialContent {
			f(a)
		}
	}
}

// namedPlain chooses the plain file for those who have it, whatever else they take.
func namedPlain(_ *server, r *http.Request, a *reply) {
	if r.Header.Get("If-None-Match") == etagOf(source) {
		a.status, a.body = http.StatusNotModified, nil
		a.header.Set("Etag", etagOf(source))
		a.header.Del("Content-Encoding")
	}
}

// updateFaults are of fields of a 304 that are not those of the 200.
func updateFaults() map[string]fault {
	four := "not-modified-fields not-modified-fields not-modified-fields not-modified-fields"
	set := func(name, value string) func(*server, *http.Request, *reply) {
		return at(304, func(a *reply) { a.header.Set(name, value) })
	}
	expires := func(s *server, _ *http.Request, a *reply) {
		a.header.Set("Expires", s.modified.Format(http.TimeFormat))
	}
	many := func(always, only304 string) func(*server, *http.Request, *reply) {
		return func(_ *server, _ *http.Request, a *reply) {
			if a.header.Set("Vary", always); a.status == http.StatusNotModified {
				a.header.Set("Vary", only304)
			}
		}
	}
	return map[string]fault{
		"304 with another length": {want: four, change: at(304, func(a *reply) {
			a.header.Set("Content-Length", "5")
			a.byHand = true // package http drops it
		})},
		"304 to be kept for longer": {want: four, change: set("Cache-Control", "max-age=31536000")},
		"304 with another coding":   {want: four, change: set("Content-Encoding", "compress")},
		"304 with its coding": {change: func(s *server, r *http.Request, a *reply) {
			if c := s.choose(r); a.status == http.StatusNotModified && c != "" {
				a.header.Set("Content-Encoding", c)
				a.header.Set("Content-Length", fmt.Sprint(len(s.files[c])))
			}
		}},
		"304 without Expires": {want: four, change: func(s *server, r *http.Request, a *reply) {
			if expires(s, r, a); a.status == http.StatusNotModified {
				a.header.Del("Expires")
			}
		}},
		"304 with Expires":             {change: expires},
		"304 without a part of Vary":   {want: four, change: many("Accept-Encoding, Available-Dictionary", "Accept-Encoding")},
		"304 with Vary in other words": {change: many("Accept-Encoding, Origin", "origin,accept-encoding")},
		"304 with Vary: *":             {want: four, change: many("Accept-Encoding", "*")},
	}
}

func ifRangeFaults() map[string]fault {
	ignored := func(r *http.Request) { r.Header.Del("If-Range") }
	past := func(f func(a *reply)) func(*server, *http.Request, *reply) { return at(416, f) }
	return map[string]fault{
		"If-Range is ignored": {want: "if-range-wrong", ask: ignored},
		"500 for If-Range": {want: "status", change: func(_ *server, r *http.Request, a *reply) {
			if r.Header.Get("If-Range") != "" && whole(a) {
				*a = reply{status: http.StatusInternalServerError, header: http.Header{}}
			}
		}},
		"nothing is resumed": {want: "if-range-ignored", ask: func(r *http.Request) {
			if r.Header.Get("If-Range") != "" {
				r.Header.Del("Range")
			}
		}},
		"416 without the size":    {want: "content-range", change: past(func(a *reply) { a.header = http.Header{} })},
		"416 with another size":   {want: "range", change: past(func(a *reply) { a.header.Set("Content-Range", "bytes */7") })},
		"404 for what is past it": {want: "range", change: past(func(a *reply) { *a = reply{status: 404, header: http.Header{}} })},
		"whole for what is past it": {ask: func(r *http.Request) {
			if strings.HasSuffix(r.Header.Get("Range"), "-") {
				r.Header.Del("Range")
			}
		}},
		"If-Range: other bytes":      {want: "range", change: resumed(func(a *reply) { a.body = bytes.Repeat([]byte("Z"), len(a.body)) })},
		"If-Range: another size":     {want: "range", change: resumed(func(a *reply) { a.header.Set("Content-Range", "bytes 7-106/9") })},
		"If-Range: another coding":   {want: "range", change: resumed(func(a *reply) { a.header.Set("Content-Encoding", "gzip") })},
		"If-Range: another ETag":     {want: "range-fields", change: resumed(func(a *reply) { a.header.Set("Etag", `"other"`) })},
		"If-Range: no Vary":          {want: "range-fields", change: resumed(func(a *reply) { a.header.Del("Vary") })},
		"If-Range: no Cache-Control": {want: "range-fields", change: resumed(func(a *reply) { a.header.Del("Cache-Control") })},
		"If-Range: what is known is left out": {change: resumed(func(a *reply) {
			a.header["Content-Type"] = nil
			a.header.Del("Last-Modified")
			a.header.Del("Content-Encoding")
		})},
		"500 for If-Range with its ETag": {want: "status", change: resumed(func(a *reply) { *a = reply{status: 500, header: http.Header{}} })},
		"If-Range: another file": {want: "undecodable", change: func(_ *server, r *http.Request, a *reply) {
			if r.Header.Get("If-Range") != "" && whole(a) {
				a.body = bytes.Repeat([]byte("Z"), len(a.body))
			}
		}},
		"Content-Range on a 200": {want: "content-range", change: at(200, func(a *reply) { a.header.Set("Content-Range", "bytes 0-1/2") })},
	}
}
