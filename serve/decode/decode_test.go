package decode_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/serve/decode"
)

// TestAll: each coding has a decoder, which gives back what was encoded and
// fails on a stream that was cut.
func TestAll(t *testing.T) {
	content := strings.Repeat("all the same, all the time; ", 5000)
	for _, c := range manifest.Codings() {
		stream := encode(t, c, content)
		if got, err := read(c, stream); err != nil || got != content {
			t.Errorf("%s: %d bytes, %v", c, len(got), err)
		}
		for _, n := range []int{1, len(stream) / 2, len(stream) - 1} {
			if got, err := read(c, stream[:n]); err == nil {
				t.Errorf("%s: the first %d of %d bytes decode to %d, without an error", c, n, len(stream), len(got))
			}
		}
	}
}

// TestWindow: a window that no client has to grant is refused (RFC 9659).
func TestWindow(t *testing.T) {
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithWindowSize(16<<20))
	if err != nil {
		t.Fatal(err)
	}
	write(t, w, strings.Repeat("x", 9<<20))
	if _, err := read(manifest.Zstd, b.Bytes()); err == nil {
		t.Error("16 MiB of window are accepted")
	}
}

func read(c manifest.Coding, stream []byte) (string, error) {
	r, err := decode.All()[c](bytes.NewReader(stream))
	if err != nil {
		return "", err
	}
	data, err := io.ReadAll(r)
	r.Close()
	return string(data), err
}

func encode(t *testing.T, c manifest.Coding, content string) []byte {
	t.Helper()
	var b bytes.Buffer
	switch c {
	case manifest.Brotli:
		write(t, brotli.NewWriter(&b), content)
	case manifest.Gzip:
		write(t, gzip.NewWriter(&b), content)
	case manifest.Zstd:
		w, err := zstd.NewWriter(&b)
		if err != nil {
			t.Fatal(err)
		}
		write(t, w, content)
	}
	return b.Bytes()
}

func write(t *testing.T, w io.WriteCloser, content string) {
	t.Helper()
	if _, err := io.WriteString(w, content); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
