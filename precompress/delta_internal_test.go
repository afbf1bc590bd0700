package precompress

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
)

// deltaSetting is a setting for encodings with a dictionary.
func deltaSetting(c manifest.Coding, level int, content []byte) setting {
	return setting{c, level, &dictionary{sum: sha256.Sum256(content), size: int64(len(content))}}
}

// TestDeltaFormat: every input with every dictionary decodes to itself, starts with
// the header that RFC 9842 asks for, and the zstd program agrees.
func TestDeltaFormat(t *testing.T) {
	t.Parallel()
	for name, src := range formatInputs() {
		for with, content := range formatInputs() {
			for _, c := range manifest.DeltaCodings() {
				s := deltaSetting(c, map[manifest.Coding]int{manifest.DCB: 11, manifest.DCZ: 19}[c], content)
				codecs := &codecs{}
				data, err := codecs.encodeDeltaVerified(t.Context(), s, src, content)
				if err != nil {
					t.Fatalf("%s with %s: %s: %v", name, with, c, err)
				}
				again, err := codecs.encodeDelta(t.Context(), s, src, content)
				if err != nil || !bytes.Equal(data, again) {
					t.Errorf("%s with %s: %s: not the same again (%v)", name, with, c, err)
				}
				head := []byte{0xff, 0x44, 0x43, 0x42}
				if c == manifest.DCZ {
					head = []byte{0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00}
				}
				sum := sha256.Sum256(content)
				if !bytes.HasPrefix(data, append(head, sum[:]...)) {
					t.Errorf("%s with %s: %s starts with %x", name, with, c, data[:min(len(data), 40)])
				}
				if c == manifest.DCZ {
					if err := manifest.CheckZstd(bytes.NewReader(data), uint64(deltaWindow(len(content)))); err != nil {
						t.Errorf("%s with %s: %v", name, with, err)
					}
				}
			}
		}
	}
}

// TestDeltaReference: the zstd program decodes a dcz as it is, with the dictionary.
func TestDeltaReference(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("zstd"); err != nil {
		t.Skip("the reference program zstd is not installed")
	}
	old := bytes.Repeat([]byte("an earlier release, "), 4000)
	for i := range old {
		old[i] += byte(i / 977 % 7)
	}
	src := slices.Concat([]byte("new "), old[:30000], []byte("other"), old[31000:])
	data, err := (&codecs{}).encodeDeltaVerified(t.Context(), deltaSetting(manifest.DCZ, 19, old), src, old)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	dictionary := filepath.Join(dir, "old")
	if err := os.WriteFile(dictionary, old, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"-D", dictionary}, {"--patch-from=" + dictionary}} {
		cmd := exec.CommandContext(t.Context(), "zstd", append([]string{"-dc"}, flags...)...)
		cmd.Stdin = bytes.NewReader(data)
		out, err := cmd.Output()
		if err != nil || !bytes.Equal(out, src) {
			t.Errorf("zstd %s: %v, %d bytes", flags, err, len(out))
		}
	}
}

// TestDeltaVerify: what does not decode to the source with this dictionary is
// refused.
func TestDeltaVerify(t *testing.T) {
	t.Parallel()
	old := bytes.Repeat([]byte("earlier release "), 400)
	src := append([]byte("new "), old[:5000]...)
	for _, c := range manifest.DeltaCodings() {
		s := deltaSetting(c, 5, old)
		data, err := (&codecs{}).encodeDeltaVerified(t.Context(), s, src, old)
		if err != nil {
			t.Fatal(err)
		}
		flip := func(at int) []byte {
			wrong := bytes.Clone(data)
			wrong[at] ^= 1
			return wrong
		}
		for name, wrong := range map[string][]byte{
			"empty": {}, "head alone": data[:20], "cut short": data[:len(data)-1],
			"magic": flip(1), "dictionary": flip(len(deltaMagic(c)) + 3), "no header": data[len(deltaMagic(c))+32:],
		} {
			if err := verifyDelta(t.Context(), s, old, bytes.NewReader(wrong), src); err == nil {
				t.Errorf("%s: %s: taken", c, name)
			}
		}
		if err := verifyDelta(t.Context(), s, old, bytes.NewReader(data), src[1:]); !errors.Is(err, ErrVerify) {
			t.Errorf("%s: another source: %v", c, err)
		}
		if err := verifyDelta(t.Context(), s, bytes.ToUpper(old), bytes.NewReader(data), src); err == nil {
			t.Errorf("%s: another dictionary: taken", c)
		}
	}
}

