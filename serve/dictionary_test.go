package serve_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"
	"unicode/utf8"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve"
)

const hash43 = "pZGm1Av0IEBKARczz7exkNYsZb8LzaMrV7J32a2fFG4"

// availableFields are lines of Available-Dictionary, split by "|", and whether
// they name the dictionary of hash43.
var availableFields = []struct {
	lines string
	ok    bool
}{
	{":" + hash43 + "=:", true},
	{":" + hash43 + ":", true}, // RFC 9651, section 4.2.7: padding may be absent
	{"  :" + hash43 + "=:  ", true},
	{":" + hash43[:42] + "5=:", true}, // bits that stand for nothing
	{":" + hash43 + "=:;a", true},
	{":" + hash43 + "=:;a;b=?1;  c=-12;d=1.5;e=tok/en:*;f=\"s \\\\ \\\"\";g=:YQ==:;h=@1;*i_.-*=%\"%c3%bc\"", true},
	{":" + hash43 + "=:;a=123456789012345", true},
	{":" + hash43 + "=:;a=123456789012.123", true},
	{":" + hash43 + "=:;a=" + strings.Repeat("x", 900), true},
	{"", false},
	{" ", false},
	{"::", false},
	{":", false},
	{hash43 + "=", false},
	{`"` + hash43 + `="`, false},
	{":" + hash43 + "=", false},
	{hash43 + "=:", false},
	{":" + hash43 + "==:", false},
	{":" + hash43 + "A:", false},
	{":" + hash43 + "AA:", false},
	{":" + hash43[:42] + ":", false},
	{":" + hash43[:40] + ":", false},
	{":=" + hash43 + ":", false},
	{":" + hash43[:20] + "=" + hash43[20:] + ":", false},
	{":" + hash43[:20] + " " + hash43[20:] + ":", false},
	{":" + hash43[:20] + "\n" + hash43[20:] + ":", false},
	{":" + strings.Replace(hash43, "p", "-", 1) + "=:", false}, // the URL alphabet
	{":" + strings.Replace(hash43, "p", "é", 1) + "=:", false},
	{"\t:" + hash43 + "=:", false}, // a structured field has no tabs
	{":" + hash43 + "=:\t", false},
	{":" + hash43 + "=:x", false},
	{":" + hash43 + "=: x", false},
	{":" + hash43 + "=:,", false},
	{":" + hash43 + "=:, :" + hash43 + "=:", false},
	{":" + hash43 + "=:|:" + hash43 + "=:", false},
	{":" + hash43 + "=:|", false},
	{"(:" + hash43 + "=:)", false},
	{"a=:" + hash43 + "=:", false},
	{":" + hash43 + "=: ;a", false},
	{":" + hash43 + "=:;", false},
	{":" + hash43 + "=:;;a", false},
	{":" + hash43 + "=:;A", false},
	{":" + hash43 + "=:;1", false},
	{":" + hash43 + "=:;a=", false},
	{":" + hash43 + "=:;a= 1", false},
	{":" + hash43 + "=:;a=?2", false},
	{":" + hash43 + "=:;a=-", false},
	{":" + hash43 + "=:;a=1.", false},
	{":" + hash43 + "=:;a=1.2345", false},
	{":" + hash43 + "=:;a=1234567890123.1", false},
	{":" + hash43 + "=:;a=1234567890123456", false},
	{":" + hash43 + "=:;a=@1.5", false},
	{":" + hash43 + "=:;a=@", false},
	{":" + hash43 + "=:;a=\"x", false},
	{":" + hash43 + "=:;a=\"\\x\"", false},
	{":" + hash43 + "=:;a=\"é\"", false},
	{":" + hash43 + "=:;a=:YQ=:", false},
	{":" + hash43 + "=:;a=:Y:", false},
	{":" + hash43 + "=:;a=%\"%C3%BC\"", false},
	{":" + hash43 + "=:;a=%\"%c3\"", false},
	{":" + hash43 + "=:;a=%\"%c\"", false},
	{":" + hash43 + "=:;a=(1)", false},
	{":" + hash43 + "=:;a=" + strings.Repeat("x", 1000), false},
	{":" + strings.Repeat("A", 10000) + ":", false},
	{strings.Repeat(";", 10000), false},
}

func TestAvailableDictionary(t *testing.T) {
	want, err := base64.RawStdEncoding.DecodeString(hash43)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range availableFields {
		d, ok := available(tt.lines)
		if ok != tt.ok || ok && string(d[:]) != string(want) {
			t.Errorf("%q: %s, %v", tt.lines, d, ok)
		}
	}
	if _, ok := serve.AvailableDictionary(http.Header{}, http.Header{}); ok {
		t.Error("no field names a dictionary")
	}
}

func available(lines string) (d [32]byte, ok bool) {
	h := http.Header{"Available-Dictionary": strings.Split(lines, "|")}
	return serve.AvailableDictionary(h, nil)
}

