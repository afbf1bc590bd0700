package serve_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"
	"testing/fstest"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
)

// dictionaryTree returns a tree of assets with match patterns and a lifetime.
func dictionaryTree(t testing.TB, patterns map[string]string) http.Handler {
	t.Helper()
	tree, listed := fstest.MapFS{}, &manifest.Manifest{}
	for name, pattern := range patterns {
		content := script(name)
		tree[name] = file(content, time.Time{})
		listed.Assets = append(listed.Assets, manifest.Asset{
			Path: name, Size: int64(len(content)), Digest: manifest.Sum(content), Match: pattern, DictionaryID: "v1",
		})
	}
	record, err := listed.Encode()
	if err != nil {
		t.Fatal(err)
	}
	tree[manifest.Name] = file(record, time.Time{})
	return mustNew(t, tree, serve.Options{CacheControl: func(serve.Asset) string { return "max-age=60" }})
}

// TestDictionaryPattern: the pattern is the absolute path that a client asks by.
func TestDictionaryPattern(t *testing.T) {
	files := dictionaryTree(t, map[string]string{
		"app-1.js": "app-*.js", "sub/app-1.js": "app-*.js", "sub/deep/app-1.js": "app-*.js", "by/hand.js": "/own/*.js",
		"a b/ü (1)+.js": `%C3%BC%20*.js`, "a:b*/x(y){z}/app-1.js": "app-*.js", "index.html": "index.html", "sub/index.html": "*.html", "c/d.js": ":any.js",
	})
	rewritten := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.URL = &url.URL{Path: "/app-1.js"}
		files.ServeHTTP(w, r)
	})
	for _, tt := range []struct {
		name   string
		h      http.Handler
		target string
		want   string // as in the field
	}{
		{"root", files, "/app-1.js", `/app-*.js`},
		{"query", files, "/app-1.js?v=/2/app-1.js", `/app-*.js`},
		{"directory", files, "/sub/app-1.js", `/sub/app-*.js`},
		{"directories", files, "/sub/deep/app-1.js", `/sub/deep/app-*.js`},
		{"absolute in the manifest", files, "/by/hand.js", `/own/*.js`},
		{"group", files, "/c/d.js", `/c/:any.js`},
		{"prefix", http.StripPrefix("/static", files), "/static/sub/app-1.js", `/static/sub/app-*.js`},
		{"prefix with a space", http.StripPrefix("/my files", files), "/my%20files/app-1.js", `/my%20files/app-*.js`},
		{"absolute form", files, "http://example.com/sub/app-1.js?x", `/sub/app-*.js`},
		{"encoded", files, "/a%20b/%c3%bc%20(1)%2B.js", `/a%20b/%C3%BC%20*.js`},
		{"meaning in patterns", files, "/a:b*/x(y)%7Bz%7D/app-1.js", `/a{\\:}b\\*/x\\(y\\)%7Bz%7D/app-*.js`},
		{"spelled otherwise", files, "/%73ub/%61pp-1.js", `/%73ub/app-*.js`},
		{"no URL", files, "/a:b*/x(y){z}/app-1.js", `app-*.js`},
		{"index", files, "/", `/`},
		{"index by name", files, "/index.html", `/index.html`},
		{"index below a prefix", http.StripPrefix("/static", files), "/static/", `/static/`},
		{"index of more", files, "/sub/", `/sub/*.html`},
		{"rewritten directory", rewritten, "/v2/app-1.js", `/v2/app-*.js`},
		{"rewritten name", rewritten, "/v2/other.js", `app-*.js`},
		{"another host", http.StripPrefix("/", rewritten), "http://example.com//app-1.js", `app-*.js`},
	} {
		want := `match="` + tt.want + `", id="v1"`
		for range 2 { // made, and remembered
			if got := get(tt.h, tt.target, "-").Header().Get("Use-As-Dictionary"); got != want {
				t.Errorf("%s: %s: %s, want %s", tt.name, tt.target, got, want)
			}
		}
	}
	r := httptest.NewRequest("GET", "/sub/app-1.js", nil)
	r.RequestURI = "" // nothing is known of what the client has asked for
	w := httptest.NewRecorder()
	files.ServeHTTP(w, r)
	if got := w.Header().Get("Use-As-Dictionary"); got != `match="app-*.js", id="v1"` {
		t.Errorf("without a target: %s", got)
	}
}

// TestDictionaryPatternAllocations: the field is made once for a path.
func TestDictionaryPatternAllocations(t *testing.T) {
	h := dictionaryTree(t, map[string]string{"sub/app-1.js": "app-*.js"})
	for _, target := range []string{"/sub/app-1.js?x", "http://example.com/sub/app-1.js", "/sub/%61pp-1.js"} {
		r, w := httptest.NewRequest("GET", target, nil), &discard{header: http.Header{}}
		allocs := testing.AllocsPerRun(100, func() {
			clear(w.header)
			h.ServeHTTP(w, r)
		})
		if allocs > 0 || w.header.Get("Use-As-Dictionary") != `match="/sub/app-*.js", id="v1"` {
			t.Errorf("%s: %v allocations, %v", target, allocs, w.header)
		}
	}
}
