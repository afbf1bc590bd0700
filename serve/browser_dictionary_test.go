package serve_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/testdata/conformance"
)

// release is a site of a page and a script with a fingerprint in its name.
type release struct {
	script  []byte
	name    string // of the script
	tree    fstest.MapFS
	encoded map[string]int // bytes of the script by coding
}

// makeRelease makes a release, with the deltas of its script that the given
// codings stand for, if there was one before.
func makeRelease(t *testing.T, version int, before *release, codings ...manifest.Coding) *release {
	t.Helper()
	r := &release{script: fmt.Appendf(nil, "function f() {}\n%svar version = %d;\n", busy(), version), encoded: map[string]int{}}
	hash := sha256.Sum256(r.script)
	r.name = "app-" + hex.EncodeToString(hash[:])[:10] + "e1.js" // at least a letter and a digit
	page := `<!doctype html><title>page</title><link rel="icon" href="data:,"><script src="` + r.name + `"></script>`
	br := encode(t, "br", r.script)
	r.encoded["br"] = len(br)
	r.tree = fstest.MapFS{
		"index.html":   file([]byte(page), time.Time{}),
		r.name:         file(r.script, time.Time{}),
		r.name + ".br": file(br, time.Time{}),
	}
	asset := manifest.Asset{
		Path: r.name, Size: int64(len(r.script)), Digest: manifest.Sum(r.script), Match: "app-*.js", DictionaryID: fmt.Sprint("v", version),
		Variants: []manifest.Variant{{Coding: "br", Size: int64(len(br)), Digest: manifest.Sum(br)}},
	}
	for _, c := range codings {
		delta, err := conformance.EncodeDelta(c, r.script, before.script)
		if err != nil {
			t.Fatal(err)
		}
		d := manifest.Delta{Coding: c, Dictionary: sha256.Sum256(before.script), DictionarySize: int64(len(before.script)), Size: int64(len(delta)), Digest: manifest.Sum(delta)}
		asset.Deltas = append(asset.Deltas, d)
		r.tree[d.Name(r.name)] = file(delta, time.Time{})
		r.encoded[string(c)] = len(delta)
	}
	record, err := (&manifest.Manifest{Assets: []manifest.Asset{asset}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	r.tree[manifest.Name] = file(record, time.Time{})
	return r
}

// TestBrowserDictionary: a visitor of one release loads the next one's script as
// a delta.
func TestBrowserDictionary(t *testing.T) {
	program := findBrowser(t)
	for _, c := range manifest.DeltaCodings() {
		for _, tls := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s tls=%v", c, tls), func(t *testing.T) { visitTwoReleases(t, program, c, tls) })
		}
	}
}

func visitTwoReleases(t *testing.T, program string, c manifest.Coding, tls bool) {
	first := makeRelease(t, 1, nil)
	second := makeRelease(t, 2, first, c)
	stray := makeRelease(t, 3, &release{script: []byte("not what the browser has")}, c)
	var site atomic.Pointer[serve.Handler]
	log := &browserLog{statuses: map[string]int{}}
	install := func(r *release) { site.Store(mustNew(t, r.tree, serve.Options{Observe: log.observe})) }
	var mu sync.Mutex
	ids := map[string]bool{} // that the browser has sent
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		ids[r.Header.Get("Dictionary-ID")] = true
		mu.Unlock()
		site.Load().ServeHTTP(w, r)
	}))
	defer s.Close()
	install(first)
	if tls {
		s.EnableHTTP2 = true
		s.StartTLS()
	} else {
		s.Start()
	}
	ctx, cancel := newBrowser(t, program, s.Certificate())
	defer cancel()
	visit := func(r *release, version int, want manifest.Coding) {
		t.Helper()
		if _, err := chromedp.Run(ctx, chromedp.Navigate(s.URL+"/")); err != nil {
			t.Fatal(err)
		}
		loaded, err := chromedp.Run(ctx, chromedp.Evaluate[int](`version`))
		if err != nil || loaded != version {
			t.Fatalf("release %d runs %d, %v", version, loaded, err)
		}
		all, err := chromedp.Run(ctx, chromedp.Evaluate[[]timing](`performance.getEntriesByType("resource").map(e => e.toJSON())`))
		if err != nil || len(all) != 1 {
			t.Fatalf("%+v, %v", all, err)
		}
		e := all[0]
		if log.coding(r.name) != want || e.Encoded != int64(r.encoded[string(want)]) || e.Decoded != int64(len(r.script)) {
			t.Errorf("release %d came as %s: %+v, want %s of %d bytes", version, log.coding(r.name), e, want, r.encoded[string(want)])
		}
	}
	visit(first, 1, "br")
	// The browser takes its time to store a dictionary.
	offers := func(id string) bool { mu.Lock(); defer mu.Unlock(); return ids[id] }
	for deadline := time.Now().Add(time.Minute); !offers(`"v1"`); {
		if time.Now().After(deadline) {
			t.Fatal("the browser has never offered its dictionary")
		}
		if _, err := chromedp.Run(ctx, chromedp.Evaluate[int](`fetch("app-probe.js").then(r => r.status)`, chromedp.EvalAwaitPromise)); err != nil {
			t.Fatal(err)
		}
	}
	install(second)
	visit(second, 2, c)
	digest, err := chromedp.Run(ctx, chromedp.Evaluate[string](`fetch("`+second.name+`").then(r => r.arrayBuffer()).then(b => crypto.subtle.digest("SHA-256", b)).then(d => new Uint8Array(d).toHex())`, chromedp.EvalAwaitPromise))
	if want := sha256.Sum256(second.script); err != nil || digest != hex.EncodeToString(want[:]) {
		t.Errorf("the script's SHA-256 is %s, %v", digest, err)
	}
	install(stray)
	visit(stray, 3, "br")
}
