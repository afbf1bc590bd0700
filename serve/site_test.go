package serve_test

import (
	"io/fs"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
	"github.com/precompress/precompress/testdata/conformance"
)

// kinds are the file systems that a tree is served from.
var kinds = []string{"Dir", "DirFS", "embed"}

// newSite returns a handler for the conformance tree in a file system of the
// given kind, with or without a manifest.
func newSite(t testing.TB, kind string, withManifest bool, opts serve.Options) *serve.Handler {
	t.Helper()
	tree, err := fs.Sub(conformance.Files, conformance.Tree)
	if err != nil {
		t.Fatal(err)
	}
	var record []byte
	if withManifest {
		record = siteManifest(t, tree)
	}
	var h *serve.Handler
	if kind == "embed" {
		if withManifest {
			tree = withFile{tree, manifest.Name, record}
		}
		h, err = serve.New(tree, opts)
	} else {
		dir := siteDirectory(t, record)
		if kind == "Dir" {
			h, err = serve.Dir(dir, opts)
		} else {
			h, err = serve.New(os.DirFS(dir), opts)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	return h
}

// siteDirectory copies the tree to a directory, with the times that a build leaves
// and the link that leads out of it.
func siteDirectory(t testing.TB, record []byte) string {
	t.Helper()
	base := t.TempDir()
	if err := os.CopyFS(base, conformance.Files); err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(base, conformance.Tree)
	if record != nil {
		if err := os.WriteFile(filepath.Join(dir, manifest.Name), record, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join("..", conformance.Beside, "secret.txt"), filepath.Join(dir, "link.txt")); err != nil {
		t.Logf("no link: %v", err)
	}
	built := time.Unix(1700000000, 0)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		when := built
		if strings.HasPrefix(e.Name(), "stale.js.") {
			when = built.Add(-time.Hour)
		}
		return os.Chtimes(path, when, when)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// siteManifest records the tree as a build would have, before stale.js was
// edited, bad.js.* were damaged and varonly.js was removed.
func siteManifest(t testing.TB, tree fs.FS) []byte {
	t.Helper()
	read := func(name string) []byte {
		data, err := fs.ReadFile(tree, name)
		if err != nil {
			data, err = conformance.Files.ReadFile(conformance.Beside + "/" + name)
		}
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	assets := map[string]*manifest.Asset{}
	var deltas []string
	err := fs.WalkDir(tree, ".", func(name string, e fs.DirEntry, err error) error {
		if _, _, _, ok := manifest.SplitDelta(name); ok {
			deltas = append(deltas, name)
		}
		source, coding, ok := manifest.SplitSuffix(name)
		if err != nil || !e.Type().IsRegular() || !ok || source == "bundle.tar" {
			return err
		}
		a := assets[source]
		if a == nil {
			data := read(source)
			if source == "stale.js" {
				data = []byte(strings.Repeat("before();\n", 150))
			}
			a = &manifest.Asset{Path: source, Size: int64(len(data)), Digest: manifest.Sum(data)}
			assets[source] = a
		}
		data := read(name)
		v := manifest.Variant{Coding: coding, Level: 1, Encoder: "test", Size: int64(len(data)), Digest: manifest.Sum(data)}
		if source == "bad.js" {
			v.Digest++
		}
		a.Variants = append(a.Variants, v)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range deltas {
		source, _, coding, _ := manifest.SplitDelta(name)
		data := read(name)
		assets[source].Match = "/" + source
		assets[source].Deltas = append(assets[source].Deltas, manifest.Delta{
			Variant:    manifest.Variant{Coding: coding, Level: 1, Encoder: "test", Size: int64(len(data)), Digest: manifest.Sum(data)},
			Dictionary: dictionaryHash(t), DictionarySize: int64(len(dictionaryContent(t))), Release: "earlier",
		})
	}
	assets["app.3f8a91c2d4.js"].Match, assets["app.3f8a91c2d4.js"].DictionaryID = "/app.*.js", `a "name"`
	m := &manifest.Manifest{}
	for _, a := range assets {
		m.Assets = append(m.Assets, *a)
	}
	data, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// withFile adds a file to a tree's root.
type withFile struct {
	fs.FS
	name string
	data []byte
}

func (w withFile) Open(name string) (fs.File, error) {
	if name == w.name {
		return fstest.MapFS{name: {Data: w.data, Mode: 0o644}}.Open(name)
	}
	return w.FS.Open(name)
}

// listen serves a handler on a free port until the test ends.
func listen(t testing.TB, h http.Handler) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: h}
	go s.Serve(l)
	t.Cleanup(func() { s.Close() })
	return l.Addr().String()
}

func TestConformance(t *testing.T) {
	cases := parseCases(t, conformance.Cases)
	for _, kind := range kinds {
		for _, withManifest := range []bool{false, true} {
			name := kind + "/siblings"
			if withManifest {
				name = kind + "/manifest"
			}
			t.Run(name, func(t *testing.T) { runCases(t, cases, kind, withManifest) })
		}
	}
}

func runCases(t *testing.T, cases []testCase, kind string, withManifest bool) {
	servers := map[string]string{} // by options
	for _, c := range cases {
		key := strings.Join(c.options, ", ")
		if slices.Contains(c.options, "fs embed") && kind != "embed" {
			continue
		}
		if slices.Contains(c.options, "manifest") && !withManifest {
			continue
		}
		if servers[key] == "" {
			servers[key] = listen(t, newSite(t, kind, withManifest, caseOptions(t, c)))
		}
		t.Run(c.name, func(t *testing.T) { runner{t, servers[key]}.run(c) })
	}
}

func caseOptions(t *testing.T, c testCase) serve.Options {
	opts := serve.Options{Decoders: decode.All()}
	for _, o := range c.options {
		word, rest, _ := strings.Cut(o, " ")
		switch word {
		case "fallback":
			opts.Fallback = rest
		case "not-found":
			opts.NotFound = rest
		case "variant-only":
			opts.VariantOnly = true
		case "immutable":
			opts.Immutable = serve.Fingerprinted
		case "strict":
			opts.Strict = true
		case "no-dictionaries":
			opts.NoDictionaries = true
		case "no-cache":
			opts.CacheControl = func(serve.Asset) string { return "no-cache" }
		case "fs", "manifest":
		default:
			t.Fatalf("unknown option %q", o)
		}
	}
	return opts
}
