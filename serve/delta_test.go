package serve_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"github.com/molecule-man/go-brrr"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

// TestConformanceDeltas: the tree's deltas are what the cases take them for.
func TestConformanceDeltas(t *testing.T) {
	dictionary, want := dictionaryContent(t), content(t, "app.js", "")
	dcb := content(t, "app.js", "dcb")
	r, err := brrr.NewReaderOptions(bytes.NewReader(dcb[36:]), brrr.ReaderOptions{Dictionaries: [][]byte{dictionary}})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := io.ReadAll(r); err != nil || !bytes.Equal(got, want) {
		t.Errorf("dcb decodes to %d bytes, %v", len(got), err)
	}
	dcz := content(t, "app.js", "dcz")
	z, err := zstd.NewReader(nil, zstd.WithDecoderDictRaw(0, dictionary))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	if got, err := z.DecodeAll(dcz, nil); err != nil || !bytes.Equal(got, want) { // with the skippable frame
		t.Errorf("dcz decodes to %d bytes, %v", len(got), err)
	}
}

// earlier is the dictionary of the deltas that these tests make up. Nothing
// decodes them.
var earlier = manifest.Dictionary(sha256.Sum256([]byte("earlier")))

func availableField(d manifest.Dictionary) string {
	return ":" + base64.StdEncoding.EncodeToString(d[:]) + ":"
}

// dcb returns a dcb file with some stream, dcz one with a frame of one raw
// block and a window of the given exponent, or as large as the content for 0.
func dcb(d manifest.Dictionary, stream string) []byte {
	return append(append([]byte("\xffDCB"), d[:]...), stream...)
}

func dcz(d manifest.Dictionary, exponent byte) []byte {
	b := append([]byte("\x5e\x2a\x4d\x18\x20\x00\x00\x00"), d[:]...)
	if exponent == 0 {
		b = append(b, 0x28, 0xb5, 0x2f, 0xfd, 0x20, 4) // a single segment of 4 bytes
	} else {
		b = append(b, 0x28, 0xb5, 0x2f, 0xfd, 0, (exponent-10)<<3)
	}
	header := binary.LittleEndian.AppendUint32(nil, 4<<3|1)
	return append(append(b, header[:3]...), "four"...)
}

// busy is content of which br makes no less than 2 kB.
func busy() []byte {
	var b []byte
	for i := range 100 {
		b = fmt.Appendf(b, "f(\"%x\");\n", sha256.Sum256([]byte{byte(i)}))
	}
	return b
}

// deltaTree is an asset with a br variant, one delta, and, if withManifest, a
// manifest that lists them as they are.
type deltaTree struct {
	source, br, delta []byte
	file              *fstest.MapFile
	coding            manifest.Coding
	withManifest      bool
	record            func(*manifest.Asset) // changes what the manifest says
}

func (d deltaTree) build(t *testing.T) fstest.MapFS {
	t.Helper()
	when := time.Unix(1700000000, 0)
	tree := fstest.MapFS{
		"a.js":    file(d.source, when),
		"a.js.br": file(d.br, when),
	}
	if d.file == nil {
		d.file = file(d.delta, when)
	}
	if d.delta != nil {
		tree[manifest.DeltaName("a.js", earlier, d.coding)] = d.file
	}
	if d.withManifest {
		a := manifest.Asset{Path: "a.js", Size: int64(len(d.source)), Digest: manifest.Sum(d.source), Match: "/a.js"}
		a.Variants = []manifest.Variant{{Coding: "br", Size: int64(len(d.br)), Digest: manifest.Sum(d.br)}}
		a.Deltas = []manifest.Delta{{
			Variant:    manifest.Variant{Coding: d.coding, Size: int64(len(d.delta)), Digest: manifest.Sum(d.delta)},
			Dictionary: earlier, Release: "v1",
		}}
		if d.record != nil {
			d.record(&a)
		}
		data, err := (&manifest.Manifest{Assets: []manifest.Asset{a}}).Encode()
		if err != nil {
			t.Fatal(err)
		}
		tree[manifest.Name] = file(data, when)
	}
	return tree
}

