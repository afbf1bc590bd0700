package serve_test

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/precompress/precompress/serve"
)

// TestProtocols asks for the same things over HTTP/1.1, HTTP/2 over TLS, and
// HTTP/2 in the clear.
func TestProtocols(t *testing.T) {
	h := newSite(t, "Dir", true, serve.Options{})
	want := content(t, "big.js", "br")
	for _, name := range []string{"HTTP/1.1", "h2", "h2c"} {
		t.Run(name, func(t *testing.T) {
			client, url := serverOf(t, h, name)
			do := func(method string, fields ...string) (*http.Response, []byte) {
				t.Helper()
				req, err := http.NewRequest(method, url+"/big.js", nil)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Accept-Encoding", "br")
				for i := 0; i < len(fields); i += 2 {
					req.Header.Set(fields[i], fields[i+1])
				}
				resp, err := client.Do(req)
				if err != nil {
					t.Fatal(err)
				}
				defer resp.Body.Close()
				body, err := io.ReadAll(resp.Body)
				if err != nil {
					t.Fatal(err)
				}
				return resp, body
			}
			resp, body := do("GET")
			if resp.StatusCode != 200 || !bytes.Equal(body, want) || resp.ContentLength != int64(len(want)) {
				t.Errorf("GET: %s %d, %d bytes", resp.Proto, resp.StatusCode, len(body))
			}
			if (name == "HTTP/1.1") != (resp.ProtoMajor == 1) {
				t.Errorf("the protocol is %s", resp.Proto)
			}
			if resp, body := do("HEAD"); resp.ContentLength != int64(len(want)) || len(body) > 0 {
				t.Errorf("HEAD: length %d, %d bytes", resp.ContentLength, len(body))
			}
			if resp, _ := do("GET", "If-None-Match", resp.Header.Get("ETag")); resp.StatusCode != 304 {
				t.Errorf("validation: %d", resp.StatusCode)
			}
			if resp, body := do("GET", "Range", "bytes=10-19"); resp.StatusCode != 206 || !bytes.Equal(body, want[10:20]) {
				t.Errorf("range: %d, %d bytes", resp.StatusCode, len(body))
			}
		})
	}
}

func serverOf(t *testing.T, h http.Handler, protocol string) (*http.Client, string) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	t.Cleanup(s.Close)
	switch protocol {
	case "h2":
		s.EnableHTTP2 = true
		s.StartTLS()
		return s.Client(), s.URL
	case "h2c":
		s.Config.Protocols = new(http.Protocols)
		s.Config.Protocols.SetUnencryptedHTTP2(true)
		s.Start()
		only := new(http.Protocols)
		only.SetUnencryptedHTTP2(true)
		transport := &http.Transport{Protocols: only}
		t.Cleanup(transport.CloseIdleConnections)
		return &http.Client{Transport: transport}, s.URL
	}
	s.Start()
	return s.Client(), s.URL
}

func TestMultipart(t *testing.T) {
	addr := listen(t, newSite(t, "Dir", false, serve.Options{}))
	all := content(t, "app.js", "")
	a, err := ask(addr, "GET", "/app.js", "HTTP/1.1", "Range: bytes=100-199,-7,0-0")
	if err != nil {
		t.Fatal(err)
	}
	_, params, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	parts := multipart.NewReader(bytes.NewReader(a.body), params["boundary"])
	for _, want := range [][2]int{{100, 200}, {len(all) - 7, len(all)}, {0, 1}} {
		p, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(p)
		if err != nil || !bytes.Equal(body, all[want[0]:want[1]]) {
			t.Errorf("%v: %d bytes, %v", want, len(body), err)
		}
		cr := fmt.Sprintf("bytes %d-%d/%d", want[0], want[1]-1, len(all))
		if p.Header.Get("Content-Range") != cr || p.Header.Get("Content-Type") != "text/javascript; charset=utf-8" {
			t.Errorf("%v: %v", want, p.Header)
		}
	}
	if _, err := parts.NextPart(); err != io.EOF {
		t.Errorf("after the last part: %v", err)
	}
}

