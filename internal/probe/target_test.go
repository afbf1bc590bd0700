package probe_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/probe"
	"github.com/precompress/precompress/manifest"
)

func TestParseURL(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://example.com":                "https://example.com/",
		"http://example.com/a%20b?x=%2F#top": "http://example.com/a%20b?x=%2F",
		"http://[::1]:8080/x":                "http://[::1]:8080/x",
	} {
		if got := parse(t, url).String(); got != want {
			t.Errorf("%s: got %s, want %s", url, got, want)
		}
	}
	for url, want := range map[string]string{
		"example.com":                 "without a scheme",
		"localhost:8080/app.js":       "without a scheme",
		"127.0.0.1:8080":              "without a scheme",
		"/app.js":                     "without a scheme",
		"":                            "without a scheme",
		"file:///etc/passwd":          "scheme file",
		"ftp://example.com/":          "scheme ftp",
		"javascript:alert(1)":         "scheme javascript",
		"http:///a":                   "without a host",
		"http://:80/":                 "without a host",
		"http://u:secret@ho st/":      "cannot be parsed",
		"http://u:secret#x@host/":     "cannot be parsed",
		"http://u:secret@host:99x/":   "cannot be parsed",
		"http://host:99999/":          "port 99999",
		"http://host:0/":              "port 0",
		"http://u:secret@host:99999/": "port 99999",
		"http://host/%zz":             "cannot be parsed",
		"http://host/\x1b[2J":         "cannot be parsed",
	} {
		_, err := probe.ParseURL(url)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", url, err)
		}
	}
}

// TestAssets: paths are percent-encoded, and come back as they were.
func TestAssets(t *testing.T) {
	t.Parallel()
	m := &manifest.Manifest{}
	want := map[string]string{
		"a b.js":           "a%20b.js",
		"100%.css":         "100%25.css",
		"what?.js":         "what%3F.js",
		"a#b/c;d.js":       "a%23b/c%3Bd.js",
		"über/naïve.html":  "%C3%BCber/na%C3%AFve.html",
		"\xff.js":          "%FF.js",
		"[id](1)+x@2.js":   "%5Bid%5D%281%29+x@2.js",
		"back\\slash.js":   "back%5Cslash.js",
		"dir/index.html":   "dir/index.html",
		"http:/colon:1.js": "http:/colon:1.js",
	}
	for path := range want {
		m.Assets = append(m.Assets, manifest.Asset{Path: path})
	}
	for base, start := range map[string]string{
		"https://example.com":          "https://example.com/",
		"https://example.com/app":      "https://example.com/app/",
		"https://example.com/a%2Fb/":   "https://example.com/a%2Fb/",
		"https://u:p@example.com/app/": "https://u:p@example.com/app/",
	} {
		targets, err := probe.Assets(parse(t, base), m)
		if err != nil {
			t.Fatal(err)
		}
		for _, target := range targets {
			path := target.Asset.Path
			if got := target.URL.String(); got != start+want[path] {
				t.Errorf("%q: got %s, want %s", path, got, start+want[path])
			}
			if !strings.HasSuffix(target.URL.Path, path) {
				t.Errorf("%q: path %q", path, target.URL.Path)
			}
		}
	}
	if _, err := probe.Assets(parse(t, "https://example.com/?q"), m); err == nil {
		t.Error("a query is allowed")
	}
}

// TestSample: all types, the largest and the smallest files, always the same.
func TestSample(t *testing.T) {
	t.Parallel()
	var targets []probe.Target
	add := func(path string, size int64) {
		targets = append(targets, probe.Target{Asset: &manifest.Asset{Path: path, Size: size}})
	}
	for i, name := range strings.Split("abcdefghij", "") {
		add(name+".js", int64(100+(i*7)%10))
	}
	add("x.CSS", 5)
	add("y.css", 50)
	add("z.html", 1)
	picked := func(n int) string {
		var names []string
		for _, target := range probe.Sample(targets, n) {
			names = append(names, target.Asset.Path)
		}
		return strings.Join(names, " ")
	}
	for n, want := range map[int]string{
		1:  "h.js", // of size 109
		3:  "h.js y.css z.html",
		5:  "a.js h.js x.CSS y.css z.html",
		6:  "a.js f.js h.js x.CSS y.css z.html",
		13: "a.js b.js c.js d.js e.js f.js g.js h.js i.js j.js x.CSS y.css z.html",
		50: "a.js b.js c.js d.js e.js f.js g.js h.js i.js j.js x.CSS y.css z.html",
	} {
		if got := picked(n); got != want {
			t.Errorf("%d: got %s, want %s", n, got, want)
		}
	}
	for n := range len(targets) {
		got := strings.Fields(picked(n + 1))
		if len(got) != n+1 || len(slices.Compact(got)) != n+1 {
			t.Errorf("%d: got %s", n+1, got)
		}
	}
}

func TestCheckHeader(t *testing.T) {
	t.Parallel()
	for _, field := range []string{"Cookie: a=b", "authorization: Bearer x", "Host: a", "host: www.example.com:8080", "Host: [::1]:80", "User-Agent: x", "X-A: "} {
		name, value, _ := strings.Cut(field, ": ")
		if err := probe.CheckHeader(name, value); err != nil {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, field := range []string{
		"Accept-Encoding: secret", "range: secret", "If-None-Match: secret", "Available-Dictionary: secret", "Content-Length: secret",
		"Host: sec ret", "Host: ", "Host: secret/a", "Host: secret@b", "Host: b:99999", "Host: secret, c:x", "Host: \xff", "Host: ü.example",
		"Connection: secret", "X A: secret", ": secret", "X-Ä: secret", "X-A: secret\r\nX-B: c", "X-A: secret\x00",
	} {
		name, value, _ := strings.Cut(field, ": ")
		if err := probe.CheckHeader(name, value); err == nil || strings.Contains(err.Error(), "secret") {
			t.Errorf("%q: %v", field, err)
		}
	}
	opts := fast()
	opts.Header = map[string][]string{"Range": {"bytes=0-1"}}
	if _, err := probe.Run(t.Context(), nil, opts); err == nil {
		t.Error("Run takes a header that it sets itself")
	}
}
