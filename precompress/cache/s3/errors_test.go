package s3

import (
	"bufio"
	"crypto/x509"
	"errors"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"testing"

	"github.com/precompress/precompress/precompress/cache"
)

// TestExplainResponse: what a store answers is told in our own words, which
// say what to do.
func TestExplainResponse(t *testing.T) {
	setCredentials(t, testAccess, testSecret)
	p := startProxy(t, &url.URL{})
	for name, test := range map[string]struct {
		status int
		body   string
		kind   error
		text   string
	}{
		"absent":            {404, `<Error><Code>NoSuchKey</Code></Error>`, fs.ErrNotExist, "does not exist"},
		"absent, in HTML":   {404, `<html>`, fs.ErrNotExist, "does not exist"},
		"no bucket":         {404, `<Error><Code>NoSuchBucket</Code></Error>`, cache.ErrUnusable, "no such bucket"},
		"other region":      {400, `<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-west-1</Region></Error>`, cache.ErrUnusable, "another region, eu-west-1: set AWS_REGION"},
		"redirect":          {301, `<Error><Code>PermanentRedirect</Code></Error>`, cache.ErrUnusable, "another region: set AWS_REGION"},
		"clock":             {403, `<Error><Code>RequestTimeTooSkewed</Code></Error>`, cache.ErrUnusable, "clock"},
		"denied":            {403, `<Error><Code>AccessDenied</Code></Error>`, cache.ErrDenied, "s3:ListBucket"},
		"unknown key":       {403, `<Error><Code>InvalidAccessKeyId</Code></Error>`, cache.ErrUnusable, "check the credentials"},
		"key, not found":    {404, `<Error><Code>XAdminUserNotFound</Code></Error>`, cache.ErrUnusable, "check the credentials"},
		"token, too old":    {400, `<Error><Code>ExpiredToken</Code></Error>`, cache.ErrUnusable, "check the credentials"},
		"busy":              {503, `<Error><Code>UserTooBusy</Code></Error>`, nil, "503 UserTooBusy"},
		"its own words":     {500, `<Error><Code>&#27;[31m secret words</Code><Message>AKIA</Message></Error>`, nil, "500 Internal Server Error"},
		"too many requests": {429, ``, nil, "429"},
	} {
		t.Run(name, func(t *testing.T) {
			p.set(func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
				w.Header().Set("Content-Type", "application/xml")
				w.WriteHeader(test.status)
				w.Write([]byte(test.body))
			})
			_, err := openAt(t, p.url, testBucket).Get(t.Context(), testKey(1))
			if err == nil || !strings.Contains(err.Error(), test.text) || test.kind != nil && !errors.Is(err, test.kind) {
				t.Errorf("%v, want %q, of kind %v", err, test.text, test.kind)
			}
			if err != nil && (strings.Contains(err.Error(), "AKIA") || strings.Contains(err.Error(), "\x1b")) {
				t.Errorf("%q", err)
			}
		})
	}
}

// TestExplainAnswer: an answer that is none of a store's is told what it is.
func TestExplainAnswer(t *testing.T) {
	setCredentials(t, testAccess, testSecret)
	for name, test := range map[string]struct{ answer, text string }{
		"no HTTP":     {"\x00\x01 hidden\r\n\r\n", "it does not speak HTTP"},
		"no object":   {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", "its response lacks the header fields of an object"},
		"long header": {"HTTP/1.1 200 OK\r\nX: " + strings.Repeat("hidden", 1<<15) + "\r\n\r\n", "the header of its response is too large"},
		"a file":      {"HTTP/1.1 302 Found\r\nLocation: file:///hidden\r\nContent-Length: 0\r\n\r\n", "302 Found: check the endpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openAt(t, answering(t, test.answer), testBucket)
			_, err := s.Get(t.Context(), testKey(1))
			if err == nil || !strings.Contains(err.Error(), test.text) || strings.Contains(err.Error(), "hidden") {
				t.Errorf("%v, want %q", err, test.text)
			}
		})
	}
}

// TestExplainNetwork: what keeps requests from the store is told, with what to
// look at.
func TestExplainNetwork(t *testing.T) {
	for text, err := range map[string]error{
		"its host is not found: check the endpoint": &net.DNSError{Err: "no such host", Name: "hidden"},
		"no route to host":                          &net.OpError{Op: "dial", Err: syscall.EHOSTUNREACH},
		"is not valid for this host":                x509.HostnameError{Certificate: &x509.Certificate{}, Host: "hidden"},
		"is not that of an S3 store":                errors.New("hidden"),
	} {
		wrapped := explainNetwork(&url.Error{Op: "Get", URL: "http://hidden", Err: err})
		if !strings.Contains(wrapped.Error(), text) || strings.Contains(wrapped.Error(), "hidden") {
			t.Errorf("%v, want %q", wrapped, text)
		}
	}
}

// answering starts a server that sends the same to everybody.
func answering(t *testing.T, answer string) *url.URL {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return // closed
			}
			go func() {
				defer c.Close()
				if _, err := http.ReadRequest(bufio.NewReader(c)); err == nil {
					io.WriteString(c, answer)
				}
			}()
		}
	}()
	return &url.URL{Scheme: "http", Host: l.Addr().String()}
}