// TestDeltasInUse: which deltas are sent, and what Check says of the others.
func TestDeltasInUse(t *testing.T) {
	source := busy()
	br := encode(t, "br", source)
	good := dcb(earlier, "\x3b") // smaller than br
	other := earlier
	other[31]++
	const name = "dcb " // what stands before the short hash
	old := time.Unix(1600000000, 0)
	setDelta := func(set func(*manifest.Delta)) func(*manifest.Asset) {
		return func(a *manifest.Asset) { set(&a.Deltas[0]) }
	}
	tests := []struct {
		name   string
		tree   deltaTree
		coding string
		reason string // "" for no problem
	}{
		{"listed", deltaTree{delta: good, coding: "dcb", withManifest: true}, "dcb", ""},
		{"sibling", deltaTree{delta: good, coding: "dcb"}, "dcb", ""},
		{"listed dcz", deltaTree{delta: dcz(earlier, 0), coding: "dcz", withManifest: true}, "dcz", ""},
		{"sibling dcz", deltaTree{delta: dcz(earlier, 0), coding: "dcz"}, "dcz", ""},
		{"sibling without times", deltaTree{delta: good, coding: "dcb", file: file(good, time.Time{})}, "dcb", ""},
		{"older sibling", deltaTree{delta: good, coding: "dcb", file: file(good, old)}, "br", "stale"},
		{"older, but listed", deltaTree{delta: good, coding: "dcb", file: file(good, old), withManifest: true}, "dcb", ""},
		{"source was edited", deltaTree{delta: good, coding: "dcb", withManifest: true, record: func(a *manifest.Asset) { a.Digest++ }}, "", "stale"},
		{"marked stale", deltaTree{delta: good, coding: "dcb", withManifest: true, record: setDelta(func(d *manifest.Delta) { d.Stale = true })}, "br", "foreign"},
		{"omitted", deltaTree{delta: good, coding: "dcb", withManifest: true, record: setDelta(func(d *manifest.Delta) { d.Omitted = "larger" })}, "br", "foreign"},
		{"not listed", deltaTree{delta: good, coding: "dcb", withManifest: true, record: func(a *manifest.Asset) { a.Deltas = nil }}, "br", "foreign"},
		{"other bytes", deltaTree{delta: good, coding: "dcb", withManifest: true, record: setDelta(func(d *manifest.Delta) { d.Digest++ })}, "br", "damaged"},
		{"other size", deltaTree{delta: good, coding: "dcb", withManifest: true, record: setDelta(func(d *manifest.Delta) { d.Size++ })}, "br", "damaged"},
		{"header of another dictionary", deltaTree{delta: dcb(other, "x"), coding: "dcb", withManifest: true}, "br", "damaged"},
		{"record of another dictionary", deltaTree{delta: good, coding: "dcb", withManifest: true, record: setDelta(func(d *manifest.Delta) { d.Dictionary = other })}, "br", "damaged"},
		{"sibling of another dictionary", deltaTree{delta: dcb(manifest.Dictionary{1}, "x"), coding: "dcb"}, "br", "damaged"},
		{"sibling with another end of the hash", deltaTree{delta: dcb(other, "x"), coding: "dcb"}, "br", ""},
		{"no header", deltaTree{delta: []byte("something else, long enough to be a delta by its size"), coding: "dcb"}, "br", "damaged"},
		{"header of the other coding", deltaTree{delta: dcz(earlier, 0), coding: "dcb"}, "br", "damaged"},
		{"no header, but the hash", deltaTree{delta: append([]byte("\xffDCX"), good[4:]...), coding: "dcb"}, "br", "damaged"},
		{"cut header", deltaTree{delta: good[:35], coding: "dcb"}, "br", "damaged"},
		{"header alone", deltaTree{delta: good[:36], coding: "dcb"}, "br", "damaged"},
		{"dcz header alone", deltaTree{delta: dcz(earlier, 0)[:40], coding: "dcz"}, "br", "damaged"},
		{"cut dcz", deltaTree{delta: dcz(earlier, 0)[:50], coding: "dcz"}, "br", "damaged"},
		{"empty", deltaTree{delta: []byte{}, coding: "dcb"}, "br", "damaged"},
		{"larger than the source", deltaTree{delta: dcb(earlier, string(source)), coding: "dcb"}, "br", "larger"},
		{"larger than the source, listed", deltaTree{delta: dcb(earlier, string(source)), coding: "dcb", withManifest: true}, "br", "larger"},
		{"larger than br", deltaTree{delta: dcb(earlier, "\x3b"+strings.Repeat("x", len(br))), coding: "dcb"}, "br", ""},
		{"large brotli window", deltaTree{delta: dcb(earlier, "\x11"), coding: "dcb", withManifest: true}, "br", "window"},
		{"8 MiB", deltaTree{delta: dcz(earlier, 23), coding: "dcz"}, "dcz", ""},
		{"16 MiB", deltaTree{delta: dcz(earlier, 24), coding: "dcz"}, "br", "window"},
		{"16 MiB, dictionary of unknown size", deltaTree{delta: dcz(earlier, 24), coding: "dcz", withManifest: true}, "br", "window"},
		{"16 MiB for 12 MiB", deltaTree{delta: dcz(earlier, 24), coding: "dcz", withManifest: true, record: setDelta(func(d *manifest.Delta) { d.DictionarySize = 12 << 20 })}, "br", "window"},
		{"16 MiB for 13 MiB", deltaTree{delta: dcz(earlier, 24), coding: "dcz", withManifest: true, record: setDelta(func(d *manifest.Delta) { d.DictionarySize = 13 << 20 })}, "dcz", ""},
		{"128 MiB", deltaTree{delta: dcz(earlier, 27), coding: "dcz", withManifest: true, record: setDelta(func(d *manifest.Delta) { d.DictionarySize = manifest.MaxSize })}, "dcz", ""},
		{"256 MiB", deltaTree{delta: dcz(earlier, 28), coding: "dcz", withManifest: true, record: setDelta(func(d *manifest.Delta) { d.DictionarySize = manifest.MaxSize })}, "br", "window"},
		{"missing", deltaTree{coding: "dcb", withManifest: true}, "br", "missing"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.tree.source, tt.tree.br = source, br
			h := mustNew(t, tt.tree.build(t), serve.Options{Decoders: decode.All()})
			w := get(h, "/a.js", "br, dcb, dcz", "Available-Dictionary", availableField(earlier))
			if got := w.Header().Get("Content-Encoding"); w.Code != 200 || got != tt.coding {
				t.Errorf("%d, %q, want %q", w.Code, got, tt.coding)
			}
			if tt.coding == string(tt.tree.coding) && !bytes.Equal(w.Body.Bytes(), tt.tree.delta) {
				t.Error("the body is not the delta")
			}
			var want []string
			if tt.reason != "" {
				want = []string{"a.js: " + strings.Replace(name, "dcb", string(tt.tree.coding), 1) + earlier.Short() + ": " + tt.reason}
			}
			if tt.name == "source was edited" {
				want = append([]string{"a.js: br: stale"}, want...)
			}
			if diff := cmp.Diff(want, findings(t, h)); diff != "" {
				t.Error(diff)
			}
			if w := get(h, "/"+manifest.DeltaName("a.js", earlier, tt.tree.coding), "-"); w.Code != 404 {
				t.Errorf("the delta's own name: %d", w.Code)
			}
		})
	}
}

