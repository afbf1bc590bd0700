package probe_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/precompress/precompress/internal/probe"
)

// TestOverload: a server that has had enough in the midst of it is blamed for that
// and nothing else, and asked no further.
func TestOverload(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status, after int
		reference     string
	}{
		"429 while negotiating": {429, 4, "RFC 6585, section 4"},
		"429 for HEAD":          {429, 12, "RFC 9110"},
		"503 for conditions":    {503, 16, "RFC 9110, section 15.6.4"},
		"502 for ranges":        {502, 24, "RFC 9110, section 15.6.3"},
		"500 while negotiating": {500, 3, "RFC 9110, section 15.6.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var asked atomic.Int64
			s := newServer()
			live := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if asked.Add(1) > int64(test.after) {
					w.Header().Set("Retry-After", "7")
					w.WriteHeader(test.status)
					return
				}
				s.ServeHTTP(w, r)
			}))
			defer live.Close()
			r := run(t, []probe.Target{{URL: parse(t, live.URL+script)}}, fast())[0]
			compareWords(t, r, "status")
			f := r.Findings[0]
			if !strings.Contains(f.Message, "with Retry-After: 7") || !strings.HasPrefix(f.Reference, strings.TrimSuffix(test.reference, "9110")) {
				t.Errorf("%s (%s)", f.Message, f.Reference)
			}
			if n := int(asked.Load()) - test.after; n > 2 {
				t.Errorf("asked %d times more", n)
			}
			if slices.ContainsFunc(r.Passed, func(c probe.Check) bool { return c.Word == "not-modified-wrong" }) && test.after < 20 {
				t.Error("not-modified-wrong has passed, and not all of it was asked")
			}
		})
	}
}

// TestElsewhere: of a URL that leads to another host, nothing is said but where it
// leads to.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct{ host, location, want string }{
		"another host":       {"", "http://elsewhere.invalid/a", "301 redirects to http://elsewhere.invalid/a, which is another host: if you trust it, probe http://elsewhere.invalid/a"},
		"a password":         {"", "http://u:secret@elsewhere.invalid/", "301 redirects to http://elsewhere.invalid/, which"},
		"another port":       {"", "http://127.0.0.1:1/", "which is another port"},
		"the Host, in https": {"example.com", "https://example.com/app.js", "301 redirects to https://example.com/app.js, which is the host of the Host field: if you trust it, probe https://127.0.0.1/app.js with the same field"},
		"beside the Host":    {"example.com", "http://www.example.com/", "which is another host"},
	} {
		live := httptest.NewServer(http.RedirectHandler(test.location, http.StatusMovedPermanently))
		opts := fast()
		if test.host != "" {
			opts.Header = http.Header{"Host": {test.host}}
		}
		results, err := probe.Run(t.Context(), []probe.Target{{URL: parse(t, live.URL+script)}}, opts)
		live.Close()
		if err != nil || len(results) != 1 || results[0].Err == nil {
			t.Fatalf("%s: %+v, %v", name, results, err)
		}
		if r := results[0]; !strings.Contains(r.Err.Error(), test.want) || strings.Contains(r.Err.Error(), "secret") || len(r.Findings) > 0 || len(r.Answers) != 1 {
			t.Errorf("%s: %v, %d answers, %v", name, r.Err, len(r.Answers), r.Findings)
		}
	}
}

// TestSameSite: a redirect to the host that the Host field names, over the same
// scheme, is followed to the same address; one from http to https to its port.
func TestSameSite(t *testing.T) {
	t.Parallel()
	named := newServer()
	named.query = "?old"
	named.change = func(_ *server, r *http.Request, a *reply) {
		if r.Host != "example.com" {
			*a = reply{status: http.StatusMisdirectedRequest, header: http.Header{}}
		} else if r.URL.RawQuery != "" {
			*a = reply{status: http.StatusFound, header: http.Header{"Location": {"http://example.com" + script}}}
		}
	}
	live := httptest.NewServer(named)
	defer live.Close()
	opts := fast()
	opts.Header = http.Header{"Host": {"example.com"}}
	compareWords(t, run(t, []probe.Target{{URL: parse(t, live.URL+script+"?old")}}, opts)[0], "redirect")

	safe := httptest.NewTLSServer(newServer())
	defer safe.Close()
	unsafe := httptest.NewServer(http.RedirectHandler(safe.URL+script, http.StatusMovedPermanently))
	defer unsafe.Close()
	opts = fast()
	opts.TLS = safe.Client().Transport.(*http.Transport).TLSClientConfig
	r := run(t, []probe.Target{{URL: parse(t, unsafe.URL+script)}}, opts)[0]
	compareWords(t, r, "redirect")
	if r.Final != safe.URL+script {
		t.Errorf("it has led to %s", r.Final)
	}
}

// TestMalformed: an answer that is no HTTP is a fault of the server; one that ends
// with the connection is none that can be judged.
func TestMalformed(t *testing.T) {
	t.Parallel()
	ok := "HTTP/1.1 200 OK\r\n"
	for name, test := range map[string]struct {
		answer string
		want   string // "": no answer
	}{
		"status 99":      {"HTTP/1.1 99 Low\r\n\r\n", "malformed HTTP status code"},
		"no HTTP":        {"220 ftp.example.com\r\n\r\n", "malformed HTTP"},
		"two lengths":    {ok + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabcd", "Content-Length"},
		"no length":      {ok + "Content-Length: x\r\n\r\nabcd", "Content-Length"},
		"TE of gzip":     {ok + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", "Transfer-Encoding \"gzip, chunked\" was not requested"},
		"ESC in a field": {ok + "X-A: \x1b[31m\r\nContent-Length: 0\r\n\r\n", "malformed MIME header"},
		"nothing":        {"", ""},
		"half a header":  {ok + "X-A: b", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := raw(t, func(c net.Conn) { io.WriteString(c, test.answer) })
			results, err := probe.Run(t.Context(), []probe.Target{{URL: parse(t, address)}}, fast())
			if err != nil || len(results) != 1 {
				t.Fatal(results, err)
			}
			r := results[0]
			if test.want == "" {
				if r.Err == nil || len(r.Findings) > 0 {
					t.Errorf("%v, found %v", r.Err, r.Findings)
				}
				return
			}
			compareWords(t, r, "malformed")
			checkTold(t, r, test.want)
			if r.Err != nil || strings.Contains(r.Findings[0].Message, "net/http") {
				t.Errorf("%v, %s", r.Err, r.Findings[0].Message)
			}
		})
	}
}
