package main

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
	"github.com/precompress/precompress/serve/decode"
)

// siteServer builds a small site and serves it, with header as it is given.
func siteServer(t *testing.T, header http.Header) (address, dir string) {
	t.Helper()
	dir = t.TempDir()
	makeFiles(t, dir, map[string]string{
		"index.html":  "<p>" + strings.Repeat("a page of text, ", 50),
		"a b/100%.js": strings.Repeat("let x = 'a line of text';\n", 50),
	})
	var discard bytes.Buffer
	if code := run(t.Context(), []string{"-q", dir}, &discard, &discard); code != exitDone {
		t.Fatal(discard.String())
	}
	handler, err := serve.Dir(dir, serve.Options{Decoders: decode.All(), Header: func(h http.Header, _ *http.Request, _ serve.Asset) {
		for name, values := range header {
			h[name] = values
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(handler)
	t.Cleanup(func() { server.Close(); handler.Close() })
	return server.URL, dir
}

// probing runs probe without waiting between requests.
func probing(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = run(t.Context(), append([]string{"probe", "--rate", "1000000"}, args...), &out, &errs)
	return code, out.String(), errs.String()
}

// TestProbe: what is printed, and the exit code, about a server without faults and
// one with them.
func TestProbe(t *testing.T) {
	good, dir := siteServer(t, nil)
	bad, _ := siteServer(t, http.Header{"Etag": {`"one-for-all"`}, "Cache-Control": {"immutable"}, "X-Cache": {"HIT\u009b31m"}})
	record := filepath.Join(dir, manifest.Name)
	js := good + "/a%20b/100%25.js"
	for name, test := range map[string]struct {
		args []string
		code int
		want string // of standard output
	}{
		"table": {[]string{js}, exitDone, `(?s)\A\S+/a%20b/100%25.js\n  asked with +status +coding +bytes +ETag +Vary +answered by\n` +
			`  \(nothing\) +200 +identity +1300 +"\S+ +Accept-Encoding +-\n.*\n  HEAD br +200 +br .*\n1 URL probed: no faults\n\z`},
		"manifest":  {[]string{"--manifest", record, good}, exitDone, `\A2 URLs probed: no faults\n\z`},
		"sample":    {[]string{"--manifest", record, "--sample", "1", good + "/"}, exitDone, `\A1 URL probed: no faults\n\z`},
		"twice":     {[]string{"-q", js, js}, exitDone, `\A\z`},
		"verbose":   {[]string{"-v", "--manifest", record, "--sample=1", good}, exitDone, `(?s)the build's source.*the build's variant.*br; If-None-Match: "\S+ +304 .*\S+: vary: fine\n`},
		"faults":    {[]string{bad + "/"}, exitNotUpToDate, `(?s)cache; X-Cache: "HIT\\u009b31m".*\S+/: cache-control-odd \(advice\): Cache-Control of a page is immutable: .* \(RFC 9111, section 5.2.2\): .*\n\S+/: etag-shared: ETag "one-for-all" stands for .* \(RFC 9110, section 8.8.3.3\): give every coding an ETag of its own\n.*\n1 URL probed: 1 fault, \d advice\n\z`},
		"quiet":     {[]string{"-q", bad + "/"}, exitNotUpToDate, `\A(\S+: [a-z-]+: .*\n)+\z`},
		"not found": {[]string{good + "/nosuch"}, exitNotUpToDate, `status: the answer is 404 \(RFC 9110, section 15.5.5\): `},
		"color":     {[]string{"--color=always", "-q", good + "/nosuch"}, exitNotUpToDate, `\A\S+: \x1b\[1mstatus\x1b\[0m: `},
	} {
		code, stdout, stderr := probing(t, test.args...)
		if code != test.code || stderr != "" || !regexp.MustCompile(test.want).MatchString(stdout) {
			t.Errorf("%s: exit code %d\n%s%s", name, code, stdout, stderr)
		}
		if name != "color" && strings.ContainsAny(stdout, "\x1b\u009b") {
			t.Errorf("%s: an escape is printed: %q", name, stdout)
		}
	}
}

// TestProbeElsewhere: a URL that leads to another host was not checked, and has no
// fault.
func TestProbeElsewhere(t *testing.T) {
	elsewhere := httptest.NewServer(http.RedirectHandler("https://www.example.com/", http.StatusMovedPermanently))
	defer elsewhere.Close()
	code, stdout, stderr := probing(t, elsewhere.URL+"/")
	if code != exitFailed || !strings.HasSuffix(stdout, "\n1 URL probed: no faults, 1 not checked in full\n") ||
		stderr != "precompress: "+elsewhere.URL+"/: not checked: 301 redirects to https://www.example.com/, which is another host: if you trust it, probe https://www.example.com/\n" {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}

// TestProbeInterrupted: what was found out before is printed, and the exit code says
// that it is not all.
func TestProbeInterrupted(t *testing.T) {
	good, _ := siteServer(t, nil)
	ctx, cancel := context.WithCancel(t.Context())
	slow := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	}))
	defer slow.Close()
	var stdout, stderr bytes.Buffer
	code := run(ctx, []string{"probe", "--rate=1000000", "--jobs=1", good + "/", slow.URL + "/"}, &stdout, &stderr)
	if code != exitInterrupted || !strings.Contains(stderr.String(), "interrupted: ") || !strings.Contains(stdout.String(), " probed: ") {
		t.Errorf("exit code %d\n%s%s", code, stdout.String(), stderr.String())
	}
}

// The documented form of probe's --json.
type (
	probeDocument struct {
		Version     *int       `json:"version"`
		Command     string     `json:"command"`
		OK          *bool      `json:"ok"`
		Interrupted bool       `json:"interrupted"`
		Faults      *int       `json:"faults"`
		URLs        []probeURL `json:"urls"`
	}
	probeURL struct {
		URL      string         `json:"url"`
		FinalURL string         `json:"final_url"`
		Asset    string         `json:"asset"`
		Error    string         `json:"error"`
		Answers  []probeAnswer  `json:"answers"`
		Findings []probeFinding `json:"findings"`
		Passed   []string       `json:"passed"`
	}
	probeAnswer struct {
		Method        string   `json:"method"`
		Request       []string `json:"request"`
		Protocol      string   `json:"protocol"`
		Status        int      `json:"status"`
		Coding        string   `json:"coding"`
		ContentLength *int64   `json:"content_length"`
		Bytes         *int64   `json:"bytes"`
		XXH64         string   `json:"xxh64"`
		ETag          string   `json:"etag"`
		Vary          string   `json:"vary"`
		CacheControl  string   `json:"cache_control"`
		ContentType   string   `json:"content_type"`
		Layer         *struct {
			From   string   `json:"from"`
			Bytes  string   `json:"bytes"`
			Fields []string `json:"fields"`
		} `json:"layer"`
	}
	probeFinding struct {
		Check     string   `json:"check"`
		Severity  string   `json:"severity"`
		Coding    string   `json:"coding"`
		Message   string   `json:"message"`
		Reference string   `json:"reference"`
		Advice    string   `json:"advice"`
		Seen      []string `json:"seen"`
	}
)

// TestProbeJSON: one object of the documented form, and no member beside.
func TestProbeJSON(t *testing.T) {
	good, dir := siteServer(t, http.Header{"Server": {"test"}})
	record, err := os.ReadFile(filepath.Join(dir, manifest.Name))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "record"), record, 0o600); err != nil {
		t.Fatal(err)
	}
	d := probedJSON(t, exitDone, "--manifest", filepath.Join(dir, "record"), good)
	if len(d.URLs) != 2 || d.URLs[0].Asset != "a b/100%.js" || *d.Faults != 0 || len(d.URLs[0].Passed) < 20 {
		t.Fatalf("%+v", d)
	}
	a := d.URLs[0].Answers[1]
	if a.Method != "GET" || a.Request[0] != "Accept-Encoding: identity" || a.Protocol != "HTTP/1.1" || a.Status != 200 || *a.ContentLength != *a.Bytes ||
		len(a.XXH64) != 16 || a.ETag == "" || a.Vary != "Accept-Encoding" || a.CacheControl != "no-cache" || !strings.HasPrefix(a.ContentType, "text/javascript") ||
		a.Layer.Bytes != "the build's source" || a.Layer.Fields[0] != "Server: test" {
		t.Errorf("%+v", a)
	}
	bad, _ := siteServer(t, http.Header{"Etag": {`"one-for-all"`}})
	d = probedJSON(t, exitNotUpToDate, bad+"/")
	f := d.URLs[0].Findings[0]
	if *d.OK || *d.Faults == 0 || f.Check != "etag-shared" || f.Severity != "fault" || f.Message == "" || f.Reference != "RFC 9110, section 8.8.3.3" || f.Advice == "" || len(f.Seen) < 2 {
		t.Errorf("%+v", f)
	}
}

func probedJSON(t *testing.T, want int, args ...string) probeDocument {
	t.Helper()
	code, stdout, stderr := probing(t, append(args, "--json")...)
	if code != want || stderr != "" {
		t.Fatalf("exit code %d: %s%s", code, stdout, stderr)
	}
	var d probeDocument
	decoder := json.NewDecoder(strings.NewReader(stdout))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&d); err != nil || decoder.More() {
		t.Fatalf("%v: %s", err, stdout)
	}
	if d.Version == nil || *d.Version != 1 || d.Command != "probe" || d.OK == nil || *d.OK != (want == exitDone) || d.Faults == nil {
		t.Fatalf("%+v", d)
	}
	return d
}
