//go:build unix

package main

import (
	"bufio"
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/precompress/precompress/internal/testneeds"
)

// server is a running precompress serve.
type server struct {
	t       *testing.T
	url     string
	process *os.Process
	exited  chan struct{}
	code    int // once exited
	log     *lines
	stderr  *lines
}

// lines collects what a process prints.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// startServer starts the command on a free port and waits for its URL.
func startServer(t *testing.T, args ...string) *server {
	t.Helper()
	s := &server{t: t, exited: make(chan struct{}), log: &lines{}, stderr: &lines{}}
	cmd := exec.Command("precompress", append([]string{"serve", "--addr", "127.0.0.1:0"}, args...)...)
	cmd.Stdout, cmd.Stderr = s.log, s.stderr
	s.start(cmd)
	found := s.await("the URL", s.log, `\A.+: (https?://127\.0\.0\.1:[1-9][0-9]*/)\n`)
	s.url = found[1]
	return s
}

// start starts the command, until the test ends.
func (s *server) start(cmd *exec.Cmd) {
	s.t.Helper()
	if err := cmd.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.process = cmd.Process
	go func() {
		defer close(s.exited)
		cmd.Wait() // the exit code tells
		s.code = cmd.ProcessState.ExitCode()
	}()
	s.t.Cleanup(func() {
		s.process.Kill() // does nothing to one that has ended
		<-s.exited
	})
}

// await waits until the text matches, and returns the match.
func (s *server) await(what string, text *lines, pattern string) []string {
	s.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		if found := regexp.MustCompile(pattern).FindStringSubmatch(text.String()); found != nil {
			return found
		}
	}
	s.t.Fatalf("waited in vain for %s; standard output: %q, standard error: %q", what, s.log, s.stderr)
	return nil
}

func (s *server) signal(sig os.Signal) {
	s.t.Helper()
	if err := s.process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
}

// ends checks that the command ends, with this exit code.
func (s *server) ends(code int) {
	s.t.Helper()
	select {
	case <-s.exited:
	case <-time.After(patience):
		s.t.Fatal("it goes on")
	}
	if s.code != code {
		s.t.Errorf("exit code %d, want %d: %s", s.code, code, s.stderr)
	}
}

// get asks for a path, with an Accept-Encoding unless it is empty.
func (s *server) get(client *http.Client, path, acceptEncoding string) (*http.Response, string) {
	s.t.Helper()
	request, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if acceptEncoding != "" {
		request.Header.Set("Accept-Encoding", acceptEncoding)
	}
	response, err := client.Do(request)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return response, string(body)
}

