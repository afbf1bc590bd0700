package deflate

import (
	"bytes"
	stdflate "compress/flate"
	"context"
	"errors"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/flate"

	"github.com/precompress/precompress/internal/testneeds"
)

var levels = []int{10, 11, 12, 13}

// decoded decodes data with two other implementations, which must agree.
func decoded(t *testing.T, data []byte) []byte {
	t.Helper()
	one, err := io.ReadAll(stdflate.NewReader(bytes.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	two, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil || !bytes.Equal(one, two) {
		t.Fatalf("two implementations differ: %v", err)
	}
	return one
}

func encoded(t testing.TB, e *Encoder, src []byte) []byte {
	t.Helper()
	data, err := e.Append(context.Background(), nil, src)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func random(seed uint64, n int, values int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	out := make([]byte, n)
	for i := range out {
		out[i] = byte(r.IntN(values))
	}
	return out
}

// apart returns random bytes whose first 300 are repeated at the given distance.
func apart(distance int) []byte {
	text := random(1, distance, 256)
	return append(text, text[:300]...)
}

// texts returns texts around the limits of the format and of the encoder, by name.
func texts() map[string][]byte {
	texts := map[string][]byte{
		"two values":      random(2, 5000, 2),
		"noise":           random(3, 200000, 256),
		"one byte values": slices.Repeat([]byte{'x'}, 1_300_000),
		"period of three": bytes.Repeat([]byte("abc"), 250_000),
	}
	for n := range 65 {
		name := " of " + strconv.Itoa(n)
		texts["noise"+name] = random(4, n, 256)
		texts["letters"+name] = random(5, n, 3)
		texts["run"+name] = make([]byte, n)
	}
	for _, n := range []int{257, 258, 259, 260, 515, 516, 517, 518} {
		texts["run of "+strconv.Itoa(n)] = append(bytes.Repeat([]byte{'r'}, n), "end"...)
	}
	for _, n := range []int{32766, 32767, 32768, 32769, 32770} {
		texts["apart "+strconv.Itoa(n)] = apart(n)
	}
	for _, n := range []int{maxStored - 1, maxStored, maxStored + 1, 2*maxStored + 1} {
		texts["noise of "+strconv.Itoa(n)] = random(6, n, 256)
	}
	for _, n := range []int{maxRegion - 1, maxRegion, maxRegion + 1} {
		text := random(7, n, 30)
		copy(text[n/2:], text)
		texts["region of "+strconv.Itoa(n)] = text
	}
	// Counts like these make Huffman codes longer than 15 bits.
	var skewed []byte
	for a, b, s := 1, 1, 0; len(skewed) < 100_000; a, b, s = b, a+b, s+1 {
		skewed = append(skewed, bytes.Repeat([]byte{byte(s)}, a)...)
	}
	rand.New(rand.NewPCG(8, 0)).Shuffle(len(skewed), func(i, j int) { skewed[i], skewed[j] = skewed[j], skewed[i] })
	texts["skewed"] = skewed
	return texts
}

// siteFiles returns the contents of the files below dir.
func siteFiles(t testing.TB, dir string) (files [][]byte) {
	t.Helper()
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(name)
		files = append(files, data)
		return err
	})
	if err != nil || files == nil {
		t.Fatal("no files", err)
	}
	return files
}

const site = "../../../testdata/site"

// TestRoundTrip checks that other implementations decode to the source, and that
// incompressible texts grow by no more than the headers of stored blocks. If the
// variable of the benchmark names a tree, its files are included.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	texts := texts()
	if dir := os.Getenv(treeVariable); dir != "" {
		for i, text := range siteFiles(t, dir) {
			texts["tree "+strconv.Itoa(i)] = text
		}
	}
	for i, text := range siteFiles(t, site) {
		texts["site "+strconv.Itoa(i)] = text
	}
	for _, level := range levels {
		if testing.Short() && level > 11 {
			break
		}
		t.Run(strconv.Itoa(level), func(t *testing.T) {
			t.Parallel()
			e := New(level)
			for name, text := range texts {
				data := encoded(t, e, text)
				if !bytes.Equal(decoded(t, data), text) {
					t.Errorf("%s: decoded to something else", name)
				}
				if most := len(text) + 5*(len(text)/maxStored+1); len(data) > most {
					t.Errorf("%s: %d bytes became %d, more than %d", name, len(text), len(data), most)
				}
			}
		})
	}
}

