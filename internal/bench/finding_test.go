package bench

import (
	"testing"

	"github.com/precompress/precompress/internal/testneeds"
	"github.com/precompress/precompress/manifest"
)

// What is known of codings on bodies of APIs and on texts, to be seen in the samples:
// orders of sizes, with room for other versions of the encoders.

// sizes measures a sample and returns its size, and that in each setting.
func sizes(t *testing.T, name string, settings ...Setting) (source int64, encoded map[Setting]int64) {
	t.Helper()
	r, err := Run(t.Context(), sampleInput(t, name), Options{Settings: settings, Runs: 1})
	if err != nil {
		t.Fatal(err)
	}
	encoded = make(map[Setting]int64)
	for _, row := range r.Rows {
		encoded[Setting{row.Coding, row.Level}] = row.Bytes
	}
	return r.Bytes, encoded
}

func br(level int) Setting   { return Setting{manifest.Brotli, level} }
func zstd(level int) Setting { return Setting{manifest.Zstd, level} }
func gzip(level int) Setting { return Setting{manifest.Gzip, level} }

// TestFindingList: on a list of records br 4 is smaller than gzip 6, and br 11 is the
// smallest of all.
func TestFindingList(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"json-1.9kB", "json-200kB"} {
		if testing.Short() && name == "json-200kB" {
			continue
		}
		_, size := sizes(t, name, append(defaultSettings(), gzip(13), zstd(22))...)
		if float64(size[br(4)]) > 0.99*float64(size[gzip(6)]) {
			t.Errorf("%s: br 4 has %d bytes, gzip 6 %d", name, size[br(4)], size[gzip(6)])
		}
		for s, n := range size {
			if other := s != br(11) && s != br(10); other && float64(size[br(11)]) > 0.95*float64(n) || size[br(11)] > n {
				t.Errorf("%s: br 11 has %d bytes, %s %d has %d", name, size[br(11)], s.Coding, s.Level, n)
			}
		}
	}
}

// TestFindingExport: the same at the fast levels of a large list.
func TestFindingExport(t *testing.T) {
	t.Parallel()
	testneeds.Long(t, "encodes 5 MB several times")
	source, size := sizes(t, "json-5MB", br(4), br(9), zstd(3), gzip(6))
	if float64(size[br(4)]) > 0.95*float64(size[gzip(6)]) || float64(size[br(9)]) > 0.9*float64(size[br(4)]) {
		t.Errorf("br 4 has %d bytes, br 9 %d, gzip 6 %d", size[br(4)], size[br(9)], size[gzip(6)])
	}
	if float64(size[gzip(6)]) > float64(source)/3 {
		t.Errorf("gzip 6 makes %d bytes of %d", size[gzip(6)], source)
	}
}

// TestFindingJump: from br 9 to 10 the time jumps, far more than the size falls. It is
// more than four times as much on a quiet machine.
func TestFindingJump(t *testing.T) {
	testneeds.Long(t, "encodes 300 kB ten times")
	r, err := Run(t.Context(), sampleInput(t, "rfc"), Options{Settings: []Setting{br(9), br(10)}, Runs: 5})
	if err != nil {
		t.Fatal(err)
	}
	nine, ten := r.Rows[0], r.Rows[1]
	if float64(ten.Compress.Median) < 1.5*float64(nine.Compress.Median) || float64(ten.Bytes) < 0.85*float64(nine.Bytes) || ten.Bytes >= nine.Bytes {
		t.Errorf("br 9: %d bytes in %v; br 10: %d bytes in %v", nine.Bytes, nine.Compress, ten.Bytes, ten.Compress)
	}
}

// TestFindingBase64: of a PNG in base64 the codings win back what base64 added, a third,
// and no more; the PNG itself does not get smaller.
func TestFindingBase64(t *testing.T) {
	t.Parallel()
	settings := []Setting{br(5), br(11), zstd(9), zstd(19), gzip(9)}
	source, size := sizes(t, "json-base64", settings...)
	for s, n := range size {
		if ratio := float64(source) / float64(n); ratio < 1.3 || ratio > 1.345 {
			t.Errorf("base64: %s %d: ratio %.3f", s.Coding, s.Level, ratio)
		}
	}
	source, size = sizes(t, "png", settings...)
	for s, n := range size {
		if ratio := float64(source) / float64(n); ratio < 0.99 || ratio > 1.01 {
			t.Errorf("PNG: %s %d: ratio %.3f", s.Coding, s.Level, ratio)
		}
	}
}

// TestFindingSmall: gzip makes a body of 115 bytes larger, br smaller.
func TestFindingSmall(t *testing.T) {
	t.Parallel()
	_, size := sizes(t, "small", br(4), br(5), br(9), br(11), gzip(1), gzip(6), gzip(9))
	for s, n := range size {
		if s.Coding == manifest.Gzip && n < 118 || s.Coding == manifest.Brotli && n > 104 {
			t.Errorf("%s %d: %d bytes", s.Coding, s.Level, n)
		}
	}
}

// TestFindingDeflate: deflate has the 12 bytes less than gzip that its header and
// trailer are shorter (RFC 1950, RFC 1952).
func TestFindingDeflate(t *testing.T) {
	t.Parallel()
	var settings []Setting
	for level := 1; level <= 9; level++ {
		settings = append(settings, gzip(level), Setting{Deflate, level})
	}
	for _, name := range []string{"small", "json-200kB", "rfc", "png"} {
		if testing.Short() && name != "small" {
			continue
		}
		_, size := sizes(t, name, settings...)
		for _, s := range All(Deflate) {
			if size[gzip(s.Level)]-size[s] != 12 {
				t.Errorf("%s: gzip %d has %d bytes, deflate %d", name, s.Level, size[gzip(s.Level)], size[s])
			}
		}
	}
}

// TestFindingLevels: of a text each coding's highest level is the smallest by far, and
// every level's outcome is smaller than the text.
func TestFindingLevels(t *testing.T) {
	t.Parallel()
	testneeds.Long(t, "encodes 300 kB in 64 settings")
	var settings []Setting
	for _, c := range Codings() {
		settings = append(settings, All(c)...)
	}
	source, size := sizes(t, "rfc", settings...)
	if len(size) != 12+22+13+9 {
		t.Errorf("%d settings", len(size))
	}
	for _, c := range Codings() {
		low, high := LevelRange(c)
		if fast, slow := size[Setting{c, low}], size[Setting{c, high}]; float64(slow) > 0.9*float64(fast) {
			t.Errorf("%s %d has %d bytes, %d has %d", c, low, fast, high, slow)
		}
	}
	for s, n := range size {
		if ratio := float64(source) / float64(n); ratio < 2.5 || ratio > 6 {
			t.Errorf("%s %d: ratio %.2f", s.Coding, s.Level, ratio)
		}
	}
}