// newClient returns a client that decodes nothing by itself and keeps no
// connection of another test.
func newClient(t *testing.T, config *tls.Config, set func(*http.Protocols)) *http.Client {
	protocols := new(http.Protocols)
	set(protocols)
	transport := &http.Transport{DisableCompression: true, TLSClientConfig: config, Protocols: protocols}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

func http1(p *http.Protocols) { p.SetHTTP1(true) }
func http2(p *http.Protocols) { p.SetHTTP2(true) }
func h2c(p *http.Protocols)   { p.SetUnencryptedHTTP2(true) }

// builtSite makes a tree with variants.
func builtSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	makeFiles(t, dir, map[string]string{
		"index.html":           "<!doctype html>" + strings.Repeat("<p>home</p>\n", 50),
		"404.html":             "<!doctype html>" + strings.Repeat("<p>nothing here</p>\n", 50),
		"app.js":               strings.Repeat("a line of text\n", 500),
		"app.3f8a91c2d4.js":    strings.Repeat("another line of text\n", 500),
		"with space/main.html": strings.Repeat("<p>a page</p>\n", 50),
	})
	var printed bytes.Buffer
	if code := run(t.Context(), []string{dir}, &printed, &printed); code != exitDone {
		t.Fatalf("exit code %d: %s", code, printed.String())
	}
	return dir
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestServeCodings has clients of several kinds get what they accept, over
// HTTP/1 and cleartext HTTP/2, and the log tell of it.
func TestServeCodings(t *testing.T) {
	dir := builtSite(t)
	s := startServer(t, dir)
	for accept, want := range map[string][2]string{
		"":                       {"", ""},
		"identity":               {"", ""},
		"gzip":                   {"gzip", ".gz"},
		"br":                     {"br", ".br"},
		"zstd":                   {"zstd", ".zst"},
		"gzip, br;q=0, zstd;q=0": {"gzip", ".gz"},
	} {
		for _, protocol := range []func(*http.Protocols){http1, h2c} {
			response, body := s.get(newClient(t, nil, protocol), "app.js", accept)
			if got := response.Header.Get("Content-Encoding"); got != want[0] || body != read(t, dir, "app.js"+want[1]) {
				t.Errorf("%s, Accept-Encoding %q: coding %q, %d bytes", response.Proto, accept, got, len(body))
			}
		}
		coding := want[0]
		if coding == "" {
			coding = "identity"
		}
		s.await("the log", s.log, fmt.Sprintf(`(?m)^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z 127\.0\.0\.1 GET /app\.js 200 %s %d \d+\.\d{3}ms$`,
			coding, len(read(t, dir, "app.js"+want[1]))))
	}
	if text := s.stderr.String(); text != "" {
		t.Errorf("standard error has %q", text)
	}
}

// TestServeFlags has every flag that changes answers do so.
func TestServeFlags(t *testing.T) {
	dir := builtSite(t)
	client := newClient(t, nil, http1)
	s := startServer(t, "--immutable", "--fallback", "index.html", "--not-found", "404.html", "--index", "main.html", dir)
	for _, test := range []struct {
		path, file   string
		status       int
		cacheControl string
	}{
		{"app.3f8a91c2d4.js", "app.3f8a91c2d4.js", 200, "immutable"},
		{"app.js", "app.js", 200, "no-cache"},
		{"deep/link", "index.html", 200, "no-cache"},
		{"missing.js", "404.html", 404, "no-cache"},
		{"with%20space/", "with space/main.html", 200, "no-cache"},
	} {
		response, body := s.get(client, test.path, "gzip")
		if response.StatusCode != test.status || body != read(t, dir, test.file+".gz") || !strings.Contains(response.Header.Get("Cache-Control"), test.cacheControl) {
			t.Errorf("%s: %s, %v, %d bytes", test.path, response.Status, response.Header, len(body))
		}
	}
	t.Run("fingerprint", func(t *testing.T) {
		s := startServer(t, "--immutable", "--fingerprint", "a(p)p[.]j", dir)
		for path, want := range map[string]string{"app.js": "immutable", "app.3f8a91c2d4.js": "no-cache"} {
			if response, _ := s.get(client, path, "gzip"); !strings.Contains(response.Header.Get("Cache-Control"), want) {
				t.Errorf("%s: %v, want %s", path, response.Header, want)
			}
		}
	})
	t.Run("fingerprint of the build", func(t *testing.T) {
		for _, tt := range []struct {
			settings string
			flags    []string
		}{
			{"fingerprint = 'a(p)p[.]j'\n[serve]\nimmutable = true\n", nil},
			{"fingerprint = 'nothing'\n[serve]\nimmutable = true\nfingerprint = 'a(p)p[.]j'\n", nil},
			{"fingerprint = 'nothing'\n", []string{"--immutable", "--fingerprint", "a(p)p[.]j"}},
		} {
			settings := filepath.Join(t.TempDir(), "settings.toml")
			if err := os.WriteFile(settings, []byte(tt.settings), 0o600); err != nil {
				t.Fatal(err)
			}
			s := startServer(t, append(tt.flags, "--config", settings, dir)...)
			for path, want := range map[string]string{"app.js": "immutable", "app.3f8a91c2d4.js": "no-cache"} {
				if response, _ := s.get(client, path, "gzip"); !strings.Contains(response.Header.Get("Cache-Control"), want) {
					t.Errorf("%q, %q: %s: %v, want %s", tt.settings, tt.flags, path, response.Header, want)
				}
			}
		}
	})
	s.await("the log", s.log, `(?m) GET "/with space/" 200 gzip \d+ \S+ms$`)
}

// TestServeHostileLog sends what would forge a line of the log or drive a
// terminal.
func TestServeHostileLog(t *testing.T) {
	s := startServer(t, builtSite(t))
	s.get(newClient(t, nil, http1), "a%0a2026-01-01T00:00:00.000Z%20forged%1b%5b2J%ff", "")
	s.get(newClient(t, nil, http1), "%22quoted%22%5c", "")
	s.await("the log", s.log, `(?m) GET "/\\"quoted\\"\\\\" 404 identity \d+ \S+ms$`)
	got := s.log.String()
	if !strings.Contains(got, ` GET "/a\n2026-01-01T00:00:00.000Z forged\x1b[2J\xff" 404 identity `) || strings.Count(got, "\n") != 3 {
		t.Errorf("the log has %q", got)
	}
}

// TestServeReload changes the tree: SIGHUP makes the change seen, unless the
// tree cannot be used any more.
func TestServeReload(t *testing.T) {
	dir := builtSite(t)
	client := newClient(t, nil, http1)
	s := startServer(t, dir)
	makeFiles(t, dir, map[string]string{"new.js": "new"})
	if response, _ := s.get(client, "new.js", ""); response.StatusCode != http.StatusNotFound {
		t.Errorf("before the reload: %s", response.Status)
	}
	makeFiles(t, dir, map[string]string{"app.js": "changed" + strings.Repeat("!", 500)})
	s.signal(syscall.SIGHUP)
	s.await("the reload", s.stderr, `(?m)^precompress: .+: reloaded$`)
	if _, body := s.get(client, "new.js", ""); body != "new" {
		t.Errorf("after the reload: %q", body)
	}
	s.await("the warning", s.stderr, `(?m)^precompress: warning: .+: not served: app\.js: br: stale$`)

	makeFiles(t, dir, map[string]string{"precompress-manifest.json": "{"})
	s.signal(syscall.SIGHUP)
	s.await("the fault", s.stderr, `(?m)^precompress: .+: cannot reload, still serving what was there before: .+$`)
	if response, body := s.get(client, "index.html", "br"); body != read(t, dir, "index.html.br") {
		t.Errorf("after a reload that failed: %s", response.Status)
	}
}

// TestServeWarns has a variant that does not fit its source told of at start.
func TestServeWarns(t *testing.T) {
	dir := builtSite(t)
	makeFiles(t, dir, map[string]string{"app.js.br": "damaged"})
	s := startServer(t, dir)
	s.await("the warning", s.stderr, `(?m)^precompress: warning: .+: not served: app\.js: br: damaged`)
}

// TestServeQuiet prints nothing for what goes well.
func TestServeQuiet(t *testing.T) {
	stdout, stderr := &lines{}, &lines{}
	cmd := exec.Command("precompress", "serve", "--quiet", "--addr", "127.0.0.1:0", builtSite(t))
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(200 * time.Millisecond)
	cmd.Process.Signal(syscall.SIGTERM)
	cmd.Wait() // may be before it listens to signals
	if stdout.String()+stderr.String() != "" {
		t.Errorf("printed %q and %q", stdout, stderr)
	}
}

// TestServeFinishes ends the server in the middle of a download that is too
// large for the system's buffers: it comes to its end, and so does the server.
func TestServeFinishes(t *testing.T) {
	const size = 64 << 20
	for _, test := range []struct {
		name     string
		protocol func(*http.Protocols)
		signal   os.Signal
		code     int
	}{
		{"http1 TERM", http1, syscall.SIGTERM, exitDone},
		{"h2c TERM", h2c, syscall.SIGTERM, exitDone},
		{"http1 INT", http1, syscall.SIGINT, exitInterrupted},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			makeFiles(t, dir, map[string]string{"large.bin": ""})
			if err := os.Truncate(filepath.Join(dir, "large.bin"), size); err != nil {
				t.Fatal(err)
			}
			s := startServer(t, dir)
			response, err := newClient(t, nil, test.protocol).Get(s.url + "large.bin")
			if err != nil {
				t.Fatal(err)
			}
			defer response.Body.Close()
			s.signal(test.signal)
			time.Sleep(300 * time.Millisecond) // as a slow client
			if _, err := net.DialTimeout("tcp", strings.Trim(s.url, "htp:/"), time.Second); err == nil {
				t.Error("it takes connections still")
			}
			if n, err := io.Copy(io.Discard, response.Body); n != size || err != nil {
				t.Errorf("got %d bytes, %v", n, err)
			}
			s.ends(test.code)
			s.await("the log", s.log, `(?m) GET /large\.bin 200 identity 67108864 \S+ms$`)
		})
	}
}

