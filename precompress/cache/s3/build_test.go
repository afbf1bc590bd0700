package s3

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/precompress/cache"
)

// newSite makes a tree of some assets and returns its directory.
func newSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 20 {
		text := strings.Repeat("some words of number "+strconv.Itoa(i)+", ", 200)
		if err := os.WriteFile(filepath.Join(dir, "asset"+strconv.Itoa(i)+".txt"), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// contents returns what the files below a directory hold, by their paths.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := make(map[string]string)
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, path))
		files[path] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// buildWith builds a new site with a store behind a new cache directory, as a new
// machine does. It returns the number of variants that the cache had, what the
// tree holds and the warnings.
func buildWith(t *testing.T, remote cache.Remote, mode cache.Mode) (cached int, tree map[string]string, warnings []string) {
	t.Helper()
	dir := newSite(t)
	opts := precompress.Options{Levels: map[manifest.Coding]int{manifest.Brotli: 2, manifest.Zstd: 1, manifest.Gzip: 1}}
	if remote != nil {
		c, err := cache.Open(filepath.Join(t.TempDir(), "cache"), cache.Options{Remote: remote, Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { warnings = c.Close(t.Context()) }()
		opts.Cache = c
	}
	report, err := precompress.Build(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	if err := report.Err(); err != nil {
		t.Error(err)
	}
	for _, total := range report.Totals() {
		cached += total.Cached
	}
	return cached, contents(t, dir), warnings
}

// same compares trees.
func same(t *testing.T, got, want map[string]string) {
	t.Helper()
	for path := range want {
		if got[path] != want[path] {
			t.Errorf("%s differs", path)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d files in place of %d", len(got), len(want))
	}
}

// TestBuildShared: what one machine encoded, no other has to.
func TestBuildShared(t *testing.T) {
	endpoint, bucket := startGateway(t)
	setCredentials(t, testAccess, testSecret)
	_, want, _ := buildWith(t, nil, 0)
	for _, step := range []struct {
		mode   cache.Mode
		cached int
		stored int
	}{
		{cache.ReadOnly, 0, 0}, // nothing is there, and nothing stored
		{cache.ReadWrite, 0, 60},
		{cache.ReadOnly, 60, 60},
		{cache.WriteOnly, 0, 60},
	} {
		cached, tree, warnings := buildWith(t, openAt(t, endpoint, testBucket), step.mode)
		same(t, tree, want)
		if stored := len(contents(t, bucket)); cached != step.cached || stored != step.stored || len(warnings) > 0 {
			t.Errorf("%v: %d variants came from the cache, %d objects are stored, want %d and %d; warnings: %q",
				step.mode, cached, stored, step.cached, step.stored, warnings)
		}
	}
}

// TestBuildHarmed: whatever a store does, the tree is as without it, and there
// is a warning or two. Package cache tests how soon it is left alone.
func TestBuildHarmed(t *testing.T) {
	endpoint, _ := startGateway(t)
	setCredentials(t, testAccess, testSecret)
	p := startProxy(t, endpoint)
	_, want, _ := buildWith(t, openAt(t, p.url, testBucket), cache.ReadWrite)
	for name, test := range map[string]struct {
		harm    harm
		warning string
	}{
		"503":          {unavailable, "503 SlowDown"},
		"hang":         {hang, errSlow.Error()},
		"hang in body": {hangInBody, errSlow.Error()},
		"cut":          {cut, "the connection broke"},
		"drip":         {drip, errSlow.Error()},
		"too large":    {enormous, "too large to be an entry"},
		"tampering":    {tamper, "an object is damaged; nothing more was looked up"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openAt(t, p.url, testBucket)
			if test.warning == errSlow.Error() {
				s.getFirst, s.window = 300*time.Millisecond, 100*time.Millisecond
			}
			p.set(test.harm)
			_, tree, warnings := buildWith(t, s, cache.ReadOnly)
			same(t, tree, want)
			if len(warnings) == 0 || len(warnings) > 2 || !strings.Contains(strings.Join(warnings, "\n"), test.warning) {
				t.Errorf("warnings: %q", warnings)
			}
		})
	}
}

// TestBuildSlow: a store that answers after 30 ms is used in full, by many
// lookups at a time.
func TestBuildSlow(t *testing.T) {
	endpoint, _ := startGateway(t)
	setCredentials(t, testAccess, testSecret)
	p := startProxy(t, endpoint)
	p.set(delayed)
	buildWith(t, openAt(t, p.url, testBucket), cache.WriteOnly)
	p.most.Store(0)
	cached, _, warnings := buildWith(t, openAt(t, p.url, testBucket), cache.ReadOnly)
	if cached != 60 || len(warnings) > 0 {
		t.Errorf("%d variants came from the cache; warnings: %q", cached, warnings)
	}
	if most := p.most.Load(); most < 24 {
		t.Errorf("at most %d lookups at a time", most)
	}
}

// TestBuildPoisoned: a store full of sound entries with the bytes of something
// else gets none of them into a tree.
func TestBuildPoisoned(t *testing.T) {
	endpoint, bucket := startGateway(t)
	setCredentials(t, testAccess, testSecret)
	_, want, _ := buildWith(t, openAt(t, endpoint, testBucket), cache.ReadWrite)
	poison := foreignVariant(t)
	c, err := cache.Open("", cache.Options{Remote: openAt(t, endpoint, testBucket)})
	if err != nil {
		t.Fatal(err)
	}
	poisoned := 0
	for path := range contents(t, bucket) {
		key, err := hex.DecodeString(filepath.Base(path))
		if err != nil || len(key) != len(cache.Key{}) {
			t.Fatalf("the bucket holds %s", path)
		}
		c.Put(t.Context(), cache.Key(key), cache.Entry{Size: int64(len(poison)), Data: poison})
		poisoned++
	}
	if warnings := c.Close(context.Background()); len(warnings) > 0 || poisoned != 60 {
		t.Fatalf("%d entries poisoned: %q", poisoned, warnings)
	}
	cached, tree, warnings := buildWith(t, openAt(t, endpoint, testBucket), cache.ReadOnly)
	same(t, tree, want)
	if cached != 0 || len(warnings) == 0 || !strings.Contains(strings.Join(warnings, "\n"), "nothing more was looked up") {
		t.Errorf("%d variants came from the cache; warnings: %q", cached, warnings)
	}
}

// foreignVariant returns a variant, in brotli, of what no site has.
func foreignVariant(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	w := brotli.NewWriter(&b)
	if _, err := io.WriteString(w, strings.Repeat("alert('foreign');", 100)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// tamper changes a byte of the object.
func tamper(w http.ResponseWriter, r *http.Request, pass http.Handler) {
	recorder := httptest.NewRecorder()
	pass.ServeHTTP(recorder, r)
	body := recorder.Body.Bytes()
	if len(body) > 0 {
		body[len(body)/2] ^= 1
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.Header().Set("Last-Modified", recorder.Header().Get("Last-Modified"))
	w.WriteHeader(recorder.Code)
	w.Write(body)
}
