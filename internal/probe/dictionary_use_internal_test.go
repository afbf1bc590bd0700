package probe

import (
	"testing"

	"github.com/precompress/precompress/manifest"
)

// TestSameUse: patterns mean the same if they do for the URL that was asked for.
func TestSameUse(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		at, asset, sent, build string
		want                   bool
	}{
		{"http://a/x/app.js", "app.js", "app*.js", "app*.js", true},
		{"http://a/x/app.js", "app.js", "/x/app*.js", "app*.js", true},
		{"http://a/x/app.js", "app.js", "app*.js", "/x/app*.js", true},
		{"http://a/x/app.js", "app.js", "/y/app*.js", "app*.js", false},
		{"http://a/x/app.js", "app.js", "/app*.js", "app*.js", false},
		{"http://a/x%2B(1)/app.js", "app.js", `/x%2B\(1\)/app*.js`, "app*.js", true},
		{"http://a/x/index.html", "index.html", "/x/index.html", "index.html", true},
		{"http://a/x/", "x/index.html", "/x/", "index.html", true},
		{"http://a/x/", "x/index.html", "/", "index.html", false},
		{"http://a/x/", "x/index.html", "/x/", "/x/other.html", false},
	} {
		u, err := ParseURL(test.at)
		if err != nil {
			t.Fatal(err)
		}
		p := &urlProbe{url: u, asset: &manifest.Asset{Path: test.asset}}
		if got := p.isSameUse(dictionaryUse{match: test.sent}, dictionaryUse{match: test.build}); got != test.want {
			t.Errorf("%s: %s and %s: %t", test.at, test.sent, test.build, got)
		}
	}
}
