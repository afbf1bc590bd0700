package codec

import (
	"bytes"
	stdgzip "compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
)

// framingSizes are those at which headers change.
func framingSizes() map[string][]byte {
	inputs := map[string][]byte{}
	for _, size := range []int{40, 255, 256, 257, 1023, 1024, 1025, 65519, 65520, 65521, 65791, 65792, 262128, 262129, 1 << 20} {
		inputs[fmt.Sprint(size)] = bytes.Repeat([]byte("some text, "), size/11+1)[:size]
	}
	maps.Copy(inputs, formatInputs())
	return inputs
}

// TestFramingOfOurs: whatever an encoder here makes is framed as expected.
func TestFramingOfOurs(t *testing.T) {
	t.Parallel()
	check := func(c manifest.Coding, level int, name string, src, data []byte, err error) {
		if err == nil {
			err = CheckFraming(Params{Coding: c}, data, len(src))
		}
		if err != nil {
			t.Errorf("%s %d, %s: %v: % x", c, level, name, err, data[:min(12, len(data))])
		}
	}
	for _, c := range manifest.Codings() {
		low, high := LevelRange(c)
		for level := low; level <= high; level++ {
			t.Run(fmt.Sprintf("%s %d", c, level), func(t *testing.T) {
				t.Parallel()
				someLevels(t, c, level)
				var encoder Encoder
				for name, src := range framingSizes() {
					data, err := encoder.Append(t.Context(), nil, Params{Coding: c, Level: level}, src)
					check(c, level, name, src, data, err)
					if c == manifest.Brotli && level <= 5 {
						data, err = encodeBrotliSpare(t.Context(), src, level)
						check(c, level, name+", spare", src, data, err)
					}
				}
			})
		}
		for _, src := range [][]byte{large()[:manifest.MaxWindow], large()[:manifest.MaxWindow+1]} {
			level := max(low, 1)
			data, err := (&Encoder{}).Append(t.Context(), nil, Params{Coding: c, Level: level}, src)
			check(c, level, "large", src, data, err)
		}
	}
}

