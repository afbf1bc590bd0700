package page_test

import (
	"testing"

	"github.com/precompress/precompress/internal/page"
)

func TestShorten(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		width float64
		want  string
	}{
		{"app.js", 1000, "app.js"},
		{"app.js", page.TextWidth("app.js"), "app.js"},
		{"bootstrap.bundle.min.js.map", page.TextWidth("boots…s.map"), "boots…s.map"},
		{"\u6f22\u5b57\u6f22\u5b57", page.TextWidth("\u6f22\u5b57…"), "\u6f22…\u5b57"},
		{"app.js", 0, "…"},
		{"", 0, ""},
	} {
		got := page.Shorten(test.text, test.width)
		if got != test.want {
			t.Errorf("Shorten(%q, %g) = %q, want %q", test.text, test.width, got, test.want)
		}
		if got != "…" && page.TextWidth(got) > test.width {
			t.Errorf("%q is wider than %g", got, test.width)
		}
	}
}

func TestShown(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"":            "",
		"a b/c.js":    "a b/c.js",
		" a":          `" a"`,
		"a ":          `"a "`,
		"  ":          `"  "`,
		"a  b":        `"a  b"`,
		"a\tb":        `"a\tb"`,
		"a\u00a0b":    `"a\u00a0b"`,
		"\u05e9 .txt": "\u05e9 .txt",
	} {
		if got := page.Shown(name); got != want {
			t.Errorf("%q is shown as %s, want %s", name, got, want)
		}
	}
}
