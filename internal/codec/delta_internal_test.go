package codec

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/internal/testneeds"
	"github.com/precompress/precompress/manifest"
)

// dictionary is a [Dictionary] of that content.
type dictionary []byte

func (d *dictionary) Sum() manifest.Dictionary             { return sha256.Sum256(*d) }
func (d *dictionary) Size() int64                          { return int64(len(*d)) }
func (d *dictionary) Read(context.Context) ([]byte, error) { return *d, nil }

// with returns the parameters of a delta with a dictionary of the given content.
func with(c manifest.Coding, level int, content []byte) Params {
	return Params{c, level, (*dictionary)(&content)}
}

// TestDeltaFormat: every input with every dictionary decodes to itself, starts with
// the header that RFC 9842 asks for, and the zstd program agrees.
func TestDeltaFormat(t *testing.T) {
	t.Parallel()
	for name, src := range formatInputs() {
		for other, content := range formatInputs() {
			if testing.Short() && other != name && other != "numbers" {
				continue
			}
			for _, c := range manifest.DeltaCodings() {
				s := with(c, map[manifest.Coding]int{manifest.DCB: 11, manifest.DCZ: 19}[c], content)
				encoder := &Encoder{}
				data, err := encoder.Encode(t.Context(), s, src)
				if err != nil {
					t.Fatalf("%s with %s: %s: %v", name, other, c, err)
				}
				again, err := encoder.Append(t.Context(), nil, s, src)
				if err != nil || !bytes.Equal(data, again) {
					t.Errorf("%s with %s: %s: not the same again (%v)", name, other, c, err)
				}
				head := []byte{0xff, 0x44, 0x43, 0x42}
				if c == manifest.DCZ {
					head = []byte{0x5e, 0x2a, 0x4d, 0x18, 0x20, 0x00, 0x00, 0x00}
				}
				sum := sha256.Sum256(content)
				if !bytes.HasPrefix(data, append(head, sum[:]...)) {
					t.Errorf("%s with %s: %s starts with %x", name, other, c, data[:min(len(data), 40)])
				}
				if c == manifest.DCZ {
					if err := framing.CheckZstd(bytes.NewReader(data), framing.DeltaWindow(int64(len(content)))); err != nil {
						t.Errorf("%s with %s: %v", name, other, err)
					}
				}
			}
		}
	}
}

// TestDeltaReference: the zstd program decodes a dcz as it is, with the dictionary.
func TestDeltaReference(t *testing.T) {
	t.Parallel()
	testneeds.Program(t, "zstd")
	old := bytes.Repeat([]byte("an earlier release, "), 4000)
	for i := range old {
		old[i] += byte(i / 977 % 7)
	}
	src := slices.Concat([]byte("new "), old[:30000], []byte("other"), old[31000:])
	data, err := (&Encoder{}).Encode(t.Context(), with(manifest.DCZ, 19, old), src)
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
		s := with(c, 5, old)
		data, err := (&Encoder{}).Encode(t.Context(), s, src)
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
			"magic": flip(1), "dictionary": flip(len(framing.DeltaMagic(c)) + 3), "no header": data[len(framing.DeltaMagic(c))+32:],
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
		if got := [2]int{int(framing.DeltaWindow(int64(dictionary))), encoderWindow(dictionary)}; got != want {
			t.Errorf("%d: %d, want %d", dictionary, got, want)
		}
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
		s, other := with(c, 11, old), with(c, 11, src)
		data, err := (&Encoder{}).Encode(t.Context(), s, src)
		if err != nil {
			t.Fatal(err)
		}
		if err := CheckFraming(s, data, len(src)); err != nil {
			t.Errorf("%s: %v", c, err)
		}
		if err := CheckFraming(other, data, len(src)); err == nil {
			t.Errorf("%s: taken for another dictionary", c)
		}
		if err := CheckFraming(s, append(bytes.Clone(data), skippable...), len(src)); c == manifest.DCZ && err == nil {
			t.Errorf("%s: taken with a skippable frame", c)
		}
	}
}
