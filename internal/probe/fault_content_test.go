package probe_test

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/internal/probe"
	"github.com/precompress/precompress/manifest"
)

// framingFaults are of where content ends, and of HEAD.
func framingFaults() map[string]fault {
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
		"HEAD without coding":     {want: "head-omits", change: onHead("br", func(a *reply) { a.header.Del("Content-Encoding"); a.asIs = true })},
		"HEAD is refused":         {want: "head", change: func(_ *server, r *http.Request, a *reply) { headRefused(r, a) }},
		"HEAD has another coding": {want: "head", change: onHead("br", func(a *reply) { a.header.Set("Content-Encoding", "gzip") })},
		"HEAD has another ETag":   {want: "head", change: onHead("gzip", func(a *reply) { a.header.Set("Etag", `"another"`) })},
		"HEAD without Vary":       {want: "head-omits", change: onHead("gzip", func(a *reply) { a.header.Del("Vary") })},
		"HEAD has another length": {want: "head-length", change: onHead("br", func(a *reply) {
			a.asIs = true
			a.header.Set("Content-Length", fmt.Sprint(len(source)))
		})},
	}
}

func contentFaults() map[string]fault {
	other := []byte(strings.Repeat("something else altogether, of an earlier release\n", 50))
	variant := func(c manifest.Coding, content func(t *testing.T, s *server) []byte) func(*testing.T, *server) {
		return func(t *testing.T, s *server) { s.files[string(c)] = content(t, s) }
	}
	count := counter("")
	return map[string]fault{
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
		"a bomb":        {want: "content-differs", prep: variant("gzip", func(*testing.T, *server) []byte { return bomb() }), opts: probe.Options{MaxBody: 1 << 20}},
		"a bomb, known": {want: "stale", asset: true, prep: variant("gzip", func(*testing.T, *server) []byte { return bomb() }), opts: probe.Options{MaxBody: 1 << 20}},
		"smaller, and does not decode": {want: "undecodable", ask: rewrite("gzip, deflate, br, zstd", "br"), prep: variant("zstd", func(_ *testing.T, s *server) []byte {
			return s.files["zstd"][:20]
		})},
		"a counter": {want: "content-varies", change: counter("")},
		"a counter with one ETag": {want: "content-varies etag-shared", change: func(s *server, r *http.Request, a *reply) {
			count(s, r, a)
			a.header.Set("Etag", etagOf([]byte(a.header.Get("Content-Encoding"))))
		}},
		"a counter, known":         {want: "stale stale stale stale", asset: true, change: counter("")},
		"a counter, always br":     {want: "coding-default coding-unasked content-varies qvalue-ignored", change: counter("br")},
		"larger than may be read":  {want: "unchecked unchecked unchecked unchecked", opts: probe.Options{MaxBody: int64(len(source)) - 1}},
		"zstd with a large window": {want: "window", prep: variant("zstd", func(t *testing.T, _ *server) []byte { return largeWindow(t) })},
		"br with a large window":   {want: "window", prep: variant("br", func(_ *testing.T, s *server) []byte { return append([]byte{0x11}, s.files["br"]...) })},
	}
}

func typeFaults() map[string]fault {
	all := kindFaults()
	maps.Copy(all, map[string]fault{
		"types differ":                    {want: "type-differs", change: on("br", func(_ *server, a *reply) { a.header.Set("Content-Type", "application/javascript") })},
		"another kind with br":            {want: "type", change: onAny("br", func(a *reply) { a.header.Set("Content-Type", "text/css") })},
		"two types":                       {want: "type", change: typedTwice("text/html")},
		"one type twice":                  {want: "type", change: typedTwice("text/javascript; charset=utf-8")},
		"types differ in spelling":        {change: on("br", func(_ *server, a *reply) { a.header.Set("Content-Type", `Text/JavaScript;charset="UTF-8"`) })},
		"HEAD's type differs in spelling": {change: onHead("br", func(a *reply) { a.header.Set("Content-Type", "text/javascript;charset=UTF-8") })},
		"charset with one coding only":    {want: "type-differs", change: on("br", func(_ *server, a *reply) { a.header.Set("Content-Type", "text/javascript") })},
		"no media type":                   {want: "type", change: typed("javascript")},
		"two media types":                 {want: "type", change: typed("text/javascript, text/javascript")},
		"a parameter without value":       {change: typed("text/javascript; charset")},
		"a page for a script":             {want: "type", change: typed("text/html; charset=utf-8")},
		"a page for a map":                {want: "type", prep: movedTo("/app.js.map"), change: typed("text/html")},
		"a page":                          {prep: movedTo("/about"), change: typed("text/html")},
		"a page for a script, known": {want: "stale stale stale stale", asset: true, prep: func(t *testing.T, s *server) {
			page := []byte(strings.Repeat("<p>an application's page</p>\n", 50))
			s.files = map[string][]byte{"": page}
			for _, c := range manifest.Codings() {
				s.files[string(c)] = encode(t, c, page)
			}
		}, change: typed("text/html")},
		"a script as a page, known":            {want: "type", asset: true, change: typed("text/html")},
		"gzip that says so":                    {prep: compressed("/download"), change: typed("application/gzip")},
		"gzip of a format of its own":          {prep: compressed("/tiles/1/2/3"), change: typed("application/vnd.mapbox-vector-tile")},
		"gzip of any type":                     {prep: compressed("/data.rds"), change: typed("application/octet-stream")},
		"gzip without type":                    {prep: compressed("/export"), want: "type-missing", change: typed("")},
		"gzip as JSON":                         {want: "coding-undeclared", prep: compressed("/api"), change: typed("application/problem+json")},
		"gzip as any type, by a script's name": {want: "coding-undeclared type", prep: compressed(script), change: typed("application/octet-stream")},
		"svgz that says nothing":               {want: "coding-undeclared", prep: compressed("/logo.svgz"), change: typed("image/svg+xml")},
		"text as gzip":                         {want: "type", prep: movedTo("/export"), change: typed("application/gzip")},
		"type of gzip":                         {want: "type", change: onAny("gzip", func(a *reply) { a.header.Set("Content-Type", "application/gzip") })},
		"text/plain": {want: "type", change: func(_ *server, _ *http.Request, a *reply) {
			if a.header.Get("Content-Type") != "" {
				a.header.Set("Content-Type", "text/plain")
			}
		}},
		"no type": {want: "type-missing", change: onAny("br", func(a *reply) { a.header["Content-Type"] = nil })},
	})
	return all
}

