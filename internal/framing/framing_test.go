package framing

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
)

// encodeZstd returns a stream of blocks, without a size in its header.
func encodeZstd(t testing.TB, data []byte, opts ...zstd.EOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, opts...)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCheckZstd(t *testing.T) {
	data := bytes.Repeat([]byte("some text, over and over again; "), 40_000) // 1.2 MB
	within := encodeZstd(t, data, zstd.WithWindowSize(8<<20))
	beyond := encodeZstd(t, data, zstd.WithWindowSize(16<<20))
	checked := encodeZstd(t, data, zstd.WithWindowSize(1<<20), zstd.WithEncoderCRC(true))
	skippable := []byte{0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'}
	whole := make([]byte, 9_000_000)
	encoder, err := zstd.NewWriter(nil, zstd.WithSingleSegment(true))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		stream []byte
		want   error
	}{
		{"8 MiB", within, nil},
		{"16 MiB", beyond, manifest.ErrWindow},
		{"with a check value", checked, nil},
		{"one segment", encoder.EncodeAll(data, nil), nil},
		{"one segment of 9 MB", encoder.EncodeAll(whole, nil), manifest.ErrWindow},
		{"second frame", append(bytes.Clone(within), beyond...), manifest.ErrWindow},
		{"skippable frame", append(bytes.Clone(skippable), checked...), nil},
		{"skippable frame, then 16 MiB", append(bytes.Clone(skippable), beyond...), manifest.ErrWindow},
		{"empty", nil, ErrMalformed},
		{"half", within[:len(within)/2], ErrMalformed},
		{"garbage behind", append(bytes.Clone(within), "xyz"...), ErrMalformed},
		{"other magic", append([]byte("PK\x03\x04"), within...), ErrMalformed},
		{"with a dictionary", []byte{0x28, 0xb5, 0x2f, 0xfd, 0x01, 0x50, 0x07, 1, 0, 0}, ErrMalformed},
	}
	for _, tt := range tests {
		if err := Check(manifest.Zstd, bytes.NewReader(tt.stream)); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
}

func TestCheck(t *testing.T) {
	unreadable := errors.New("unreadable")
	for _, c := range []manifest.Coding{manifest.Brotli, manifest.Zstd} {
		if err := Check(c, iotest.ErrReader(unreadable)); !errors.Is(err, unreadable) || errors.Is(err, ErrMalformed) {
			t.Errorf("%s that cannot be read: %v", c, err)
		}
		if err := Check(c, strings.NewReader("")); !errors.Is(err, ErrMalformed) {
			t.Errorf("empty %s: %v", c, err)
		}
	}
	for stream, want := range map[string]error{"\x11": manifest.ErrWindow, "\x91": manifest.ErrWindow, "\x0b": nil, "\x1b": nil} {
		if err := Check(manifest.Brotli, strings.NewReader(stream)); !errors.Is(err, want) {
			t.Errorf("br that starts with %q: %v, want %v", stream, err, want)
		}
	}
	if err := Check(manifest.Gzip, strings.NewReader("")); err != nil {
		t.Error(err)
	}
}

// FuzzCheckZstd: of what the check lets pass, another reader of frame headers
// finds the same.
func FuzzCheckZstd(f *testing.F) {
	f.Add(encodeZstd(f, []byte("hello hello hello hello")))
	f.Add(encodeZstd(f, bytes.Repeat([]byte("abc"), 100_000), zstd.WithWindowSize(16<<20)))
	f.Add([]byte{0x28, 0xb5, 0x2f, 0xfd, 0x20, 1, 9, 0, 0, 'x'})
	f.Fuzz(func(t *testing.T, stream []byte) {
		if Check(manifest.Zstd, bytes.NewReader(stream)) != nil {
			return
		}
		var h zstd.Header
		if err := h.Decode(stream); err != nil {
			t.Fatal(err)
		}
		if !h.Skippable && (h.WindowSize > manifest.MaxWindow || h.DictionaryID != 0 || h.FirstBlock.OK && h.FirstBlock.DecompressedSize > maxBlock) {
			t.Errorf("%+v", h)
		}
	})
}
