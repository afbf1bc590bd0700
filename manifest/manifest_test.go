package manifest_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/precompress/precompress/manifest"
)

func sample() *manifest.Manifest {
	return &manifest.Manifest{Assets: []manifest.Asset{
		{Path: "z.js", Size: 3000, Digest: 1, Original: true, Variants: []manifest.Variant{
			{Coding: manifest.Gzip, Level: 9, Encoder: "e 1", Size: 300, Digest: 0xfedcba9876543210},
			{Coding: manifest.Brotli, Level: 11, Encoder: "e <2>", Size: 200, Digest: 2, Stale: true},
			{Coding: manifest.Zstd, Level: 19, Encoder: "e 3", Size: 2999, Omitted: manifest.Larger},
		}},
		{Path: "caf\xe9/\n.js", Size: 0, Digest: 0},
		{Path: "a b+%.js", Size: 1 << 40, Digest: 5, Variants: []manifest.Variant{{Coding: manifest.Gzip, Omitted: manifest.Incompressible}}},
	}}
}

// TestEncode: sorted, no times, a trailing newline, and the same bytes however
// the assets were ordered.
func TestEncode(t *testing.T) {
	data, err := sample().Encode()
	if err != nil {
		t.Fatal(err)
	}
	want := `{
"version": 1,
"assets": [
{"path":"a b+%.js","size":1099511627776,"xxh64":"0000000000000005","variants":[{"coding":"gzip","level":0,"encoder":"","omitted":"incompressible"}]},
{"path_base64":"Y2Fm6S8KLmpz","size":0,"xxh64":"0000000000000000"},
{"path":"z.js","size":3000,"xxh64":"0000000000000001","original":true,"variants":[` +
		`{"coding":"br","size":200,"xxh64":"0000000000000002","level":11,"encoder":"e <2>","stale":true},` +
		`{"coding":"zstd","size":2999,"level":19,"encoder":"e 3","omitted":"larger"},` +
		`{"coding":"gzip","size":300,"xxh64":"fedcba9876543210","level":9,"encoder":"e 1"}]}
]
}
`
	if diff := cmp.Diff(want, string(data)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	back, err := manifest.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := back.Encode()
	if err != nil || !bytes.Equal(data, again) {
		t.Errorf("encoded again: %v\n%s", err, again)
	}
	if a, found := back.Lookup("caf\xe9/\n.js"); !found || a.Size != 0 {
		t.Error("an asset is not found by its name")
	}
	if _, found := back.Lookup("none"); found {
		t.Error("an asset is found that is not there")
	}
	empty, err := (&manifest.Manifest{}).Encode()
	if err != nil || string(empty) != "{\n\"version\": 1,\n\"assets\": [\n]\n}\n" {
		t.Errorf("%q, %v", empty, err)
	}
}

// badManifests are refused by Decode, and by the schema but where a schema
// cannot say it. They are also seeds of FuzzDecode.
var badManifests = []badManifest{
	{"empty", ``, false},
	{"truncated", `{"version": 1, "assets": [`, false},
	{"data after the end", `{"version": 1, "assets": []} x`, false},
	{"two documents", `{"version": 1, "assets": []}{}`, false},
	{"not an object", `[]`, true},
	{"null", `null`, true},
	{"no version", `{"assets": []}`, true},
	{"newer version", `{"version": 2, "assets": []}`, true},
	{"newer version of another form", `{"version": 2, "assets": {"a": 1}}`, true},
	{"version as text", `{"version": "1", "assets": []}`, true},
	{"assets as an object", `{"version": 1, "assets": {}}`, true},
	{"no path", `{"version": 1, "assets": [{"size": 1, "xxh64": "0000000000000001"}]}`, true},
	{"two paths", asset(`"path": "a", "path_base64": "YQ=="`), true},
	{"path with ..", asset(`"path": "../a"`), true},
	{"path with .. inside", asset(`"path": "a/../../b"`), true},
	{"path is ..", asset(`"path": ".."`), true},
	{"path ends in ..", asset(`"path": "a/.."`), true},
	{"path is .", asset(`"path": "."`), true},
	{"path with .", asset(`"path": "a/./b"`), true},
	{"absolute path", asset(`"path": "/a"`), true},
	{"empty path", asset(`"path": ""`), true},
	{"path with an empty element", asset(`"path": "a//b"`), true},
	{"path ends in a slash", asset(`"path": "a/"`), true},
	{"path with NUL", asset(`"path": "a\u0000b"`), true},
	{"path as a number", asset(`"path": 5`), true},
	{"base64 with ..", asset(`"path_base64": "Li4vYQ=="`), false},
	{"base64 that is none", asset(`"path_base64": "%%%"`), true},
	{"empty base64", asset(`"path_base64": ""`), true},
	{"listed twice", `{"version": 1, "assets": [` + one + `, ` + one + `]}`, false},
	{"no digest", `{"version": 1, "assets": [{"path": "a", "size": 1}]}`, true},
	{"short digest", `{"version": 1, "assets": [{"path": "a", "size": 1, "xxh64": "12"}]}`, true},
	{"digest that is none", `{"version": 1, "assets": [{"path": "a", "size": 1, "xxh64": "zzzzzzzzzzzzzzzz"}]}`, true},
	{"digest as a number", `{"version": 1, "assets": [{"path": "a", "size": 1, "xxh64": 1}]}`, true},
	{"negative size", `{"version": 1, "assets": [{"path": "a", "size": -1, "xxh64": "0000000000000001"}]}`, true},
	{"size over 1 TiB", `{"version": 1, "assets": [{"path": "a", "size": 1099511627777, "xxh64": "0000000000000001"}]}`, true},
	{"size of a variant over 1 TiB", variant(`"coding": "br", "size": 9223372036854775807, "xxh64": "0000000000000001"`), true},
	{"size beyond 64 bits", `{"version": 1, "assets": [{"path": "a", "size": 1e30, "xxh64": "0000000000000001"}]}`, true},
	{"size with a fraction", `{"version": 1, "assets": [{"path": "a", "size": 1.5, "xxh64": "0000000000000001"}]}`, true},
	{"unknown coding", variant(`"coding": "lzma", "size": 1, "xxh64": "0000000000000001"`), true},
	{"no coding", variant(`"size": 1, "xxh64": "0000000000000001"`), true},
	{"neither stored nor omitted", variant(`"coding": "br", "size": 1`), true},
	{"stored and omitted", variant(`"coding": "br", "size": 1, "xxh64": "0000000000000001", "omitted": "larger"`), true},
	{"stored and omitted, no size", variant(`"coding": "br", "xxh64": "0000000000000001", "omitted": "larger"`), true},
	{"stale and omitted", variant(`"coding": "br", "omitted": "larger", "stale": true`), true},
	{"unknown omission", variant(`"coding": "br", "omitted": "because"`), true},
	{"negative variant size", variant(`"coding": "br", "size": -1, "xxh64": "0000000000000001"`), true},
	{"coding twice", `{"version": 1, "assets": [{"path": "a", "size": 1, "xxh64": "0000000000000001", "variants": [
		{"coding": "br", "level": 1, "encoder": "e", "omitted": "larger"}, {"coding": "br", "level": 2, "encoder": "e", "omitted": "larger"}]}]}`, false},
}

type badManifest struct {
	name, text string
	schema     bool // refuses too
}

const one = `{"path": "a", "size": 1, "xxh64": "0000000000000001"}`

func asset(members string) string {
	return `{"version": 1, "assets": [{` + members + `, "size": 1, "xxh64": "0000000000000001"}]}`
}

func variant(members string) string {
	return `{"version": 1, "assets": [{"path": "a", "size": 9, "xxh64": "0000000000000001", "variants": [{"level": 1, "encoder": "e", ` + members + `}]}]}`
}

func TestDecodeRefuses(t *testing.T) {
	schema := compileSchema(t)
	for _, tt := range slices.Concat(badManifests, badDeltas) {
		t.Run(tt.name, func(t *testing.T) {
			m, err := manifest.Decode([]byte(tt.text))
			if err == nil {
				t.Errorf("decoded to %+v", m)
			}
			if newer := strings.HasPrefix(tt.name, "newer"); newer && !errors.Is(err, manifest.ErrVersion) {
				t.Errorf("error: %v", err)
			}
			if valid, err := validate(schema, []byte(tt.text)); tt.schema && valid {
				t.Errorf("the schema takes it (%v)", err)
			}
		})
	}
}

// TestDecodeTypes: an error names the member and what JSON has, not Go's types.
func TestDecodeTypes(t *testing.T) {
	for text, want := range map[string]string{
		`[]`:                             `the document is a list and not an object (before byte 1)`,
		`{"version": 1, "assets": {}}`:   `"assets" is an object and not a list (before byte 26)`,
		`{"version": 1.5, "assets": []}`: `"version" is a number and not a whole number of 64 bits (before byte 15)`,
		`{"version": 1, "assets": [{"path": 5}]}`:                                 `"assets.path" is a number and not a string (before byte 36)`,
		`{"version": 1, "assets": [{"xxh64": true}]}`:                             `"assets.xxh64" is true or false and not a string (before byte 40)`,
		`{"version": 1, "assets": [{"variants": [{"level": "x"}]}]}`:              `"assets.variants.level" is a string and not a whole number of 64 bits (before byte 53)`,
		`{"version": 1, "assets": [{"deltas": [{"xxh64": 3}]}]}`:                  `"assets.deltas.xxh64" is a number and not a string (before byte 49)`,
		`{"version": 1, "assets": [{"original": "x"}]}`:                           `"assets.original" is a string and not true or false (before byte 42)`,
		`{"version": 1, "assets": [{"size": 1` + strings.Repeat("0", 999) + `}]}`: `"assets.size" is a number and not a whole number of 64 bits (before byte 1035)`,
	} {
		_, err := manifest.Decode([]byte(text))
		var cause *json.UnmarshalTypeError
		if err == nil || err.Error() != "decode manifest: "+want || !errors.As(err, &cause) {
			t.Errorf("%.60s: %v", text, err)
		}
	}
}

// TestDecodeTakes: unknown members are ignored, and order does not matter.
func TestDecodeTakes(t *testing.T) {
	schema := compileSchema(t)
	for name, text := range map[string]string{
		"unknown members": `{"version": 1, "made_by": {"x": [1]}, "assets": [{"path": "a", "size": 1, "xxh64": "0000000000000001", "more": true}]}`,
		"unsorted":        `{"assets": [{"path": "b", "size": 1, "xxh64": "0000000000000001"}, ` + one + `], "version": 1}`,
		"dots in names":   `{"version": 1, "assets": [{"path": "...", "size": 1, "xxh64": "0000000000000001"}, {"path": "..a/.b/c..", "size": 1, "xxh64": "0000000000000001"}, {"path": ".\n", "size": 1, "xxh64": "0000000000000001"}]}`,
		"stale":           variant(`"coding": "br", "size": 1, "xxh64": "0000000000000001", "stale": true`),
		"omitted":         variant(`"coding": "zstd", "size": 1, "omitted": "dominated", "stale": false`),
	} {
		if _, err := manifest.Decode([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if valid, err := validate(schema, []byte(text)); !valid {
			t.Errorf("%s: the schema refuses it: %v", name, err)
		}
	}
}

func TestSchemaTakesEncoded(t *testing.T) {
	data, err := sample().Encode()
	if err != nil {
		t.Fatal(err)
	}
	if valid, err := validate(compileSchema(t), data); !valid {
		t.Error(err)
	}
}

func compileSchema(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func validate(schema *jsonschema.Schema, data []byte) (bool, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return false, err
	}
	err = schema.Validate(doc)
	return err == nil, err
}

func TestCodings(t *testing.T) {
	for name, want := range map[string]manifest.Coding{"br": manifest.Brotli, "Brotli": manifest.Brotli, ".br": manifest.Brotli, " zst ": manifest.Zstd,
		"zstd": manifest.Zstd, "GZ": manifest.Gzip, "x-gzip": manifest.Gzip, "gzip": manifest.Gzip} {
		if got, err := manifest.ParseCoding(name); err != nil || got != want {
			t.Errorf("%q: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"", ".", "deflate", "identity", "br,gzip", "..br"} {
		if got, err := manifest.ParseCoding(name); err == nil {
			t.Errorf("%q: %q", name, got)
		}
	}
	for name, want := range map[string]string{"a.js.br": "a.js br", "a.zst": "a zstd", "x/a.gz": "x/a gzip", ".gz": "", "x/.gz": "", "a.GZ": "", "a.js": "", "br": "", "a.tar.gz": "a.tar gzip"} {
		from, c, ok := manifest.SplitSuffix(name)
		if got := strings.TrimSpace(from + " " + string(c)); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", name, got, ok)
		}
	}
	if manifest.Brotli.FieldSize() != int64(len("Content-Encoding: br\r\n")) {
		t.Error("the field of br is not of its size")
	}
}

func TestDigest(t *testing.T) {
	// The values of the XXH64 specification's own tests.
	for text, want := range map[string]string{"": "ef46db3751d8e999", "a": "d24ec4f1a98c6e5b", "abc": "44bc2cf5ad770999"} {
		if got := manifest.Sum([]byte(text)).String(); got != want {
			t.Errorf("%q: %s", text, got)
		}
	}
	var d manifest.Digest
	if err := json.Unmarshal([]byte(`"+000000000000001"`), &d); err == nil {
		t.Error("a sign was taken for a digit")
	}
}

// FuzzDecode: never panics, and what it takes encodes to a fixed point.
func FuzzDecode(f *testing.F) {
	for _, tt := range slices.Concat(badManifests, badDeltas) {
		f.Add([]byte(tt.text))
	}
	data, err := sample().Encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	if data, err = sampleDeltas().Encode(); err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := manifest.Decode(data)
		if err != nil {
			return
		}
		for _, a := range m.Assets {
			if !manifest.ValidPath(a.Path) || strings.HasPrefix(a.Path, "/") || strings.Contains("/"+a.Path+"/", "/../") {
				t.Fatalf("path %q", a.Path)
			}
		}
		first, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		m, err = manifest.Decode(first)
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		second, err := m.Encode()
		if err != nil || !bytes.Equal(first, second) {
			t.Fatalf("%v\n%s\n%s", err, first, second)
		}
	})
}