// TestServeCuts ends the server while a client has stopped reading: it waits for
// that one for a while only.
func TestServeCuts(t *testing.T) {
	testneeds.Long(t, "takes ten seconds")
	t.Parallel()
	dir := t.TempDir()
	makeFiles(t, dir, map[string]string{"large.bin": ""})
	if err := os.Truncate(filepath.Join(dir, "large.bin"), 64<<20); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, dir)
	response, err := newClient(t, nil, http1).Get(s.url + "large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	start := time.Now()
	s.signal(syscall.SIGTERM)
	s.ends(exitDone)
	if took := time.Since(start); took < grace {
		t.Errorf("it took %v only", took)
	}
	s.await("the message", s.stderr, `(?m)^precompress: .+: responses that took longer than 10s to finish were cut$`)
}

// TestServeIncomplete has a client go away: the log tells.
func TestServeIncomplete(t *testing.T) {
	dir := t.TempDir()
	makeFiles(t, dir, map[string]string{"large.bin": ""})
	if err := os.Truncate(filepath.Join(dir, "large.bin"), 64<<20); err != nil {
		t.Fatal(err)
	}
	s := startServer(t, dir)
	response, err := newClient(t, nil, http1).Get(s.url + "large.bin")
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	s.await("the log", s.log, `(?m) GET /large\.bin 200 identity \d+ \S+ms incomplete$`)
}

