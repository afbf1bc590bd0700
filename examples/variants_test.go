package examples_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
)

func decoded(coding string, data []byte) ([]byte, error) {
	switch coding {
	case "":
		return data, nil
	case "br":
		return io.ReadAll(brotli.NewReader(bytes.NewReader(data)))
	case "zstd":
		decoder, err := zstd.NewReader(nil)
		if err != nil {
			return nil, err
		}
		defer decoder.Close()
		return decoder.DecodeAll(data, nil)
	case "gzip":
		reader, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		return io.ReadAll(reader)
	default:
		return nil, fmt.Errorf("no decoder for content coding %q", coding)
	}
}

// compressed checks that a tree is up to date with the given flags, that it has
// variants in every coding, and that each decodes to its source.
func compressed(t *testing.T, dir string, flags ...string) {
	t.Helper()
	run(t, ".", "precompress", append([]string{"check", dir}, flags...)...)
	m, err := manifest.Decode([]byte(read(t, dir, manifest.Name)))
	if err != nil {
		t.Fatal(err)
	}
	stored := make(map[manifest.Coding]int)
	for _, asset := range m.Assets {
		for _, variant := range asset.Variants {
			if variant.Omitted != "" {
				continue
			}
			name := asset.Path + variant.Coding.Suffix()
			content, err := decoded(string(variant.Coding), []byte(read(t, dir, name)))
			if err != nil || string(content) != read(t, dir, asset.Path) {
				t.Errorf("%s does not decode to %s (error %v)", name, asset.Path, err)
			}
			stored[variant.Coding]++
		}
	}
	for _, coding := range []manifest.Coding{"br", "zstd", "gzip"} {
		if stored[coding] == 0 {
			t.Errorf("%s has no %s variant", dir, coding)
		}
	}
}

// files returns the contents of a tree's files by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := make(map[string]string)
	err := filepath.Walk(dir, func(name string, info os.FileInfo, err error) error {
		if err == nil && info.Mode().IsRegular() {
			found[name] = read(t, name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