// TestDeltaNames: a file belongs to nobody without its asset, and what is named
// after a variant's file belongs to nothing that is served.
func TestDeltaNames(t *testing.T) {
	tree := fstest.MapFS{
		"dir/x.0123456789abcdef.dcb":                     file([]byte("an ordinary file"), time.Time{}),
		"a.js":                                           file(script("a"), time.Time{}),
		"a.js.0123456789abcdef.dcb":                      file([]byte("hidden"), time.Time{}),
		"a.js.0123456789abcdef.dcb.br":                   file([]byte("hidden"), time.Time{}),
		"a.js.0123456789abcdef.dcb.fedcba9876543210.dcz": file([]byte("hidden"), time.Time{}),
		"a.js.0123456789ABCDEF.dcb":                      file([]byte("ordinary: upper case"), time.Time{}),
		"a.js.br":                                        file(encode(t, "br", script("a")), time.Time{}),
		"a.js.br.gz":                                     file([]byte("hidden"), time.Time{}),
		"a.js.br.0123456789abcdef.dcb":                   file([]byte("hidden"), time.Time{}),
		"o.js.br":                                        file(encode(t, "br", script("o")), time.Time{}),
		"o.js.0123456789abcdef.dcb":                      file([]byte("hidden if o.js is an asset"), time.Time{}),
	}
	h := mustNew(t, tree, serve.Options{Decoders: decode.All()})
	variantOnly := mustNew(t, tree, serve.Options{Decoders: decode.All(), VariantOnly: true})
	for name := range tree {
		w := get(h, "/"+name, "br, dcb, gzip", "Available-Dictionary", availableField(earlier))
		hidden := string(tree[name].Data) == "hidden" || name == "a.js.br"
		if hidden != (w.Code == 404) {
			t.Errorf("%s: %d", name, w.Code)
		}
		if w := get(variantOnly, "/"+name, "-"); name[0] == 'o' && w.Code != 404 {
			t.Errorf("variant-only: %s: %d", name, w.Code)
		}
	}
	directory, err := h.FileSystem().Open("/")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := directory.Readdir(-1)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	want := []string{"a.js", "a.js.0123456789ABCDEF.dcb", "dir", "o.js.0123456789abcdef.dcb", "o.js.br"}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Error(diff)
	}
}

