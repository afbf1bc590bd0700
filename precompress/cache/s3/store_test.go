package s3

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/precompress/precompress/precompress/cache"
)

func testKey(n int) cache.Key { return cache.Subject{Level: n}.Key() }

func TestStore(t *testing.T) {
	endpoint, bucket := startGateway(t)
	setCredentials(t, testAccess, testSecret)
	s := openAt(t, endpoint, testBucket+"/a b/ü/")
	if got := s.String(); got != "s3://bucket/a b/ü" {
		t.Errorf("it is called %q", got)
	}
	key := testKey(1)
	if _, err := s.Get(t.Context(), key); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an object that is not there: %v", err)
	}
	for _, data := range [][]byte{[]byte("one"), {}, bytes.Repeat([]byte("large "), 1<<20)} {
		if err := s.Put(t.Context(), key, data); err != nil {
			t.Fatal(err)
		}
		got, err := s.Get(t.Context(), key)
		if err != nil || !bytes.Equal(got, data) {
			t.Errorf("put %d bytes, got %d, %v", len(data), len(got), err)
		}
	}
	name := key.String()
	if _, err := os.Stat(filepath.Join(bucket, "a b", "ü", name[:2], name)); err != nil {
		t.Error(err)
	}
	// Another prefix is another store.
	if _, err := openAt(t, endpoint, testBucket).Get(t.Context(), key); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an object of another prefix: %v", err)
	}
}

// TestStoreRefuses: each way of being refused is told apart, in words without
// secrets.
func TestStoreRefuses(t *testing.T) {
	endpoint, _ := startGateway(t)
	nobody := &url.URL{Scheme: "http", Host: freePort(t)}
	tls := &url.URL{Scheme: "https", Host: endpoint.Host}
	for name, test := range map[string]struct {
		access, secret string
		endpoint       *url.URL
		bucket         string
		kind           error
		text           string
	}{
		"wrong secret":  {testAccess, "wrongwrong", endpoint, testBucket, cache.ErrUnusable, "403 SignatureDoesNotMatch: check the credentials"},
		"wrong key":     {"nobody", testSecret, endpoint, testBucket, cache.ErrUnusable, "404 XAdminUserNotFound: check the credentials"},
		"no key":        {"", "", endpoint, testBucket, cache.ErrDenied, "403 AccessDenied: no credentials were found"},
		"half a key":    {"", testSecret, endpoint, testBucket, cache.ErrDenied, "only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY is set"},
		"no bucket":     {testAccess, testSecret, endpoint, "elsewhere", cache.ErrUnusable, "404 NoSuchBucket"},
		"no server":     {testAccess, testSecret, nobody, testBucket, nil, "connection refused: check the endpoint"},
		"no TLS server": {testAccess, testSecret, tls, testBucket, nil, "http://"},
	} {
		t.Run(name, func(t *testing.T) {
			setCredentials(t, test.access, test.secret)
			s := openAt(t, test.endpoint, test.bucket)
			_, getErr := s.Get(t.Context(), testKey(1))
			for op, err := range map[string]error{"get": getErr, "put": s.Put(t.Context(), testKey(1), []byte("one"))} {
				if err == nil || !strings.Contains(err.Error(), test.text) || test.kind != nil && !errors.Is(err, test.kind) {
					t.Errorf("%s: %v, want %q in it, of kind %v", op, err, test.text, test.kind)
				}
				for _, secret := range []string{testSecret, "wrongwrong", testKey(1).String()} {
					if err != nil && strings.Contains(err.Error(), secret) {
						t.Errorf("%s: %v", op, err)
					}
				}
			}
		})
	}
}

// TestStoreProfile: credentials come from the shared files, too.
func TestStoreProfile(t *testing.T) {
	endpoint, _ := startGateway(t)
	setCredentials(t, "", "")
	file := filepath.Join(t.TempDir(), "credentials")
	text := "[other]\naws_access_key_id = " + testAccess + "\naws_secret_access_key = " + testSecret + "\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", file)
	t.Setenv("AWS_PROFILE", "other")
	if _, err := openAt(t, endpoint, testBucket).Get(t.Context(), testKey(1)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("with the profile: %v", err)
	}
	t.Setenv("AWS_PROFILE", "third")
	if _, err := openAt(t, endpoint, testBucket).Get(t.Context(), testKey(1)); err == nil || !strings.Contains(err.Error(), "AWS_PROFILE") {
		t.Errorf("with a profile that does not exist: %v", err)
	}
}

// TestStoreHarmed: whatever is between us and the store, an object is right or
// an error.
func TestStoreHarmed(t *testing.T) {
	endpoint, _ := startGateway(t)
	setCredentials(t, testAccess, testSecret)
	p := startProxy(t, endpoint)
	data := bytes.Repeat([]byte("x"), 100_000)
	if err := openAt(t, p.url, testBucket).Put(t.Context(), testKey(1), data); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		harm harm
		text string
	}{
		"503":           {unavailable, "503 SlowDown"},
		"hang":          {hang, errSlow.Error()},
		"hang in body":  {hangInBody, errSlow.Error()},
		"cut":           {cut, "the connection broke"},
		"drip":          {drip, errSlow.Error()},
		"too large":     {enormous, "too large"},
		"slow but good": {delayed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := openAt(t, p.url, testBucket)
			if test.text == errSlow.Error() {
				s.getFirst, s.window = 200*time.Millisecond, 100*time.Millisecond
			}
			p.set(test.harm)
			got, err := s.Get(t.Context(), testKey(1))
			switch {
			case test.text == "":
				if err != nil || !bytes.Equal(got, data) {
					t.Errorf("%d bytes, %v", len(got), err)
				}
			case err == nil || !strings.Contains(err.Error(), test.text) || strings.Contains(err.Error(), testSecret):
				t.Errorf("%d bytes, %v, want %q", len(got), err, test.text)
			}
		})
	}
}

// TestStorePutHangs: neither a store that does not answer an upload nor one
// that does not even take it is waited for.
func TestStorePutHangs(t *testing.T) {
	setCredentials(t, testAccess, testSecret)
	p := startProxy(t, &url.URL{})
	for name, h := range map[string]harm{"after": hang, "during": hangUnread(t)} {
		t.Run(name, func(t *testing.T) {
			p.set(h)
			s := openAt(t, p.url, testBucket)
			s.putFirst = 200 * time.Millisecond
			if err := s.Put(t.Context(), testKey(1), make([]byte, 32<<20)); !errors.Is(err, errSlow) {
				t.Errorf("it ended with %v", err)
			}
		})
	}
}

// TestStoreCanceled: a request ends with its context.
func TestStoreCanceled(t *testing.T) {
	setCredentials(t, testAccess, testSecret)
	p := startProxy(t, &url.URL{})
	s := openAt(t, p.url, testBucket)
	s.getFirst = time.Hour
	ctx, cancel := context.WithCancel(t.Context())
	p.set(cancelAnd(cancel))
	if _, err := s.Get(ctx, testKey(1)); !errors.Is(err, context.Canceled) {
		t.Errorf("it ended with %v", err)
	}
}