// TestServeUnread has the reader of the log go away: a download in progress comes
// to its end, and the server too, with an exit code that tells.
func TestServeUnread(t *testing.T) {
	const size = 64 << 20
	dir := builtSite(t)
	makeFiles(t, dir, map[string]string{"large.bin": ""})
	if err := os.Truncate(filepath.Join(dir, "large.bin"), size); err != nil {
		t.Fatal(err)
	}
	log, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s := &server{t: t, exited: make(chan struct{}), log: &lines{}, stderr: &lines{}}
	cmd := exec.Command("precompress", "serve", "--addr", "127.0.0.1:0", dir)
	cmd.Stdout, cmd.Stderr = w, s.stderr
	s.start(cmd)
	w.Close()
	url, err := bufio.NewReader(log).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	s.url = url[strings.Index(url, "http") : len(url)-1]
	client := newClient(t, nil, http1)
	response, err := client.Get(s.url + "large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	log.Close()
	s.get(client, "app.js", "br")
	s.await("the message", s.stderr, `(?m)^precompress: .+: nobody reads standard output any more: stopping; .+--quiet.*$`)
	if n, err := io.Copy(io.Discard, response.Body); n != size || err != nil {
		t.Errorf("got %d bytes, %v", n, err)
	}
	s.ends(exitFailed)
	if got := strings.Count(s.stderr.String(), "\n"); got != 2 { // and what could not be written
		t.Errorf("standard error: %s", s.stderr)
	}
}

// TestServeInUse asks for an address that is taken.
func TestServeInUse(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"serve", "--addr", taken.Addr().String(), t.TempDir()}, &stdout, &stderr)
	if code != exitFailed || stdout.Len() > 0 || !regexp.MustCompile(`\Aprecompress: --addr: .*address already in use: choose another address, or port 0 .*\n\z`).MatchString(stderr.String()) {
		t.Errorf("exit code %d, standard output %q, standard error %q", code, stdout.String(), stderr.String())
	}
}

