package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// plant makes files below a new directory.
func plant(t *testing.T, files map[string]string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	for name, content := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func open(t *testing.T, path string, opts precompress.Options) *Input {
	t.Helper()
	in, err := Open(t.Context(), path, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	return in
}

// TestRunSums: of a directory numbers are sums over what a build would take, and equal
// those of the files one by one.
func TestRunSums(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("let a = 1;\n", 400), strings.Repeat("<p>text</p>\n", 300)
	dir := plant(t, map[string]string{
		"a.js": a, "sub/b.html": b,
		"a.js.br": "sibling", ".hidden": a, "c.png": a, "empty.css": "", manifest.Name: "{}", "left-out.map": a,
	})
	opts := Options{Settings: []Setting{br(1), gzip(6), zstd(19), {Deflate, 6}}, Runs: 2}
	whole, err := Run(t.Context(), open(t, dir, precompress.Options{Exclude: []string{"*.map"}}), opts)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Name != dir || whole.Files != 2 || whole.Bytes != int64(len(a)+len(b)) || whole.Runs != 2 || whole.Failures != nil {
		t.Errorf("wrong result: %+v", whole)
	}
	if id := whole.Rows[3].Encoder; !strings.HasPrefix(id, "klauspost/zlib ") {
		t.Errorf("the encoder of deflate is %q", id)
	}
	encoder := &codec.Encoder{}
	for i, row := range whole.Rows {
		s := opts.Settings[i]
		if (Setting{row.Coding, row.Level}) != s || row.Encoder == "" {
			t.Errorf("row %d is %+v, want %v", i, row, s)
		}
		if row.Compress.Min <= 0 || row.Compress.Median < row.Compress.Min || row.Compress.Max < row.Compress.Median || row.Decompress.Min <= 0 {
			t.Errorf("wrong times: %+v", row)
		}
		want := int64(0)
		for _, content := range []string{a, b} {
			coding := s.Coding
			if coding == Deflate {
				coding, want = manifest.Gzip, want-12
			}
			data, err := encoder.Append(t.Context(), nil, codec.Params{Coding: coding, Level: s.Level}, []byte(content))
			if err != nil {
				t.Fatal(err)
			}
			want += int64(len(data))
		}
		if row.Bytes != want {
			t.Errorf("%v: %d bytes, want %d", s, row.Bytes, want)
		}
	}
}

// scripted is a measurement with a clock that goes on by what step returns each time
// that it is looked at.
func scripted(in *Input, opts Options, step func() time.Duration) *measurement {
	m := newMeasurement(in, opts)
	var now time.Time
	m.now = func() time.Time {
		now = now.Add(step())
		return now
	}
	return m
}

// TestRunTimes has a clock that goes on by a second more each time that it is looked at:
// of each run, the times of all batches are summed up, each by one pass.
func TestRunTimes(t *testing.T) {
	t.Parallel()
	dir := plant(t, map[string]string{"a.txt": strings.Repeat("a text\n", 10), "b.txt": strings.Repeat("b text\n", 10)})
	in, opts := open(t, dir, precompress.Options{}), Options{Settings: []Setting{gzip(1)}, Runs: 2}
	for name, test := range map[string]struct {
		room                 int64
		compress, decompress Timing
	}{
		// The runs' passes take 1 and 7 seconds, and by file 3 + 5 and 9 + 11.
		"one batch": {1 << 20, Timing{4 * time.Second, time.Second, 7 * time.Second}, Timing{14 * time.Second, 8 * time.Second, 20 * time.Second}},
		// a's encoding and decoding take 1, 3, 5 and 7 seconds, b's 9, 11, 13 and 15.
		"a batch each": {100, Timing{14 * time.Second, 10 * time.Second, 18 * time.Second}, Timing{18 * time.Second, 14 * time.Second, 22 * time.Second}},
	} {
		var step time.Duration
		m := scripted(in, opts, func() time.Duration { step += time.Second; return step - time.Second })
		m.room = test.room
		if err := m.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		r := m.result()
		if row := r.Rows[0]; r.Files != 2 || r.Bytes != 140 || row.Compress != test.compress || row.Decompress != test.decompress {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// TestRunStandingClock: a clock too coarse to show anything shows the least there is.
func TestRunStandingClock(t *testing.T) {
	t.Parallel()
	m := scripted(sampleInput(t, "small"), Options{Settings: []Setting{gzip(1)}, Runs: 2}, func() time.Duration { return 0 })
	if err := m.run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if row := m.result().Rows[0]; row.Compress != (Timing{1, 1, 1}) || row.Decompress != (Timing{1, 1, 1}) {
		t.Errorf("%+v", row)
	}
}

// TestPasses: a pass that is brief does not count, and those after it are made until
// enough time is measured.
func TestPasses(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for name, test := range map[string]struct {
		took  []time.Duration
		want  time.Duration
		count int
	}{
		"long":                 {[]time.Duration{20 * ms, 9 * ms}, 20 * ms, 1},
		"brief":                {[]time.Duration{19 * ms, 9 * ms}, 9 * ms, 2},
		"the mean of several":  {[]time.Duration{9 * ms, ms, 3 * ms, 2 * ms}, 2 * ms, 4},
		"a slow one, warm too": {[]time.Duration{9 * ms, ms, 99 * ms}, 50 * ms, 3},
	} {
		count := 0
		got, err := passTime(func() (time.Duration, error) { count++; return test.took[count-1], nil })
		if err != nil || got != test.want || count != test.count {
			t.Errorf("%s: %v after %d passes, error %v; want %v after %d", name, got, count, err, test.want, test.count)
		}
	}
	for failing := range 3 {
		count := 0
		if _, err := passTime(func() (time.Duration, error) {
			if count++; count > failing {
				return 0, ErrEmpty
			}
			return ms, nil
		}); !errors.Is(err, ErrEmpty) {
			t.Errorf("pass %d fails: %v", failing, err)
		}
	}
}

// TestRunWarm: each time that a setting's turn comes its encoder is used before the
// clock runs, and where passes are brief, one of all files is made in vain.
func TestRunWarm(t *testing.T) {
	t.Parallel()
	dir := plant(t, map[string]string{"a.txt": strings.Repeat("a text\n", 10), "b.txt": strings.Repeat("b text\n", 10)})
	settings := []Setting{gzip(1), gzip(6)}
	for _, test := range []struct {
		step time.Duration
		want []int // encodings between looks at the clock, for one setting
	}{
		{time.Second, []int{1, 2}},                // the warming one, a pass of two files
		{4 * time.Millisecond, []int{1, 2, 2, 2}}, // and one in vain, two that count
	} {
		var m *measurement
		var got []int
		var turn []Setting
		since := 0
		m = scripted(open(t, dir, precompress.Options{}), Options{Settings: settings, Runs: 2}, func() time.Duration {
			if since > 0 {
				got = append(got, since)
			}
			since = 0
			return test.step
		})
		right := m.encode
		m.encode = func(ctx context.Context, s Setting, dst, src []byte) ([]byte, error) {
			if since == 0 {
				turn = append(turn, s)
			}
			since++
			return right(ctx, s, dst, src)
		}
		if err := m.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		want := slices.Repeat(test.want, len(settings)*2)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%v: %s", test.step, diff)
		}
		var turns []Setting
		for range 2 {
			for _, s := range settings {
				turns = append(turns, slices.Repeat([]Setting{s}, len(test.want))...)
			}
		}
		if diff := cmp.Diff(turns, turn); diff != "" {
			t.Errorf("%v, turns: %s", test.step, diff)
		}
	}
}

func TestRunDefaults(t *testing.T) {
	t.Parallel()
	r, err := Run(t.Context(), sampleInput(t, "small"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []Setting
	for _, row := range r.Rows {
		got = append(got, Setting{row.Coding, row.Level})
	}
	want := []Setting{br(1), br(4), br(5), br(9), br(10), br(11), zstd(1), zstd(3), zstd(9), zstd(19), gzip(1), gzip(6), gzip(9)}
	if diff := cmp.Diff(want, got); diff != "" || r.Runs != 3 {
		t.Errorf("%d runs: %s", r.Runs, diff)
	}
}

// TestRunVerifies has encodings that are wrong in one setting, in the second run: the
// error says of which file, coding and level.
func TestRunVerifies(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("some text, ", 100)
	in := open(t, plant(t, map[string]string{"a.txt": content, "b.txt": content + "b"}), precompress.Options{})
	for name, wrong := range map[string]func(src []byte) []byte{
		"another byte": func(src []byte) []byte { src = slices.Clone(src); src[len(src)-1] ^= 1; return src },
		"a byte less":  func(src []byte) []byte { return src[:len(src)-1] },
		"a byte more":  func(src []byte) []byte { return append(slices.Clone(src), 'x') },
		"no stream":    func([]byte) []byte { return nil },
	} {
		opts, err := Options{Settings: []Setting{br(1), gzip(6)}, Runs: 2}.withDefaults()
		if err != nil {
			t.Fatal(err)
		}
		m := scripted(in, opts, func() time.Duration { return time.Second }) // one pass each
		right, times := m.encode, 0
		m.encode = func(ctx context.Context, s Setting, dst, src []byte) ([]byte, error) {
			if s == gzip(6) && strings.HasSuffix(string(src), "b") {
				times++
			}
			if times != 2 { // after the first run
				return right(ctx, s, dst, src)
			}
			if wrong(src) == nil {
				return []byte("no stream"), nil
			}
			return right(ctx, s, dst, wrong(src))
		}
		err = m.run(t.Context())
		var failure *precompress.Error
		if !errors.As(err, &failure) || !errors.Is(err, precompress.ErrVerify) || failure.Path != "b.txt" || failure.Coding != manifest.Gzip || !strings.Contains(err.Error(), "level 6") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRunNothing(t *testing.T) {
	t.Parallel()
	for name, dir := range map[string]string{
		"an empty directory":      plant(t, nil),
		"nothing to take":         plant(t, map[string]string{"a.png": strings.Repeat("x", 100)}),
		"an empty file":           filepath.Join(plant(t, map[string]string{"a.js": ""}), "a.js"),
		"a directory of an empty": plant(t, map[string]string{"a.js": ""}),
	} {
		if r, err := Run(t.Context(), open(t, dir, precompress.Options{}), Options{}); !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	t.Parallel()
	for _, opts := range []Options{
		{Runs: -1}, {Settings: []Setting{}}, {Settings: []Setting{br(12)}}, {Settings: []Setting{{Deflate, 10}}}, {Settings: []Setting{gzip(0)}}, {Settings: []Setting{{"lzma", 1}}},
		{Settings: []Setting{{manifest.DCB, 5}}},
	} {
		if _, err := Run(t.Context(), sampleInput(t, "small"), opts); !errors.Is(err, precompress.ErrInvalidOptions) {
			t.Errorf("%+v: %v", opts, err)
		}
	}
}

// TestRunFileGone: a file that cannot be read any more is left out and told of.
func TestRunFileGone(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("some text, ", 100)
	dir := plant(t, map[string]string{"a.txt": content, "b.txt": content})
	in := open(t, dir, precompress.Options{})
	if err := os.Remove(filepath.Join(dir, "a.txt")); err != nil {
		t.Fatal(err)
	}
	last := int64(0)
	r, err := Run(t.Context(), in, Options{Settings: []Setting{gzip(1)}, Progress: func(done, total int64) {
		if done <= last || done > total {
			t.Errorf("%d of %d after %d", done, total, last)
		}
		if last = done; total != int64(2*3*len(content)) {
			t.Errorf("%d in all", total)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if r.Files != 1 || r.Bytes != int64(len(content)) || len(r.Failures) != 1 || r.Failures[0].Path != "a.txt" || r.Failures[0].Op != "read" {
		t.Errorf("wrong result: %+v", r)
	}
	if last != int64(2*3*len(content)) {
		t.Errorf("the work ended at %d", last)
	}

	name := filepath.Join(dir, "b.txt")
	in = open(t, name, precompress.Options{})
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	if r, err := Run(t.Context(), in, Options{}); err != nil || r.Files != 0 || r.Rows != nil || len(r.Failures) != 1 || r.Failures[0].Path != "" {
		t.Errorf("a file alone: %+v, %v", r, err)
	}
}

// TestRunCanceled: the error is the context's, whatever was under way.
func TestRunCanceled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opts := Options{Settings: []Setting{gzip(1), br(11), zstd(9)}, Progress: func(int64, int64) { cancel() }}
	if r, err := Run(ctx, sampleInput(t, "rfc"), opts); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("%v, %v", r, err)
	}
}

func TestOpen(t *testing.T) {
	t.Parallel()
	content := strings.Repeat("x", 100)
	dir := plant(t, map[string]string{".hidden.png": content})
	file := filepath.Join(dir, ".hidden.png")
	if in := open(t, file, precompress.Options{Include: []string{"*.js"}, MinSize: 1000}); in.Bytes() != 100 || in.Name() != file {
		t.Errorf("a file that is named is not taken: %d bytes", in.Bytes())
	}
	if _, err := Open(t.Context(), file, precompress.Options{MaxSize: 99}); !errors.Is(err, precompress.ErrTooLarge) {
		t.Errorf("a large file: %v", err)
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "nosuch"), precompress.Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
	if _, err := Open(t.Context(), os.DevNull, precompress.Options{}); !errors.Is(err, ErrNotRegular) {
		t.Errorf("a device: %v", err)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(file, link); err != nil {
		t.Skipf("no symbolic links: %v", err)
	}
	if in := open(t, link, precompress.Options{}); in.Bytes() != 100 {
		t.Errorf("a link to a file: %d bytes", in.Bytes())
	}
}
