package probe_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/precompress/precompress/internal/probe"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

// TestMain collects garbage less often: hundreds of servers and clients that live for
// a moment leave a lot of it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// fast are options for servers on this machine.
func fast() probe.Options { return probe.Options{Rate: 1e6} }

// buildSite makes a compressed copy of a tree, and returns its directory and manifest.
func buildSite(t *testing.T, source string, opts precompress.Options) (string, *manifest.Manifest) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	report, err := precompress.Build(t.Context(), dir, opts)
	if err != nil || report.Err() != nil {
		t.Fatal(err, report.Err())
	}
	data, err := os.ReadFile(filepath.Join(dir, manifest.Name))
	if err != nil {
		t.Fatal(err)
	}
	m, err := manifest.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return dir, m
}

// levels are such that builds take little time.
func levels() map[manifest.Coding]int {
	return map[manifest.Coding]int{manifest.Brotli: 5, manifest.Zstd: 3, manifest.Gzip: 6}
}

// parse reads a URL.
func parse(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := probe.ParseURL(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// run asks, and fails on anything but findings.
func run(t *testing.T, targets []probe.Target, opts probe.Options) []*probe.Result {
	t.Helper()
	results, err := probe.Run(t.Context(), targets, opts)
	if err != nil {
		t.Fatal(err)
	}
	if len(results) != len(targets) {
		t.Fatalf("%d results of %d targets", len(results), len(targets))
	}
	for _, r := range results {
		if r.Err != nil {
			t.Errorf("%s: %v", r.URL, r.Err)
		}
	}
	return results
}

// TestOwnHandler: this module's own handler has no fault, whatever it serves, with
// a manifest and without, and says of all bytes that they are the build's.
func TestOwnHandler(t *testing.T) {
	t.Parallel()
	for _, tree := range []struct {
		name, source string
		options      precompress.Options
	}{
		{"site", "../../testdata/site", precompress.Options{Levels: levels()}},
		{"deltas", "../../testdata/releases/2", precompress.Options{Levels: levels(), Previous: []string{"../../testdata/releases/1"}}},
	} {
		dir, m := buildSite(t, tree.source, tree.options)
		handler, err := serve.Dir(dir, serve.Options{Decoders: decode.All(), Immutable: serve.Fingerprinted})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { handler.Close() })
		for _, proto := range []string{"HTTP/1.1", "HTTP/2.0"} {
			t.Run(tree.name+" "+proto, func(t *testing.T) {
				t.Parallel()
				server := httptest.NewUnstartedServer(handler)
				opts, files := fast(), len(m.Assets)
				if testing.Short() {
					files = 5
				}
				if proto == "HTTP/2.0" {
					files = 5 // each request has a handshake
					server.EnableHTTP2 = true
					server.StartTLS()
					opts.TLS = server.Client().Transport.(*http.Transport).TLSClientConfig
				} else {
					server.Start()
				}
				t.Cleanup(server.Close)
				targets, err := probe.Assets(parse(t, server.URL), m)
				if err != nil {
					t.Fatal(err)
				}
				checkOwn(t, probe.Sample(targets, files), proto, opts)
			})
		}
	}
}

func checkOwn(t *testing.T, targets []probe.Target, proto string, opts probe.Options) {
	t.Helper()
	want, deltas := false, false
	for _, target := range targets {
		want = want || len(target.Asset.Deltas) > 0
	}
	for _, r := range run(t, targets, opts) {
		checkSound(t, r, proto)
		for _, a := range r.Answers {
			if a.Status != http.StatusOK || a.Request.Method != http.MethodGet {
				continue
			}
			bytes := a.Provenance.Bytes
			if !slices.Contains([]string{probe.BuildSource, probe.BuildVariant, probe.BuildDelta}, bytes) {
				t.Errorf("%s: %s: the bytes are %q", r.URL, a.Request, bytes)
			}
			deltas = deltas || bytes == probe.BuildDelta
		}
	}
	if deltas != want {
		t.Errorf("deltas were seen: %t, want %t", deltas, want)
	}
	for i := range targets {
		targets[i].Asset = nil
	}
	for _, r := range run(t, targets, opts) {
		checkSound(t, r, proto)
	}
}

// checkSound wants no finding, and that all was asked in the protocol.
func checkSound(t *testing.T, r *probe.Result, proto string) {
	t.Helper()
	for _, f := range r.Findings {
		t.Errorf("%s: %s: %s: %s", f.URL, f.Word, f.Coding, f.Message)
	}
	for _, a := range r.Answers {
		if a.Proto != proto {
			t.Errorf("%s: asked over %s", r.URL, a.Proto)
		}
	}
}