// TestServeTLS serves over TLS, and takes over a renewed certificate at SIGHUP
// but not a broken one.
func TestServeTLS(t *testing.T) {
	dir, keys := builtSite(t), t.TempDir()
	old := makeCertificate(t, keys)
	s := startServer(t, "--tls-cert", filepath.Join(keys, "cert.pem"), "--tls-key", filepath.Join(keys, "key.pem"), dir)
	if !strings.HasPrefix(s.url, "https:") {
		t.Fatalf("the URL is %s", s.url)
	}
	expect := func(roots *x509.CertPool, protocol func(*http.Protocols), major int) {
		t.Helper()
		response, body := s.get(newClient(t, &tls.Config{RootCAs: roots}, protocol), "app.js", "br")
		if response.ProtoMajor != major || body != read(t, dir, "app.js.br") {
			t.Errorf("%s %s, %d bytes", response.Proto, response.Status, len(body))
		}
	}
	expect(old, http1, 1)
	expect(old, http2, 2)
	renewed := makeCertificate(t, keys)
	s.signal(syscall.SIGHUP)
	s.await("the reload", s.stderr, `(?m): reloaded$`)
	expect(renewed, http2, 2)
	makeFiles(t, keys, map[string]string{"cert.pem": "broken"})
	s.signal(syscall.SIGHUP)
	s.await("the fault", s.stderr, `(?m)cannot reload, .*--tls-cert and --tls-key: .+$`)
	expect(renewed, http2, 2)
	s.signal(syscall.SIGTERM)
	s.ends(exitDone)
}

// makeCertificate writes cert.pem and key.pem, and returns what trusts them.
func makeCertificate(t *testing.T, dir string) *x509.CertPool {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	serial, err2 := rand.Int(rand.Reader, big.NewInt(1<<62))
	template := &x509.Certificate{
		SerialNumber: serial,
		NotBefore:    time.Now().Add(-time.Hour),
		NotAfter:     time.Now().Add(time.Hour),
		IPAddresses:  []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err3 := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	private, err4 := x509.MarshalPKCS8PrivateKey(key)
	if err := errors.Join(err, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	certPEM := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert})
	makeFiles(t, dir, map[string]string{
		"cert.pem": string(certPEM),
		"key.pem":  string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})),
	})
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(certPEM)
	return pool
}

// TestServeUnreadBody sends the head of a request with a body that never comes:
// it has its answer, and the connection its end.
func TestServeUnreadBody(t *testing.T) {
	testneeds.Long(t, "takes ten seconds")
	t.Parallel()
	s := startServer(t, builtSite(t))
	conn, err := net.Dial("tcp", strings.Trim(s.url, "htp:/"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	fmt.Fprintf(conn, "POST /app.js HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n")
	reader := bufio.NewReader(conn)
	if status, err := reader.ReadString('\n'); err != nil || !strings.Contains(status, " 405 ") {
		t.Errorf("got %q, %v", status, err)
	}
	if _, err := io.Copy(io.Discard, reader); err != nil {
		t.Errorf("the connection is open still: %v", err)
	}
}

// TestServeJoined asks for answers of every size around net/http's buffer, on
// one connection: each arrives whole, and none is held back.
func TestServeJoined(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	for i := 0; text.Len() < 20_000; i++ {
		fmt.Fprintf(&text, "%d,", i)
	}
	content := text.String()
	makeFiles(t, dir, map[string]string{"numbers.txt": content})
	s := startServer(t, dir)
	client := newClient(t, nil, http1)
	ask := func(method string, n int) {
		request, err := http.NewRequestWithContext(t.Context(), method, s.url+"numbers.txt", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("Range", fmt.Sprintf("bytes=0-%d", n-1))
		response, err := client.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if want := content[:n]; err != nil || method == http.MethodGet && string(body) != want {
			t.Fatalf("%s of %d bytes: got %d, %v", method, n, len(body), err)
		}
	}
	start := time.Now()
	for n := 3400; n <= 4200; n++ {
		ask(http.MethodGet, n)
	}
	for n := 1; n <= len(content); n += 997 {
		ask(http.MethodGet, n)
		ask(http.MethodHead, n)
	}
	if took := time.Since(start); took > patience {
		t.Errorf("it took %v", took)
	}
}
