package probe_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/probe"
)

// TestSecrets: what a user sends to be let in is told nowhere, wherever a server
// repeats it, and conditions with what has it work.
func TestSecrets(t *testing.T) {
	t.Parallel()
	const key, token, password, session = "k3y-of-Mine", "t0k3n/x+y==", "pass word&1", "s355ion"
	leaks := []string{key, "t0k3n", password, "pass+word", "pass%20word", "dTpwYXNzIHdvcmQmMQ", session}
	// all returns what the request has to be let in, in ways that servers repeat it.
	all := func(r *http.Request) string {
		_, sent, _ := r.BasicAuth()
		cookie, _ := r.Cookie("id")
		return strings.Join([]string{r.Header.Get("X-Key"), r.Header.Get("X-Auth"), strings.TrimPrefix(r.Header.Get("X-Auth"), "Bearer "), sent, r.Header.Get("Authorization"), cookie.Value}, "~")
	}
	set := func(name, format string) func(*server, *http.Request, *reply) {
		return func(_ *server, r *http.Request, a *reply) { a.header.Set(name, fmt.Sprintf(format, all(r))) }
	}
	for name, test := range map[string]struct {
		want   string
		change func(s *server, r *http.Request, a *reply)
	}{
		"Server":           {"", set("Server", "%s")},
		"Via":              {"", set("Via", "1.1 %s")},
		"Cache-Status":     {"", set("Cache-Status", "%s; hit")},
		"Vary":             {"", set("Vary", "Accept-Encoding, %s")},
		"Last-Modified":    {"last-modified-malformed", set("Last-Modified", "%s")},
		"Content-Type":     {"type", set("Content-Type", "%s")},
		"Content-Encoding": {"coding-unknown", set("Content-Encoding", "%s")},
		"behind 70 bytes":  {"last-modified-malformed", set("Last-Modified", strings.Repeat("x", 70)+"%s")},
		"ETag":             {"", keyed},
		"Location":         {"redirect-loop", redirectTo("?key=%s", all)},
		"malformed":        {"malformed", sendRaw("HTTP/1.1 %s OK\r\n\r\n", all)},
		"malformed line":   {"malformed", sendRaw("HTTP/1.1 200 OK\r\n%s\r\n\r\n", all)},
		"no HTTP":          {"malformed", sendRaw("%s\r\n\r\n", all)},
		"elsewhere":        {"", redirectTo("http://elsewhere.invalid/?q=%s", all)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newServer()
			s.change = test.change
			s.ask = unkeyed
			live := httptest.NewServer(s)
			defer live.Close()
			opts := fast()
			opts.Header = http.Header{"X-Key": {key}, "X-Auth": {"Bearer " + token}, "Cookie": {"a=1; id=" + session}}
			u := parse(t, strings.Replace(live.URL, "http://", "http://u:pass%20word&1@", 1)+script)
			results, err := probe.Run(t.Context(), []probe.Target{{URL: u}}, opts)
			if err != nil {
				t.Fatal(err)
			}
			r := results[0]
			checkHidden(t, r, leaks)
			found := make(map[string]bool)
			for _, f := range r.Findings {
				found[f.Word] = true
			}
			if test.want != "" && !found[test.want] || test.want == "" && len(found) > 0 {
				t.Errorf("found %v", r.Findings)
			}
		})
	}
}

// checkHidden wants a result to tell of secrets, and to have none.
func checkHidden(t *testing.T, r *probe.Result, leaks []string) {
	t.Helper()
	told, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	text := string(told) + fmt.Sprint(r.Err)
	var asked *probe.RequestError
	if errors.As(r.Err, &asked) {
		text += asked.Err.Error()
	}
	for _, leak := range leaks {
		if strings.Contains(text, leak) {
			t.Errorf("%s is told: %s", leak, text)
		}
	}
	if !strings.Contains(text, "[secret") {
		t.Errorf("nothing was repeated: %s", text)
	}
}

// keyed puts the key in front of each ETag.
func keyed(_ *server, r *http.Request, a *reply) {
	if tag := a.header.Get("Etag"); tag != "" {
		a.header.Set("Etag", `"`+r.Header.Get("X-Key")+tag[1:])
	}
}

// unkeyed takes it off again from those that are asked with.
func unkeyed(r *http.Request) {
	for _, name := range []string{"If-None-Match", "If-Range"} {
		if value := r.Header.Get(name); value != "" {
			r.Header.Set(name, strings.ReplaceAll(value, r.Header.Get("X-Key"), ""))
		}
	}
}

func redirectTo(format string, all func(*http.Request) string) func(*server, *http.Request, *reply) {
	return func(_ *server, r *http.Request, a *reply) {
		location := fmt.Sprintf(format, url.QueryEscape(all(r)))
		*a = reply{status: http.StatusFound, header: http.Header{"Location": {location}}}
	}
}

// sendRaw answers past package http.
func sendRaw(format string, all func(*http.Request) string) func(*server, *http.Request, *reply) {
	return func(_ *server, r *http.Request, a *reply) { a.raw = fmt.Sprintf(format, all(r)) }
}
