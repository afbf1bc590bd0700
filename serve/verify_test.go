package serve_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

// script is content that every coding makes much smaller.
func script(word string) []byte { return []byte(strings.Repeat(word+"();\n", 200)) }

func encode(t testing.TB, c manifest.Coding, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	if c == manifest.Brotli {
		w = brotli.NewWriterLevel(&b, 5)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func file(data []byte, modTime time.Time) *fstest.MapFile {
	return &fstest.MapFile{Data: data, Mode: 0o644, ModTime: modTime}
}

// get answers a GET with an Accept-Encoding, or none for "-".
func get(h http.Handler, target, acceptEncoding string, fields ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", target, nil)
	if acceptEncoding != "-" {
		r.Header.Set("Accept-Encoding", acceptEncoding)
	}
	for i := 0; i < len(fields); i += 2 {
		r.Header.Add(fields[i], fields[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

func mustNew(t testing.TB, tree fstest.MapFS, opts serve.Options) *serve.Handler {
	t.Helper()
	h, err := serve.New(tree, opts)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// wantSent checks which coding is sent and that the content is the source's.
func wantSent(t *testing.T, h http.Handler, target, coding string, content []byte) {
	t.Helper()
	w := get(h, target, "br, gzip, zstd")
	got := w.Header().Get("Content-Encoding")
	body := w.Body.Bytes()
	if got == "br" {
		body, _ = io.ReadAll(brotli.NewReader(w.Body))
	}
	if w.Code != 200 || got != coding || !bytes.Equal(body, content) {
		t.Errorf("%s: %d, coding %q, %d bytes, want %q, %d bytes", target, w.Code, got, len(body), coding, len(content))
	}
}

func findings(t *testing.T, h *serve.Handler) []string {
	t.Helper()
	found, err := h.Check()
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range found {
		p.Err = nil
		lines = append(lines, p.String())
	}
	return lines
}

func TestSiblings(t *testing.T) {
	now, before := time.Unix(1700000000, 0), time.Unix(1600000000, 0)
	content, other := script("current"), script("previous")
	br, otherBr := encode(t, "br", content), encode(t, "br", other)
	linked := serve.Options{Decoders: decode.All()}
	tests := []struct {
		name   string
		br     *fstest.MapFile
		opts   serve.Options
		coding string
		want   []string
	}{
		{"good", file(br, now), serve.Options{}, "br", nil},
		{"good, decoded", file(br, now), linked, "br", nil},
		{"without times", file(br, time.Time{}), serve.Options{}, "br", nil},
		{"older", file(otherBr, before), serve.Options{}, "", []string{"a.js: br: stale"}},
		{"older, but right", file(br, before), linked, "br", nil},
		{"newer, but of other content", file(otherBr, now), linked, "", []string{"a.js: br: stale"}},
		{"cut", file(br[:len(br)-3], now), linked, "", []string{"a.js: br: damaged"}},
		{"empty", file(nil, now), serve.Options{}, "", []string{"a.js: br: damaged"}},
		{"larger", file(content, now), serve.Options{}, "", []string{"a.js: br: larger"}},
		{"large window", file([]byte{0x11, 1, 2, 3}, now), serve.Options{}, "", []string{"a.js: br: window"}},
		{"decodes to more", file(encode(t, "br", append(content, "more"...)), now), linked, "", []string{"a.js: br: stale"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := mustNew(t, fstest.MapFS{"a.js": file(content, now), "a.js.br": tt.br}, tt.opts)
			wantSent(t, h, "/a.js", tt.coding, content)
			if diff := cmp.Diff(tt.want, findings(t, h)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// record returns a manifest's bytes that tell of one asset's br variant.
func record(t testing.TB, name string, source, br []byte) *fstest.MapFile {
	t.Helper()
	m := manifest.Manifest{Assets: []manifest.Asset{{
		Path: name, Size: int64(len(source)), Digest: manifest.Sum(source),
		Variants: []manifest.Variant{{Coding: "br", Level: 5, Encoder: "test", Size: int64(len(br)), Digest: manifest.Sum(br)}},
	}}}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return file(data, time.Time{})
}

func TestManifest(t *testing.T) {
	when := time.Unix(1700000000, 0)
	content, other := script("current"), script("replaced") // of another size
	sameSize := script("curreNt")
	br := encode(t, "br", content)
	flipped := bytes.Clone(br)
	flipped[len(flipped)/2] ^= 1
	tests := []struct {
		name   string
		source []byte
		files  fstest.MapFS
		coding string
		want   []string
	}{
		{"good", content, fstest.MapFS{"a.js.br": file(br, when.Add(-time.Hour))}, "br", nil},
		{"source edited", other, fstest.MapFS{"a.js.br": file(br, when)}, "", []string{"a.js: br: stale"}},
		{"one byte edited", sameSize, fstest.MapFS{"a.js.br": file(br, when)}, "", []string{"a.js: br: stale"}},
		{"variant damaged", content, fstest.MapFS{"a.js.br": file(flipped, when)}, "", []string{"a.js: br: damaged"}},
		{"variant cut", content, fstest.MapFS{"a.js.br": file(br[:9], when)}, "", []string{"a.js: br: damaged"}},
		{"variant missing", content, nil, "", []string{"a.js: br: missing"}},
		{"not listed", content, fstest.MapFS{"a.js.br": file(br, when), "a.js.gz": file(encode(t, "gzip", content), when)}, "br", []string{"a.js: gzip: foreign"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tree := fstest.MapFS{"a.js": file(tt.source, when), manifest.Name: record(t, "a.js", content, br)}
			for name, f := range tt.files {
				tree[name] = f
			}
			h := mustNew(t, tree, serve.Options{})
			wantSent(t, h, "/a.js", tt.coding, tt.source)
			if diff := cmp.Diff(tt.want, findings(t, h)); diff != "" {
				t.Error(diff)
			}
			if w := get(h, "/a.js.gz", "-"); w.Code != 404 {
				t.Errorf("a sibling can be asked for: %d", w.Code)
			}
		})
	}
}

// TestCheckOfSite: what is wrong with the conformance tree, with and without a
// manifest.
func TestCheckOfSite(t *testing.T) {
	want := []string{
		"bad.js: br: damaged", "bad.js: gzip: damaged", "stale.js: br: stale", "stale.js: gzip: stale", "window.js: zstd: window",
	}
	for _, kind := range kinds {
		for _, withManifest := range []bool{false, true} {
			got := findings(t, newSite(t, kind, withManifest, serve.Options{Decoders: decode.All()}))
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, manifest %v: %s", kind, withManifest, diff)
			}
		}
	}
}

func TestListedButLarger(t *testing.T) {
	content := []byte("tiny")
	br := encode(t, "br", content)
	h := mustNew(t, fstest.MapFS{
		"a.js": file(content, time.Time{}), "a.js.br": file(br, time.Time{}), manifest.Name: record(t, "a.js", content, br),
	}, serve.Options{})
	wantSent(t, h, "/a.js", "", content)
	if got := findings(t, h); !cmp.Equal(got, []string{"a.js: br: larger"}) {
		t.Error(got)
	}
}

// TestUnseenChange edits files in place, so that their state does not show it:
// no content may go out under the ETag of another.
func TestUnseenChange(t *testing.T) {
	one, two := script("one"), script("two")
	tree := fstest.MapFS{"a.js": file(bytes.Clone(one), time.Time{})}
	h := mustNew(t, tree, serve.Options{})
	a, err := h.Asset("a.js")
	if err != nil {
		t.Fatal(err)
	}
	copy(tree["a.js"].Data, two)
	if sri, err := a.SRI(); err == nil {
		t.Errorf("%s, of another content", sri)
	}
	w := get(h, "/a.js", "-")
	if want := `"` + manifest.Sum(two).String() + `"`; !bytes.Equal(w.Body.Bytes(), two) || w.Header().Get("ETag") != want {
		t.Errorf("ETag %s, want %s", w.Header().Get("ETag"), want)
	}
}

func TestVariantOnly(t *testing.T) {
	when := time.Unix(1700000000, 0)
	content, other := script("current"), script("previous")
	br, gz := encode(t, "br", content), encode(t, "gzip", content)
	both := fstest.MapFS{"a.js.br": file(br, when), "a.js.gz": file(gz, when)}
	listed := fstest.MapFS{"a.js.br": file(br, when), manifest.Name: record(t, "a.js", content, br)}
	wrong := fstest.MapFS{"a.js.br": file(encode(t, "br", other), when), manifest.Name: record(t, "a.js", content, br)}
	mixed := fstest.MapFS{"a.js.br": file(br, when), "a.js.gz": file(encode(t, "gzip", other), when.Add(-time.Hour))}
	only := serve.Options{VariantOnly: true}
	linked := serve.Options{VariantOnly: true, Decoders: decode.All()}
	tests := []struct {
		name     string
		tree     fstest.MapFS
		opts     serve.Options
		identity int // status for a client without codings
		coding   string
	}{
		{"gzip is built in", both, only, 200, "br"},
		{"no decoder", fstest.MapFS{"a.js.br": file(br, when)}, only, 406, "br"},
		{"decoder", fstest.MapFS{"a.js.br": file(br, when)}, linked, 200, "br"},
		{"listed", listed, linked, 200, "br"},
		{"listed, no decoder", listed, only, 406, "br"},
		{"listed as something else", wrong, linked, 406, ""},
		{"older one differs", mixed, linked, 200, "br"},
		{"not wanted", both, serve.Options{}, 404, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := mustNew(t, tt.tree, tt.opts)
			w := get(h, "/a.js", "identity")
			if w.Code != tt.identity {
				t.Errorf("without a coding: %d, want %d", w.Code, tt.identity)
			}
			if w.Code == 200 && !bytes.Equal(w.Body.Bytes(), content) {
				t.Error("the decoded content differs")
			}
			if !strings.Contains(w.Header().Get("Vary"), "Accept-Encoding") {
				t.Errorf("no Vary on a %d", w.Code)
			}
			if tt.coding != "" {
				wantSent(t, h, "/a.js", tt.coding, content)
				if get(h, "/a.js", tt.coding).Header().Get("ETag") == w.Header().Get("ETag") {
					t.Error("one ETag for two representations")
				}
				if w := get(h, "/a.js.br", "-"); w.Code != 404 {
					t.Errorf("the variant's file: %d", w.Code)
				}
			}
		})
	}
	if got := findings(t, mustNew(t, mixed, linked)); !cmp.Equal(got, []string{"a.js: gzip: stale"}) {
		t.Error(got)
	}
}

// TestDecodedStream is about an asset without a source that is too large to be
// kept in memory once it is decoded.
func TestDecodedStream(t *testing.T) {
	content := bytes.Repeat(script("large"), 500)
	h := mustNew(t, fstest.MapFS{"a.js.br": file(encode(t, "br", content), time.Time{})},
		serve.Options{VariantOnly: true, Decoders: decode.All()})
	w := get(h, "/a.js", "identity", "Range", "bytes=0-9")
	if w.Code != 200 || !bytes.Equal(w.Body.Bytes(), content) || w.Header().Get("Accept-Ranges") != "" {
		t.Errorf("%d, %d bytes, want %d", w.Code, w.Body.Len(), len(content))
	}
	f, err := h.FileSystem().Open("/a.js")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if got, err := io.ReadAll(f); err != nil || !bytes.Equal(got, content) {
		t.Errorf("%d bytes, %v", len(got), err)
	}
}
