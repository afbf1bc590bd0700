package serve_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

func mustDir(t testing.TB, dir string, opts serve.Options) *serve.Handler {
	t.Helper()
	h, err := serve.Dir(dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// replace puts a new file in the place of an old one, as a build does: at the
// same time as far as it shows.
func replace(t testing.TB, path string, content []byte) {
	t.Helper()
	write(t, path+".new", string(content))
	when := time.Unix(1700000000, 0)
	if err := os.Chtimes(path+".new", when, when); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		t.Fatal(err)
	}
}

func TestFilesThatChange(t *testing.T) {
	small, large := script("one"), bytes.Repeat(script("one"), 400) // 1 MB
	for _, content := range [][]byte{small, large} {
		t.Run(fmt.Sprint(len(content)), func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "a.js")
			replace(t, path, content)
			h := mustDir(t, dir, serve.Options{})
			first := get(h, "/a.js", "-")
			next := bytes.Replace(content, []byte("one"), []byte("two"), 1)
			replace(t, path, next)
			w := get(h, "/a.js", "-")
			if len(content) > 1<<18 && !bytes.Equal(w.Body.Bytes(), next) {
				t.Error("a large file was not looked at again")
			}
			same := w.Header().Get("ETag") == first.Header().Get("ETag")
			if same != bytes.Equal(w.Body.Bytes(), content) || !same && !bytes.Equal(w.Body.Bytes(), next) {
				t.Errorf("the ETag is not that of the content (ETag the same: %v)", same)
			}
			if w := get(h, "/a.js", "-", "If-None-Match", first.Header().Get("ETag")); same != (w.Code == 304) {
				t.Errorf("a validation: %d", w.Code)
			}
			if err := h.Reload(); err != nil {
				t.Fatal(err)
			}
			wantSent(t, h, "/a.js", "", next)
		})
	}
}

func TestFilesThatVanish(t *testing.T) {
	dir := t.TempDir()
	content := bytes.Repeat(script("one"), 400)
	write(t, filepath.Join(dir, "a.js"), string(content))
	write(t, filepath.Join(dir, "a.js.br"), string(encode(t, "br", content)))
	h := mustDir(t, dir, serve.Options{MemoryLimit: -1})
	wantSent(t, h, "/a.js", "br", content)
	if err := os.Remove(filepath.Join(dir, "a.js.br")); err != nil {
		t.Fatal(err)
	}
	wantSent(t, h, "/a.js", "", content)
	if err := os.Remove(filepath.Join(dir, "a.js")); err != nil {
		t.Fatal(err)
	}
	for _, fields := range [][]string{nil, {"If-None-Match", "*"}, {"Range", "bytes=0-1"}} {
		if w := get(h, "/a.js", "br", fields...); w.Code != 404 {
			t.Errorf("%v: %d, want 404", fields, w.Code)
		}
	}
}

// TestFileThatShrinks truncates a file while it is sent: the client must not
// take what it got for everything.
func TestFileThatShrinks(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "large.bin")
	write(t, path, "")
	if err := os.Truncate(path, 64<<20); err != nil {
		t.Fatal(err)
	}
	events := make(chan serve.Event, 1)
	h := mustDir(t, dir, serve.Options{Observe: func(e serve.Event) { events <- e }})
	resp, err := http.Get("http://" + listen(t, h) + "/large.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if err := os.Truncate(path, 1000); err != nil {
		t.Fatal(err)
	}
	n, err := io.Copy(io.Discard, resp.Body)
	if err == nil || n >= 64<<20 {
		t.Errorf("%d bytes and no error", n)
	}
	if e := <-events; !errors.Is(e.Err, io.ErrUnexpectedEOF) || e.Bytes >= 64<<20 {
		t.Errorf("event: %d bytes, %v", e.Bytes, e.Err)
	}
}

