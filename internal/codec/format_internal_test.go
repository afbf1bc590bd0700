package codec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	stdzstd "github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/testneeds"
	"github.com/precompress/precompress/manifest"
)

// formatInputs are also the seeds of FuzzRoundTrip.
func formatInputs() map[string][]byte {
	random := make([]byte, 5000)
	rand.NewChaCha8([32]byte{1}).Read(random)
	return map[string][]byte{
		"one byte":    []byte("x"),
		"short":       []byte("<!doctype html><title>short</title>"),
		"repetitive":  bytes.Repeat([]byte("abc"), 30000),
		"zeros":       make([]byte, 70000),
		"random":      random,
		"numbers":     []byte(strings.Repeat("0123456789,", 100) + fmt.Sprint(random[:300])),
		"block's end": bytes.Repeat([]byte("0123456789abcdef"), 1<<13),
	}
}

// reference returns what the reference program decodes data to.
func reference(t *testing.T, c manifest.Coding, data []byte) []byte {
	t.Helper()
	program := map[manifest.Coding]string{manifest.Brotli: "brotli", manifest.Zstd: "zstd", manifest.Gzip: "gzip"}[c]
	testneeds.Program(t, program)
	cmd := exec.CommandContext(t.Context(), program, "-dc")
	cmd.Stdin = bytes.NewReader(data)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	return out
}

// someLevels skips all levels but the lowest, the highest and the default one where
// tests are to be short.
func someLevels(t *testing.T, c manifest.Coding, level int) {
	t.Helper()
	if low, high := LevelRange(c); level != low && level != high && level != DefaultLevel(c) {
		testneeds.Long(t, "a level in between")
	}
}

// TestFormat: at every level, decodes equal with the reference programs.
func TestFormat(t *testing.T) {
	t.Parallel()
	for _, c := range manifest.Codings() {
		low, high := LevelRange(c)
		for level := low; level <= high; level++ {
			t.Run(fmt.Sprintf("%s %d", c, level), func(t *testing.T) {
				t.Parallel()
				someLevels(t, c, level)
				var encoder Encoder
				for name, src := range formatInputs() {
					data, err := encoder.Encode(t.Context(), Params{Coding: c, Level: level}, src)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					again, err := encoder.Append(t.Context(), nil, Params{Coding: c, Level: level}, src)
					if err != nil || !bytes.Equal(data, again) {
						t.Errorf("%s: two encodings differ", name)
					}
					if !bytes.Equal(reference(t, c, data), src) {
						t.Errorf("%s: the reference program decodes to something else", name)
					}
				}
			})
		}
	}
}

// TestGzipHeader: MTIME 0, no name, OS 255 (RFC 1952, section 2.3).
func TestGzipHeader(t *testing.T) {
	for level := 1; level <= 9; level++ {
		data, err := (&gzipEncoders{}).append(t.Context(), nil, []byte("header"), level)
		if err != nil {
			t.Fatal(err)
		}
		head := bytes.Clone(data[:10])
		if head[8] != 0 && head[8] != 2 && head[8] != 4 {
			t.Errorf("level %d: XFL %d", level, head[8])
		}
		head[8] = 0
		if want := []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}; !bytes.Equal(head, want) {
			t.Errorf("level %d: header % x", level, data[:10])
		}
	}
}

// large is a source of over 8 MiB.
func large() []byte {
	var b bytes.Buffer
	random := rand.New(rand.NewPCG(1, 2))
	for b.Len() < 9<<20 {
		fmt.Fprintf(&b, "line %d of a large file, %d\n", b.Len()%1000, random.IntN(50))
	}
	return b.Bytes()
}

// singleSegment encodes src as browsers refuse it: with a window that is the
// whole content.
func singleSegment(t *testing.T, src []byte) []byte {
	t.Helper()
	e, err := stdzstd.NewWriter(nil, stdzstd.WithEncoderLevel(stdzstd.SpeedFastest), stdzstd.WithSingleSegment(true))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.EncodeAll(src, nil)
}

func multiSegment(t *testing.T, src []byte, window int) []byte {
	t.Helper()
	e, err := stdzstd.NewWriter(nil, stdzstd.WithEncoderLevel(stdzstd.SpeedFastest), stdzstd.WithSingleSegment(false), stdzstd.WithWindowSize(window))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.EncodeAll(src, nil)
}

