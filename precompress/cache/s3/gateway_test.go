package s3

import (
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/precompress/precompress/internal/testneeds"
)

const (
	testAccess = "access"
	testSecret = "secretsecret"
	testBucket = "bucket"
)

// startGateway starts versitygw, a real server, with one bucket. It returns
// its URL and the directory in which it keeps the bucket's objects. Where it is
// not installed: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0
func startGateway(t *testing.T) (endpoint *url.URL, bucket string) {
	t.Helper()
	program := testneeds.Program(t, "versitygw")
	dir := t.TempDir()
	bucket = filepath.Join(dir, testBucket)
	if err := os.Mkdir(bucket, 0o777); err != nil {
		t.Fatal(err)
	}
	host := freePort(t)
	// Attributes beside the objects: not every file system has room for them.
	attributes := t.TempDir()
	cmd := exec.Command(program, "--access", testAccess, "--secret", testSecret, "--port", host, "--quiet", "--keep-alive",
		"posix", "--sidecar", attributes, dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	endpoint = &url.URL{Scheme: "http", Host: host}
	for deadline := time.Now().Add(30 * time.Second); ; {
		response, err := http.Get(endpoint.String() + "/")
		if err == nil {
			response.Body.Close()
			return endpoint, bucket
		}
		if time.Now().After(deadline) {
			t.Fatalf("versitygw does not answer: %v", err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// freePort returns an address on loopback that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// setCredentials makes these the only credentials.
func setCredentials(t *testing.T, access, secret string) {
	t.Helper()
	for _, name := range []string{
		"AWS_SESSION_TOKEN", "AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ENDPOINT_URL", "AWS_ENDPOINT_URL_S3",
		"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI", "AWS_CONTAINER_CREDENTIALS_FULL_URI",
		"AWS_ACCESS_KEY", "AWS_SECRET_KEY",
	} {
		t.Setenv(name, "")
	}
	none := filepath.Join(t.TempDir(), "none")
	t.Setenv("AWS_CONFIG_FILE", none)
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", none)
	t.Setenv("AWS_ACCESS_KEY_ID", access)
	t.Setenv("AWS_SECRET_ACCESS_KEY", secret)
}

// openAt opens a store at an endpoint. It waits for longer than a real one, so
// that it does not matter how busy the machine is.
func openAt(t *testing.T, endpoint *url.URL, path string) *Store {
	t.Helper()
	s, err := Open(fmt.Sprintf("s3://%s?endpoint=%s", path, url.QueryEscape(endpoint.String())))
	if err != nil {
		t.Fatal(err)
	}
	s.getFirst, s.putFirst, s.window = time.Minute, time.Minute, time.Minute
	return s
}

// proxy stands in front of a server. While harm is set, that answers in place
// of the server; it may ask it by calling pass.
type proxy struct {
	url  *url.URL
	harm atomic.Pointer[func(w http.ResponseWriter, r *http.Request, pass http.Handler)]

	requests, at, most atomic.Int64
}

func startProxy(t *testing.T, target *url.URL) *proxy {
	t.Helper()
	p := &proxy{}
	// The host is left as it is: it is part of the signature.
	quiet := log.New(io.Discard, "", 0)
	pass := &httputil.ReverseProxy{ErrorLog: quiet, Rewrite: func(r *httputil.ProxyRequest) {
		r.Out.URL.Scheme, r.Out.URL.Host, r.Out.Host = target.Scheme, target.Host, r.In.Host
	}}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.requests.Add(1)
		n := p.at.Add(1)
		defer p.at.Add(-1)
		for m := p.most.Load(); n > m && !p.most.CompareAndSwap(m, n); m = p.most.Load() {
		}
		if harm := p.harm.Load(); harm != nil {
			(*harm)(w, r, pass)
			return
		}
		pass.ServeHTTP(w, r)
	}))
	server.Config.ErrorLog = quiet
	server.Start()
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	p.url, _ = url.Parse(server.URL)
	return p
}

func (p *proxy) set(harm func(w http.ResponseWriter, r *http.Request, pass http.Handler)) {
	p.harm.Store(&harm)
}

// The ways in which a store can be bad.

func unavailable(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
	w.WriteHeader(http.StatusServiceUnavailable)
	io.WriteString(w, `<?xml version="1.0"?><Error><Code>SlowDown</Code><Message>secretsecret</Message></Error>`)
}

func hang(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
	io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// hangInBody sends half of the object.
func hangInBody(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	sendPart(w, r, pass)
	<-r.Context().Done()
}

// cut sends half of the object and breaks the connection.
func cut(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	sendPart(w, r, pass)
	panic(http.ErrAbortHandler)
}

func sendPart(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	recorder := httptest.NewRecorder()
	pass.ServeHTTP(recorder, r)
	body := recorder.Body.Bytes()
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.Header().Set("Last-Modified", recorder.Header().Get("Last-Modified"))
	w.WriteHeader(recorder.Code)
	w.Write(body[:len(body)/2])
	w.(http.Flusher).Flush()
}

// drip sends a byte now and then.
func drip(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	recorder := httptest.NewRecorder()
	pass.ServeHTTP(recorder, r)
	body := recorder.Body.Bytes()
	w.Header().Set("Content-Length", fmt.Sprint(len(body)))
	w.Header().Set("Last-Modified", recorder.Header().Get("Last-Modified"))
	w.WriteHeader(recorder.Code)
	for i := range body {
		w.Write(body[i : i+1])
		w.(http.Flusher).Flush()
		select {
		case <-time.After(5 * time.Millisecond):
		case <-r.Context().Done():
			return
		}
	}
}

// enormous claims to send more than any entry has.
func enormous(w http.ResponseWriter, r *http.Request, _ http.Handler) {
	w.Header().Set("Content-Length", fmt.Sprint(int64(1)<<40))
	w.Header().Set("Last-Modified", time.Now().UTC().Format(http.TimeFormat))
	w.(http.Flusher).Flush()
	<-r.Context().Done()
}

// delayed answers as the server does, 30 ms later.
func delayed(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	time.Sleep(30 * time.Millisecond)
	pass.ServeHTTP(w, r)
}

// harm is what a proxy does in place of the server behind it, which is pass.
type harm = func(w http.ResponseWriter, r *http.Request, pass http.Handler)

// hangUnread does not even take what is sent, until the test ends: without
// reading, a server does not notice that its client has left.
func hangUnread(t *testing.T) harm {
	end := make(chan struct{})
	t.Cleanup(func() { close(end) })
	return func(http.ResponseWriter, *http.Request, http.Handler) { <-end }
}

func cancelAnd(cancel func()) harm {
	return func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
		cancel()
		<-r.Context().Done()
	}
}
