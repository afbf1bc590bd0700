package urlpattern_test

import (
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/urlpattern"
)

// patterns are patterns and whether they can be sent.
var patterns = []struct {
	pattern string
	ok      bool
}{
	{"/app.js", true},
	{"app-*.js", true},
	{"/app/*/main.js", true},
	{"/*", true},
	{"*", true},
	{"/**", true},
	{"/a/:name/b", true},
	{"/:name?", true},
	{"/:a:b+", true},
	{"/a{-:hash}?.js", true},
	{"/a{b}", true},
	{"/a{*}+", true},
	{`/a\+b\(1\)\*.js`, true},
	{`/a{\:}b.js`, true},
	{"/%C3%A9|~!$&',;=@[].js", true},
	{"/" + strings.Repeat("x", 1023), true},
	{"", false},
	{"/" + strings.Repeat("x", 1024), false},
	{"//host/a", false},
	{"https://host/a", false},
	{`https\://host/a`, false},
	{`/a\:b`, false},
	{"/a b", false},
	{"/é", false},
	{"/a\"b", false},
	{"/a\x00", false},
	{"/(a)", false},
	{"/:a(b)", false},
	{"/a+b.js", false},
	{"/a?b", false},
	{`/a\?b`, false},
	{"/a#b", false},
	{`/a\#b`, false},
	{"/a{b", false},
	{"/a}b", false},
	{"/{a{b}}", false},
	{"/{*:a}", false},
	{"/{:a*}", false},
	{"/{a+}", false},
	{"/a:", false},
	{"/a:/b", false},
	{"/:1", false},
	{"/:a/:a", false},
	{`/a\`, false},
}

func TestCheck(t *testing.T) {
	for _, tt := range patterns {
		if err := urlpattern.Check(tt.pattern); (err == nil) != tt.ok {
			t.Errorf("%q: %v", tt.pattern, err)
		}
	}
	for path, want := range map[string]string{"/a+b(1).js": `/a\+b\(1\).js`, "/a:b*": `/a{\:}b\*`, "/a.b-c/%20": "/a.b-c/%20"} {
		if got := urlpattern.Quote(path); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// TestQuoteName: a name's pattern is taken and has no wildcard where there is one
// spelling only.
func TestQuoteName(t *testing.T) {
	for name, want := range map[string]string{
		"app-3f.js": "app-3f.js", "a~b_c.%C3%A9.js": "a~b_c.%C3%A9.js", "[id](1).js": "*id*1*.js", "(a)": "*a*", "": "",
		"a!b$c&d'e+f,g:h;i=j@k|l": "a*b*c*d*e*f*g*h*i*j*k*l", "app@*.js": "app*.js", "a*b": "a*b", "a?b": `a\?b`,
	} {
		got := urlpattern.QuoteName(name)
		if got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
		if err := urlpattern.Check(got); err != nil && name != "" && name != "a?b" {
			t.Error(err)
		}
	}
}

// FuzzCheck: what is taken can be sent as a string, and has no regular
// expression; what is quoted is taken, if a URL can hold it.
func FuzzCheck(f *testing.F) {
	for _, tt := range patterns {
		f.Add(tt.pattern)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if urlpattern.Check(s) == nil {
			for i, c := range []byte(s) {
				if c <= ' ' || c > '~' || c == '(' && s[i-1] != '\\' {
					t.Errorf("%q is taken", s)
				}
			}
		}
		inURL := strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~!$&'()*+,;=:@/%") == ""
		if inURL && len(s) < 200 {
			if err := urlpattern.Check("/x" + urlpattern.Quote(s)); err != nil {
				t.Error(err)
			}
		}
	})
}
