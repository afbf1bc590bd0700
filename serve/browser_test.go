package serve_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/testneeds"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

// browserPage waits until everything it refers to is in use.
const browserPage = `<!doctype html>
<title>loading</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="style.css">
<p style="font-family: Squares">ABC</p>
<img src="drawing.svg">
<script src="app.js"></script>
<script>
addEventListener("load", async () => {
	try {
		const module = await WebAssembly.instantiateStreaming(fetch("module.wasm"));
		const fonts = await document.fonts.load("20px Squares", "A");
		const ok = module.instance.exports.answer() === 42 && fonts.length === 1 && fonts[0].status === "loaded" &&
			appLoaded && document.images[0].naturalWidth === 40 && getComputedStyle(document.body).color === "rgb(1, 2, 3)";
		document.title = ok ? "ok" : "something did not work";
	} catch (e) {
		document.title = "failed: " + e;
	}
});
</script>
`

// browserSite returns the page and its parts, each with all three variants.
func browserSite(t *testing.T) fstest.MapFS {
	// (module (func (export "answer") (result i32) i32.const 42)), and a custom
	// section to make it worth compressing
	wasm := []byte("\x00asm\x01\x00\x00\x00" + "\x01\x05\x01\x60\x00\x01\x7f" + "\x03\x02\x01\x00" +
		"\x07\x0a\x01\x06answer\x00\x00" + "\x0a\x06\x01\x04\x00\x41\x2a\x0b" + "\x00\xe8\x07\x04note")
	wasm = append(wasm, bytes.Repeat([]byte("x"), 1000-5)...)
	pad := strings.Repeat("/* a comment of some length */\n", 60)
	files := map[string][]byte{
		"index.html":  []byte(browserPage + "<!--" + pad + "-->"),
		"style.css":   []byte(pad + `@font-face { font-family: Squares; src: url(squares.ttf) } body { color: rgb(1, 2, 3) }`),
		"app.js":      []byte(pad + "var appLoaded = true;\n"),
		"module.wasm": wasm,
		"drawing.svg": []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30">` + strings.Repeat(`<circle r="9"/>`, 99) + `</svg>`),
		"squares.ttf": testFont(),
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	tree := fstest.MapFS{}
	when := time.Unix(1700000000, 0)
	for name, data := range files {
		tree[name] = file(data, when)
		tree[name+".br"] = file(encode(t, "br", data), when)
		tree[name+".gz"] = file(encode(t, "gzip", data), when)
		tree[name+".zst"] = file(encoder.EncodeAll(data, nil), when)
	}
	return tree
}

// timing is what the browser says of a resource.
type timing struct {
	Name     string `json:"name"`
	Encoded  int64  `json:"encodedBodySize"`
	Decoded  int64  `json:"decodedBodySize"`
	Transfer int64  `json:"transferSize"`
	Status   int    `json:"responseStatus"`
	Coding   string `json:"contentEncoding"`
}

// findBrowser returns Chromium's path, or skips the test.
func findBrowser(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			testneeds.Long(t, "starts a browser")
			return found
		}
	}
	t.Skip("needs chromium: not found on PATH")
	return ""
}

// TestBrowser loads a page in Chromium, over TLS and in the clear.
func TestBrowser(t *testing.T) {
	program := findBrowser(t)
	tree := browserSite(t)
	for _, tls := range []bool{true, false} {
		t.Run(fmt.Sprintf("tls=%v", tls), func(t *testing.T) { runBrowser(t, program, tree, tls) })
	}
}