// TestVariantOnlyDeltas: the deltas of an asset without a source.
func TestVariantOnlyDeltas(t *testing.T) {
	source := busy()
	for _, withManifest := range []bool{false, true} {
		tree := deltaTree{source: source, br: encode(t, "br", source), delta: dcb(earlier, "\x3b"), coding: "dcb", withManifest: withManifest}.build(t)
		delete(tree, "a.js")
		h := mustNew(t, tree, serve.Options{Decoders: decode.All(), VariantOnly: true})
		for accept, want := range map[string]string{"br, dcb": "dcb", "br": "br", "identity": "", "dcb;q=0": ""} {
			w := get(h, "/a.js", accept, "Available-Dictionary", availableField(earlier))
			if got := w.Header().Get("Content-Encoding"); w.Code != 200 || got != want || w.Header().Get("Vary") != "Accept-Encoding, Available-Dictionary" {
				t.Errorf("manifest %v: %q: %d, %v", withManifest, accept, w.Code, w.Header())
			}
		}
		delete(tree, "a.js.br")
		if !withManifest {
			continue
		}
		h = mustNew(t, tree, serve.Options{VariantOnly: true})
		if w := get(h, "/a.js", "br, dcb", "Available-Dictionary", availableField(earlier)); w.Code != 200 || w.Header().Get("Content-Encoding") != "dcb" {
			t.Errorf("a delta alone: %d, %v", w.Code, w.Header())
		}
		if w := get(h, "/a.js", "br, dcb"); w.Code != 406 || w.Header().Get("Vary") != "Accept-Encoding, Available-Dictionary" {
			t.Errorf("a delta alone, for others: %d, %v", w.Code, w.Header())
		}
		if w := get(mustNew(t, tree, serve.Options{}), "/"+manifest.DeltaName("a.js", earlier, "dcb"), "-"); w.Code != 404 {
			t.Errorf("an orphan that is listed: %d", w.Code)
		}
		if w := get(mustNew(t, tree, serve.Options{}), "/a.js", "dcb", "Available-Dictionary", availableField(earlier)); w.Code != 404 {
			t.Errorf("an asset without a source, which nobody asked for: %d", w.Code)
		}
	}
}

