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

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// plant makes files below a new folder.
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

// TestRunSums: of a folder numbers are sums over what a build would take, and equal
// those of the files one by one.
func TestRunSums(t *testing.T) {
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
	encoder := precompress.NewEncoder()
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
			data, err := encoder.Encode(t.Context(), coding, s.Level, []byte(content))
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

// TestRunTimes has a clock that goes on by a second more each time that it is looked at:
// of each run, the times of all files are summed up. One that stands still shows 1 ns.
func TestRunTimes(t *testing.T) {
	dir := plant(t, map[string]string{"a.txt": strings.Repeat("a text\n", 10), "b.txt": strings.Repeat("b text\n", 10)})
	opts := Options{Settings: []Setting{gzip(1)}, Runs: 2}
	for name, test := range map[string]struct {
		step                 time.Duration
		compress, decompress Timing
	}{
		// a's encoding and decoding take 1, 3, 5 and 7 seconds, b's 9, 11, 13 and 15.
		"goes on":      {time.Second, Timing{14 * time.Second, 10 * time.Second, 18 * time.Second}, Timing{18 * time.Second, 14 * time.Second, 22 * time.Second}},
		"stands still": {0, Timing{2, 2, 2}, Timing{2, 2, 2}},
	} {
		m := newMeasurement(open(t, dir, precompress.Options{}), opts)
		var now time.Time
		var step time.Duration
		m.now = func() time.Time {
			now = now.Add(step)
			step += test.step
			return now
		}
		if err := m.run(t.Context()); err != nil {
			t.Fatal(err)
		}
		if row := m.result().Rows[0]; row.Compress != test.compress || row.Decompress != test.decompress {
			t.Errorf("%s: %+v", name, row)
		}
	}
}

func TestRunDefaults(t *testing.T) {
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
		m := newMeasurement(in, opts)
		right, times := m.encode, 0
		m.encode = func(ctx context.Context, s Setting, src []byte) ([]byte, error) {
			if s == gzip(6) && strings.HasSuffix(string(src), "b") {
				times++
			}
			if times != 3 { // after warming up and the first run
				return right(ctx, s, src)
			}
			if wrong(src) == nil {
				return []byte("no stream"), nil
			}
			return right(ctx, s, wrong(src))
		}
		err = m.run(t.Context())
		var fault *precompress.Error
		if !errors.As(err, &fault) || !errors.Is(err, precompress.ErrVerify) || fault.Path != "b.txt" || fault.Coding != manifest.Gzip || !strings.Contains(err.Error(), "level 6") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRunNothing(t *testing.T) {
	for name, dir := range map[string]string{
		"an empty folder":      plant(t, nil),
		"nothing to take":      plant(t, map[string]string{"a.png": strings.Repeat("x", 100)}),
		"an empty file":        filepath.Join(plant(t, map[string]string{"a.js": ""}), "a.js"),
		"a folder of an empty": plant(t, map[string]string{"a.js": ""}),
	} {
		if r, err := Run(t.Context(), open(t, dir, precompress.Options{}), Options{}); !errors.Is(err, ErrEmpty) {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func TestRunRefuses(t *testing.T) {
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
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opts := Options{Settings: []Setting{gzip(1), br(11), zstd(9)}, Progress: func(int64, int64) { cancel() }}
	if r, err := Run(ctx, sampleInput(t, "rfc"), opts); !errors.Is(err, context.Canceled) || r != nil {
		t.Errorf("%v, %v", r, err)
	}
}

func TestOpen(t *testing.T) {
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
