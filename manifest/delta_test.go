package manifest_test

import (
	"bytes"
	"crypto/sha256"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/manifest"
)

func dictionary(content string) manifest.Dictionary { return sha256.Sum256([]byte(content)) }

func sampleDeltas() *manifest.Manifest {
	return &manifest.Manifest{Assets: []manifest.Asset{{
		Path: "app-2.js", Size: 3000, Digest: 1, Match: "/app-*.js", DictionaryID: `a "b" \c`,
		Deltas: []manifest.Delta{
			{
				Variant:    manifest.Variant{Coding: manifest.DCZ, Level: 19, Encoder: "z 1", Size: 90, Digest: 2},
				Dictionary: dictionary("abc"), DictionarySize: 3, Release: "v1 – first",
			},
			{Variant: manifest.Variant{Coding: manifest.DCB, Level: 11, Encoder: "b 1", Size: 80, Digest: 3, Stale: true}, Dictionary: dictionary("abc")},
			{Variant: manifest.Variant{Coding: manifest.DCB, Level: 11, Encoder: "b 1", Size: 2999, Omitted: manifest.Larger}, Dictionary: dictionary("a")},
		},
	}}}
}

func TestEncodeDeltas(t *testing.T) {
	data, err := sampleDeltas().Encode()
	if err != nil {
		t.Fatal(err)
	}
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	want := `{
"version": 1,
"assets": [
{"path":"app-2.js","size":3000,"xxh64":"0000000000000001","match":"/app-*.js","dictionary_id":"a \"b\" \\c","deltas":[` +
		`{"coding":"dcb","dictionary":"` + abc + `","size":80,"xxh64":"0000000000000003","level":11,"encoder":"b 1","stale":true},` +
		`{"coding":"dcz","dictionary":"` + abc + `","dictionary_size":3,"release":"v1 – first","size":90,"xxh64":"0000000000000002","level":19,"encoder":"z 1"},` +
		`{"coding":"dcb","dictionary":"ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb","size":2999,"level":11,"encoder":"b 1","omitted":"larger"}]}
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
	if valid, err := validate(compileSchema(t), data); !valid {
		t.Error(err)
	}
	a, _ := back.Lookup("app-2.js")
	if d, ok := a.Delta(abc[:16], manifest.DCZ); !ok || !d.Stored() || d.Digest != 2 || d.Dictionary.String() != abc {
		t.Errorf("found %+v, %v", d, ok)
	}
	for _, d := range a.Deltas {
		if d.Stored() != (d.Digest == 2) {
			t.Errorf("%+v: stored: %v", d, d.Stored())
		}
	}
	if _, ok := a.Delta("0000000000000000", manifest.DCZ); ok {
		t.Error("a delta is found that is not there")
	}
}

// badDeltas go on where badManifests end.
var badDeltas = []badManifest{
	{"delta without a dictionary", delta(`"coding": "dcb", "size": 1, "xxh64": "0000000000000001"`), true},
	{"delta with a short dictionary", delta(`"coding": "dcb", "size": 1, "xxh64": "0000000000000001", "dictionary": "12"`), true},
	{"delta with no hexadecimal dictionary", delta(`"coding": "dcb", "size": 1, "xxh64": "0000000000000001", "dictionary": "` + strings.Repeat("x", 64) + `"`), true},
	{"delta with a dictionary of zeros", delta(`"coding": "dcb", "size": 1, "xxh64": "0000000000000001", "dictionary": "` + strings.Repeat("0", 64) + `"`), true},
	{"delta of another coding", delta(withDictionary + `"coding": "br", "size": 1, "xxh64": "0000000000000001"`), true},
	{"delta as a variant", variant(`"coding": "dcb", "size": 1, "xxh64": "0000000000000001"`), true},
	{"delta neither stored nor omitted", delta(withDictionary + `"coding": "dcb", "size": 1`), true},
	{"delta stored and omitted", delta(withDictionary + `"coding": "dcb", "size": 1, "xxh64": "0000000000000001", "omitted": "larger"`), true},
	{"delta stale and omitted", delta(withDictionary + `"coding": "dcb", "omitted": "larger", "stale": true`), true},
	{"delta with an unknown omission", delta(withDictionary + `"coding": "dcb", "omitted": "why"`), true},
	{"delta of negative size", delta(withDictionary + `"coding": "dcb", "size": -1, "xxh64": "0000000000000001"`), true},
	{"delta of a size over 1 TiB", delta(withDictionary + `"coding": "dcb", "size": 1099511627777, "xxh64": "0000000000000001"`), true},
	{"dictionary of a size over 1 TiB", delta(withDictionary + `"coding": "dcb", "size": 1, "xxh64": "0000000000000001", "dictionary_size": 1099511627777`), true},
	{"dictionary of negative size", delta(withDictionary + `"coding": "dcb", "size": 1, "xxh64": "0000000000000001", "dictionary_size": -1`), true},
	{"delta twice", `{"version": 1, "assets": [{"path": "a", "size": 9, "xxh64": "0000000000000001", "deltas": [` +
		oneDelta + `, ` + oneDelta + `]}]}`, false},
	{"two deltas of one file name", `{"version": 1, "assets": [{"path": "a", "size": 9, "xxh64": "0000000000000001", "deltas": [` +
		oneDelta + `, ` + strings.Replace(oneDelta, "ab\"", "cd\"", 1) + `]}]}`, false},
	{"empty pattern's id", asset(`"path": "a", "dictionary_id": "x"`), true},
	{"long id", asset(`"path": "a", "match": "/a", "dictionary_id": "` + strings.Repeat("x", 1025) + `"`), true},
	{"id that is not ASCII", asset(`"path": "a", "match": "/a", "dictionary_id": "é"`), true},
	{"pattern with a space", asset(`"path": "a", "match": "/a b"`), true},
	{"pattern of another host", asset(`"path": "a", "match": "//other/a"`), true},
	{"pattern with a regular expression", asset(`"path": "a", "match": "/(a|b)"`), false},
}

const (
	withDictionary = `"dictionary": "abababababababababababababababababababababababababababababababab", `
	oneDelta       = `{` + withDictionary + `"coding": "dcz", "level": 1, "encoder": "e", "omitted": "larger"}`
)

func delta(members string) string {
	return `{"version": 1, "assets": [{"path": "a", "size": 9, "xxh64": "0000000000000001", "deltas": [{"level": 1, "encoder": "e", ` + members + `}]}]}`
}

func TestDeltaNames(t *testing.T) {
	hash := dictionary("abc")
	for _, c := range manifest.DeltaCodings() {
		name := manifest.DeltaName("x/app.js", hash, c)
		if want := "x/app.js.ba7816bf8f01cfea." + string(c); name != want {
			t.Errorf("%q, want %q", name, want)
		}
		if asset, short, coding, ok := manifest.SplitDelta(name); !ok || asset != "x/app.js" || short != hash.Short() || coding != c {
			t.Errorf("%q: %q, %q, %q, %v", name, asset, short, coding, ok)
		}
		if c.Suffix() != "" || !c.IsDelta() || manifest.Brotli.IsDelta() {
			t.Errorf("%s is taken for a variant's coding, or br for a delta's", c)
		}
	}
	for _, name := range []string{"app.js", "app.js.dcb", ".ba7816bf8f01cfea.dcb", "x/.ba7816bf8f01cfea.dcb", "ba7816bf8f01cfea.dcb", "app.js.ba7816bf8f01cfe.dcb",
		"app.js.ba7816bf8f01cfea0.dcb", "app.js.BA7816BF8F01CFEA.dcb", "app.js.ba7816bf8f01cfeg.dcb", "app.js.ba7816bf8f01cfea.DCB", "app.js.ba7816bf8f01cfea.br", ""} {
		if asset, _, _, ok := manifest.SplitDelta(name); ok {
			t.Errorf("%q is taken for a delta of %q", name, asset)
		}
	}
	if a, _, _, ok := manifest.SplitDelta("a.0123456789abcdef.dcb.0123456789abcdef.dcz"); !ok || a != "a.0123456789abcdef.dcb" {
		t.Errorf("%q, %v", a, ok)
	}
}