func TestOpenVariantWith(t *testing.T) {
	h := newSite(t, "Dir", true, serve.Options{})
	hash := dictionaryHash(t)
	asset, err := h.Asset("app.js")
	if err != nil {
		t.Fatal(err)
	}
	if len(asset.Deltas) != 2 || asset.Match != "/app.js" {
		t.Fatalf("%+v", asset)
	}
	for i, c := range manifest.DeltaCodings() {
		d, want := asset.Deltas[i], content(t, "app.js", string(c))
		if d.Coding != c || d.Dictionary != hash || d.Release != "earlier" || d.Size != int64(len(want)) || d.Digest != manifest.Sum(want) {
			t.Errorf("%+v", d)
		}
		f, err := h.FileSystem().OpenVariantWith("/app.js", []string{"br, " + string(c)}, hash)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if err != nil || !bytes.Equal(got, want) || f.Coding != c || f.ETag != d.ETag || f.Size != d.Size {
			t.Errorf("%s: %d bytes, %v, %+v", c, len(got), err, f)
		}
		f.Close()
	}
	for _, d := range []manifest.Dictionary{{}, {1}} {
		f, err := h.FileSystem().OpenVariantWith("app.js", []string{"br, dcb"}, d)
		if err != nil {
			t.Fatal(err)
		}
		if f.Coding != "br" {
			t.Errorf("%s: %s", d, f.Coding)
		}
		f.Close()
	}
	if _, err := h.FileSystem().OpenVariantWith("none.js", nil, hash); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestPageOfA404 says nothing of dictionaries: it is about another name.
func TestPageOfA404(t *testing.T) {
	source := busy()
	tree := deltaTree{source: source, br: encode(t, "br", source), delta: dcb(earlier, "\x3b"), coding: "dcb", withManifest: true}
	lasting := func(serve.Asset) string { return "max-age=60" }
	h := mustNew(t, tree.build(t), serve.Options{NotFound: "a.js", CacheControl: lasting})
	if w := get(h, "/a.js", "br"); w.Header().Get("Use-As-Dictionary") != `match="/a.js"` {
		t.Errorf("the page by its own name: %v", w.Header())
	}
	w := get(h, "/none", "br, dcb", "Available-Dictionary", availableField(earlier))
	if w.Code != 404 || w.Header().Get("Use-As-Dictionary") != "" || w.Header().Get("Vary") != "Accept-Encoding, Available-Dictionary" {
		t.Errorf("%d, %v", w.Code, w.Header())
	}
}

// TestNegotiateDeltas: only by name.
func TestNegotiateDeltas(t *testing.T) {
	offers := []serve.Offer{{Size: 300}, {Coding: "br", Size: 80}, {Coding: "dcb", Size: 8}, {Coding: "dcz", Size: 9}}
	for accept, want := range map[string]string{
		"none": "", "": "", "*": "br", "*;q=0": "-", "dcb": "dcb", "dcz, dcb": "dcb", "DCZ": "dcz", "dcb;q=0, *": "br", "*, dcz;q=0.5": "br",
		"dcz, *;q=0.5": "dcz", "dcb;q=0, br": "br", "br, dcb;q=0.999": "br", "x-dcb, br": "br", "dcb, dcb;q=0, br;q=0.1": "br",
	} {
		got := "-"
		if i, ok := serve.Negotiate(acceptLines(accept), offers); ok {
			got = string(offers[i].Coding)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", accept, got, want)
		}
	}
	if _, ok := serve.Negotiate(nil, offers[2:]); ok {
		t.Error("a delta was chosen for a client that has said nothing")
	}
}

// TestDeltasOfOneDictionary: each client gets the delta of its own dictionary.
func TestDeltasOfOneDictionary(t *testing.T) {
	source := busy()
	tree := fstest.MapFS{
		"a.js":    file(source, time.Time{}),
		"a.js.br": file(encode(t, "br", source), time.Time{}),
		"a.js.gz": file(encode(t, "gzip", source), time.Time{}),
	}
	bodies := map[manifest.Dictionary][]byte{}
	for i := range 20 {
		d := manifest.Dictionary(sha256.Sum256([]byte{byte(i)}))
		bodies[d] = dcb(d, strings.Repeat("\x3b", 1+i%3))
		tree[manifest.DeltaName("a.js", d, "dcb")] = file(bodies[d], time.Time{})
	}
	h := mustNew(t, tree, serve.Options{})
	tags := map[string]bool{}
	for d, body := range bodies {
		w := get(h, "/a.js", "dcb", "Available-Dictionary", availableField(d))
		if !bytes.Equal(w.Body.Bytes(), body) {
			t.Errorf("%s: another body", d)
		}
		tags[w.Header().Get("ETag")] = true
	}
	if len(tags) != len(bodies) {
		t.Errorf("%d ETags for %d deltas", len(tags), len(bodies))
	}
	if w := get(h, "/a.js", "dcb", "Available-Dictionary", availableField(earlier)); w.Code != http.StatusOK || w.Header().Get("Content-Encoding") != "" {
		t.Errorf("an unknown dictionary: %d, %v", w.Code, w.Header())
	}
}
