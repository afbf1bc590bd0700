package main

import (
	"net/http/httptest"
	"testing"
)

// TestVariantsAreEmbedded fails if go generate was not run before the build, or if
// dist has changed since.
func TestVariantsAreEmbedded(t *testing.T) {
	handler, err := newHandler()
	if err != nil {
		t.Fatal(err)
	}
	for _, coding := range []string{"br", "zstd", "gzip"} {
		request := httptest.NewRequest("GET", "/style.css", nil)
		request.Header.Set("Accept-Encoding", coding)
		response := httptest.NewRecorder()
		handler.ServeHTTP(response, request)
		if got := response.Header().Get("Content-Encoding"); got != coding {
			t.Errorf("Accept-Encoding: %s: the response has the content coding %q", coding, got)
		}
	}
}