// TestFramingOfSingleSegments: zstd frames of either form are taken, up to the
// largest window.
func TestFramingOfSingleSegments(t *testing.T) {
	for name, src := range framingSizes() {
		if err := CheckFraming(Params{Coding: manifest.Zstd}, zstdWith(t, src, zstd.WithSingleSegment(true)), len(src)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	src := large()
	if err := CheckFraming(Params{Coding: manifest.Zstd}, zstdWith(t, src, zstd.WithSingleSegment(true)), len(src)); !errors.Is(err, errFraming) {
		t.Errorf("beyond the largest window: %v", err)
	}
}

// TestFramingRefused: encodings that decode to the source are not taken from a
// store that others write to if they carry more than it.
func TestFramingRefused(t *testing.T) {
	src := bytes.Repeat([]byte("a text that is encoded "), 300)
	ours := map[manifest.Coding][]byte{}
	for _, c := range manifest.Codings() {
		data, err := (&Encoder{}).Append(t.Context(), nil, Params{Coding: c, Level: DefaultLevel(c)}, src)
		if err != nil {
			t.Fatal(err)
		}
		ours[c] = data
		if err := accept(t, Params{Coding: c}, data, src); err != nil {
			t.Errorf("%s, ours: %v", c, err)
		}
	}
	gz, zst, br := ours[manifest.Gzip], ours[manifest.Zstd], ours[manifest.Brotli]
	skippable := binary.LittleEndian.AppendUint32([]byte{0x50, 0x2a, 0x4d, 0x18}, 7)
	skippable = append(skippable, "foreign"...)
	for name, test := range map[string]struct {
		coding manifest.Coding
		data   []byte
	}{
		"gzip name":           {manifest.Gzip, gzipWith(t, src, stdgzip.Header{OS: 255, Name: "foreign"})},
		"gzip comment":        {manifest.Gzip, gzipWith(t, src, stdgzip.Header{OS: 255, Comment: "foreign"})},
		"gzip extra":          {manifest.Gzip, gzipWith(t, src, stdgzip.Header{OS: 255, Extra: []byte("foreign")})},
		"gzip time":           {manifest.Gzip, gzipWith(t, src, stdgzip.Header{OS: 255, ModTime: time.Unix(1e9, 0)})},
		"gzip system":         {manifest.Gzip, gzipWith(t, src, stdgzip.Header{OS: 3})},
		"gzip effort":         {manifest.Gzip, replaced(gz, 8, 'x')},
		"gzip second member":  {manifest.Gzip, append(bytes.Clone(gz), gzipWith(t, nil, stdgzip.Header{OS: 255})...)},
		"gzip trailer":        {manifest.Gzip, append(bytes.Clone(gz), "foreign"...)},
		"zstd skippable":      {manifest.Zstd, append(bytes.Clone(skippable), zst...)},
		"zstd skippable last": {manifest.Zstd, append(bytes.Clone(zst), skippable...)},
		"zstd second frame":   {manifest.Zstd, append(bytes.Clone(zst), zstdWith(t, nil, zstd.WithZeroFrames(true))...)},
		"zstd digest":         {manifest.Zstd, zstdWith(t, src, zstd.WithEncoderCRC(true))},
		"zstd window":         {manifest.Zstd, windowed(zst, 13<<3)},
		"zstd empty repeat":   {manifest.Zstd, emptyRepeat(t, zst)},
		"zstd no size":        {manifest.Zstd, streamed(t, src)},
		"brotli metadata":     {manifest.Brotli, metadataFirst(br)},
		"brotli window":       {manifest.Brotli, widened(br)},
		"brotli trailer":      {manifest.Brotli, append(bytes.Clone(br), "foreign"...)},
	} {
		if len(test.data) >= len(src) {
			t.Fatalf("%s: too large to be looked at", name)
		}
		if err := accept(t, Params{Coding: test.coding}, test.data, src); err == nil {
			t.Errorf("%s: taken", name)
		}
		decodes := Verify(t.Context(), Params{Coding: test.coding}, bytes.NewReader(test.data), src)
		if isBehind := strings.Contains(name, "trailer") || name == "gzip second member"; (decodes == nil) == isBehind {
			t.Errorf("%s: decoding: %v", name, decodes)
		}
	}
}

// accept returns nil if data is taken from a store that others write to.
func accept(t *testing.T, p Params, data, src []byte) error {
	if err := CheckFraming(p, data, len(src)); err != nil {
		return err
	}
	return Verify(t.Context(), p, bytes.NewReader(data), src)
}

func replaced(data []byte, at int, b byte) []byte {
	data = bytes.Clone(data)
	data[at] = b
	return data
}

func gzipWith(t *testing.T, src []byte, header stdgzip.Header) []byte {
	t.Helper()
	var out bytes.Buffer
	w := stdgzip.NewWriter(&out)
	w.Header = header
	w.Write(src)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstdWith(t *testing.T, src []byte, opts ...zstd.EOption) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil, append([]zstd.EOption{zstd.WithEncoderCRC(false)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.EncodeAll(src, nil)
}

// streamed encodes src as zstd does that is not told how much will come.
func streamed(t *testing.T, src []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	e, err := zstd.NewWriter(&out, zstd.WithEncoderCRC(false), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	e.Write(src[:len(src)/2])
	e.Flush()
	e.Write(src[len(src)/2:])
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// windowed gives a single segment of a size of two bytes a window descriptor.
func windowed(frame []byte, descriptor byte) []byte {
	head := append(bytes.Clone(frame[:4]), frame[4]&^(1<<5), descriptor)
	return append(head, frame[5:]...)
}

// emptyRepeat puts a block in front that repeats a byte no times.
func emptyRepeat(t *testing.T, frame []byte) []byte {
	t.Helper()
	const header = 4 + 1 + 2
	return append(append(bytes.Clone(frame[:header]), 1<<1, 0, 0, 'x'), frame[header:]...)
}

// metadataFirst puts a meta-block of metadata before all others of a brotli
// stream with a window of 16 bits, which the first bit stands for.
func metadataFirst(stream []byte) []byte {
	// ISLAST 0, MNIBBLES 3, reserved 0, MSKIPBYTES 1, MSKIPLEN-1: 6.
	const bits = 0b0_11_0_0 // from the right: window, ISLAST, MNIBBLES, reserved
	head := []byte{bits | 1<<5 | 6<<7&0xff, 6 >> 1}
	data := append(head, "foreign"...)
	return append(data, shifted(stream)...)
}

// shifted is a stream from its second bit on.
func shifted(stream []byte) []byte {
	out := bytes.Clone(stream)
	for i := range out {
		out[i] >>= 1
		if i+1 < len(stream) {
			out[i] |= stream[i+1] << 7
		}
	}
	return out
}

// widened gives a brotli stream of a window of 16 bits one of 24.
func widened(stream []byte) []byte {
	out := append(bytes.Clone(stream), 0)
	carry := byte(0b111)
	for i, b := range out {
		out[i], carry = b<<3|carry, b>>5
	}
	out[0] |= 1 << 3 // 1111: the 0 of 16 bits became the fourth
	return bytes.TrimSuffix(out, []byte{0})
}