// TestAppend checks that Append keeps what out contains, and that a used encoder
// writes the same as a new one.
func TestAppend(t *testing.T) {
	t.Parallel()
	used := New(10)
	for _, text := range [][]byte{apart(9000), nil, []byte("a"), slices.Repeat([]byte("abcd "), 900), random(1, 70000, 9)} {
		data, err := used.Append(t.Context(), []byte("head"), text)
		if err != nil || !bytes.Equal(data, append([]byte("head"), encoded(t, New(10), text)...)) {
			t.Errorf("%d bytes: the output differs from a new encoder's, error %v", len(text), err)
		}
	}
}

// TestLevels checks that each level's output is smaller than that of the level
// before, and the lowest level's smaller than that of a greedy encoder.
func TestLevels(t *testing.T) {
	t.Parallel()
	testneeds.Long(t, "takes seconds")
	files := siteFiles(t, site)
	last := 0
	var out bytes.Buffer
	for _, f := range files {
		out.Reset()
		w, _ := flate.NewWriter(&out, 9)
		w.Write(f)
		w.Close()
		last += out.Len()
	}
	last = last * 985 / 1000
	for _, level := range levels {
		e, sum := New(level), 0
		for _, f := range files {
			sum += len(encoded(t, e, f))
		}
		if sum >= last {
			t.Errorf("level %d: %d bytes, not fewer than %d", level, sum, last)
		}
		last = sum
	}
}

// TestRepeated checks that repetitions take next to nothing.
func TestRepeated(t *testing.T) {
	t.Parallel()
	for name, most := range map[string]int{"apart 32766": 32766 + 20, "one byte values": 1400, "period of three": 900} {
		if n := len(encoded(t, New(12), texts()[name])); n > most {
			t.Errorf("%s: %d bytes, more than %d", name, n, most)
		}
	}
}

// TestCancelled checks that an encoder stops when its context is cancelled, and
// can be used again afterwards.
func TestCancelled(t *testing.T) {
	t.Parallel()
	e := New(10)
	text := []byte(strings.Repeat("some text. ", 2000))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if data, err := e.Append(ctx, nil, text); !errors.Is(err, context.Canceled) || data != nil {
		t.Errorf("%d bytes, error %v", len(data), err)
	}
	if !bytes.Equal(decoded(t, encoded(t, e, text)), text) {
		t.Error("the next text decodes to something else")
	}
}

// FuzzRoundTrip checks that other implementations decode to the source, which is
// the text repeated, and once more at a distance.
func FuzzRoundTrip(f *testing.F) {
	for name, text := range texts() {
		if len(text) < 1000 {
			f.Add(text, len(name), uint8(len(name)%4), uint16(0))
		}
	}
	for _, n := range []uint16{257, 258, 259, 32767, 32768, 32769, 65535} {
		if testing.Short() && n > 259 {
			break
		}
		f.Add([]byte("<a href=x>"), int(n), uint8(n%4), n)
		f.Add([]byte{0}, 1, uint8(0), n)
		f.Add(random(9, 300, 256), 0, uint8(1), n)
	}
	f.Fuzz(func(t *testing.T, text []byte, repeat int, level uint8, gap uint16) {
		if len(text) > 2000 {
			return
		}
		src := slices.Repeat(text, min(max(repeat, 1), 4000/(len(text)+1)+1))
		if gap > 0 {
			src = append(src, random(uint64(gap), max(int(gap)-len(src), 0), 256)...)
			src = append(src, text...)
		}
		e := New(10 + int(level%4))
		// All steps, but fewer rounds of each.
		e.levelEffort.maxPasses, e.levelEffort.polish = min(e.levelEffort.maxPasses, 3), min(e.levelEffort.polish, 1)
		e.levelEffort.restarts = [3]int{3, 3, 0}
		data := encoded(t, e, src)
		if !bytes.Equal(decoded(t, data), src) {
			t.Fatal("decoded to something else")
		}
	})
}