func TestMemoryLimit(t *testing.T) {
	content := script("some")
	for _, limit := range []int64{-1, int64(len(content)), 0} {
		tree := fstest.MapFS{}
		for i := range 3 {
			tree[fmt.Sprint(i, ".js")] = file(content, time.Time{})
		}
		h := mustNew(t, tree, serve.Options{MemoryLimit: limit})
		for i := range 3 {
			wantSent(t, h, fmt.Sprint("/", i, ".js"), "", content)
		}
		for name := range tree {
			delete(tree, name)
		}
		kept := 0
		for i := range 3 {
			if get(h, fmt.Sprint("/", i, ".js"), "-").Code == 200 {
				kept++
			}
		}
		if want := map[int64]int{-1: 0, int64(len(content)): 1, 0: 3}[limit]; kept != want {
			t.Errorf("limit %d: %d kept, want %d", limit, kept, want)
		}
	}
}

// TestReloadUnderLoad swaps whole trees while they are asked for: every answer
// must be of one of them, with the ETag that goes with its content.
func TestReloadUnderLoad(t *testing.T) {
	parent := t.TempDir()
	dir := filepath.Join(parent, "site")
	build := func(word string) {
		fresh := filepath.Join(parent, word)
		if err := os.Mkdir(fresh, 0o755); err != nil {
			t.Fatal(err)
		}
		content := script(word)
		write(t, filepath.Join(fresh, "a.js"), string(content))
		write(t, filepath.Join(fresh, "a.js.br"), string(encode(t, "br", content)))
		os.Rename(dir, filepath.Join(parent, "before-"+word))
		if err := os.Rename(fresh, dir); err != nil {
			t.Fatal(err)
		}
	}
	build("v0")
	h := mustDir(t, dir, serve.Options{Decoders: decode.All()})
	stop := make(chan struct{})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			tags := map[string]string{}
			for {
				select {
				case <-stop:
					return
				default:
				}
				w := get(h, "/a.js", "br")
				tag := w.Header().Get("ETag")
				if body := w.Body.String(); w.Code != 200 || tags[tag] != "" && tags[tag] != body {
					t.Errorf("%d, %s", w.Code, tag)
					return
				}
				tags[tag] = w.Body.String()
			}
		})
	}
	for i := range 20 {
		build(fmt.Sprintf("v%d", i+1))
		if err := h.Reload(); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	group.Wait()
	wantSent(t, h, "/a.js", "br", script("v20"))
}

func TestReloadFails(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.js"), "a()")
	h := mustDir(t, dir, serve.Options{})
	write(t, filepath.Join(dir, manifest.Name), `{"version": 99, "assets": []}`)
	write(t, filepath.Join(dir, "b.js"), "b()")
	if err := h.Reload(); !errors.Is(err, manifest.ErrVersion) {
		t.Errorf("%v, want ErrVersion", err)
	}
	if a, b := get(h, "/a.js", "-"), get(h, "/b.js", "-"); a.Code != 200 || b.Code != 404 {
		t.Errorf("after a failed reload: %d and %d, want 200 and 404", a.Code, b.Code)
	}
	if _, err := serve.Dir(dir, serve.Options{}); err == nil || !strings.Contains(err.Error(), manifest.Name) {
		t.Errorf("Dir: %v", err)
	}
}

func TestDev(t *testing.T) {
	dir := t.TempDir()
	h := mustDir(t, dir, serve.Options{Dev: true, Fallback: "index.html", Decoders: decode.All()})
	path := filepath.Join(dir, "a.js")
	if w := get(h, "/a.js", "-"); w.Code != 404 {
		t.Errorf("before: %d", w.Code)
	}
	for _, word := range []string{"one", "two"} {
		content := script(word)
		write(t, path, string(content)) // in place, perhaps in the same tick
		wantSent(t, h, "/a.js", "", content)
		write(t, path+".br", string(encode(t, "br", content)))
		wantSent(t, h, "/a.js", "br", content)
	}
	write(t, filepath.Join(dir, manifest.Name), "{")
	if w := get(h, "/a.js", "-"); w.Code != 500 {
		t.Errorf("with a broken manifest: %d", w.Code)
	}
}

