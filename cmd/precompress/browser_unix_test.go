//go:build unix

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/precompress/precompress/internal/testneeds"
	"github.com/precompress/precompress/manifest"
)

// TestBrowserReleases: a visitor who holds one release of a site loads the next
// one's assets as deltas, from precompress serve.
func TestBrowserReleases(t *testing.T) {
	program := findBrowser(t)
	t.Run("both", func(t *testing.T) { visitReleases(t, program, nil, manifest.DCB, manifest.DCZ) })
	for _, c := range manifest.DeltaCodings() {
		t.Run(string(c), func(t *testing.T) { visitReleases(t, program, []string{"--deltas", string(c)}, c) })
	}
}

// visitReleases builds with the flags, which make deltas in the given codings.
func visitReleases(t *testing.T, program string, flags []string, codings ...manifest.Coding) {
	d := &deployment{t: t, dir: filepath.Join(t.TempDir(), "dist")}
	store := append([]string{"--releases", filepath.Join(t.TempDir(), "store")}, flags...)
	d.build(1, store...)
	d.serve()
	visitor := d.visitor(program)

	loaded := visitor.goes(chromedp.Navigate(d.url), 1)
	d.check(loaded, "assets/app-781ca4b7.js", d.variant("assets/app-781ca4b7.js"))
	d.check(loaded, "assets/style-516d6b68.css", d.variant("assets/style-516d6b68.css"))
	visitor.awaitOffer("assets/app-0000000a.js", content(t, 1, "assets/app-781ca4b7.js"))
	visitor.awaitOffer("assets/style-0000000a.css", content(t, 1, "assets/style-516d6b68.css"))

	d.build(2, store...)
	d.reload()
	loaded = visitor.goes(chromedp.Reload(), 2)
	d.check(loaded, "assets/app-e8667ee4.js", d.delta("assets/app-e8667ee4.js", content(t, 1, "assets/app-781ca4b7.js"), codings))
	d.check(loaded, "assets/style-cfeefba0.css", d.delta("assets/style-cfeefba0.css", content(t, 1, "assets/style-516d6b68.css"), codings))
	visitor.hasWhole("assets/app-e8667ee4.js", content(t, 2, "assets/app-e8667ee4.js"))
	visitor.hasWhole("assets/style-cfeefba0.css", content(t, 2, "assets/style-cfeefba0.css"))
	visitor.awaitOffer("assets/app-0000000b.js", content(t, 2, "assets/app-e8667ee4.js"))

	// Somebody who was never here holds nothing.
	loaded = d.visitor(program).goes(chromedp.Navigate(d.url), 2)
	d.check(loaded, "assets/app-e8667ee4.js", d.variant("assets/app-e8667ee4.js"))
	d.check(loaded, "assets/style-cfeefba0.css", d.variant("assets/style-cfeefba0.css"))

	// There are deltas, but not from what the visitor holds.
	d.build(3, append([]string{"--previous", "../../testdata/releases/1"}, flags...)...)
	d.delta("assets/app-4c2827e2.js", content(t, 1, "assets/app-781ca4b7.js"), codings) // it is there
	d.reload()
	loaded = visitor.goes(chromedp.Reload(), 3)
	d.check(loaded, "assets/app-4c2827e2.js", d.variant("assets/app-4c2827e2.js"))
}

// content returns a file of one of the releases in testdata.
func content(t *testing.T, release int, name string) string {
	t.Helper()
	return read(t, fmt.Sprint("../../testdata/releases/", release), name)
}

// deployment is a site that precompress serve serves behind a proxy that looks
// at requests and answers.
type deployment struct {
	t      *testing.T
	dir    string
	server *server
	url    string

	mu      sync.Mutex
	offers  map[string]string // path: Available-Dictionary of the last request
	codings map[string]string // path: Content-Encoding of the last answer
}

// build replaces the tree with a release.
func (d *deployment) build(release int, flags ...string) {
	d.t.Helper()
	if err := os.RemoveAll(d.dir); err != nil {
		d.t.Fatal(err)
	}
	if err := os.CopyFS(d.dir, os.DirFS(fmt.Sprint("../../testdata/releases/", release))); err != nil {
		d.t.Fatal(err)
	}
	var printed bytes.Buffer
	if code := run(d.t.Context(), append(flags, d.dir), &printed, &printed); code != exitDone {
		d.t.Fatalf("exit code %d: %s", code, printed.String())
	}
}

func (d *deployment) serve() {
	d.t.Helper()
	d.server = startServer(d.t, d.dir)
	target, err := url.Parse(d.server.url)
	if err != nil {
		d.t.Fatal(err)
	}
	d.offers, d.codings = map[string]string{}, map[string]string{}
	proxy := &httputil.ReverseProxy{
		Transport: &http.Transport{DisableCompression: true},
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			d.mu.Lock()
			defer d.mu.Unlock()
			d.offers[r.In.URL.Path] = r.In.Header.Get("Available-Dictionary")
		},
		ModifyResponse: func(r *http.Response) error {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.codings[r.Request.URL.Path] = r.Header.Get("Content-Encoding")
			return nil
		},
	}
	front := httptest.NewServer(proxy)
	d.t.Cleanup(front.Close)
	d.url = front.URL + "/"
}

