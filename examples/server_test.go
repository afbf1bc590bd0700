package examples_test

import (
	"io"
	"mime"
	"net"
	"net/http"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// freeAddress returns a loopback address that nothing listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

// start runs a server until the test ends, and returns once it accepts
// connections.
func start(t *testing.T, address string, command *exec.Cmd) {
	t.Helper()
	var log strings.Builder
	command.Stdout, command.Stderr = &log, &log
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	t.Cleanup(func() {
		stop(command)
		<-ended
		if t.Failed() {
			t.Logf("%v:\n%s", command, &log)
		}
	})
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		connection, err := net.Dial("tcp", address)
		if err == nil {
			connection.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("%v exited before it accepted a connection", command)
		default:
		}
		if time.Now().After(deadline) {
			t.Fatalf("%v accepts no connections: %v", command, err)
		}
	}
}

// question is a request and the expected response.
type question struct {
	path   string
	accept string // Accept-Encoding
	coding string // Content-Encoding, empty for none
	media  string // Content-Type without parameters
	cache  string // Cache-Control
}

const (
	validate  = "no-cache"
	immutable = "public, max-age=31536000, immutable"
)

// ask sends a request, directly and as a proxy does, and checks the response against
// the files in dir.
func ask(t *testing.T, address, dir string, q question) {
	t.Helper()
	for _, via := range []string{"", "1.1 proxy"} {
		header, body := get(t, address, q.path, http.Header{"Accept-Encoding": {q.accept}, "Via": {via}}, http.StatusOK)
		q.check(t, header, body, dir)
	}
}

func (q question) check(t *testing.T, header http.Header, body []byte, dir string) {
	t.Helper()
	media, _, err := mime.ParseMediaType(header.Get("Content-Type"))
	if err != nil {
		t.Errorf("%v: %v", q, err)
	}
	for _, field := range []struct{ name, got, want string }{
		{"Content-Encoding", header.Get("Content-Encoding"), q.coding},
		{"Content-Type", media, q.media},
		{"Cache-Control", strings.Join(header.Values("Cache-Control"), ", "), q.cache},
		{"Vary", header.Get("Vary"), "Accept-Encoding"},
	} {
		if field.got != field.want {
			t.Errorf("%v: %s is %q, want %q", q, field.name, field.got, field.want)
		}
	}
	name := q.path
	if strings.HasSuffix(name, "/") {
		name += "index.html"
	}
	content, err := decoded(q.coding, body)
	if err != nil || string(content) != read(t, dir, name) {
		t.Errorf("%v: the body does not decode to the source (error %v)", q, err)
	}
}

func get(t *testing.T, address, path string, header http.Header, status int) (http.Header, []byte) {
	t.Helper()
	request, err := http.NewRequest("GET", "http://"+address+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, values := range header {
		if values[0] != "" {
			request.Header[name] = values
		}
	}
	// The transport must not add fields to the request or decode the response.
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != status {
		t.Fatalf("%s: status %d, want %d (error %v)", path, response.StatusCode, status, err)
	}
	return response.Header, body
}

// ordinary are names without a fingerprint that look as if they had one.
var ordinary = []string{"app-settings.js", "app.settings.min.js", "page-overview.html", "font-awesome-solid.css"}

// words adds files with ordinary names to the directory of fingerprinted ones.
func words(t *testing.T, dir string) {
	t.Helper()
	for _, name := range ordinary {
		write(t, filepath.Join(dir, "assets", name), "words")
	}
}

// wordsAreValidated checks that caches must validate files with ordinary names.
func wordsAreValidated(t *testing.T, address string) {
	t.Helper()
	for _, name := range ordinary {
		header, _ := get(t, address, "/assets/"+name, nil, http.StatusOK)
		if got := header.Get("Cache-Control"); got != validate {
			t.Errorf("%s: Cache-Control is %q, want %q", name, got, validate)
		}
	}
}
