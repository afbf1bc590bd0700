package serve_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/fstest"

	"github.com/precompress/precompress/serve"
)

// TestFallbackAccept: the page answers those who take HTML, by the rules of
// Accept (RFC 9110, section 12.5.1), and nobody else.
func TestFallbackAccept(t *testing.T) {
	tree := fstest.MapFS{"index.html": {Data: []byte("page")}, "sub/index.html": {Data: []byte("sub")}}
	h, err := serve.New(tree, serve.Options{Fallback: "index.html"})
	if err != nil {
		t.Fatal(err)
	}
	for accept, want := range map[string]int{
		"text/html":                          200,
		"Text/HTML":                          200,
		"application/xml, text/html;q=0.1":   200,
		"text/html;level=1;q=1.000":          200,
		"*/*":                                200,
		"application/json":                   404,
		"text/html;q=0, application/json":    404,
		"text/html; Q=0.000":                 404,
		"text/htmlx":                         404,
		"application/json;profile=text/html": 404,
	} {
		r := httptest.NewRequest("GET", "/deep/link", nil)
		r.Header.Set("Accept", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("Accept: %s: %d, want %d", accept, w.Code, want)
		}
	}
}

// TestDirectoryMethods: only reading a directory's name leads to the directory; a POST
// would become a GET there.
func TestDirectoryMethods(t *testing.T) {
	h, err := serve.New(fstest.MapFS{"sub/index.html": {Data: []byte("sub")}}, serve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for method, want := range map[string]int{"GET": 301, "HEAD": 301, "POST": 405, "PUT": 405, "DELETE": 405} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(method, "/sub", nil))
		if w.Code != want {
			t.Errorf("%s /sub: %d %s, want %d", method, w.Code, http.StatusText(w.Code), want)
		}
	}
}
