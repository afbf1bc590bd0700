package page_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/page"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	text := write(t, page.Page{Title: "a <b>", Body: `<h1>{{name .}}</h1>`, Data: "x<script>\u05d0"})
	for _, want := range []string{"<title>a &lt;b&gt;</title>", "<h1><bdi>x&lt;script&gt;\u05d0</bdi></h1>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in the page", want)
		}
	}
	if again := write(t, page.Page{Title: "a <b>", Body: `<h1>{{name .}}</h1>`, Data: "x<script>\u05d0"}); again != text {
		t.Error("the same page has other bytes")
	}
}

// TestLongTitle: titles are as long as names at most.
func TestLongTitle(t *testing.T) {
	t.Parallel()
	text := write(t, page.Page{Title: "bench: " + strings.Repeat("x", 30_000), Body: `<h1>{{name .}}</h1>`, Data: strings.Repeat("x", 30_000)})
	if n := strings.Count(text, strings.Repeat("x", 493)+"…"); n != 2 || strings.Contains(text, strings.Repeat("x", 501)) {
		t.Errorf("a long name is shortened %d times, want 2", n)
	}
}

// TestPolicy: the policy names the hashes of what is in the page, so that browsers run
// that, and nothing else.
func TestPolicy(t *testing.T) {
	t.Parallel()
	text := write(t, page.Page{})
	policy := html.UnescapeString(text)
	for element, n := range map[string]int{"style": 1, "script": 2} {
		_, allowed, _ := strings.Cut(policy, "; "+element+"-src ")
		allowed, _, _ = strings.Cut(allowed, ";")
		var sources []string
		for _, content := range strings.Split(text, "<"+element+">")[1:] {
			content, _, _ = strings.Cut(content, "</"+element+">")
			sum := sha256.Sum256([]byte(content))
			sources = append(sources, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'")
		}
		if len(sources) != n || allowed != strings.Join(sources, " ") {
			t.Errorf("the policy allows %s of %s, want %s", allowed, element, sources)
		}
	}
	if !strings.Contains(text, `content="default-src &#39;none&#39;; `) {
		t.Error("the policy lets something through")
	}
}

// TestWriteFails: a template that fails writes nothing.
func TestWriteFails(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	if err := (page.Page{Body: "<p>{{.Missing}}", Data: struct{}{}}).Write(&b); err == nil || b.Len() > 0 {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
	if err := (page.Page{Body: "{{"}).Write(&b); err == nil || b.Len() > 0 {
		t.Errorf("%v, %d bytes", err, b.Len())
	}
}

func write(t *testing.T, p page.Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestName: all of a name is seen, unless it is longer than names can be.
func TestName(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"a b":                          "<p>a b</p>",
		"a  b":                         `<p><bdi class="spaced">a  b</bdi></p>`,
		"\u05d0":                       "<p><bdi>\u05d0</bdi></p>",
		strings.Repeat("\u05d0", 1000): "<p><bdi>" + strings.Repeat("\u05d0", 1000) + "</bdi></p>",
		strings.Repeat("x", 1000):      "<p>" + strings.Repeat("x", 1000) + "</p>",
		strings.Repeat("x", 5000000):   "<p><bdi>" + strings.Repeat("x", 500) + "…" + strings.Repeat("x", 500) + "</bdi></p>",
	} {
		if text := write(t, page.Page{Body: "<p>{{name .}}</p>", Data: name}); !strings.Contains(text, want) {
			t.Errorf("%.20q of %d bytes is not on the page as %.40q", name, len(name), want)
		}
	}
}

func TestSaved(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		before, after int64
		want          string
	}{{0, 0, "–"}, {1000, 228, "77.2 %"}, {1000, 1000, "0.0 %"}, {1000, 1010, "-1.0 %"}, {1000000, 13, ">99.9 %"}, {1000, 0, "100.0 %"}, {1000, 1, "99.9 %"}} {
		if got := page.Saved(test.before, test.after); got != test.want {
			t.Errorf("Saved(%d, %d) = %s, want %s", test.before, test.after, got, test.want)
		}
	}
}
