package zstdenc_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/codec/zstdenc"
	"github.com/precompress/precompress/internal/framing"
	"github.com/precompress/precompress/internal/testneeds"
	"github.com/precompress/precompress/manifest"
)

const window = manifest.MaxWindow

// levels returns all levels.
func levels() []int { return []int{19, 20, 21, 22} }

// text returns n bytes that repeat themselves as source code does.
func text(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	words := strings.Fields("function return const let if else for of in new this null true false => ( ) { } ; , . = + value index name data 0 1 2 -1 0x1F \"use strict\" \n \t")
	var b bytes.Buffer
	for b.Len() < n {
		if b.Len() > 100 && r.IntN(8) == 0 {
			at := r.IntN(b.Len() - 40)
			b.Write(bytes.Clone(b.Bytes()[at : at+4+r.IntN(36)]))
		}
		b.WriteString(words[r.IntN(len(words))])
		if r.IntN(3) > 0 {
			b.WriteByte(' ')
		}
	}
	return b.Bytes()[:n]
}

func noise(n int, seed uint64) []byte {
	r := rand.New(rand.NewPCG(seed, 2))
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

// samples returns texts of many kinds, by name.
func samples() map[string][]byte {
	s := map[string][]byte{
		"one byte":       {'x'},
		"two symbols":    bytes.Repeat([]byte("ab"), 700),
		"a run":          bytes.Repeat([]byte{7}, 300_000),
		"noise":          noise(200_000, 1),
		"noise twice":    bytes.Repeat(noise(70_000, 2), 2),
		"text":           text(200_000, 3),
		"text and noise": slicesConcat(text(100_000, 4), noise(100_000, 5), text(100_000, 4)),
		"all bytes":      allBytes(20),
		"numbers":        numbers(30_000),
	}
	for n := range 65 {
		s[fmt.Sprintf("%d of text", n)] = text(n, 6)
		s[fmt.Sprintf("%d the same", n)] = bytes.Repeat([]byte{'z'}, n)
		s[fmt.Sprintf("%d of noise", n)] = noise(n, 7)
	}
	// Around the limits of headers and blocks.
	for _, n := range []int{255, 256, 257, 1022, 1023, 1024, 1025, 1026, 16383, 16384, 65791, 65792, 128<<10 - 1, 128 << 10, 128<<10 + 1, 256 << 10, 256<<10 + 1} {
		s[fmt.Sprintf("%d of text", n)] = text(n, 8)
		s[fmt.Sprintf("%d of noise", n)] = noise(n, 9)
		s[fmt.Sprintf("%d literals", n)] = literals(n)
	}
	return s
}

func slicesConcat(parts ...[]byte) (all []byte) {
	for _, p := range parts {
		all = append(all, p...)
	}
	return all
}

func allBytes(times int) (b []byte) {
	for range times {
		for c := range 256 {
			b = append(b, byte(c))
		}
	}
	return b
}

func numbers(n int) []byte {
	var b bytes.Buffer
	r := rand.New(rand.NewPCG(10, 10))
	for b.Len() < n {
		fmt.Fprintf(&b, "%d.%d,", r.IntN(500), r.IntN(100))
	}
	return b.Bytes()[:n]
}

// literals returns text with few different symbols and few matches.
func literals(n int) []byte {
	r := rand.New(rand.NewPCG(11, uint64(n)))
	b := make([]byte, n)
	for i := range b {
		b[i] = "eeeeeettttaaoinshrdlu"[r.IntN(21)] + byte(r.IntN(2)*32)
	}
	return b
}

func encode(t testing.TB, e *zstdenc.Encoder, src, dictionary []byte, window int) []byte {
	t.Helper()
	data, err := e.Encode(t.Context(), src, dictionary, window)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// decode decodes with another implementation.
func decode(t testing.TB, data, dictionary []byte, window int) []byte {
	t.Helper()
	opts := []zstd.DOption{zstd.WithDecoderMaxWindow(uint64(window))}
	if dictionary != nil {
		opts = append(opts, zstd.WithDecoderDictRaw(0, dictionary))
	}
	d, err := zstd.NewReader(nil, opts...)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	out, err := d.DecodeAll(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, level := range levels() {
		e := zstdenc.New(level)
		for name, src := range samples() {
			if level > 19 && len(src) > 20_000 && (testing.Short() || level < 22) {
				continue
			}
			data := encode(t, e, src, nil, window)
			if !bytes.Equal(decode(t, data, nil, window), src) {
				t.Errorf("level %d, %s: decoded content differs", level, name)
			}
			if err := framing.Check(manifest.Zstd, bytes.NewReader(data)); err != nil {
				t.Errorf("level %d, %s: %v", level, name, err)
			}
			if most := len(src) + 9 + 3*(len(src)>>17+1); len(data) > most {
				t.Errorf("level %d, %s: %d bytes from %d", level, name, len(data), len(src))
			}
		}
	}
}

// TestReference checks that the reference decoder decodes the output within the
// memory limit of browsers.
func TestReference(t *testing.T) {
	t.Parallel()
	program := testneeds.Program(t, "zstd")
	e := zstdenc.New(19)
	dir := t.TempDir()
	var files []string
	samples := samples()
	maps.DeleteFunc(samples, func(name string, src []byte) bool {
		return testing.Short() && len(src) > 20_000 && name != "text"
	})
	for name, src := range samples {
		file := filepath.Join(dir, strings.ReplaceAll(name, " ", "_")+".zst")
		if err := os.WriteFile(file, encode(t, e, src, nil, window), 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	if out, err := exec.Command(program, append([]string{"-d", "-q", "--memory=8MB"}, files...)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, src := range samples {
		back, err := os.ReadFile(filepath.Join(dir, strings.ReplaceAll(name, " ", "_")))
		if err != nil || !bytes.Equal(back, src) {
			t.Errorf("%s: decoded content differs (%v)", name, err)
		}
	}
}

// TestReuse checks that a used encoder writes the same as a new one.
func TestReuse(t *testing.T) {
	t.Parallel()
	used := zstdenc.New(19)
	for name, src := range samples() {
		if testing.Short() && len(src) > 20_000 {
			continue
		}
		if !bytes.Equal(encode(t, used, src, nil, window), encode(t, zstdenc.New(19), src, nil, window)) {
			t.Errorf("%s: the output of a used encoder differs from a new one's", name)
		}
	}
}

func TestWindow(t *testing.T) {
	t.Parallel()
	some := text(300_000, 12)
	between := func(zeros int) []byte { return slicesConcat(some, make([]byte, zeros), some) }
	e := zstdenc.New(19)
	once := len(encode(t, e, some, nil, window))
	for _, c := range []struct {
		name  string
		src   []byte
		found bool
	}{
		{"in reach", between(7 << 20), true},
		{"in reach of a source that is larger than the window", slicesConcat(make([]byte, 2<<20), between(7<<20)), true},
		{"out of reach", between(8 << 20), false},
	} {
		if testing.Short() && c.found {
			continue // as TestDictionary's large one: slow
		}
		data := encode(t, e, c.src, nil, window)
		if !bytes.Equal(decode(t, data, nil, window), c.src) {
			t.Errorf("%s: decoded content differs", c.name)
		}
		if err := framing.Check(manifest.Zstd, bytes.NewReader(data)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if found := len(data) < once*3/2; found != c.found {
			t.Errorf("%s: %d bytes, and %d for the repeated text alone", c.name, len(data), once)
		}
	}
}

func TestDictionary(t *testing.T) {
	t.Parallel()
	old := text(200_000, 13)
	changed := slicesConcat(old[:90_000], []byte("// one line more\n"), old[90_100:])
	e := zstdenc.New(19)
	large := 9 << 20
	if testing.Short() {
		large = 1 << 20
	}
	for name, c := range map[string]struct {
		src, dictionary []byte
		window, most    int
	}{
		"changed":            {changed, old, window, 200},
		"the same":           {old, old, window, 60},
		"smaller dictionary": {changed, old[150_000:], window, 50_000},
		"smaller source":     {old[100_000:100_500], old, window, 40},
		"tiny dictionary":    {changed, []byte("x"), window, 60_000},
		"empty source":       {nil, old, window, 20},
		"window too small":   {changed, old, 64 << 10, 60_000},
		"large": {
			slicesConcat(noise(large, 14), []byte("end")), noise(large, 14), large * 5 / 4, 1500,
		},
	} {
		data := encode(t, e, c.src, c.dictionary, c.window)
		if !bytes.Equal(decode(t, data, c.dictionary, max(c.window, 8<<20)), c.src) {
			t.Errorf("%s: decoded content differs", name)
		}
		if len(data) > c.most {
			t.Errorf("%s: %d bytes, want at most %d", name, len(data), c.most)
		}
	}
}

// TestSmaller checks on a real site that each level's output is no larger than that
// of the level before, and the lowest level's smaller than another encoder's.
func TestSmaller(t *testing.T) {
	t.Parallel()
	peer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderCRC(false), zstd.WithWindowSize(window))
	if err != nil {
		t.Fatal(err)
	}
	total := make(map[int]int)
	err = filepath.WalkDir("../../../testdata/site", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		total[0] += len(peer.EncodeAll(src, nil))
		for _, level := range levels() {
			if level > 19 && testing.Short() {
				break
			}
			total[level] += len(encode(t, zstdenc.New(level), src, nil, window))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if total[19] > total[0]*96/100 || !testing.Short() && (total[20] > total[19] || total[21] > total[20] || total[22] > total[21]) {
		t.Errorf("bytes by level (0 is the other encoder): %v", total)
	}
}

// TestCancelled checks that an encoder stops when its context is cancelled.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, dictionary := range [][]byte{nil, text(1000, 1)} {
		if _, err := zstdenc.New(19).Encode(ctx, text(1000, 1), dictionary, window); !errors.Is(err, context.Canceled) {
			t.Errorf("with a dictionary of %d bytes: error %v, want context.Canceled", len(dictionary), err)
		}
	}
}

// FuzzEncode checks that another decoder decodes to the source.
func FuzzEncode(f *testing.F) {
	for name, src := range samples() {
		if len(src) <= 20_000 {
			f.Add(src, []byte(nil), byte(len(name)))
		}
	}
	f.Add(text(3000, 15), text(2000, 15), byte(0))
	f.Add(text(3000, 15), text(9000, 15), byte(3))
	f.Fuzz(func(t *testing.T, src, dictionary []byte, choice byte) {
		e := zstdenc.New(19 + int(choice%4))
		size := window
		if choice&4 != 0 {
			size = 1 << 10 << (choice >> 3 & 3)
		}
		// Longer than a fuzzer's inputs, with repetitions across blocks.
		if choice&128 != 0 {
			src = bytes.Repeat(src, 1+200_000/max(len(src), 1))[:min(200_000, len(src)*200_000)]
		}
		data := encode(t, e, src, dictionary, size)
		if len(dictionary) == 0 {
			dictionary = nil
		}
		if !bytes.Equal(decode(t, data, dictionary, max(size, len(dictionary), 8<<20)), src) {
			t.Error("decoded content differs")
		}
	})
}