// reload has the server look at the tree again.
func (d *deployment) reload() {
	d.t.Helper()
	before := strings.Count(d.server.stderr.String(), ": reloaded\n")
	d.server.signal(syscall.SIGHUP)
	d.server.await("the reload", d.server.stderr, fmt.Sprintf(`(?s)(: reloaded\n.*){%d}`, before+1))
}

// sent is what an asset comes to on the wire.
type sent struct {
	coding manifest.Coding
	size   int64
}

// variant returns what a client without a dictionary is to get.
func (d *deployment) variant(asset string) sent {
	d.t.Helper()
	return sent{manifest.Brotli, int64(len(read(d.t, d.dir, asset+manifest.Brotli.Suffix())))}
}

// delta returns what a client that holds the dictionary is to get: the smallest.
func (d *deployment) delta(asset, dictionary string, codings []manifest.Coding) (smallest sent) {
	d.t.Helper()
	for _, c := range codings {
		file := read(d.t, d.dir, manifest.DeltaName(asset, sha256.Sum256([]byte(dictionary)), c))
		if n := int64(len(file)); smallest.coding == "" || n < smallest.size {
			smallest = sent{c, n}
		}
	}
	return smallest
}

// check checks how an asset was sent and what the browser says of that.
func (d *deployment) check(loaded map[string]timing, asset string, want sent) {
	d.t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	got := loaded[path.Base(asset)]
	if d.codings["/"+asset] != string(want.coding) || got.Encoded != want.size || got.Decoded != int64(len(read(d.t, d.dir, asset))) {
		d.t.Errorf("%s came as %q: %+v, want %+v", asset, d.codings["/"+asset], got, want)
	}
}

// timing is what a browser says of a resource.
type timing struct {
	Name    string `json:"name"`
	Encoded int64  `json:"encodedBodySize"`
	Decoded int64  `json:"decodedBodySize"`
}

// visitor is a browser with a profile of its own.
type visitor struct {
	*deployment
	ctx context.Context
}

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

func (d *deployment) visitor(program string) *visitor {
	d.t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.UserDataDir(d.t.TempDir()))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	d.t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	d.t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	d.t.Cleanup(cancel)
	return &visitor{d, ctx}
}

// goes loads the page, which is to be that of a release, and returns what the
// browser says of each asset by its name.
func (v *visitor) goes(action chromedp.Action[chromedp.Void], release int) map[string]timing {
	v.t.Helper()
	if _, err := chromedp.Run(v.ctx, action); err != nil {
		v.t.Fatal(err)
	}
	found, err := chromedp.Run(v.ctx, chromedp.Evaluate[int](`document.body.dataset.ready === "yes" ? release : -1`))
	if err != nil || found != release {
		v.t.Fatalf("the page is of release %d, want %d, %v", found, release, err)
	}
	all, err := chromedp.Run(v.ctx, chromedp.Evaluate[[]timing](`performance.getEntriesByType("resource").map(e => e.toJSON())`))
	if err != nil {
		v.t.Fatal(err)
	}
	loaded := map[string]timing{}
	for _, e := range all {
		loaded[path.Base(e.Name)] = e
	}
	return loaded
}

// awaitOffer waits until the browser offers a dictionary for a name, which has
// not been asked for: it takes its time to store one.
func (v *visitor) awaitOffer(name, dictionary string) {
	v.t.Helper()
	hash := sha256.Sum256([]byte(dictionary))
	want := ":" + base64.StdEncoding.EncodeToString(hash[:]) + ":"
	offered := func() string {
		v.mu.Lock()
		defer v.mu.Unlock()
		return v.offers["/"+name]
	}
	for deadline := time.Now().Add(time.Minute); offered() != want; {
		if time.Now().After(deadline) {
			v.t.Fatalf("for %s the browser offers %q, want %q", name, offered(), want)
		}
		if _, err := chromedp.Run(v.ctx, chromedp.Evaluate[int](`fetch("`+name+`").then(r => r.status)`, chromedp.EvalAwaitPromise)); err != nil {
			v.t.Fatal(err)
		}
	}
}

// hasWhole checks that the page reads an asset as it is.
func (v *visitor) hasWhole(asset, content string) {
	v.t.Helper()
	got, err := chromedp.Run(v.ctx, chromedp.Evaluate[string](`fetch("`+asset+`").then(r => r.arrayBuffer()).then(b => crypto.subtle.digest("SHA-256", b)).then(d => new Uint8Array(d).toHex())`, chromedp.EvalAwaitPromise))
	if want := sha256.Sum256([]byte(content)); err != nil || got != hex.EncodeToString(want[:]) {
		v.t.Errorf("the SHA-256 of %s is %s, %v", asset, got, err)
	}
}