// The grammar of RFC 9651 as regular expressions, but for what a display string
// decodes to.
var (
	displayItem   = `%"(?:[ !#$&-~]|%[0-9a-f]{2})*"`
	parameterItem = `(?:-?\d{1,12}\.\d{1,3}|-?\d{1,15}|"(?:[ !#-\[\]-~]|\\["\\])*"|[A-Za-z*][-!#$%&'*+.^_` + "`" + `|~0-9A-Za-z:/]*` +
		`|:(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}(?:==)?|[A-Za-z0-9+/]{3}=?)?:|\?[01]|@-?\d{1,15}|` + displayItem + `)`
	availableGrammar = regexp.MustCompile(`^ *:([A-Za-z0-9+/]{43})=?:((?:; *[a-z*][-a-z0-9_.*]*(?:=` + parameterItem + `)?)*) *$`)
	displayString    = regexp.MustCompile(displayItem)
)

// FuzzAvailableDictionary compares with the grammar.
func FuzzAvailableDictionary(f *testing.F) {
	for _, tt := range availableFields {
		f.Add(tt.lines)
	}
	f.Fuzz(func(t *testing.T, lines string) {
		d, ok := available(lines)
		m := availableGrammar.FindStringSubmatch(lines)
		if strings.Contains(lines, "%") && m != nil && !ok && displayIsBad(m[2]) {
			return
		}
		if want := m != nil && len(lines) <= 1024 && !strings.Contains(lines, "|"); ok != want {
			t.Fatalf("%q: %v, want %v", lines, ok, want)
		}
		if ok {
			if want, _ := base64.RawStdEncoding.DecodeString(m[1]); string(want) != string(d[:]) {
				t.Errorf("%q: %x, want %x", lines, d, want)
			}
		}
	})
}

// displayIsBad reports whether a display string in the parameters may not be
// UTF-8.
func displayIsBad(parameters string) bool {
	for _, s := range displayString.FindAllString(parameters, -1) {
		var text []byte
		for s = s[2 : len(s)-1]; s != ""; {
			var b byte
			if s[0] != '%' {
				text, s = append(text, s[0]), s[1:]
				continue
			}
			fmt.Sscanf(s[1:3], "%x", &b)
			text, s = append(text, b), s[3:]
		}
		if !utf8.Valid(text) {
			return true
		}
	}
	return false
}

// TestReadable holds the rules for requests of other sites: fields of the
// request and the Access-Control-Allow-Origin of the answer so far.
func TestReadable(t *testing.T) {
	tests := []struct {
		site, mode, origin, allowed string // "" for no field
		ok                          bool
	}{
		{"", "", "", "", true},
		{"", "no-cors", "", "", true},
		{"same-origin", "no-cors", "", "", true},
		{"same-origin", "cors", "", "", true},
		{"none", "navigate", "", "", true},
		{"cross-site", "", "", "", true},
		{"cross-site", "navigate", "", "", true},
		{"cross-site", "same-origin", "", "", true},
		{"cross-site", "no-cors", "", "", false},
		{"cross-site", "no-cors", "https://a.example", "*", false},
		{"same-site", "no-cors", "", "", false},
		{"none", "no-cors", "", "", false},
		{"cross-site", "websocket", "", "", false},
		{"cross-site", "cors", "https://a.example", "", false},
		{"cross-site", "cors", "", "*", false},
		{"cross-site", "cors", "https://a.example", "https://b.example", false},
		{"cross-site", "cors", "https://a.example", "https://a.example", true},
		{"cross-site", "cors", "https://a.example", "*", true},
		{"same-site", "cors", "https://a.example", "*", true},
		{"Same-Origin", "no-cors", "", "", false},
	}
	set := func(h http.Header, name, value string) {
		if value != "" {
			h.Set(name, value)
		}
	}
	files := newSite(t, "embed", true, serve.Options{})
	for _, tt := range tests {
		h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			set(w.Header(), "Access-Control-Allow-Origin", tt.allowed)
			set(r.Header, "Sec-Fetch-Site", tt.site)
			set(r.Header, "Sec-Fetch-Mode", tt.mode)
			set(r.Header, "Origin", tt.origin)
			files.ServeHTTP(w, r)
		})
		want := "br"
		if tt.ok {
			want = "dcb"
		}
		w := get(h, "/app.js", "br, dcb", "Available-Dictionary", availableDictionary(t))
		if got := w.Header().Get("Content-Encoding"); got != want {
			t.Errorf("%+v: %s", tt, got)
		}
	}
	twice := http.Header{"Available-Dictionary": {":" + hash43 + ":"}, "Sec-Fetch-Site": {"same-origin", "cross-site"}, "Sec-Fetch-Mode": {"no-cors"}}
	if _, ok := serve.AvailableDictionary(twice, http.Header{}); ok {
		t.Error("a site that is given twice is taken for the same origin")
	}
}