// TestDeltaWindow: what a decoder has to support, and what a frame can say of it.
func TestDeltaWindow(t *testing.T) {
	for dictionary, want := range map[int][2]int{
		0:         {8 << 20, 8 << 20},
		6 << 20:   {8 << 20, 8 << 20},
		8 << 20:   {10 << 20, 10 << 20},
		9_000_001: {11_250_001, 11 << 20 / 11 * 10},
		50 << 20:  {62<<20 + 512<<10, 60 << 20},
		120 << 20: {128 << 20, 128 << 20},
	} {
		if got := [2]int{deltaWindow(dictionary), encoderWindow(dictionary)}; got != want {
			t.Errorf("%d: %d, want %d", dictionary, got, want)
		}
	}
}

// TestWeighDelta: a delta has to save more than the fields that it costs.
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
			t.Errorf("%+v: %q", tt, got)
		}
	}
}

// TestMatchPattern: each is what a Use-As-Dictionary field may say, and stands for
// the asset of any fingerprint.
func TestMatchPattern(t *testing.T) {
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
		if got := opts.matchPattern(asset, 100); got != want {
			t.Errorf("%q: %q, want %q", asset, got, want)
		}
	}
	for size, want := range map[int64]string{0: "", 1: "a.js", 50 << 20: "a.js", 50<<20 + 1: ""} {
		if got := opts.matchPattern("a.js", size); got != want {
			t.Errorf("%d bytes: %q", size, got)
		}
	}
	opts.Deltas = nil
	if got := opts.matchPattern("a.js", 1); got != "" {
		t.Errorf("without deltas: %q", got)
	}
}

// TestSketch: contents have in common what they share, wherever it is.
func TestSketch(t *testing.T) {
	var a, b []byte
	for i := range 4000 {
		a = append(a, byte(i*i>>3), byte(i*7), byte(i>>4))
		b = append(b, byte(i*i>>5), byte(i*11), byte(i>>3))
	}
	sa := newSketch(a)
	same := sa.common(newSketch(slices.Concat([]byte("moved"), a)))
	half := sa.common(newSketch(a[:len(a)/2]))
	if all := len(sa); all < 100 || same < all*9/10 || half < all*4/10 || half > all*6/10 || sa.common(newSketch(b)) > all/10 {
		t.Errorf("%d parts: %d when moved, %d in a half, %d in another", all, same, half, sa.common(newSketch(b)))
	}
}

// TestDeltaFraming: deltas of a store that others write to are taken as they are
// made here, and not with another dictionary's header or with what decoders skip.
func TestDeltaFraming(t *testing.T) {
	t.Parallel()
	old := bytes.Repeat([]byte("what stood there before "), 200)
	src := append(bytes.Clone(old), "and one thing more"...)
	skippable := []byte{0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 'a', 'b', 'c'}
	for _, c := range manifest.DeltaCodings() {
		s, other := deltaSetting(c, 11, old), deltaSetting(c, 11, src)
		data, err := (&codecs{}).encodeDeltaVerified(t.Context(), s, src, old)
		if err != nil {
			t.Fatal(err)
		}
		if err := checkFraming(s, data, len(src)); err != nil {
			t.Errorf("%s: %v", c, err)
		}
		if err := checkFraming(other, data, len(src)); err == nil {
			t.Errorf("%s: taken for another dictionary", c)
		}
		if err := checkFraming(s, append(bytes.Clone(data), skippable...), len(src)); c == manifest.DCZ && err == nil {
			t.Errorf("%s: taken with a skippable frame", c)
		}
	}
}
