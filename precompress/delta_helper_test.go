package precompress_test

import (
	"bytes"
	"crypto/sha256"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/molecule-man/go-brrr"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// changed returns content with a small change, as in a later release.
func changed(content string, word string) string {
	at := len(content) / 2
	return content[:at] + word + content[at:]
}

// from returns options with earlier releases.
func from(previous ...string) precompress.Options {
	o := fast()
	o.Previous = previous
	return o
}

// storing returns options with a store of releases.
func storing(store string) precompress.Options {
	o := fast()
	o.Releases = store
	return o
}

// dictionaryOf returns the name of the dictionary with the given content.
func dictionaryOf(content string) manifest.Dictionary { return sha256.Sum256([]byte(content)) }

// deltaNames returns the names of an asset's two deltas with a dictionary.
func deltaNames(asset, dictionary string) []string {
	d := dictionaryOf(dictionary)
	return []string{manifest.DeltaName(asset, d, manifest.DCB), manifest.DeltaName(asset, d, manifest.DCZ)}
}

// decodeDelta decodes a delta without the engine's help (RFC 9842, sections 4
// and 5).
func decodeDelta(t testing.TB, c manifest.Coding, data []byte, dictionary string) string {
	t.Helper()
	sum := sha256.Sum256([]byte(dictionary))
	head := append(map[manifest.Coding][]byte{
		manifest.DCB: {0xff, 0x44, 0x43, 0x42},
		manifest.DCZ: {0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0},
	}[c], sum[:]...)
	stream, ok := bytes.CutPrefix(data, head)
	if !ok {
		t.Fatalf("%s: wrong header %x", c, data[:min(len(data), 40)])
	}
	var decoded io.Reader
	var err error
	if c == manifest.DCB {
		decoded, err = brrr.NewReaderOptions(bytes.NewReader(stream), brrr.ReaderOptions{Dictionaries: [][]byte{[]byte(dictionary)}})
	} else {
		decoded, err = zstd.NewReader(bytes.NewReader(stream), zstd.WithDecoderDictRaw(0, []byte(dictionary)), zstd.WithDecoderMaxWindow(8<<20))
	}
	must(t, err)
	content, err := io.ReadAll(decoded)
	must(t, err)
	return string(content)
}

// wantDeltas checks that a tree's deltas are as its manifest says, and that each
// decodes to its source with a dictionary from the releases. It returns the path of
// each delta's dictionary.
func wantDeltas(t testing.TB, dir string, releases ...string) map[string]string {
	t.Helper()
	return wantDeltasIn(t, dir, dir, releases...)
}

func wantDeltasIn(t testing.TB, sources, variants string, releases ...string) map[string]string {
	t.Helper()
	content, path := make(map[string]string), make(map[string]string)
	for _, r := range releases {
		for name, data := range contents(t, r) {
			sum := dictionaryOf(data).Short()
			content[sum], path[sum] = data, name
		}
	}
	found := make(map[string]string)
	for _, a := range loadManifest(t, variants).Assets {
		for _, d := range a.Deltas {
			if !d.Stored() {
				continue
			}
			name := d.Name(a.Path)
			data, err := os.ReadFile(filepath.Join(variants, name))
			must(t, err)
			source, err := os.ReadFile(filepath.Join(sources, a.Path))
			must(t, err)
			dictionary := content[d.Dictionary.Short()]
			if got := decodeDelta(t, d.Coding, data, dictionary); got != string(source) {
				t.Errorf("%s does not decode to its source", name)
			}
			if manifest.Sum(data) != d.Digest || int64(len(data)) != d.Size || d.DictionarySize != int64(len(dictionary)) {
				t.Errorf("%s differs from its record: %+v", name, d)
			}
			found[name] = path[d.Dictionary.Short()]
		}
	}
	for name := range contents(t, variants) {
		if _, _, _, ok := manifest.SplitDelta(name); ok && found[name] == "" {
			t.Errorf("%s is not recorded", name)
		}
	}
	return found
}

// deltaStatuses returns "asset coding release: status reason" for every delta.
func deltaStatuses(r *precompress.Result) []string {
	var list []string
	for _, a := range r.Assets {
		for _, d := range a.Deltas {
			list = append(list, strings.TrimSpace(a.Path+" "+string(d.Coding)+": "+string(d.Status)+" "+string(d.Reason)))
		}
	}
	return list
}
