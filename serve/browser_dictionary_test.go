package serve_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/precompress/precompress/internal/browsertest"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/testdata/conformance"
)

// scriptDirectories are where a release has its scripts: their names differ in the
// fingerprint alone.
var scriptDirectories = []string{"", "sub/"}

// release is a site of a page and scripts with fingerprints in their names.
type release struct {
	scripts []releaseScript // by directory
	tree    fstest.MapFS
}

type releaseScript struct {
	content []byte
	name    string
	encoded map[string]int // bytes by coding
}

// makeRelease makes a release, with the deltas of its scripts that the given
// codings stand for, if there was one before.
func makeRelease(t *testing.T, version int, before *release, codings ...manifest.Coding) *release {
	t.Helper()
	r := &release{tree: fstest.MapFS{}}
	page := `<!doctype html><title>page</title><link rel="icon" href="data:,"><script>var versions = {}</script>`
	listed := &manifest.Manifest{}
	for i, directory := range scriptDirectories {
		content := fmt.Appendf(nil, "// in %q\nfunction f() {}\n%sversions[%q] = %d;\n", directory, busy(), directory, version)
		hash := sha256.Sum256(content)
		s := releaseScript{content, directory + "app-" + hex.EncodeToString(hash[:])[:10] + "e1.js", map[string]int{}} // at least a letter and a digit
		page += `<script src="` + s.name + `"></script>`
		br := encode(t, "br", s.content)
		s.encoded["br"] = len(br)
		r.tree[s.name], r.tree[s.name+".br"] = file(s.content, time.Time{}), file(br, time.Time{})
		asset := manifest.Asset{
			Path: s.name, Size: int64(len(s.content)), Digest: manifest.Sum(s.content), Match: "app-*.js", DictionaryID: fmt.Sprint("v", version, directory),
			Variants: []manifest.Variant{{Coding: "br", Size: int64(len(br)), Digest: manifest.Sum(br)}},
		}
		for _, c := range codings {
			asset.Deltas = append(asset.Deltas, r.addDelta(t, s, c, before.scripts[i].content))
		}
		r.scripts = append(r.scripts, s)
		listed.Assets = append(listed.Assets, asset)
	}
	r.tree["index.html"] = file([]byte(page), time.Time{})
	record, err := listed.Encode()
	if err != nil {
		t.Fatal(err)
	}
	r.tree[manifest.Name] = file(record, time.Time{})
	return r
}

func (r *release) addDelta(t *testing.T, s releaseScript, c manifest.Coding, dictionary []byte) manifest.Delta {
	t.Helper()
	delta, err := conformance.EncodeDelta(c, s.content, dictionary)
	if err != nil {
		t.Fatal(err)
	}
	d := manifest.Delta{
		Variant:    manifest.Variant{Coding: c, Size: int64(len(delta)), Digest: manifest.Sum(delta)},
		Dictionary: sha256.Sum256(dictionary), DictionarySize: int64(len(dictionary)),
	}
	r.tree[d.Name(s.name)] = file(delta, time.Time{})
	s.encoded[string(c)] = len(delta)
	return d
}

// TestBrowserDictionary: a visitor of one release loads the next one's scripts as
// deltas, each to that of its directory.
func TestBrowserDictionary(t *testing.T) {
	browsertest.Find(t)
	for _, c := range manifest.DeltaCodings() {
		for _, tls := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s tls=%v", c, tls), func(t *testing.T) { visitTwoReleases(t, c, tls) })
		}
	}
}

func visitTwoReleases(t *testing.T, c manifest.Coding, tls bool) {
	first := makeRelease(t, 1, nil)
	second := makeRelease(t, 2, first, c)
	stray := makeRelease(t, 3, &release{scripts: []releaseScript{{content: []byte("not what")}, {content: []byte("the browser has")}}}, c)
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
	t.Cleanup(s.Close) // after the browser
	install(first)
	if tls {
		s.EnableHTTP2 = true
		s.StartTLS()
	} else {
		s.Start()
	}
	ctx := browsertest.Start(t, browsertest.Trust(s.Certificate()))
	visit := func(r *release, version int, want manifest.Coding) {
		t.Helper()
		if _, err := chromedp.Run(ctx, chromedp.Navigate(s.URL+"/")); err != nil {
			t.Fatal(err)
		}
		all, err := chromedp.Run(ctx, chromedp.Evaluate[[]timing](`performance.getEntriesByType("resource").map(e => e.toJSON())`))
		if err != nil || len(all) != len(r.scripts) {
			t.Fatalf("%+v, %v", all, err)
		}
		for i, script := range r.scripts {
			loaded, err := chromedp.Run(ctx, chromedp.Evaluate[int](fmt.Sprintf(`versions[%q]`, scriptDirectories[i])))
			if err != nil || loaded != version {
				t.Fatalf("%s of release %d is of %d, %v", script.name, version, loaded, err)
			}
			e := all[slices.IndexFunc(all, func(e timing) bool { return strings.HasSuffix(e.Name, "/"+script.name) })]
			if log.coding(script.name) != want || e.Encoded != int64(script.encoded[string(want)]) || e.Decoded != int64(len(script.content)) {
				t.Errorf("%s of release %d came as %s: %+v, want %s of %d bytes", script.name, version, log.coding(script.name), e, want, script.encoded[string(want)])
			}
		}
	}
	visit(first, 1, "br")
	// The browser takes its time to store a dictionary.
	offers := func(id string) bool { mu.Lock(); defer mu.Unlock(); return ids[id] }
	for _, directory := range scriptDirectories {
		for deadline := time.Now().Add(time.Minute); !offers(`"v1` + directory + `"`); {
			if time.Now().After(deadline) {
				t.Fatalf("the browser has never offered its dictionary of %q", directory)
			}
			if _, err := chromedp.Run(ctx, chromedp.Evaluate[int](`fetch("`+directory+`app-probe.js").then(r => r.status)`, chromedp.EvalAwaitPromise)); err != nil {
				t.Fatal(err)
			}
		}
	}
	install(second)
	visit(second, 2, c)
	for _, script := range second.scripts {
		digest, err := chromedp.Run(ctx, chromedp.Evaluate[string](`fetch("`+script.name+`").then(r => r.arrayBuffer()).then(b => crypto.subtle.digest("SHA-256", b)).then(d => new Uint8Array(d).toHex())`, chromedp.EvalAwaitPromise))
		if want := sha256.Sum256(script.content); err != nil || digest != hex.EncodeToString(want[:]) {
			t.Errorf("the SHA-256 of %s is %s, %v", script.name, digest, err)
		}
	}
	install(stray)
	visit(stray, 3, "br")
}
