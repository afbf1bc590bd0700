package probe_test

import (
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve/probe"
)

// fault is a server with one fault, and the words of what is to be found: these
// and no others.
type fault struct {
	want   string // words with a space between them, each as often as it is found
	asset  bool   // ask with what the build knows
	prep   func(t *testing.T, s *server)
	ask    func(r *http.Request)
	change func(s *server, r *http.Request, a *reply)
	know   func(a *manifest.Asset) // changes what the build knows
	opts   probe.Options
}

// whole tells whether an answer has all of the content.
func whole(a *reply) bool { return a.status == http.StatusOK }

// coded tells whether the answer has the coding.
func coded(a *reply, c manifest.Coding) bool {
	return a.header.Get("Content-Encoding") == string(c)
}

// rewrite replaces an Accept-Encoding.
func rewrite(from, to string) func(*http.Request) {
	return func(r *http.Request) {
		if r.Header.Get("Accept-Encoding") == from {
			r.Header.Set("Accept-Encoding", to)
		}
	}
}

// on changes the replies with a field.
func on(c manifest.Coding, f func(s *server, a *reply)) func(*server, *http.Request, *reply) {
	return func(s *server, _ *http.Request, a *reply) {
		if whole(a) && coded(a, c) {
			f(s, a)
		}
	}
}