// kindFaults are types that are those of another kind of file than the name says, and
// some that are not.
func kindFaults() map[string]fault {
	all := make(map[string]fault)
	for _, test := range []struct{ path, types, want string }{
		{script, "image/png audio/mpeg video/mp2t text/csv application/json text/css font/woff2 application/wasm multipart/x", "type"},
		{script, "application/javascript application/x-javascript application/ecmascript Text/JScript application/node application/vnd.example", ""},
		{"/a.mjs", "image/svg+xml", "type"},
		{"/a.css", "text/javascript image/png application/xml", "type"},
		{"/a.css", "text/css;charset=utf-8 application/vnd.example", ""},
		{"/a.wasm", "application/javascript application/vnd.example application/octet-stream", "type"},
		{"/a.wasm", "application/wasm", ""},
		{"/a.svg", "image/png application/xml text/css", "type"},
		{"/a.svg", "image/svg+xml", ""},
		{"/a.json", "image/png text/css application/xml", "type"},
		{"/a.json", "application/json text/json application/geo+json application/manifest+json text/javascript text/plain", ""},
		{"/a.webmanifest", "text/css", "type"},
		{"/a.webmanifest", "application/manifest+json application/json", ""},
		{"/a.html", "application/json image/png", "type"},
		{"/a.xml", "application/json", "type"},
		{"/a.xml", "text/xml application/rss+xml", ""},
		{"/a.png", "image/webp text/html", ""},
	} {
		for media := range strings.FieldsSeq(test.types) {
			all[test.path+" as "+media] = fault{want: test.want, prep: movedTo(test.path), change: typed(media)}
		}
	}
	return all
}

// counter has each answer tell how many there were, in the coding if there is one.
func counter(always manifest.Coding) func(*server, *http.Request, *reply) {
	var n atomic.Int64
	return func(_ *server, _ *http.Request, a *reply) {
		c := cmp.Or(always, manifest.Coding(a.header.Get("Content-Encoding")))
		a.status, a.body = http.StatusOK, fmt.Appendf(bytes.Clone(source), "%d\n", n.Add(1))
		a.header.Del("Content-Range")
		if c != "" {
			a.header.Set("Content-Encoding", string(c))
			a.body = encode(new(testing.T), c, a.body)
		}
		a.header.Set("Etag", etagOf(a.body))
	}
}

// typed replaces Content-Type, or with "" takes it off.
func typed(value string) func(*server, *http.Request, *reply) {
	return func(_ *server, _ *http.Request, a *reply) {
		switch {
		case value == "":
			a.header["Content-Type"] = nil // net/http would look at the content
		case a.header.Get("Content-Type") != "":
			a.header.Set("Content-Type", value)
		}
	}
}

// typedTwice adds a second Content-Type.
func typedTwice(value string) func(*server, *http.Request, *reply) {
	return func(_ *server, _ *http.Request, a *reply) {
		if a.header.Get("Content-Type") != "" {
			a.header.Add("Content-Type", value)
		}
	}
}

// movedTo moves the server's file.
func movedTo(path string) func(*testing.T, *server) {
	return func(_ *testing.T, s *server) { s.path = path }
}

// compressed has the server know nothing but the gzip of its file, by another path.
func compressed(path string) func(*testing.T, *server) {
	return func(_ *testing.T, s *server) {
		s.path, s.files = path, map[string][]byte{"": s.files["gzip"]}
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
	if err := framing.Check(manifest.Zstd, bytes.NewReader(b.Bytes())); err == nil {
		t.Fatal("the window is small")
	}
	return b.Bytes()
}
