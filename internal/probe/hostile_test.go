package probe_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"github.com/precompress/precompress/internal/probe"
)

// raw serves with what a function writes to each connection, once a request has
// come. It ends with the test.
func raw(t *testing.T, write func(net.Conn)) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				defer conn.Close()
				if _, err := http.ReadRequest(bufio.NewReader(conn)); err == nil {
					write(conn)
				}
			}()
		}
	}()
	return "http://" + listener.Addr().String() + "/app.js"
}

// forever writes a text again and again, until nobody reads it any more.
func forever(conn net.Conn, text string) {
	chunk := bytes.Repeat([]byte(text), 64<<10/len(text))
	for {
		if _, err := conn.Write(chunk); err != nil {
			return
		}
	}
}

// silent waits until the other end goes away.
func silent(conn net.Conn) { io.Copy(io.Discard, conn) }

// TestHostile: a server that does not keep to HTTP cannot hold the probe, and what
// it says reaches no terminal as it is. Each has an error, or a finding.
func TestHostile(t *testing.T) {
	t.Parallel()
	ok := "HTTP/1.1 200 OK\r\nContent-Type: text/javascript\r\n"
	tests := map[string]struct {
		write func(net.Conn)
		want  string // in the error, or words of findings
	}{
		"says nothing":   {silent, "no complete answer in time"},
		"endless status": {func(c net.Conn) { forever(c, "HTTP/1.1 200 OK") }, ""},
		"endless header": {func(c net.Conn) { io.WriteString(c, ok); forever(c, "X-Filler: xxxxxxxxxxxxxxxxxxxx\r\n") }, "header"},
		"long header": {func(c net.Conn) {
			io.WriteString(c, ok+"X-Filler: "+strings.Repeat("x", 100<<10)+"\r\nContent-Length: 0\r\n\r\n")
		}, "header"},
		"endless field": {func(c net.Conn) { io.WriteString(c, ok+"X-Filler: "); forever(c, "xxxxxxxxxx") }, "header"},
		"endless 103":   {func(c net.Conn) { forever(c, "HTTP/1.1 103 Early Hints\r\n\r\n") }, ""},
		"slow header":   {func(c net.Conn) { io.WriteString(c, ok); silent(c) }, "no complete answer in time"},
		"slow body":     {func(c net.Conn) { io.WriteString(c, ok+"Content-Length: 100\r\n\r\nabc"); silent(c) }, "no complete answer in time"},
		"endless body":  {func(c net.Conn) { io.WriteString(c, ok+"\r\n"); forever(c, "all work and no play\n") }, "unchecked"},
		"endless chunks": {func(c net.Conn) {
			io.WriteString(c, ok+"Transfer-Encoding: chunked\r\n\r\n")
			forever(c, "5\r\nabcde\r\n")
		}, "unchecked"},
		"broken chunks":     {func(c net.Conn) { io.WriteString(c, ok+"Transfer-Encoding: chunked\r\n\r\nzz\r\nabc") }, "incomplete"},
		"hangs up":          {func(net.Conn) {}, "EOF"},
		"no HTTP":           {func(c net.Conn) { io.WriteString(c, "SSH-2.0-\x1b[31mred\r\n\r\n") }, "malformed"},
		"status of letters": {func(c net.Conn) { io.WriteString(c, "HTTP/1.1 abc \x1b]0;title\x07\r\n\r\n") }, "malformed"},
		"negative length":   {func(c net.Conn) { io.WriteString(c, ok+"Content-Length: -5\r\n\r\nabc") }, "Content-Length"},
		"two lengths":       {func(c net.Conn) { io.WriteString(c, ok+"Content-Length: 3\r\nContent-Length: 5\r\n\r\nabcde") }, "Content-Length"},
		"huge length":       {func(c net.Conn) { io.WriteString(c, ok+"Content-Length: 9223372036854775807\r\n\r\nabc") }, "incomplete"},
		"redirect to itself": {func(c net.Conn) {
			io.WriteString(c, "HTTP/1.1 302 Found\r\nLocation: /app.js\r\nContent-Length: 0\r\n\r\n")
		}, "redirect-loop"},
		"escapes": {func(c net.Conn) {
			io.WriteString(c, ok+"Etag: \u009b2J\r\nVary: \xff\xfe, *\r\nContent-Encoding: \u202egpj\r\nContent-Length: 3\r\n\r\nabc")
		}, "coding-unknown"},
		"bomb": {func(c net.Conn) {
			b := bomb()
			fmt.Fprintf(c, "%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", ok, len(b), b)
		}, "unchecked"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			target := probe.Target{URL: parse(t, raw(t, test.write))}
			opts := probe.Options{Rate: 1e6, Timeout: time.Minute, MaxBody: 1 << 20}
			if strings.Contains(test.want, "in time") {
				opts.Timeout = 50 * time.Millisecond // the shorter, the sooner the test ends; nothing else hangs on it
			}
			results, err := probe.Run(t.Context(), []probe.Target{target}, opts)
			if err != nil || len(results) != 1 {
				t.Fatal(results, err)
			}
			checkTold(t, results[0], test.want)
		})
	}
}