func negotiationFaults() map[string]fault {
	browser := "gzip, deflate, br, zstd"
	none := func(c string) func(*testing.T, *server) {
		return func(_ *testing.T, s *server) { delete(s.files, c) }
	}
	return map[string]fault{
		"no fault":         {},
		"no fault, known":  {asset: true},
		"404":              {want: "status", prep: func(_ *testing.T, s *server) { s.asked = "/other.js" }},
		"500 for br":       {want: "status", ask: rewrite("br", "boom"), change: failFor("boom", 500)},
		"429 for browsers": {want: "status", ask: rewrite(browser, "boom"), change: failFor("boom", 429)},
		"br to no field": {want: "coding-default", ask: func(r *http.Request) {
			if r.Header.Get("Accept-Encoding") == "" {
				r.Header.Set("Accept-Encoding", "br")
			}
		}},
		"br to identity":  {want: "coding-unasked", ask: rewrite("identity", "br")},
		"gzip to zstd":    {want: "coding-unasked", ask: rewrite("zstd", "gzip")},
		"br for xbr":      {want: "coding-unasked", ask: rewrite("xbr, gzipped, zstandard", "br")},
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
		"two codings": {want: "double-coding", change: rename("gzip", "gzip, gzip")},
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
		"redirect elsewhere":     {want: "redirect-elsewhere", prep: old, change: to(always("http://elsewhere.invalid/"))},
		"redirect to a port":     {want: "redirect-elsewhere", prep: old, change: to(always("http://127.0.0.1:1/"))},
		"redirect to ftp":        {want: "status", prep: old, change: to(always("ftp://127.0.0.1/"))},
		"redirects without end": {want: "redirect-loop", prep: old,
			change: to(func(_ *server, r *http.Request) string { return "/?" + r.URL.RawQuery + "x" })},
		"index.html to its folder": {asset: true, prep: func(_ *testing.T, s *server) { s.path, s.asked = "/", "/index.html" }, change: to(always("./"))},
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

func contentFaults() map[string]fault {
	other := []byte(strings.Repeat("something else altogether, of an earlier release\n", 50))
	variant := func(c manifest.Coding, content func(t *testing.T, s *server) []byte) func(*testing.T, *server) {
		return func(t *testing.T, s *server) { s.files[string(c)] = content(t, s) }
	}
	return map[string]fault{
		"no Content-Length": {want: "length-missing", change: func(_ *server, r *http.Request, a *reply) {
			a.asIs = true
			if whole(a) && r.Method == http.MethodGet { // chunks, once they are too many for one write
				a.header.Set("Transfer-Encoding", "chunked")
			}
		}},
		"Content-Length of the source": {want: "incomplete", change: on("br", func(s *server, a *reply) {
			a.asIs = true
			a.header.Set("Content-Length", fmt.Sprint(len(source)))
		})},
		"Content-Length too small": {want: "undecodable", change: func(_ *server, _ *http.Request, a *reply) {
			if whole(a) && coded(a, "gzip") {
				a.body = a.body[:len(a.body)-4] // all that a client takes from such an answer
			}
		}},
		"HEAD without coding":   {want: "head", change: onHead("br", func(a *reply) { a.header.Del("Content-Encoding"); a.asIs = true })},
		"HEAD is refused":       {want: "head", change: func(_ *server, r *http.Request, a *reply) { headRefused(r, a) }},
		"HEAD has another ETag": {want: "head", change: onHead("gzip", func(a *reply) { a.header.Set("Etag", `"another"`) })},
		"HEAD without Vary":     {want: "head", change: onHead("gzip", func(a *reply) { a.header.Del("Vary") })},
		"HEAD has another length": {want: "head-length", change: onHead("br", func(a *reply) {
			a.asIs = true
			a.header.Set("Content-Length", fmt.Sprint(len(source)))
		})},
		"damaged": {want: "undecodable", prep: variant("gzip", func(t *testing.T, s *server) []byte {
			b := bytes.Clone(s.files["gzip"])
			b[len(b)/2] ^= 0x55
			return b
		})},
		"cut short": {want: "undecodable", prep: variant("br", func(t *testing.T, s *server) []byte {
			return s.files["br"][:len(s.files["br"])-3]
		})},
		"empty":      {want: "undecodable", prep: variant("zstd", func(*testing.T, *server) []byte { return []byte{} })},
		"undeclared": {want: "coding-undeclared", change: on("gzip", func(_ *server, a *reply) { a.header.Del("Content-Encoding"); a.header.Set("Etag", `"undeclared"`) })},
		"gzip as it is": {want: "coding-undeclared", prep: func(t *testing.T, s *server) {
			s.files = map[string][]byte{"": s.files["gzip"]}
		}},
		"a file that is gzip": {prep: func(t *testing.T, s *server) {
			s.files = map[string][]byte{"": s.files["gzip"]}
		}, know: func(a *manifest.Asset) {
			content := encode(new(testing.T), manifest.Gzip, source)
			*a = manifest.Asset{Path: a.Path, Size: int64(len(content)), Digest: manifest.Sum(content)}
		}},
		"an archive": {prep: func(t *testing.T, s *server) {
			s.path, s.files = "/app.js.gz", map[string][]byte{"": s.files["gzip"]}
		}},
		"twice": {want: "double-coding", prep: variant("gzip", func(t *testing.T, s *server) []byte {
			return encode(t, manifest.Gzip, s.files["gzip"])
		})},
		"twice, br in gzip, known": {want: "double-coding", asset: true, prep: variant("gzip", func(t *testing.T, s *server) []byte {
			return encode(t, manifest.Gzip, s.files["br"])
		})},
		"of another content": {want: "content-differs", prep: variant("br", func(t *testing.T, s *server) []byte {
			return encode(t, manifest.Brotli, other)
		})},
		"stale variant": {want: "stale", asset: true, prep: variant("br", func(t *testing.T, _ *server) []byte {
			return encode(t, manifest.Brotli, other)
		})},
		"stale": {want: "stale stale stale stale", asset: true, prep: func(t *testing.T, s *server) {
			s.files = map[string][]byte{"": other}
			for _, c := range manifest.Codings() {
				s.files[string(c)] = encode(t, c, other)
			}
		}},
		"recompressed": {want: "recompressed", asset: true, prep: variant("gzip", func(_ *testing.T, s *server) []byte {
			b := bytes.Clone(s.files["gzip"])
			b[4]++ // another time of the day
			return b
		})},
		"larger than may be read":  {want: "unchecked unchecked unchecked unchecked", opts: probe.Options{MaxBody: int64(len(source)) - 1}},
		"zstd with a large window": {want: "window", prep: variant("zstd", func(t *testing.T, _ *server) []byte { return largeWindow(t) })},
		"br with a large window":   {want: "window", prep: variant("br", func(_ *testing.T, s *server) []byte { return append([]byte{0x11}, s.files["br"]...) })},
		"types differ":             {want: "type-differs", change: on("br", func(_ *server, a *reply) { a.header.Set("Content-Type", "text/html") })},
		"type of gzip":             {want: "type", change: onAny("gzip", func(a *reply) { a.header.Set("Content-Type", "application/gzip") })},
		"text/plain": {want: "type", change: func(_ *server, _ *http.Request, a *reply) {
			if a.header.Get("Content-Type") != "" {
				a.header.Set("Content-Type", "text/plain")
			}
		}},
		"no type": {want: "type-missing", change: onAny("br", func(a *reply) { a.header["Content-Type"] = nil })},
	}
}

func headRefused(r *http.Request, a *reply) {
	if r.Method == http.MethodHead {
		*a = reply{status: http.StatusMethodNotAllowed, header: http.Header{}}
	}
}

// onAny changes all replies with a coding, to HEAD and ranges too.
func onAny(c manifest.Coding, f func(a *reply)) func(*server, *http.Request, *reply) {
	return func(_ *server, _ *http.Request, a *reply) {
		if coded(a, c) {
			f(a)
		}
	}
}

func onHead(c manifest.Coding, f func(a *reply)) func(*server, *http.Request, *reply) {
	return func(_ *server, r *http.Request, a *reply) {
		if r.Method == http.MethodHead && coded(a, c) {
			f(a)
		}
	}
}

// largeWindow encodes the source with a window of 16 MiB.
func largeWindow(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(16<<20), zstd.WithSingleSegment(false))
	if err != nil {
		t.Fatal(err)
	}
	// Written in parts, so that the encoder does not know how little it is.
	for _, part := range [][]byte{source[:10], source[10:]} {
		if _, err := w.Write(part); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := manifest.CheckForm(manifest.Zstd, bytes.NewReader(b.Bytes())); err == nil {
		t.Fatal("the window is small")
	}
	return b.Bytes()
}

func cachingFaults() map[string]fault {
	drop := func(name string) func(*server, *http.Request, *reply) {
		return func(_ *server, _ *http.Request, a *reply) { a.header.Del(name) }
	}
	set := func(name, value string) func(*server, *http.Request, *reply) {
		return func(_ *server, _ *http.Request, a *reply) { a.header.Set(name, value) }
	}
	at := func(status int, f func(a *reply)) func(*server, *http.Request, *reply) {
		return func(_ *server, _ *http.Request, a *reply) {
			if a.status == status {
				f(a)
			}
		}
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
		"weak ETags": {want: "etag-weak", ask: func(r *http.Request) {
			r.Header.Set("If-None-Match", strings.TrimPrefix(r.Header.Get("If-None-Match"), "W/"))
		}, change: func(_ *server, _ *http.Request, a *reply) { a.header.Set("Etag", "W/"+a.header.Get("Etag")) }},
		"one ETag for all": {want: "etag-shared", ask: func(r *http.Request) {
			if r.Header.Get("If-None-Match") == etagOf(source) {
				r.Header.Set("X-Same", "1")
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
		"no 304":                             {want: "not-modified-missing not-modified-missing not-modified-missing not-modified-missing", ask: func(r *http.Request) { r.Header.Del("If-None-Match") }},
		"304 for any ETag":                   {want: "not-modified-wrong not-modified-wrong not-modified-wrong not-modified-wrong not-modified-wrong", change: always304("If-None-Match")},
		"304 for another's ETag":             {want: "not-modified-wrong not-modified-wrong not-modified-wrong not-modified-wrong", change: crossed304},
		"304 for an earlier date":            {want: "not-modified-wrong", change: always304("If-Modified-Since")},
		"If-Modified-Since":                  {want: "modified-since-ignored", ask: func(r *http.Request) { r.Header.Del("If-Modified-Since") }},
		"304 without ETag":                   {want: "not-modified-fields not-modified-fields not-modified-fields not-modified-fields", change: at(304, func(a *reply) { a.header.Del("Etag") })},
		"304 without Vary":                   {want: "not-modified-fields not-modified-fields not-modified-fields not-modified-fields", change: at(304, func(a *reply) { a.header.Del("Vary") })},
		"304 without Cache-Control":          {want: "not-modified-fields not-modified-fields not-modified-fields not-modified-fields", change: at(304, func(a *reply) { a.header.Del("Cache-Control") })},
		"206 without ETag":                   {want: "range-fields range-fields", change: at(206, func(a *reply) { a.header.Del("Etag") })},
		"206 without Vary":                   {want: "range-fields range-fields", change: at(206, func(a *reply) { a.header.Del("Vary") })},
		"ranges are ignored":                 {ask: func(r *http.Request) { r.Header.Del("Range") }},
		"416":                                {want: "range range", change: at(206, func(a *reply) { *a = reply{status: 416, header: http.Header{}} })},
		"206 without Content-Range":          {want: "range range", change: at(206, func(a *reply) { a.header.Del("Content-Range") })},
		"206 of another size":                {want: "range range", change: at(206, func(a *reply) { a.header.Set("Content-Range", "bytes 0-99/100000") })},
		"206 of other bytes":                 {want: "range range", change: at(206, func(a *reply) { a.body = bytes.ToUpper(bytes.Repeat([]byte("x"), len(a.body))) })},
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

// TestDoc: the package's documentation names every check with its source and
// severity.
func TestDoc(t *testing.T) {
	data, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	doc := strings.Join(strings.Fields(strings.ReplaceAll(string(data), "\n//", " ")), " ") + " - "
	for _, c := range probe.Checks() {
		_, entry, found := strings.Cut(doc, " - "+c.Word+": ")
		entry, _, _ = strings.Cut(entry, " - ")
		if !found || !strings.Contains(entry, c.Reference) || c.Severity == probe.Advice && !strings.Contains(entry, "advice)") || c.Severity == probe.Fault && strings.Contains(entry, "advice)") {
			t.Errorf("%s: %q", c.Word, entry)
		}
	}
}

// TestFaults: each fault is found, and nothing else is.
func TestFaults(t *testing.T) {
	for _, faults := range allFaults() {
		for name, f := range faults {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := newServer(t)
				asset := s.asset()
				s.ask, s.change = f.ask, f.change
				if f.prep != nil {
					f.prep(t, s)
				}
				path := cmp.Or(s.asked, s.path) + s.query
				live := httptest.NewServer(s)
				defer live.Close()
				target := probe.Target{URL: parse(t, live.URL+path)}
				if f.asset {
					target.Asset = asset
				}
				if f.know != nil {
					f.know(asset)
					target.Asset = asset
				}
				f.opts.Rate = fast().Rate
				compareWords(t, run(t, []probe.Target{target}, f.opts)[0], f.want)
			})
		}
	}
}

func allFaults() []map[string]fault {
	return []map[string]fault{negotiationFaults(), redirectFaults(), contentFaults(), cachingFaults(), dictionaryFaults(), deltaFaults()}
}

// TestChecks: the table has a server for everything that is looked at, and no
// words that are not.
func TestChecks(t *testing.T) {
	var words, checks []string
	for _, faults := range allFaults() {
		for _, f := range faults {
			words = append(words, strings.Fields(f.want)...)
		}
	}
	for _, c := range probe.Checks() {
		checks = append(checks, c.Word)
	}
	slices.Sort(words)
	if words = slices.Compact(words); !slices.Equal(words, checks) {
		t.Errorf("tested are\n%q, checks are\n%q", words, checks)
	}
}

func compareWords(t *testing.T, r *probe.Result, want string) {
	t.Helper()
	var words []string
	for _, f := range r.Findings {
		words = append(words, f.Word)
	}
	if got := strings.Join(words, " "); got != want {
		t.Errorf("found %q, want %q", got, want)
		for _, f := range r.Findings {
			t.Logf("%s: %s: %s: %v", f.Word, f.Coding, f.Text, f.Asked)
		}
	}
	for _, f := range r.Findings {
		if slices.ContainsFunc(r.Passed, func(c probe.Check) bool { return c.Word == f.Word }) {
			t.Errorf("%s has passed and was found", f.Word)
		}
		if f.Text == "" || f.Check.Advice == "" || f.Severity == "" {
			t.Errorf("%+v is not complete", f)
		}
	}
}
