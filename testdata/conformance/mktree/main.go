// Command mktree writes the files for the conformance cases. mktree DIR writes
// DIR/tree, which is served, and DIR/beside, which must never be. Every run writes
// the same contents.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/testdata/conformance"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: mktree DIR")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "mktree:", err)
		os.Exit(1)
	}
}

func run(dir string) error {
	t := &maker{dir: dir, rnd: rand.New(rand.NewPCG(1, 2))}
	t.pages()
	t.scripts()
	t.oddNames()
	t.damaged()
	t.hidden()
	return t.err
}

// maker writes files, and nothing more after the first error.
type maker struct {
	dir string
	rnd *rand.Rand
	err error
}

func (t *maker) pages() {
	page := func(title string) string {
		return "<!doctype html><title>" + title + "</title>\n" + strings.Repeat("<p>One more line of a page.</p>\n", 50)
	}
	t.variants("tree/index.html", page("front"), "br gz")
	t.variants("tree/dir/index.html", page("folder"), "br gz")
	t.variants("tree/404.html", page("nothing here"), "br")
	t.variants("tree/style.css", strings.Repeat("main { margin: 0 auto }\n", 90), "br gz")
	t.variants("tree/noext", strings.Repeat("Text in a file whose name has no extension.\n", 40), "br gz")
	t.file("tree/plain.txt", strings.Repeat("There are no variants of this.\n", 30))
	t.file("tree/empty.txt", "")
	t.file("tree/nodir/readme.txt", "a folder without a page\n")
	t.file("tree/vdir.js/inside.txt", "a folder with the name of a script\n")
	t.file("tree/.well-known/security.txt", "Contact: mailto:security@example.org\n")
}

func (t *maker) scripts() {
	app := t.script(9000)
	t.variants("tree/app.js", app, "br gz zst")
	t.deltas("app.js", app, earlier(app))
	t.variants("tree/big.js", t.script(115000), "br gz")
	t.variants("tree/onlygz.js", t.script(4000), "gz")
	t.variants("tree/onlybr.js", t.script(4000), "br")
	t.variants("tree/app.3f8a91c2d4.js", t.script(3000), "br gz")
	t.variants("tree/varonly.js", t.script(3000), "br gz")
	t.move("tree/varonly.js", "beside/varonly.js")
}

func (t *maker) oddNames() {
	for _, name := range []string{"sp ace.js", "a+b.js", "dot..dot.js"} {
		t.variants("tree/"+name, t.script(2000), "br gz")
	}
	t.file("tree/dirvar.js", t.script(1000))
	t.file("tree/dirvar.js.br/inside.txt", "a folder with the name of a variant\n")
	t.file("tree/bundle.tar.gz", string(encode("gz", strings.Repeat("not really a tar\n", 50))))
}

// damaged writes variants that must not be sent.
func (t *maker) damaged() {
	t.variants("tree/stale.js", strings.Repeat("before();\n", 150), "br gz")
	t.file("tree/stale.js", strings.Repeat("after();\n", 150))
	t.file("tree/bad.js", t.script(2000))
	t.file("tree/bad.js.br", "this is no brotli stream")
	t.file("tree/bad.js.gz", "\x1f\x8b this is no gzip stream")
	window := t.script(3000)
	t.file("tree/window.js", window)
	t.file("tree/window.js.br", string(encode("br", window)))
	t.file("tree/window.js.zst", string(widen(encode("zst", window))))
}

// hidden writes files that must not be sent.
func (t *maker) hidden() {
	t.file("tree/.env", "FOR_NOBODY=to see\n")
	t.file("tree/.precompress-1.tmp", "half a vari")
	t.file("beside/secret.txt", "outside of the tree\n")
}

// script returns about n bytes that compress like a script.
func (t *maker) script(n int) string {
	word := func() string {
		b := make([]byte, 2+t.rnd.IntN(8))
		for i := range b {
			b[i] = byte('a' + t.rnd.IntN(26))
		}
		return string(b)
	}
	words := make([]string, 600)
	for i := range words {
		words[i] = word()
	}
	pick := func() string { return words[t.rnd.IntN(len(words))] }
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "const %s = (%s) => %s.%s(%d);\n", pick(), pick(), pick(), pick(), t.rnd.IntN(10000))
	}
	return b.String()
}

// variants writes a file and its variants with the given suffixes.
func (t *maker) variants(name, content, suffixes string) {
	t.file(name, content)
	for suffix := range strings.FieldsSeq(suffixes) {
		t.file(name+"."+suffix, string(encode(suffix, content)))
	}
}

// earlier returns an earlier release of a script: one line in ten is different.
func earlier(script string) string {
	lines := strings.SplitAfter(script, "\n")
	for i := 3; i < len(lines); i += 10 {
		lines[i] = "const before" + strings.TrimPrefix(lines[i], "const ")
	}
	return strings.Join(lines, "")
}

// deltas writes both deltas of a file in tree, and their dictionary in beside.
func (t *maker) deltas(name, content, dictionary string) {
	t.file("beside/earlier."+name, dictionary)
	hash := sha256.Sum256([]byte(dictionary))
	for _, c := range manifest.DeltaCodings() {
		delta, err := conformance.EncodeDelta(c, []byte(content), []byte(dictionary))
		if t.err == nil {
			t.err = err
		}
		t.file("tree/"+manifest.DeltaName(name, hash, c), string(delta))
	}
}

func (t *maker) file(name, content string) {
	if t.err != nil {
		return
	}
	name = filepath.Join(t.dir, filepath.FromSlash(name))
	if t.err = os.MkdirAll(filepath.Dir(name), 0o755); t.err == nil {
		t.err = os.WriteFile(name, []byte(content), 0o644)
	}
}

func (t *maker) move(from, to string) {
	if t.err != nil {
		return
	}
	to = filepath.Join(t.dir, filepath.FromSlash(to))
	if t.err = os.MkdirAll(filepath.Dir(to), 0o755); t.err == nil {
		t.err = os.Rename(filepath.Join(t.dir, filepath.FromSlash(from)), to)
	}
}

// encode returns the content with the coding of a suffix. It ignores errors: the
// options are valid, and writing to memory does not fail.
func encode(how, content string) []byte {
	var b bytes.Buffer
	var w io.WriteCloser
	switch how {
	case "br":
		w = brotli.NewWriterLevel(&b, brotli.BestCompression)
	case "gz":
		w, _ = gzip.NewWriterLevel(&b, gzip.BestCompression)
	case "zst":
		w, _ = zstd.NewWriter(&b, zstd.WithEncoderLevel(zstd.SpeedBestCompression))
	}
	io.WriteString(w, content)
	w.Close()
	return b.Bytes()
}

// widen returns a single-segment zstd frame, whose window is its content size, with
// a window of 16 MiB instead (RFC 8878, section 3.1.1.1).
func widen(frame []byte) []byte {
	const descriptor, singleSegment, exponent = 4, 0x20, 24 - 10
	wide := append([]byte(nil), frame[:descriptor]...)
	wide = append(wide, frame[descriptor]&^singleSegment, exponent<<3)
	return append(wide, frame[descriptor+1:]...)
}
