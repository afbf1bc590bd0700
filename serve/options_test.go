package serve_test

import (
	"errors"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
)

func TestFingerprinted(t *testing.T) {
	for name, want := range map[string]bool{
		"app.3f8a91c2d4.js":                  true,
		"app-3f8a91c2.js":                    true,
		"css/main_0123456789abcdef.css":      true,
		"3f8a91c2d4e5.woff2":                 true,
		"chunk.3f8a91c2d4.min.js":            true,
		"app.js":                             false,
		"app-20240131.js":                    false,
		"facade.js":                          false,
		"deadbeef.js":                        false,
		"app.3f8a91c.js":                     false,
		"index-DiwrgTda.js":                  true,
		"chunk-ABC123XY.js":                  true,
		"lib-Version2.js":                    false,
		"3f8a91c2d4/app.js":                  false,
		"app.3f8a91c2d4":                     false, // the extension
		"jquery-3.7.1.js":                    false,
		"polyfills-c67a75d1b6f99dc8.html.js": true,
	} {
		if got := serve.Fingerprinted(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestCacheControl(t *testing.T) {
	tree := fstest.MapFS{
		"app.3f8a91c2d4.js":   file(script("a"), time.Time{}),
		"page.3f8a91c2d4.htm": file(script("a"), time.Time{}),
		"app.js":              file(script("a"), time.Time{}),
	}
	const forever = "public, max-age=31536000, immutable"
	own := func(a serve.Asset) string {
		if a.Path == "app.js" && a.ContentType == "text/javascript; charset=utf-8" && a.Size > 0 {
			return "max-age=60"
		}
		return ""
	}
	all := func(string) bool { return true }
	tests := []struct {
		opts serve.Options
		want [3]string // of the files above
	}{
		{serve.Options{}, [3]string{"no-cache", "no-cache", "no-cache"}},
		{serve.Options{Immutable: serve.Fingerprinted}, [3]string{forever, "no-cache", "no-cache"}},
		{serve.Options{Immutable: all}, [3]string{forever, "no-cache", forever}},
		{serve.Options{Immutable: serve.Fingerprinted, CacheControl: own}, [3]string{forever, "no-cache", "max-age=60"}},
	}
	for i, tt := range tests {
		h := mustNew(t, tree, tt.opts)
		for j, target := range []string{"/app.3f8a91c2d4.js", "/page.3f8a91c2d4.htm", "/app.js"} {
			w := get(h, target, "-")
			if got := w.Header().Get("Cache-Control"); got != tt.want[j] {
				t.Errorf("%d: %s: %q, want %q", i, target, got, tt.want[j])
			}
			w = get(h, target, "-", "If-None-Match", w.Header().Get("ETag"))
			if got := w.Header().Get("Cache-Control"); w.Code != 304 || got != tt.want[j] {
				t.Errorf("%d: %s: %d %q, want a 304, %q", i, target, w.Code, got, tt.want[j])
			}
		}
	}
}

func TestNext(t *testing.T) {
	next := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if vary := w.Header().Get("Vary"); (vary != "") != (r.URL.Path == "/fetched") {
			t.Errorf("%s: Vary: %q", r.URL, vary)
		}
		w.WriteHeader(http.StatusTeapot)
	})
	events := 0
	h := mustNew(t, fstest.MapFS{"index.html": file(script("a"), time.Time{}), "a.js": file(script("a"), time.Time{})},
		serve.Options{Next: next, Fallback: "index.html", Observe: func(serve.Event) { events++ }})
	for request, want := range map[string]int{
		"GET /a.js": 200, "POST /a.js": 405, "GET /b.js": 418, "POST /api": 418, "DELETE /b.js": 418, "GET /deep/link": 200,
		"GET /fetched": 418,
	} {
		method, target, _ := strings.Cut(request, " ")
		w := httptest.NewRecorder()
		r := httptest.NewRequest(method, target, nil)
		if target == "/fetched" {
			r.Header.Set("Sec-Fetch-Mode", "cors")
		}
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("%s: %d, want %d", request, w.Code, want)
		}
	}
	if events != 3 {
		t.Errorf("%d events, want 3", events)
	}
}

