package manifest_test

import (
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
)

// TestSplit has names as build tools make them, with the fingerprint that is to
// be found.
func TestSplit(t *testing.T) {
	for name, want := range map[string]string{
		// webpack, Next.js, Create React App
		"app.3f8a91c2d4.js":                  "3f8a91c2d4",
		"js/main.8f3c2a1b9d0e7f6a5b4c.js":    "8f3c2a1b9d0e7f6a5b4c",
		"main.8f3c2a1b.chunk.js":             "8f3c2a1b",
		"chunk.3f8a91c2d4.min.js":            "3f8a91c2d4",
		"css/main_0123456789abcdef.css":      "0123456789abcdef",
		"3f8a91c2d4e5.woff2":                 "3f8a91c2d4e5",
		"4bd1b696-100b9d70ed4e49c1.js":       "100b9d70ed4e49c1",
		"polyfills-c67a75d1b6f99dc8.html.js": "c67a75d1b6f99dc8",
		// Parcel
		"index.3f8a91c2.js":     "3f8a91c2",
		"index.3f8a91c2.js.map": "3f8a91c2",
		// Vite, Rollup
		"assets/index-DiwrgTda.js":           "DiwrgTda",
		"assets/index-DiwrgTda.js.map":       "DiwrgTda",
		"assets/index-legacy-BpWg5qZx.js":    "BpWg5qZx",
		"assets/style.module-C1TNvQ72.css":   "C1TNvQ72",
		"vs/css.worker-BInK4lsP.js":          "BInK4lsP",
		"vs/markdown-C_rD0bIw.js":            "C_rD0bIw",
		"vs/msdax-C38-sJlp.js":               "C38-sJlp",
		"vs/mdx-BcFcCtz9.js":                 "BcFcCtz9",
		"vs/rust-Bfetafyc.js":                "Bfetafyc",
		"assets/inter-latin-Dx4kXJAl.woff2":  "Dx4kXJAl",
		"assets/index-b7x9k2qp.js":           "b7x9k2qp",
		"assets/jquery-migrate-DiwrgTda.css": "DiwrgTda",
		// esbuild, Angular
		"chunk-ABC123XY.js":     "ABC123XY",
		"chunk-KQXZPLMN.js":     "KQXZPLMN",
		"main-5INURTSO.js":      "5INURTSO",
		"polyfills-FFHMD2TL.js": "FFHMD2TL",
		"styles-FFHMDTL2.css":   "FFHMDTL2",
		"chunk-ABC123_x.css":    "ABC123_x",

		"":                         "",
		".":                        "",
		"3f8a91c2d4/app.js":        "",
		"3f8a91c2d4/":              "",
		"index-DiwrgTda/":          "",
		"app.js":                   "",
		"app":                      "",
		"app-20240131.js":          "", // a date
		"app-94321350.js":          "",
		"app.3f8a91c.js":           "", // too short
		"app.3f8a91c2d4":           "", // the extension
		"app.3F8A91C2d4":           "",
		"facade.js":                "",
		"deadbeef.js":              "",
		"abc-deadbeef.js":          "",
		"jquery-3.7.1.js":          "",
		"jquery-3.7.1.slim.min.js": "",
		"jquery-migrate.js":        "",
		"bootstrap-reboot.min.css": "",
		"bootstrap-grid.rtl.css":   "",
		"app-settings.js":          "",
		"chunk-vendors.js":         "",
		"chunk-Settings.js":        "",
		"chunk-settings.js":        "",
		"chunk-Version2.js":        "",
		"font-awesome-solid.css":   "",
		"index-abstract.js":        "",
		"index-ABSTRACT.js":        "",
		"lib-VERSION2.js":          "",
		"lib-Version2.js":          "",
		"uuid-550e8400-e29b-41d4-a716-446655440000.json":       "",
		"550E8400-e29b-41d4-a716-446655440000.json":            "",
		"550e8400-e29b-41d4-a716-446655440000.3f8a91c2.json":   "3f8a91c2",
		"550e8400-e29b-41d4-a716-446655440000.3f8a91c2d4.json": "3f8a91c2d4",
		"api-v2beta1x.json":             "",
		"is-IPv4orV6.js":                "",
		"report-2024Q1Q2.html":          "",
		"report-Q1Q2Q3Q4.html":          "",
		"product-AB12CD34.html":         "AB12CD34",
		"_nuxt/BpoYwQ5m.js":             "",
		"page-MyButton.js":              "",
		"page-DropDown.js":              "",
		"page-SvgIcons.js":              "",
		"page-HtmlCtrl.js":              "",
		"page-getItems.js":              "",
		"page-jsonData.js":              "",
		"page-CallExpr.js":              "",
		"page-iPhone15.js":              "",
		"page-UTF8Text.js":              "",
		"page-useOAuth.js":              "",
		"page-myOAuth2.js":              "",
		"trait.StdioExt.js":             "",
		"lib-base64js.js":               "",
		"lib-es2015js.js":               "",
		"lib-i18nlang.js":               "",
		"lib-ab-Setup.js":               "",
		"lib-Core_v12.js":               "",
		"icon-Small_2x.png":             "",
		"messages-EN_us-UK.js":          "",
		"spec-RFC-9842.html":            "",
		"inter-latin-400-normal.woff2":  "",
		"roboto-v30-latin-regular.woff": "",
		"DiwrgTda.js":                   "", // a name that is nothing else
		"MyButton.js":                   "",
		"index-DiwrgTda.JS":             "",
		"index-Diwr gTd.js":             "",
		"index-Diwrg.Td.js":             "",
	} {
		prefix, got, suffix, ok := manifest.Fingerprint{}.Split(name)
		if got != want || ok != (want != "") {
			t.Errorf("%s: fingerprint %q, want %q", name, got, want)
		}
		if ok && prefix+got+suffix != name {
			t.Errorf("%s: split into %q, %q and %q", name, prefix, got, suffix)
		}
	}
}

func TestStable(t *testing.T) {
	own, err := manifest.NewFingerprint(`\.v([0-9]+)\.`)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := manifest.NewFingerprint(`[0-9]+`)
	if err != nil {
		t.Fatal(err)
	}
	nothing, err := manifest.NewFingerprint(`(x?)`)
	if err != nil {
		t.Fatal(err)
	}
	optional, err := manifest.NewFingerprint(`a(x)?`)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		f          manifest.Fingerprint
		name, want string
	}{
		{manifest.Fingerprint{}, "assets/app-3f8a91c2.js", "assets/app-*.js"},
		{manifest.Fingerprint{}, "assets/app-DiwrgTda.js", "assets/app-*.js"},
		{manifest.Fingerprint{}, "assets/app.js", "assets/app.js"},
		{own, "a/app.v12.js", "a/app.v*.js"},
		{own, "a.v1.x/app-3f8a91c2.js", "a.v1.x/app-3f8a91c2.js"},
		{whole, "9/app12-3.js", "9/app*-3.js"},
		{nothing, "a/app.js", "a/app.js"},
		{optional, "a.js", "a.js"},
		{optional, "ax.js", "a*.js"},
	}
	for _, tt := range tests {
		if got := tt.f.Stable(tt.name); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
	for expr, want := range map[string]string{"": "is empty", "(": "malformed", "(a)(b)": "2 groups"} {
		if _, err := manifest.NewFingerprint(expr); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want one that says %q", expr, err, want)
		}
	}
}