func runBrowser(t *testing.T, program string, tree fstest.MapFS, tls bool) {
	log := &browserLog{statuses: map[string]int{}}
	h := mustNew(t, tree, serve.Options{Decoders: decode.All(), Observe: log.observe})
	s := httptest.NewUnstartedServer(h)
	defer s.Close()
	if tls {
		s.EnableHTTP2 = true
		s.StartTLS()
	} else {
		s.Start()
	}
	ctx, cancel := newBrowser(t, program, s.Certificate())
	defer cancel()
	visit := func(action chromedp.Action[chromedp.Void]) []timing {
		t.Helper()
		if _, err := chromedp.Run(ctx, action); err != nil {
			t.Fatal(err)
		}
		title, err := chromedp.Run(ctx, chromedp.Poll[string](
			`document.title !== "loading" ? document.title : null`, chromedp.WithPollingTimeout(time.Minute)))
		if err != nil || title != "ok" {
			t.Fatalf("the page says %q, %v", title, err)
		}
		all, err := chromedp.Run(ctx, chromedp.Evaluate[[]timing](
			`[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")].map(e => e.toJSON())`))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	first := visit(chromedp.Navigate(s.URL + "/"))
	if got := checkTimings(t, tree, log, first); got != 6 {
		t.Errorf("%d resources, want 6: %+v", got, first)
	}
	log.clear()
	visit(chromedp.Reload()) // the sizes that it tells of validated resources are 0
	for name, status := range log.clear() {
		if status != http.StatusNotModified {
			t.Errorf("%s was sent again, with %d", name, status)
		}
	}
}

// checkTimings checks that each resource came, or comes from the cache, in the
// smallest coding, and counts them.
func checkTimings(t *testing.T, tree fstest.MapFS, log *browserLog, all []timing) (n int) {
	t.Helper()
	for _, e := range all {
		name := path.Base(e.Name)
		if _, ok := tree[name]; !ok {
			name = "index.html"
		}
		coding := manifest.Brotli
		for _, c := range manifest.Codings() {
			if len(tree[name+c.Suffix()].Data) < len(tree[name+coding.Suffix()].Data) {
				coding = c
			}
		}
		encoded, decoded := int64(len(tree[name+coding.Suffix()].Data)), int64(len(tree[name].Data))
		if e.Encoded != encoded || e.Decoded != decoded {
			t.Errorf("%s: %d bytes, decoded %d, want %d and %d in %s", name, e.Encoded, e.Decoded, encoded, decoded, coding)
		}
		if e.Coding != "" && e.Coding != string(coding) {
			t.Errorf("%s: came as %s, want %s", name, e.Coding, coding)
		}
		if e.Status != 200 {
			t.Errorf("%s: status %d", name, e.Status)
		}
		if sent := log.coding(name); sent != "" && sent != coding {
			t.Errorf("%s: was sent as %s, want %s", name, sent, coding)
		}
		n++
	}
	return n
}

// browserLog collects what the handler has answered.
type browserLog struct {
	mu       sync.Mutex
	statuses map[string]int
	codings  map[string]manifest.Coding
}

func (l *browserLog) observe(e serve.Event) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.statuses[e.Asset] = e.Status
	if l.codings == nil {
		l.codings = map[string]manifest.Coding{}
	}
	l.codings[e.Asset] = e.Coding
}

func (l *browserLog) coding(name string) manifest.Coding {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.codings[name]
}

func (l *browserLog) clear() map[string]int {
	l.mu.Lock()
	defer l.mu.Unlock()
	old := l.statuses
	l.statuses, l.codings = map[string]int{}, nil
	return old
}

// newBrowser starts a browser that trusts the certificate, if there is one, as
// if it were in order: what comes with a faulty one is not cached.
func newBrowser(t *testing.T, program string, trusted *x509.Certificate) (context.Context, context.CancelFunc) {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir()))
	if trusted != nil {
		key := sha256.Sum256(trusted.RawSubjectPublicKeyInfo)
		options = append(options, chromedp.Flag("ignore-certificate-errors-spki-list", base64.StdEncoding.EncodeToString(key[:])))
	}
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	ctx, cancelAllocator := chromedp.NewExecAllocator(ctx, options...)
	ctx, cancelBrowser := chromedp.NewContext(ctx)
	return ctx, func() {
		cancelBrowser()
		cancelAllocator()
		cancel()
	}
}