// checkTold wants something to be told of in an error or a finding, and all of it
// to be printable.
func checkTold(t *testing.T, r *probe.Result, want string) {
	t.Helper()
	var told []string
	if r.Err != nil {
		told = append(told, r.Err.Error())
	}
	for _, f := range r.Findings {
		told = append(told, f.Word+" "+f.Message+" "+strings.Join(f.Seen, " "))
	}
	all := strings.Join(told, " ")
	if len(told) == 0 || !strings.Contains(all, want) {
		t.Errorf("%q is not in %q", want, told)
	}
	if i := strings.IndexFunc(all, func(r rune) bool { return !unicode.IsPrint(r) || r == unicode.ReplacementChar }); i >= 0 {
		t.Errorf("not printable: %q", all[i:])
	}
	for _, text := range told {
		if len(text) > 1000 {
			t.Errorf("%d bytes of text: %.100q", len(text), text)
		}
	}
}

// bomb is a gzip stream of 64 KiB that decodes to 64 MiB.
var bomb = sync.OnceValue(func() []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	zeros := make([]byte, 1<<20)
	for range 64 {
		w.Write(zeros)
	}
	w.Close()
	return b.Bytes()
})

// TestFramingTLS: connections of HTTP/1 are looked at through TLS, too, and those
// that the server leaves open are not waited for.
func TestFramingTLS(t *testing.T) {
	t.Parallel()
	s := newServer()
	open := make(chan struct{})
	live := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodHead || r.Header.Get("Accept-Encoding") == "gzip" {
			s.ServeHTTP(w, r)
			return
		}
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close()
		a := s.answer(r)
		fmt.Fprintf(conn, "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n")
		a.header.Write(conn)
		if io.WriteString(conn, "\r\n"); r.Header.Get("Accept-Encoding") == "br" {
			conn.Write(a.body)
		}
		<-open
	}))
	defer live.Close()
	defer close(open)
	opts := fast()
	opts.TLS = live.Client().Transport.(*http.Transport).TLSClientConfig
	r := run(t, []probe.Target{{URL: parse(t, live.URL+script)}}, opts)[0]
	compareWords(t, r, "framing")
	if r.Answers[0].Proto != "HTTP/1.1" || len(r.Findings) != 1 || r.Findings[0].Coding != "br" {
		t.Errorf("%s, %+v", r.Answers[0].Proto, r.Findings)
	}
}

// TestInterrupted: the end of the context ends a run, and what was not asked has no
// result.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	address := raw(t, func(c net.Conn) { cancel(); silent(c) })
	results, err := probe.Run(ctx, []probe.Target{{URL: parse(t, address)}, {URL: parse(t, address)}}, fast())
	if err == nil || len(results) != 0 {
		t.Errorf("%d results, %v", len(results), err)
	}
}

// TestUnreachable: nobody listens. It is not parallel: other tests may get the port.
func TestUnreachable(t *testing.T) {
	live := httptest.NewServer(nil)
	live.Close()
	results, err := probe.Run(t.Context(), []probe.Target{{URL: parse(t, live.URL)}}, fast())
	if err != nil || len(results) != 1 || results[0].Err == nil {
		t.Errorf("%+v, %v", results, err)
	}
}

// TestUnread: of content that was not read, nothing is said to be fine.
func TestUnread(t *testing.T) {
	t.Parallel()
	live := httptest.NewServer(newServer())
	defer live.Close()
	opts := fast()
	opts.MaxBody = 20
	r := run(t, []probe.Target{{URL: parse(t, live.URL+script)}}, opts)[0]
	for _, c := range r.Passed {
		if slices.Contains([]string{"undecodable", "content-differs", "double-coding", "coding-undeclared", "window", "larger-chosen", "range"}, c.Word) {
			t.Errorf("%s has passed", c.Word)
		}
	}
	if len(r.Passed) == 0 || r.Faults() > 0 {
		t.Errorf("passed %v, found %v", r.Passed, r.Findings)
	}
}