// TestZstdWindow: at most 8 MiB at any level, and no single segment of more,
// which browsers refuse (RFC 9659). Foreign files of that kind are refused too.
func TestZstdWindow(t *testing.T) {
	t.Parallel()
	src := large()
	for _, level := range []int{1, 3, 19} {
		if level > 3 && testing.Short() {
			continue
		}
		var e Encoder
		data, err := e.Encode(t.Context(), Params{Coding: manifest.Zstd, Level: level}, src)
		if err != nil {
			t.Fatalf("level %d: our own frame is refused: %v", level, err)
		}
		var head stdzstd.Header
		if err := head.Decode(data); err != nil {
			t.Fatal(err)
		}
		if head.WindowSize > 8<<20 || head.SingleSegment || head.HasCheckSum || !head.HasFCS || head.FrameContentSize != uint64(len(src)) {
			t.Errorf("level %d: %+v", level, head)
		}
	}
	for name, tt := range map[string]struct {
		data []byte
		ok   bool
	}{
		"single segment of 9 MiB":      {singleSegment(t, src), false},
		"window of 16 MiB":             {multiSegment(t, src, 16<<20), false},
		"window of 8 MiB":              {multiSegment(t, src, 8<<20), true},
		"window of 1 MiB":              {multiSegment(t, src, 1<<20), true},
		"single segments of 8 and 1 M": {append(singleSegment(t, src[:8<<20]), singleSegment(t, src[8<<20:])...), true},
	} {
		err := Verify(t.Context(), Params{Coding: manifest.Zstd}, bytes.NewReader(tt.data), src)
		if (err == nil) != tt.ok || err != nil && !errors.Is(err, manifest.ErrWindow) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBrotliWindow: the smallest of a few that reaches over the source.
func TestBrotliWindow(t *testing.T) {
	for size, want := range map[int64]int{0: 16, 1<<16 - 16: 16, 1<<16 - 15: 18, 1<<18 - 16: 18, 1 << 18: 20, 1<<22 - 16: 22, 1<<22 - 15: 24, 1 << 30: 24} {
		if got := brotliWindow(size); got != want {
			t.Errorf("%d: %d", size, got)
		}
	}
}

// TestBrotliSpare: the encoder that takes over writes what decodes too.
func TestBrotliSpare(t *testing.T) {
	for name, src := range formatInputs() {
		data, err := encodeBrotliSpare(t.Context(), src, 5)
		if err == nil {
			err = Verify(t.Context(), Params{Coding: manifest.Brotli}, bytes.NewReader(data), src)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestIncompressible: the probe spares noise the encoders, and nothing else.
func TestIncompressible(t *testing.T) {
	noise := make([]byte, 128<<10)
	rand.NewChaCha8([32]byte{5}).Read(noise)
	twice := append(bytes.Clone(noise), noise...)
	for name, tt := range map[string]struct {
		src  []byte
		want bool
	}{"noise": {noise, true}, "small noise": {noise[:minEstimated-1], false}, "text": {large()[:256<<10], false}, "noise twice": {twice, false}} {
		if got, err := Incompressible(tt.src); err != nil || got != tt.want {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

// FuzzRoundTrip: what is encoded decodes to the source with another
// implementation, at every level.
func FuzzRoundTrip(f *testing.F) {
	for _, src := range formatInputs() {
		for _, c := range manifest.Codings() {
			low, high := LevelRange(c)
			f.Add(string(c), low, src)
			f.Add(string(c), high, src)
		}
	}
	f.Fuzz(func(t *testing.T, name string, level int, src []byte) {
		c := manifest.Coding(name)
		low, high := LevelRange(c)
		if c.Suffix() == "" || level < low || level > high {
			return
		}
		var encoder Encoder
		data, err := encoder.Append(context.Background(), nil, Params{Coding: c, Level: level}, src)
		if err != nil {
			t.Fatal(err)
		}
		if err := Verify(context.Background(), Params{Coding: c}, bytes.NewReader(data), src); err != nil {
			t.Fatal(err)
		}
	})
}

// largest returns the testdata's largest script.
func largest(b *testing.B) []byte {
	b.Helper()
	names, err := filepath.Glob("../../testdata/site/assets/*.js")
	if err != nil || names == nil {
		b.Fatal("testdata/site has no scripts", err)
	}
	var out []byte
	for _, name := range names {
		data, err := os.ReadFile(name)
		if err != nil {
			b.Fatal(err)
		}
		if len(data) > len(out) {
			out = data
		}
	}
	return out
}

// BenchmarkEncode measures each coding at its default level. For br, the ratio
// is our time over that of andybalholm/brotli in the same run.
func BenchmarkEncode(b *testing.B) {
	src := largest(b)
	for _, c := range manifest.Codings() {
		b.Run(string(c), func(b *testing.B) {
			var encoder Encoder
			b.SetBytes(int64(len(src)))
			var size int
			for b.Loop() {
				data, err := encoder.Append(b.Context(), nil, Params{Coding: c, Level: DefaultLevel(c)}, src)
				if err != nil {
					b.Fatal(err)
				}
				size = len(data)
			}
			b.ReportMetric(float64(size)/float64(len(src)), "size-ratio")
			if c == manifest.Brotli {
				ours := b.Elapsed().Seconds() / float64(b.N)
				b.ReportMetric(ours/peer(src), "time/peer")
			}
		})
	}
}

// peer returns the seconds that the peer takes for src, the least of three.
func peer(src []byte) float64 {
	least := math.Inf(1)
	for range 3 {
		began := time.Now()
		w := brotli.NewWriterOptions(io.Discard, brotli.WriterOptions{Quality: 11, LGWin: brotliWindow(int64(len(src)))})
		w.Write(src) // to io.Discard: it cannot fail
		w.Close()
		least = min(least, time.Since(began).Seconds())
	}
	return least
}
