package precompress_test

import (
	"bytes"
	"io"
	"testing"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestEncoder checks that an encoder's output is what a build stores, in any order
// of levels, and decodes to the source.
func TestEncoder(t *testing.T) {
	src := text(20_000, 3)
	encoder := codec.NewMeasuringEncoder()
	for _, levels := range []map[manifest.Coding]int{
		{manifest.Brotli: 5, manifest.Zstd: 3, manifest.Gzip: 6}, {manifest.Brotli: 11, manifest.Zstd: 19, manifest.Gzip: 12},
		{manifest.Brotli: 5, manifest.Zstd: 4, manifest.Gzip: 1}, {manifest.Brotli: 0, manifest.Zstd: 1, manifest.Gzip: 6},
	} {
		dir := plant(t, tree{"a.js": src})
		build(t, dir, precompress.Options{Levels: levels})
		for _, v := range loadManifest(t, dir).Assets[0].Variants {
			level := levels[v.Coding]
			data, err := encoder.Append(t.Context(), nil, codec.Params{Coding: v.Coding, Level: level}, []byte(src))
			must(t, err)
			if manifest.Sum(data) != v.Digest {
				t.Errorf("%s %d: the output is not what a build stores", v.Coding, level)
			}
			if id := codec.ReadVersions().At(v.Coding, level); id != v.Encoder {
				t.Errorf("%s %d: encoder %q, a build has %q", v.Coding, level, id, v.Encoder)
			}
			wantDecoded(t, v.Coding, data, src)
			dst := append(make([]byte, 0, 30_000), "before"...)
			appended, err := encoder.Append(t.Context(), dst, codec.Params{Coding: v.Coding, Level: level}, []byte(src))
			must(t, err)
			if string(appended) != "before"+string(data) || &appended[0] != &dst[0] {
				t.Errorf("%s %d: the output was not appended to the spare capacity of the slice", v.Coding, level)
			}
		}
	}
	for c, level := range map[manifest.Coding]int{manifest.Brotli: 12, manifest.Zstd: 0, "lzma": 0, manifest.DCB: 11} {
		if _, err := encoder.Append(t.Context(), nil, codec.Params{Coding: c, Level: level}, []byte(src)); err == nil {
			t.Errorf("%s %d: %v", c, level, err)
		}
	}
}

func wantDecoded(t *testing.T, c manifest.Coding, data []byte, want string) {
	t.Helper()
	d, err := codec.NewReader(c, bytes.NewReader(data))
	must(t, err)
	defer d.Close()
	if got, err := io.ReadAll(d); err != nil || string(got) != want {
		t.Errorf("%s: decodes to %d bytes, %v", c, len(got), err)
	}
}
