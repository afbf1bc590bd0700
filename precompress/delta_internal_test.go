package precompress

import (
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
)

// TestWeighDelta checks that a delta is kept only if it saves more bytes than its
// header fields take.
func TestWeighDelta(t *testing.T) {
	const fields = len("Content-Encoding: dcb\r\n") + len(", Available-Dictionary")
	for _, tt := range []struct {
		best, size int64
		saving     Saving
		want       manifest.Omission
	}{
		{1000, 1000 - int64(fields) - 1, Saving{}, ""},
		{1000, 1000 - int64(fields), Saving{}, manifest.Larger},
		{1000, 1001, Saving{}, manifest.Larger},
		{1000, 1000 - int64(fields), SaveBytes(0), manifest.Larger},
		{1000, 600, SavePercent(50), manifest.Larger},
		{1000, 400, SavePercent(50), ""},
	} {
		if got := weighDelta(tt.best, tt.size, manifest.DCB, tt.saving); got != tt.want {
			t.Errorf("%+v: got %q", tt, got)
		}
	}
}

// TestURLPattern checks that the pattern for an asset is valid in Use-As-Dictionary,
// and matches the asset with any fingerprint.
func TestURLPattern(t *testing.T) {
	opts := Options{Previous: []string{"x"}, Deltas: manifest.DeltaCodings()}
	for asset, want := range map[string]string{
		"app.js":                     "app.js",
		"assets/app-3f8a91c2.js":     "app-*.js",
		"js/index-DiwrgTda.js":       "index-*.js",
		"a b/ä b.js":                 "%C3%A4%20b.js",
		"50%.js":                     "50%25.js",
		"what?(1)+*.js":              `what%3F*1*.js`,
		"a:b.js":                     `a*b.js`,
		"{x}.js":                     "%7Bx%7D.js",
		`back\slash.js`:              "back%5Cslash.js",
		"x(3)-3f8a91c2.js":           `x*3*-*.js`,
		"js/[id]-3f8a91c2.js":        "*id*-*.js",
		"\xff.js":                    "%FF.js",
		strings.Repeat("ä", 400):     "",
		"page/" + "index.html":       "index.html",
		"css/app.3f8a91c2d4.min.css": "app.*.min.css",
	} {
		if got := opts.urlPattern(asset, 100); got != want {
			t.Errorf("%q: pattern %q, want %q", asset, got, want)
		}
	}
	for size, want := range map[int64]string{0: "", 1: "a.js", 50 << 20: "a.js", 50<<20 + 1: ""} {
		if got := opts.urlPattern("a.js", size); got != want {
			t.Errorf("%d bytes: pattern %q", size, got)
		}
	}
	opts.Deltas = nil
	if got := opts.urlPattern("a.js", 1); got != "" {
		t.Errorf("without deltas: pattern %q", got)
	}
}
