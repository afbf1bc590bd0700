package serve_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

func TestFileServer(t *testing.T) {
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			h := http.FileServer(newSite(t, kind, true, serve.Options{}).FileSystem())
			for target, want := range map[string]int{
				"/app.js": 200, "/": 200, "/dir/": 200, "/dir": 301, "/bundle.tar.gz": 200, "/.well-known/security.txt": 200,
				"/app.js.br": 404, "/app.js.gz": 404, "/" + manifest.Name: 404, "/.env": 404, "/.precompress-1.tmp": 404, "/link.txt": 404,
				"/none": 404, "/varonly.js": 404,
			} {
				if w := get(h, target, "br"); w.Code != want {
					t.Errorf("%s: %d, want %d", target, w.Code, want)
				}
			}
			if w := get(h, "/app.js", "br", "Range", "bytes=5-9"); w.Code != 206 || !bytes.Equal(w.Body.Bytes(), content(t, "app.js", "")[5:10]) {
				t.Errorf("a range: %d", w.Code)
			}
			list := get(h, "/nodir/", "br").Body.String()
			if !strings.Contains(list, "readme.txt") {
				t.Errorf("the list of a directory: %s", list)
			}
		})
	}
}

// TestSendfile: the file has to reach net/http as it is, or at most limited, for
// the operating system to send it.
func TestSendfile(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "large.bin"), strings.Repeat("0123456789", 100_000))
	h := mustDir(t, dir, serve.Options{})
	for _, field := range []string{"", "bytes=10-600000"} {
		r := httptest.NewRequest("GET", "/large.bin", nil)
		r.Header.Set("Range", field)
		w := &readerFrom{ResponseRecorder: httptest.NewRecorder()}
		h.ServeHTTP(w, r)
		limited, ok := w.from.(*io.LimitedReader)
		if !ok {
			t.Fatalf("%q: read from a %T", field, w.from)
		}
		if _, ok := limited.R.(*os.File); !ok {
			t.Errorf("%q: read from a limited %T", field, limited.R)
		}
	}
	f, err := h.FileSystem().Open("/large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, ok := f.(*os.File); !ok {
		t.Errorf("FileSystem: a %T", f)
	}
}

// readerFrom records what it is told to read from.
type readerFrom struct {
	*httptest.ResponseRecorder
	from io.Reader
}

func (w *readerFrom) ReadFrom(r io.Reader) (int64, error) {
	w.from = r
	return io.Copy(w.ResponseRecorder, r)
}