func TestObserve(t *testing.T) {
	var got []serve.Event
	content := script("a")
	br := encode(t, "br", content)
	h := mustNew(t, fstest.MapFS{"a.js": file(content, time.Time{}), "a.js.br": file(br, time.Time{}), "d/index.html": file(content, time.Time{})},
		serve.Options{Strict: true, Observe: func(e serve.Event) {
			if e.Request == nil || e.Duration <= 0 {
				t.Errorf("incomplete: %+v", e)
			}
			e.Request, e.Duration = nil, 0
			got = append(got, e)
		}})
	tag := get(h, "/a.js", "br").Header().Get("ETag")
	get(h, "/a.js", "identity")
	get(h, "/a.js", "br", "If-None-Match", tag)
	get(h, "/a.js", "br", "Range", "bytes=1-3")
	get(h, "/a.js", "br", "Range", "bytes=999999-")
	get(h, "/a.js", "*;q=0")
	get(h, "/d/", "br")
	get(h, "/d", "br")
	get(h, "/none", "br")
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("HEAD", "/a.js", nil))
	message := func(status int) int64 { return int64(len(http.StatusText(status)) + 1) }
	want := []serve.Event{
		{Asset: "a.js", Coding: "br", Status: 200, Bytes: int64(len(br))},
		{Asset: "a.js", Status: 200, Bytes: int64(len(content))},
		{Asset: "a.js", Status: 304},
		{Asset: "a.js", Coding: "br", Status: 206, Bytes: 3},
		{Asset: "a.js", Status: 416, Bytes: message(416)},
		{Asset: "a.js", Status: 406, Bytes: message(406)},
		{Asset: "d/index.html", Status: 200, Bytes: int64(len(content))},
		{Status: 301, Bytes: message(301)},
		{Status: 404, Bytes: message(404)},
		{Asset: "a.js", Status: 200},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestHeaderHook(t *testing.T) {
	h := mustNew(t, fstest.MapFS{"a.js": file(script("a"), time.Time{})}, serve.Options{
		Header: func(header http.Header, r *http.Request, a serve.Asset) {
			header.Set("X-Asset", a.Path)
			header.Add("Vary", "Origin")
			header.Set("Cache-Control", "private")
		}})
	tag := get(h, "/a.js", "-").Header().Get("ETag")
	for range 2 { // the second answer must not see what the first has added
		for status, fields := range map[int][]string{
			200: nil, 304: {"If-None-Match", tag}, 412: {"If-Match", `"no"`}, 206: {"Range", "bytes=0-1"}, 416: {"Range", "bytes=99999-"},
		} {
			w := get(h, "/a.js", "-", fields...)
			if w.Code != status || w.Header().Get("X-Asset") != "a.js" {
				t.Errorf("%d, want %d, with the field: %v", w.Code, status, w.Header())
			}
			if got := w.Header().Values("Vary"); !cmp.Equal(got, []string{"Origin"}) {
				t.Errorf("Vary: %q", got)
			}
		}
	}
	if w := get(h, "/b.js", "-"); w.Header().Get("X-Asset") != "" {
		t.Error("the hook was called for a miss")
	}
}

// TestVaryIsKept: what stands around the handler may vary by something, too.
func TestVaryIsKept(t *testing.T) {
	content := script("a")
	h := mustNew(t, fstest.MapFS{"a.js": file(content, time.Time{}), "a.js.gz": file(encode(t, "gzip", content), time.Time{})}, serve.Options{})
	for before, want := range map[string]string{"Origin": "Origin, Accept-Encoding", "*": "*", "accept-encoding": "accept-encoding"} {
		w := httptest.NewRecorder()
		w.Header().Set("Vary", before)
		h.ServeHTTP(w, httptest.NewRequest("GET", "/a.js", nil))
		if got := strings.Join(w.Header().Values("Vary"), ", "); got != want {
			t.Errorf("%q: %q, want %q", before, got, want)
		}
	}
}

// TestErrorHasNoCoding: what stands around the handler may have meant it for
// the content.
func TestErrorHasNoCoding(t *testing.T) {
	h := mustNew(t, fstest.MapFS{"a.js": file(script("a"), time.Time{})}, serve.Options{})
	w := httptest.NewRecorder()
	w.Header().Set("Content-Encoding", "gzip")
	h.ServeHTTP(w, httptest.NewRequest("GET", "/none", nil))
	if w.Code != 404 || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
}

func TestCodings(t *testing.T) {
	content := script("a")
	tree := fstest.MapFS{"a.js": file(content, time.Time{}), "a.js.gz": file(encode(t, "gzip", content), time.Time{}), "a.js.br": file(encode(t, "br", content), time.Time{})}
	h := mustNew(t, tree, serve.Options{Codings: []manifest.Coding{"gzip"}})
	if got := get(h, "/a.js", "br, gzip;q=0.1").Header().Get("Content-Encoding"); got != "gzip" {
		t.Errorf("%q, want gzip", got)
	}
	if w := get(h, "/a.js.br", "-"); w.Code != 404 {
		t.Errorf("a sibling of a coding that is not offered: %d", w.Code)
	}
}

func TestBadOptions(t *testing.T) {
	tree := fstest.MapFS{"index.html": file(script("a"), time.Time{})}
	for name, opts := range map[string]serve.Options{
		"unknown coding": {Codings: []manifest.Coding{"deflate"}},
		"coding twice":   {Codings: []manifest.Coding{"br", "br"}},
		"no such page":   {NotFound: "404.html"},
		"no fallback":    {Fallback: "app.html"},
	} {
		_, err := serve.New(tree, opts)
		if option := (*serve.OptionError)(nil); !errors.As(err, &option) || !strings.HasPrefix(err.Error(), "serve: option "+option.Field) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := serve.New(nil, serve.Options{}); err == nil {
		t.Error("a handler of nothing")
	}
	if _, err := serve.Dir(t.TempDir()+"/none", serve.Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no directory: %v", err)
	}
}

func TestDotfiles(t *testing.T) {
	tree := fstest.MapFS{}
	for _, name := range []string{".env", ".git/config", "a/.hidden", ".well-known/acme", ".well-known/.x", ".precompress-1.tmp", "a/.precompress-2.tmp", "b/.well-known/x"} {
		tree[name] = file([]byte("content"), time.Time{})
	}
	closed, open := mustNew(t, tree, serve.Options{}), mustNew(t, tree, serve.Options{Dotfiles: true})
	for name, want := range map[string][2]int{
		".env": {404, 200}, ".git/config": {404, 200}, "a/.hidden": {404, 200}, ".well-known/acme": {200, 200}, ".well-known/.x": {404, 200},
		".precompress-1.tmp": {404, 404}, "a/.precompress-2.tmp": {404, 404}, "b/.well-known/x": {404, 200},
	} {
		if got := [2]int{get(closed, "/"+name, "-").Code, get(open, "/"+name, "-").Code}; got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

func TestContentTypes(t *testing.T) {
	tree := fstest.MapFS{
		"a.js": nil, "a.mjs": nil, "a.css": nil, "a.wasm": nil, "a.svg": nil, "a.JSON": nil, "a.woff2": nil, "a.webmanifest": nil, "a.html": nil,
		"LICENSE": nil, "bin": nil, "page": nil, "a.tar.gz": nil, "a.br": nil,
	}
	for name := range tree {
		tree[name] = file([]byte("plain words\n"), time.Time{})
	}
	tree["bin"].Data = []byte{0, 1, 2, 3}
	tree["page"].Data = []byte("<!doctype html><script>")
	h := mustNew(t, tree, serve.Options{})
	for name, want := range map[string]string{
		"a.js": "text/javascript; charset=utf-8", "a.mjs": "text/javascript; charset=utf-8", "a.css": "text/css; charset=utf-8",
		"a.wasm": "application/wasm", "a.svg": "image/svg+xml", "a.JSON": "application/json", "a.woff2": "font/woff2",
		"a.webmanifest": "application/manifest+json", "a.html": "text/html; charset=utf-8", "LICENSE": "text/plain; charset=utf-8",
		"bin": "application/octet-stream", "page": "text/plain; charset=utf-8", "a.tar.gz": "application/gzip", "a.br": "application/octet-stream",
	} {
		if got := get(h, "/"+name, "-").Header().Get("Content-Type"); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