// TestDictionaryLifetime: Use-As-Dictionary goes with a lifetime, and where the
// name tells none, with what the caller gives.
func TestDictionaryLifetime(t *testing.T) {
	for _, tt := range []struct {
		value string
		want  bool
	}{
		{"", true}, // app.3f8a91c2d4.js has a fingerprint
		{"no-cache", false},
		{"No-Cache", false},
		{`private, no-cache="Set-Cookie"`, false},
		{"no-store", false},
		{"max-age=0", false},
		{"max-age=0, must-revalidate", false},
		{"max-age=60", true},
		{"public,MAX-AGE=60", true},
		{"max-age=0, stale-while-revalidate=60", true},
		{"max-age=0, stale-while-revalidate=0", false},
		{"public", true}, // a client may find a lifetime of its own
	} {
		h := newSite(t, "embed", true, serve.Options{CacheControl: func(serve.Asset) string { return tt.value }})
		w := get(h, "/app.3f8a91c2d4.js", "br")
		if got := w.Header().Get("Use-As-Dictionary") != ""; got != tt.want {
			t.Errorf("%q: Use-As-Dictionary: %v", tt.value, got)
		}
	}
	never := func(string) bool { return false }
	h := newSite(t, "embed", true, serve.Options{Immutable: never})
	if w := get(h, "/app.3f8a91c2d4.js", "br"); w.Header().Get("Use-As-Dictionary") != "" || w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("Immutable says no: %v", w.Header())
	}
	other, err := manifest.NewFingerprint("^ap(p)$")
	if err != nil {
		t.Fatal(err)
	}
	h = newSite(t, "embed", true, serve.Options{Fingerprint: other})
	if w := get(h, "/app.3f8a91c2d4.js", "br"); w.Header().Get("Use-As-Dictionary") != "" {
		t.Errorf("a name without a fingerprint: %v", w.Header())
	}
	lasting := func(serve.Asset) string { return "max-age=60" }
	h = newSite(t, "embed", true, serve.Options{NoDictionaries: true, CacheControl: lasting})
	if w := get(h, "/app.3f8a91c2d4.js", "br"); w.Header().Get("Use-As-Dictionary") != "" {
		t.Errorf("switched off: %v", w.Header())
	}
	h = newSite(t, "embed", false, serve.Options{})
	if w := get(h, "/app.3f8a91c2d4.js", "br"); w.Header().Get("Cache-Control") != "no-cache" {
		t.Errorf("no dictionary, and nothing said of its lifetime: %v", w.Header())
	}
}

// TestEditedDictionary: what the manifest says is of the content that it knew.
func TestEditedDictionary(t *testing.T) {
	content, edited := script("built"), script("edited")
	const name = "app-3f8a91c2d4.js"
	record, err := (&manifest.Manifest{Assets: []manifest.Asset{{
		Path: name, Size: int64(len(content)), Digest: manifest.Sum(content), Match: "app-*.js",
	}}}).Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, source := range [][]byte{content, edited} {
		tree := fstest.MapFS{name: file(source, time.Time{}), manifest.Name: file(record, time.Time{})}
		w := get(mustNew(t, tree, serve.Options{}), "/"+name, "-")
		built := string(source) == string(content)
		if got := w.Header().Get("Use-As-Dictionary") != ""; got != built || built == (w.Header().Get("Cache-Control") == "no-cache") {
			t.Errorf("as built: %v: %v", built, w.Header())
		}
	}
}

// TestVaryIsMerged: what stands around the handler may have begun the list.
func TestVaryIsMerged(t *testing.T) {
	files := newSite(t, "embed", true, serve.Options{})
	for before, want := range map[string]string{
		"":                                "Accept-Encoding, Available-Dictionary",
		"accept-encoding":                 "accept-encoding|Available-Dictionary",
		"Origin":                          "Origin|Accept-Encoding, Available-Dictionary",
		"available-dictionary , Origin":   "available-dictionary , Origin|Accept-Encoding",
		"Available-Dictionary, *":         "Available-Dictionary, *",
		"*":                               "*",
		"X-Accept-Encoding, Accept":       "X-Accept-Encoding, Accept|Accept-Encoding, Available-Dictionary",
		"Accept-Encoding|x|,Origin,,":     "Accept-Encoding|x|,Origin,,|Available-Dictionary",
		"Accept-Encoding, Sec-Fetch-Site": "Accept-Encoding, Sec-Fetch-Site|Available-Dictionary",
	} {
		for _, fields := range [][]string{nil, {"If-None-Match", "*"}, {"If-Match", `"x"`}} {
			h := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if before != "" {
					w.Header()["Vary"] = strings.Split(before, "|")
				}
				files.ServeHTTP(w, r)
			})
			w := get(h, "/app.js", "br", fields...)
			if got := strings.Join(w.Header()["Vary"], "|"); got != want {
				t.Errorf("%q, %v: %q, want %q", before, fields, got, want)
			}
		}
	}
}
