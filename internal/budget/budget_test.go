package budget_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/manifest"
)

// stored returns an asset with a br and a gzip variant; a size of 0 omits it, one
// of -1 is not known.
func stored(path string, source, br, gzip int64) manifest.Asset {
	variant := func(c manifest.Coding, size int64) manifest.Variant {
		switch {
		case size == 0:
			return manifest.Variant{Coding: c, Size: source + 1, Omitted: manifest.Larger}
		case size < 0:
			return manifest.Variant{Coding: c, Stale: true}
		}
		return manifest.Variant{Coding: c, Size: size}
	}
	return manifest.Asset{Path: path, Size: source, Variants: []manifest.Variant{variant(manifest.Brotli, br), variant(manifest.Gzip, gzip)}}
}

func TestBudget(t *testing.T) {
	assets := []manifest.Asset{
		stored("assets/app-3f8a91c2.js", 1000, 300, 350),
		stored("assets/app-settings.js", 900, 280, 270),
		stored("assets/deep/x.js", 500, 0, 200),
		stored("assets/none.js", 400, 0, 0),
		stored("assets/pending.js", 800, -1, 250),
		stored("index.html", 2000, 600, 700),
	}
	type over struct {
		Path   string
		Coding manifest.Coding
		Bytes  int64
		Assets int
	}
	tests := []struct {
		text             string
		matched, unknown int
		want             []over
	}{
		{"index.html=600:br", 1, 0, nil},
		{"index.html=599:br", 1, 0, []over{{"index.html", "br", 600, 1}}},
		{"index.html=599", 1, 0, []over{{"index.html", "br", 600, 1}}},
		{"index.html=1999:identity", 1, 0, []over{{"index.html", "identity", 2000, 1}}},
		{"index.html=0.5kB:gz", 1, 0, []over{{"index.html", "gzip", 700, 1}}},
		{"index.html=0", 1, 0, []over{{"index.html", "br", 600, 1}}},
		{"app-*.js=290", 2, 0, []over{{"assets/app-3f8a91c2.js", "br", 300, 1}}},
		{"assets/app-*.js=269", 2, 0, []over{{"assets/app-3f8a91c2.js", "br", 300, 1}, {"assets/app-settings.js", "gzip", 270, 1}}},
		{`assets/app-\*.js=10`, 1, 0, []over{{"assets/app-3f8a91c2.js", "br", 300, 1}}},
		{"assets/app-3f8a91c2.js=10", 1, 0, []over{{"assets/app-3f8a91c2.js", "br", 300, 1}}},
		// without a variant, the source is what is sent
		{"none.js=399:br", 1, 0, []over{{"assets/none.js", "identity", 400, 1}}},
		{"none.js=399", 1, 0, []over{{"assets/none.js", "identity", 400, 1}}},
		{"deep=499:br", 1, 0, []over{{"assets/deep/x.js", "identity", 500, 1}}},
		{"x.js=499:zstd", 1, 0, []over{{"assets/deep/x.js", "identity", 500, 1}}},
		// what is not known is not counted
		{"pending.js=1:br", 1, 1, nil},
		{"pending.js=1", 1, 1, nil},
		{"pending.js=1:gzip", 1, 0, []over{{"assets/pending.js", "gzip", 250, 1}}},
		{"pending.js=1:identity", 1, 0, []over{{"assets/pending.js", "identity", 800, 1}}},
		{"assets/**=1169:total", 5, 1, []over{{"", "", 300 + 270 + 200 + 400, 4}}},
		{"assets/**=1170:total", 5, 1, nil},
		{"assets/*.js=979:total:br", 4, 1, []over{{"", "br", 300 + 280 + 400, 3}}},
		{"assets/*.js=979:br:total", 4, 1, []over{{"", "br", 300 + 280 + 400, 3}}},
		{"*.css=1", 0, 0, nil},
		{"a=b.js=1", 0, 0, nil},
		{"*.css=0:total", 0, 0, nil},
	}
	for _, tt := range tests {
		b, err := budget.Parse(tt.text)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		audit := b.Audit(assets, manifest.Fingerprint{})
		var got []over
		for _, o := range audit.Over {
			got = append(got, over{o.Path, o.Coding, o.Bytes, o.Assets})
			if o.Budget.Text != tt.text || o.Excess() != o.Bytes-b.Limit {
				t.Errorf("%s: %+v", tt.text, o)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || audit.Matched != tt.matched || audit.Unknown != tt.unknown {
			t.Errorf("%s: %d matched, %d unknown (-want +got):\n%s", tt.text, audit.Matched, audit.Unknown, diff)
		}
	}
}

func TestBudgetFaults(t *testing.T) {
	for text, want := range map[string]string{
		"":                   "there is no limit: write it like",
		"*.js":               "there is no limit",
		"=1kB":               "matches nothing",
		"[=1kB":              "is malformed",
		"*.js=":              "is not a size",
		"*.js=many":          "is not a size",
		"*.js=-1":            "is not a size",
		"*.js=1kB:":          "neither total nor a coding",
		"*.js=1kB:lzma":      "neither total nor a coding",
		"*.js=1kB:br:gzip":   "two codings, br and gzip",
		"*.js=1kB:total:sum": "neither total nor a coding",
		"*.js=1:total:total": "total twice",
	} {
		_, err := budget.Parse(text)
		if err == nil || !strings.HasPrefix(err.Error(), fmt.Sprintf("the budget %q: ", text)) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want one that says %q", text, err, want)
		}
	}
}

func TestCompare(t *testing.T) {
	before := []manifest.Asset{
		stored("app-3f8a91c2.js", 1000, 300, 350),
		stored("chunk-ABC123XY.js", 100, 50, 0),
		stored("chunk-XYZ321AB.js", 200, 70, 0),
		stored("gone.js", 400, 100, 0),
		stored("pending.js", 400, 100, 0),
		stored("same.js", 400, 100, 0),
		stored("source-only.js", 400, 100, 0),
	}
	after := []manifest.Asset{
		stored("app-77aa01bc.js", 900, 250, 240),
		stored("chunk-KQXZPLMN.js", 300, 150, 0),
		stored("new.js", 500, 0, 0),
		stored("pending.js", 500, -1, 0),
		stored("same.js", 400, 100, 0),
		stored("source-only.js", 500, 100, 0),
	}
	type change struct {
		Name          string
		Before, After budget.Extent
	}
	want := []change{
		{"new.js", budget.Extent{}, budget.Extent{Files: 1, Source: 500, Smallest: 500}},
		{"gone.js", budget.Extent{Files: 1, Source: 400, Smallest: 100}, budget.Extent{}},
		{"app-*.js", budget.Extent{Files: 1, Source: 1000, Smallest: 300}, budget.Extent{Files: 1, Source: 900, Smallest: 240}},
		{"chunk-*.js", budget.Extent{Files: 2, Source: 300, Smallest: 120}, budget.Extent{Files: 1, Source: 300, Smallest: 150}},
		{"source-only.js", budget.Extent{Files: 1, Source: 400, Smallest: 100}, budget.Extent{Files: 1, Source: 500, Smallest: 100}},
	}
	c := budget.Compare(before, after, manifest.Fingerprint{})
	var got []change
	for _, x := range c.Changes {
		got = append(got, change(x))
	}
	if diff := cmp.Diff(want, got); diff != "" || c.Unknown != 1 {
		t.Errorf("%d unknown (-want +got):\n%s", c.Unknown, diff)
	}
	if c.Changes[1].Delta() != -100 {
		t.Error(c.Changes[1].Delta())
	}
	// All but pending.js, whose size is not known.
	if want := (budget.Extent{Files: 6, Source: 2500, Smallest: 720}); c.Before != want {
		t.Errorf("before: %+v, want %+v", c.Before, want)
	}
	if want := (budget.Extent{Files: 5, Source: 2600, Smallest: 1090}); c.After != want {
		t.Errorf("after: %+v, want %+v", c.After, want)
	}
}