// TestLargeFile streams a file of 1 GiB, or a part of that: memory must not grow with
// it.
func TestLargeFile(t *testing.T) {
	size := int64(1 << 30)
	if testing.Short() {
		size = 64 << 20
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "huge.bin")
	write(t, path, "")
	if err := os.Truncate(path, size); err != nil {
		t.Skip(err)
	}
	addr := listen(t, mustDir(t, dir, serve.Options{}))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	resp, err := http.Get("http://" + addr + "/huge.bin")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	n, err := io.Copy(io.Discard, resp.Body)
	runtime.ReadMemStats(&after)
	if n != size || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
	a, err := ask(addr, "GET", "/huge.bin", "HTTP/1.1", fmt.Sprintf("Range: bytes=%d-", size-5))
	if err != nil || a.StatusCode != 206 || len(a.body) != 5 {
		t.Errorf("the end of it: %v, %v", a.Response, err)
	}
}

func TestLinks(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "site")
	if err := os.MkdirAll(filepath.Join(dir, "real"), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(base, "secret"), "secret")
	write(t, filepath.Join(dir, "real", "a.js"), "a()")
	for name, target := range map[string]string{
		"inside.js": "real/a.js", "outside.js": "../secret", "directory": "real", "circle": ".", "nowhere": "gone",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	over := func(h *serve.Handler, target string) int { return get(h, target, "-").Code }
	rooted := mustDir(t, dir, serve.Options{})
	plain, err := serve.New(os.DirFS(dir), serve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for target, want := range map[string][2]int{ // Dir, os.DirFS
		"/real/a.js": {200, 200}, "/inside.js": {200, 404}, "/outside.js": {404, 404}, "/directory/a.js": {404, 404},
		"/circle/real/a.js": {404, 404}, "/nowhere": {404, 404},
	} {
		if got := [2]int{over(rooted, target), over(plain, target)}; got != want {
			t.Errorf("%s: %v, want %v", target, got, want)
		}
	}
	// A file that becomes a link after it was seen must not lead out either.
	if err := os.Remove(filepath.Join(dir, "real", "a.js")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../../secret", filepath.Join(dir, "real", "a.js")); err != nil {
		t.Fatal(err)
	}
	fresh := mustDir(t, dir, serve.Options{MemoryLimit: -1})
	for _, h := range []*serve.Handler{rooted, fresh} {
		if w := get(h, "/inside.js", "-"); strings.Contains(w.Body.String(), "secret") {
			t.Error("a link led out of the directory")
		}
	}
}

func TestNameThatIsNotUTF8(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "caf\xe9.js"), []byte("a()"), 0o644); err != nil {
		t.Skip(err)
	}
	if w := get(mustDir(t, dir, serve.Options{}), "/caf%e9.js", "-"); w.Code != 200 {
		t.Errorf("%d", w.Code)
	}
}

func TestUnreadable(t *testing.T) {
	denied := &fs.PathError{Op: "open", Path: "a.js", Err: fs.ErrPermission}
	broken := errors.New("input/output error")
	for err, want := range map[error]int{denied: 403, broken: 500, fs.ErrNotExist: 404} {
		var event serve.Event
		tree := failing{fstest.MapFS{"a.js": file(script("a"), time.Time{})}, "a.js", err}
		h, errNew := serve.New(tree, serve.Options{Observe: func(e serve.Event) { event = e }})
		if errNew != nil {
			t.Fatal(errNew)
		}
		w := get(h, "/a.js", "-")
		if w.Code != want || strings.Contains(w.Body.String(), "error") && want != 500 {
			t.Errorf("%v: %d %q", err, w.Code, w.Body)
		}
		if (want != 404) != errors.Is(event.Err, err) {
			t.Errorf("event: %v, want %v", event.Err, err)
		}
		if _, errAssets := h.Assets(); !errors.Is(errAssets, err) {
			t.Errorf("Assets: %v, want %v", errAssets, err)
		}
	}
}

// failing fails to open one file.
type failing struct {
	fs.FS
	name string
	err  error
}

func (f failing) Open(name string) (fs.File, error) {
	if name == f.name {
		return nil, f.err
	}
	return f.FS.Open(name)
}
