package probe_test

import (
	"bytes"
	"fmt"
	"net/http"
)

// frameFaults are of where answers end, seen on the connection.
func frameFaults() map[string]fault {
	hand := func(is func(r *http.Request, a *reply) bool, f func(s *server, a *reply)) func(*server, *http.Request, *reply) {
		return func(s *server, r *http.Request, a *reply) {
			if is(r, a) {
				a.byHand, a.asIs = true, true
				a.header.Set("Content-Length", fmt.Sprint(len(a.body)))
				f(s, a)
			}
		}
	}
	isHead := func(r *http.Request, _ *reply) bool { return r.Method == http.MethodHead }
	is304 := func(_ *http.Request, a *reply) bool { return a.status == http.StatusNotModified }
	isWhole := func(r *http.Request, a *reply) bool { return r.Method == http.MethodGet && whole(a) }
	none := func(*server, *reply) {}
	return map[string]fault{
		"content with HEAD": {want: "framing", change: hand(isHead, none)},
		"content with 304": {want: "framing", change: hand(is304, func(_ *server, a *reply) {
			a.header.Del("Content-Length")
			a.body = []byte("content")
		})},
		"304 without content": {change: hand(is304, func(_ *server, a *reply) { a.header.Del("Content-Length") })},
		"more than Content-Length": {want: "framing", change: hand(isWhole, func(_ *server, a *reply) {
			a.body = append(bytes.Clone(a.body), "more"...)
		})},
		"as much as Content-Length": {change: hand(isWhole, none)},
		"a space before a colon":    {want: "malformed", change: withLine("X-A : b\r\n")},
		"a field on two lines":      {want: "malformed", change: withLine("X-A: b\r\n  c\r\n")},
		"chunks of HTTP/1.0": {want: "framing malformed", change: func(_ *server, r *http.Request, a *reply) {
			if r.Method == http.MethodGet && whole(a) { // as those read it that do not know of chunks
				a.raw = "HTTP/1.0 200 OK\r\nTransfer-Encoding: identity\r\n" + rest(a)
			}
		}},
		"a line without such": {change: withLine("X-A: b : c\r\n")},
		"two ways to end": {want: "framing length-missing", change: hand(isWhole, func(_ *server, a *reply) {
			a.header.Set("Transfer-Encoding", "chunked")
			a.body = fmt.Appendf(nil, "%x\r\n%s\r\n0\r\n\r\n", len(a.body), a.body)
		})},
	}
}

// withLine adds lines to the header of whole answers to GET.
func withLine(lines string) func(*server, *http.Request, *reply) {
	return func(_ *server, r *http.Request, a *reply) {
		if r.Method != http.MethodGet || !whole(a) {
			return
		}
		a.raw = "HTTP/1.1 200 OK\r\n" + lines + rest(a)
	}
}

// rest returns what is sent of a reply behind its first lines.
func rest(a *reply) string {
	a.header.Set("Content-Length", fmt.Sprint(len(a.body)))
	var text bytes.Buffer
	a.header.Write(&text)
	return text.String() + "\r\n" + string(a.body)
}
