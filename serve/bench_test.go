package serve_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
)

// discard is a ResponseWriter that costs nothing itself.
type discard struct {
	header http.Header
	status int
	bytes  int
}

func (d *discard) Header() http.Header { return d.header }
func (d *discard) WriteHeader(s int)   { d.status = s }
func (d *discard) Write(p []byte) (int, error) {
	d.bytes += len(p)
	return len(p), nil
}

// hotRequests are those that a busy server sees, with their answers' status.
func hotRequests(t testing.TB, h http.Handler) []hotRequest {
	request := func(name, method, target string, status int, fields ...string) hotRequest {
		r := httptest.NewRequest(method, target, nil)
		r.Header.Set("Accept-Encoding", "gzip, deflate, br, zstd")
		for i := 0; i < len(fields); i += 2 {
			r.Header.Set(fields[i], fields[i+1])
		}
		return hotRequest{name, r, status}
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, request("", "GET", "/big.js", 0).request)
	return []hotRequest{
		request("200", "GET", "/big.js", 200),
		request("identity", "GET", "/app.js", 200, "Accept-Encoding", "identity"),
		request("304", "GET", "/big.js", 304, "If-None-Match", w.Header().Get("ETag")),
		request("HEAD", "HEAD", "/big.js", 200),
		request("directory", "GET", "/dir/", 200),
		request("delta", "GET", "/app.js", 200, "Accept-Encoding", "gzip, br, zstd, dcb, dcz",
			"Available-Dictionary", availableDictionary(t), "Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "no-cors"),
		request("other dictionary", "GET", "/app.js", 200, "Accept-Encoding", "gzip, br, zstd, dcb, dcz",
			"Available-Dictionary", ":"+hash43+"=:"),
	}
}

type hotRequest struct {
	name    string
	request *http.Request
	status  int
}

func TestAllocations(t *testing.T) {
	h := newSite(t, "Dir", true, serve.Options{})
	for _, hot := range hotRequests(t, h) {
		w := &discard{header: http.Header{}}
		allocs := testing.AllocsPerRun(100, func() {
			clear(w.header)
			h.ServeHTTP(w, hot.request)
		})
		if allocs > 0 || w.status != hot.status {
			t.Errorf("%s: %v allocations, status %d", hot.name, allocs, w.status)
		}
		if len(w.header) > 8 {
			t.Errorf("%s: %d header fields make the server's map grow", hot.name, len(w.header))
		}
	}
}

func BenchmarkHandler(b *testing.B) {
	h := newSite(b, "Dir", true, serve.Options{})
	for _, hot := range hotRequests(b, h) {
		b.Run(hot.name, func(b *testing.B) {
			w := &discard{header: http.Header{}}
			b.ReportAllocs()
			for b.Loop() {
				clear(w.header)
				h.ServeHTTP(w, hot.request)
			}
		})
	}
}

func BenchmarkNegotiate(b *testing.B) {
	offers := []serve.Offer{{Coding: "br", Size: 80}, {Coding: "zstd", Size: 85}, {Coding: "gzip", Size: 90}, {Size: 300}}
	lines := []string{"gzip, deflate, br, zstd"}
	b.ReportAllocs()
	for b.Loop() {
		serve.Negotiate(lines, offers)
	}
}

// BenchmarkIndex looks at a tree of 100,000 files: 25,000 sources with three
// variants each. kept-MB is the heap that the index keeps, peak-MB the most that
// the heap has held meanwhile.
func BenchmarkIndex(b *testing.B) {
	dir := b.TempDir()
	hugeTree(b, dir, 25_000)
	runtime.GC()
	before, peak := heapBytes(), uint64(0)
	done := make(chan struct{})
	sampled := make(chan struct{})
	go func() {
		defer close(sampled)
		for tick := time.Tick(2 * time.Millisecond); ; {
			select {
			case <-done:
				return
			case <-tick:
				peak = max(peak, heapBytes())
			}
		}
	}()
	var h *serve.Handler
	for b.Loop() {
		var err error
		if h, err = serve.Dir(dir, serve.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	close(done)
	<-sampled
	runtime.GC()
	b.ReportMetric(float64(peak-before)/1e6, "peak-MB")
	b.ReportMetric(float64(heapBytes()-before)/1e6, "kept-MB")
	h.Close()
}

// heapBytes returns the bytes of objects, dead ones that are not yet swept
// included.
func heapBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// hugeTree writes n sources with three variants each, in directories of 250 names,
// and the manifest.
func hugeTree(tb testing.TB, dir string, n int) {
	tb.Helper()
	m := &manifest.Manifest{}
	for i := range n {
		directory := fmt.Sprintf("assets/chunks/%03d", i/250)
		if i%250 == 0 {
			if err := os.MkdirAll(filepath.Join(dir, directory), 0o755); err != nil {
				tb.Fatal(err)
			}
		}
		name := fmt.Sprintf("%s/component-%05d.%08x.js", directory, i, uint32(i)*2654435761)
		a := manifest.Asset{Path: name, Size: 8, Digest: manifest.Sum([]byte("content\n"))}
		write(tb, filepath.Join(dir, name), "content\n")
		for _, c := range manifest.Codings() {
			write(tb, filepath.Join(dir, name+c.Suffix()), "variant")
			a.Variants = append(a.Variants, manifest.Variant{
				Coding: c, Level: 11, Encoder: "an-encoder/1.2.3", Size: 7, Digest: manifest.Sum([]byte("variant")),
			})
		}
		m.Assets = append(m.Assets, a)
	}
	data, err := m.Encode()
	if err != nil {
		tb.Fatal(err)
	}
	write(tb, filepath.Join(dir, manifest.Name), string(data))
}

func write(tb testing.TB, path, content string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		tb.Fatal(err)
	}
}