func TestLongAcceptEncoding(t *testing.T) {
	addr := listen(t, newSite(t, "Dir", false, serve.Options{}))
	long := strings.Repeat("unknown-coding;q=0.5, ", 10_000/22) + "br"
	a, err := ask(addr, "GET", "/app.js", "HTTP/1.1", "Accept-Encoding: "+long)
	if err != nil || a.StatusCode != 200 || a.Header.Get("Content-Encoding") != "br" {
		t.Errorf("%v, %v", a.Response, err)
	}
}

// TestClientThatLeaves closes the connection in the middle of a body: the
// handler has to come back with an error, soon.
func TestClientThatLeaves(t *testing.T) {
	events := make(chan serve.Event, 1)
	h := mustNew(t, fstest.MapFS{"large.bin": file(make([]byte, 64<<20), time.Time{})},
		serve.Options{Observe: func(e serve.Event) { events <- e }})
	conn, err := net.Dial("tcp", listen(t, h))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(conn, "GET /large.bin HTTP/1.1\r\nHost: localhost\r\n\r\n")
	if _, err := bufio.NewReader(conn).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	conn.Close()
	if e := <-events; e.Err == nil || e.Bytes >= 64<<20 || e.Status != 200 {
		t.Errorf("%d, %d bytes, %v", e.Status, e.Bytes, e.Err)
	}
}

// TestSlowClient reads late: it gets everything all the same, and holds nobody
// else up.
func TestSlowClient(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<19) // 8 MiB
	h := mustNew(t, fstest.MapFS{"large.bin": file(large, time.Time{}), "small.txt": file([]byte("small"), time.Time{})}, serve.Options{})
	addr := listen(t, h)
	resp, err := http.Get("http://" + addr + "/large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for range 3 { // while the first answer is stuck
		if a, err := ask(addr, "GET", "/small.txt", "HTTP/1.1"); err != nil || string(a.body) != "small" {
			t.Fatal(err)
		}
	}
	if got, err := io.ReadAll(resp.Body); err != nil || !bytes.Equal(got, large) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}

// TestShutdown: a response in progress is finished.
func TestShutdown(t *testing.T) {
	large := make([]byte, 8<<20)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: mustNew(t, fstest.MapFS{"large.bin": file(large, time.Time{})}, serve.Options{})}
	go s.Serve(l)
	resp, err := http.Get("http://" + l.Addr().String() + "/large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	done := make(chan error)
	go func() { done <- s.Shutdown(context.Background()) }()
	if n, err := io.Copy(io.Discard, resp.Body); n != int64(len(large)) || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	resp.Body.Close()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// TestShortOverHTTP2: there is no connection to close, and still no client
// may take a part for the whole.
func TestShortOverHTTP2(t *testing.T) {
	h := mustNew(t, fstest.MapFS{"large.bin": file(make([]byte, 1<<20), time.Time{})}, serve.Options{})
	cut := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(&limited{w, 1000}, r)
	})
	s := httptest.NewUnstartedServer(cut)
	s.EnableHTTP2 = true
	s.TLS = &tls.Config{}
	s.StartTLS()
	defer s.Close()
	resp, err := s.Client().Get(s.URL + "/large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if n, err := io.Copy(io.Discard, resp.Body); err == nil {
		t.Errorf("%d bytes and no error", n)
	}
}

// limited fails to write more than some bytes.
type limited struct {
	http.ResponseWriter
	left int
}

func (l *limited) Write(p []byte) (int, error) {
	n := min(l.left, len(p))
	l.left -= n
	n, err := l.ResponseWriter.Write(p[:n])
	if err == nil && n < len(p) {
		err = io.ErrClosedPipe
	}
	return n, err
}
