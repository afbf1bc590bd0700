package probe_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/probe"
	"github.com/precompress/precompress/manifest"
)

// recompressing is a proxy that asks for plain content, and compresses what clients
// get by itself. Like those that do so, it weakens the ETag.
func recompressing(t *testing.T, origin string) http.Handler {
	to, err := url.Parse(origin)
	if err != nil {
		t.Fatal(err)
	}
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Header.Set("Accept-Encoding", "identity")
			r.Out.Header.Set("If-None-Match", strings.TrimPrefix(r.In.Header.Get("If-None-Match"), "W/"))
		},
		ModifyResponse: func(r *http.Response) error {
			r.Header.Set("Via", "1.1 squeezer")
			r.Header.Set("Age", "7")
			accept := r.Request.Header.Get("X-Client-Accepts")
			if r.StatusCode != http.StatusOK || !slices.Contains([]string{"gzip", "br;q=0, gzip", "gzip, deflate, br, zstd"}, accept) {
				return nil
			}
			plain, err := io.ReadAll(r.Body)
			if err != nil {
				return err
			}
			b := encode(t, manifest.Gzip, source)
			if r.Request.Method == http.MethodGet && !bytes.Equal(plain, source) {
				t.Errorf("the origin sends %d bytes", len(plain))
			}
			r.Header.Set("Content-Encoding", "gzip")
			r.Header.Set("Etag", "W/"+r.Header.Get("Etag"))
			r.Header.Set("Content-Length", strconv.Itoa(len(b)))
			if r.Request.Method == http.MethodGet {
				r.Body = io.NopCloser(bytes.NewReader(b))
			}
			return nil
		},
	}
}

// TestRecompressingProxy: the bytes of a proxy in front are told from the build's.
func TestRecompressingProxy(t *testing.T) {
	t.Parallel()
	s := newServer()
	asset := s.asset()
	for i := range asset.Variants { // those of the build are smaller
		if asset.Variants[i].Coding == manifest.Gzip {
			asset.Variants[i].Digest++
		}
	}
	origin := httptest.NewServer(s)
	defer origin.Close()
	proxy := recompressing(t, origin.URL)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Set("X-Client-Accepts", r.Header.Get("Accept-Encoding"))
		proxy.ServeHTTP(w, r)
	}))
	defer front.Close()
	r := run(t, []probe.Target{{URL: parse(t, front.URL+script), Asset: asset}}, fast())[0]
	compareWords(t, r, "etag-weak recompressed variant-missing variant-missing")
	for _, a := range r.Answers {
		if a.Status != http.StatusOK || a.Request.Method != http.MethodGet {
			continue
		}
		want := probe.BuildSource
		if a.Coding != "" {
			want = probe.OnTheWay
		}
		if a.Provenance.Bytes != want || a.Provenance.From != "cache" || !slices.Equal(a.Provenance.Fields, []string{"Via: 1.1 squeezer", "Age: 7"}) {
			t.Errorf("%s: %+v", a.Request, a.Provenance)
		}
	}
}