func TestDirectoryList(t *testing.T) {
	d, err := newSite(t, "Dir", true, serve.Options{}).FileSystem().Open("/")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	var names []string
	for {
		infos, err := d.Readdir(7)
		if err == io.EOF {
			break
		}
		if err != nil || len(infos) > 7 {
			t.Fatalf("%d, %v", len(infos), err)
		}
		for _, info := range infos {
			names = append(names, info.Name())
		}
	}
	want := []string{
		".well-known", "404.html", "a+b.js", "app.3f8a91c2d4.js", "app.js", "bad.js", "big.js", "bundle.tar.gz", "dir", "dirvar.js",
		"dirvar.js.br", "dot..dot.js", "empty.txt", "index.html", "nodir", "noext", "onlybr.js", "onlygz.js", "plain.txt", "sp ace.js", "stale.js",
		"style.css", "vdir.js", "window.js",
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

func TestOpenVariant(t *testing.T) {
	files := newSite(t, "Dir", true, serve.Options{}).FileSystem()
	for accept, coding := range map[string]string{"br": "br", "gzip, br;q=0": "gzip", "identity": ""} {
		f, err := files.OpenVariant("/app.js", []string{accept})
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(f)
		f.Close()
		want := content(t, "app.js", coding)
		if err != nil || !bytes.Equal(body, want) || f.Size != int64(len(want)) || string(f.Coding) != coding || f.Asset.Path != "app.js" {
			t.Errorf("%s: %q, %d bytes, %v", accept, f.Coding, len(body), err)
		}
		if !strings.HasPrefix(f.ETag, `"`+manifest.Sum(want).String()) {
			t.Errorf("%s: ETag %s", accept, f.ETag)
		}
	}
	if _, err := files.Open("dir/"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("an alias opens as a file: %v", err)
	}
	if _, err := files.OpenVariant("none.js", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	strict := newSite(t, "embed", true, serve.Options{Strict: true}).FileSystem()
	if _, err := strict.OpenVariant("app.js", []string{"*;q=0"}); !errors.Is(err, serve.ErrNotAcceptable) {
		t.Error(err)
	}
}

// TestZip serves an archive, whose files cannot seek.
func TestZip(t *testing.T) {
	large := bytes.Repeat([]byte("0123456789"), 100_000)
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for name, data := range map[string][]byte{"large.bin": large, "a.js": script("a"), "a.js.br": encode(t, "br", script("a"))} {
		f, err := w.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(data); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	archive, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	h, err := serve.New(archive, serve.Options{Decoders: decode.All()})
	if err != nil {
		t.Fatal(err)
	}
	wantSent(t, h, "/a.js", "br", script("a"))
	addr := listen(t, h)
	for field, want := range map[string]string{
		"bytes=999995-": "56789", "bytes=-3": "789", "bytes=10-12": "012",
	} {
		if a, err := ask(addr, "GET", "/large.bin", "HTTP/1.1", "Range: "+field); err != nil || string(a.body) != want {
			t.Errorf("%s: %q, %v", field, a.body, err)
		}
	}
	a, err := ask(addr, "GET", "/large.bin", "HTTP/1.1", "Range: bytes=500000-500009,0-4,-5")
	if err != nil || a.StatusCode != 206 || strings.Count(string(a.body), "01234") != 2 || !strings.Contains(string(a.body), "56789\r\n--") {
		t.Errorf("parts out of order: %d %q, %v", a.StatusCode, a.body, err)
	}
	f, err := h.FileSystem().Open("large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, offset := range []int64{-4, -1000, -2} {
		if at, err := f.Seek(offset, io.SeekEnd); err != nil || at != int64(len(large))+offset {
			t.Errorf("seek: %d, %v", at, err)
		}
		if rest, err := io.ReadAll(f); err != nil || !bytes.Equal(rest, large[int64(len(large))+offset:]) {
			t.Errorf("%d: %d bytes, %v", offset, len(rest), err)
		}
	}
}

func TestAssets(t *testing.T) {
	when := time.Unix(1700000000, 0)
	content := script("a")
	br := encode(t, "br", content)
	h := mustNew(t, fstest.MapFS{
		"a.js": file(content, when), "a.js.br": file(br, when), "index.html": file([]byte("<p>"), time.Time{}),
		"d/index.html": file([]byte("<p>"), time.Unix(0, 0)),
	}, serve.Options{})
	all, err := h.Assets()
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, a := range all {
		paths = append(paths, a.Path)
	}
	if !cmp.Equal(paths, []string{"a.js", "d/index.html", "index.html"}) {
		t.Fatal(paths)
	}
	a := all[0]
	sum := sha512.Sum384(content)
	if sri, err := a.SRI(); err != nil || sri != "sha384-"+base64.StdEncoding.EncodeToString(sum[:]) {
		t.Errorf("SRI: %q, %v", sri, err)
	}
	if a.ContentType != "text/javascript; charset=utf-8" || a.Size != int64(len(content)) || a.Digest != manifest.Sum(content) || !a.ModTime.Equal(when) {
		t.Errorf("%+v", a)
	}
	want := []serve.Variant{{Coding: "br", Size: int64(len(br)), Digest: manifest.Sum(br), ETag: fmt.Sprintf("%q", manifest.Sum(br).String()+"-br")}}
	if diff := cmp.Diff(want, a.Variants); diff != "" {
		t.Error(diff)
	}
	if etag := get(h, "/a.js", "br").Header().Get("ETag"); etag != a.Variants[0].ETag {
		t.Errorf("the ETag is %s", etag)
	}
	if !all[1].ModTime.IsZero() || get(h, "/d/", "-").Header().Get("Last-Modified") != "" {
		t.Error("1970 is no time of a change")
	}
	if _, err := h.Asset("none.js"); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := (serve.Asset{}).SRI(); err == nil {
		t.Error("an SRI value of nothing")
	}
}

// TestSRIOfChangedFile: the value must be that of what the Asset tells of.
func TestSRIOfChangedFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.js")
	replace(t, path, script("one"))
	h := mustDir(t, dir, serve.Options{})
	a, err := h.Asset("/a.js")
	if err != nil {
		t.Fatal(err)
	}
	replace(t, path, script("two"))
	if sri, err := a.SRI(); err == nil {
		t.Errorf("%q of another content", sri)
	}
}

// TestFutureTime: a Last-Modified after the Date must not be sent (RFC 9110,
// section 8.8.2.1).
func TestFutureTime(t *testing.T) {
	h := mustNew(t, fstest.MapFS{"a.js": file(script("a"), time.Now().Add(time.Hour))}, serve.Options{})
	if date := get(h, "/a.js", "-").Header().Get("Last-Modified"); date != "" {
		t.Errorf("Last-Modified: %s", date)
	}
}

// TestPrefix: redirects hold behind a prefix, and with odd names.
func TestPrefix(t *testing.T) {
	h := mustNew(t, fstest.MapFS{"a:b c/index.html": file(script("a"), time.Time{})}, serve.Options{})
	mux := http.NewServeMux()
	mux.Handle("/static/", http.StripPrefix("/static/", h))
	mux.Handle("/other/", http.StripPrefix("/other", h))
	for _, prefix := range []string{"/static", "/other"} {
		w := get(mux, prefix+"/a:b%20c?q=%20", "-")
		if got := w.Header().Get("Location"); w.Code != 301 || got != "./a:b%20c/?q=%20" {
			t.Errorf("%s: %d, %q", prefix, w.Code, got)
		}
		if w := get(mux, prefix+"/a:b%20c/", "-"); w.Code != 200 {
			t.Errorf("%s: %d", prefix, w.Code)
		}
	}
}
