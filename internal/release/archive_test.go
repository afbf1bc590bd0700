package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

// item is one entry of an archive that a test builds.
type item struct {
	name string
	data string
	tar  func(*tar.Header)
	zip  func(*zip.FileHeader)
}

func tarOf(t testing.TB, items ...item) []byte {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	for _, i := range items {
		h := &tar.Header{Name: i.name, Mode: 0o644, Size: int64(len(i.data)), Typeflag: tar.TypeReg}
		if strings.HasSuffix(i.name, "/") {
			h.Typeflag = tar.TypeDir
		}
		if i.tar != nil {
			i.tar(h)
		}
		must(t, w.WriteHeader(h))
		if h.Size > 0 {
			_, err := w.Write([]byte(i.data))
			must(t, err)
		}
	}
	must(t, w.Close())
	return out.Bytes()
}

func zipOf(t testing.TB, items ...item) []byte {
	t.Helper()
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, i := range items {
		h := &zip.FileHeader{Name: i.name, Method: zip.Deflate}
		if i.zip != nil {
			i.zip(h)
		}
		f, err := w.CreateHeader(h)
		must(t, err)
		_, err = f.Write([]byte(i.data))
		must(t, err)
	}
	must(t, w.Close())
	return out.Bytes()
}

func gzipOf(t testing.TB, data []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	_, err := w.Write(data)
	must(t, errors.Join(err, w.Close()))
	return out.Bytes()
}

func zstdOf(t testing.TB, data []byte, opts ...zstd.EOption) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := zstd.NewWriter(&out, opts...)
	must(t, err)
	_, err = w.Write(data)
	must(t, errors.Join(err, w.Close()))
	return out.Bytes()
}

// written returns the path of a new file.
func written(t testing.TB, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, data, 0o666))
	return path
}

// open opens a release whose temporary files are in a directory of their own, which
// must be empty in the end.
func open(t testing.TB, path string, opts options) (*Release, error) {
	t.Helper()
	opts.tempDir = t.TempDir()
	r, err := openRelease(t.Context(), path, opts)
	t.Cleanup(func() {
		if r != nil {
			if _, err := r.Read(context.Background(), File{Path: "never.js"}); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("a file that is not there: got %v", err)
			}
			if err := r.Close(); err != nil {
				t.Error(err)
			}
		}
		if left, _ := os.ReadDir(opts.tempDir); len(left) > 0 {
			t.Errorf("temporary files are left: %v", left)
		}
	})
	return r, err
}

// readContents reads all files of a release.
func readContents(t testing.TB, r *Release) map[string]string {
	t.Helper()
	all := make(map[string]string)
	last := ""
	for _, f := range r.Files() {
		data, err := r.Read(t.Context(), f)
		must(t, err)
		sum, err := r.Sum(t.Context(), f)
		must(t, err)
		if sum != sha256.Sum256(data) || int64(len(data)) != f.Size || f.Path <= last {
			t.Errorf("%s: %d bytes in place of %d, SHA-256 %x, after %s", f.Path, len(data), f.Size, sum, last)
		}
		all[f.Path], last = string(data), f.Path
	}
	return all
}

// site is what a release may hold, and siteFiles what is a file of it.
var (
	site = []item{
		{name: "js/"}, {name: "js/app.js.br", data: "x"}, {name: "js/app.js", data: strings.Repeat("app ", 1000)},
		{name: "./index.html", data: "<p>"}, {name: "empty.css"}, {name: "lone.br", data: "source is not here"},
		{name: "js/app.js.0123456789abcdef.dcb", data: "x"}, {name: "js/app.js.0123456789abcdef.dcz", data: "x"},
		{name: "gone.js.0123456789abcdef.dcz", data: "no delta"}, {name: "precompress-manifest.json", data: "{}"},
		{name: ".git/config", data: "x"}, {name: "js/.hidden.js", data: "x"}, {name: ".well-known/a.json", data: "1"},
		{name: "bad\xff.js", data: "x"},
	}
	siteFiles = map[string]string{
		"js/app.js": strings.Repeat("app ", 1000), "index.html": "<p>", "empty.css": "", "lone.br": "source is not here",
		"gone.js.0123456789abcdef.dcz": "no delta", ".well-known/a.json": "1",
	}
)

// TestOpen: every form of a release gives the same files.
func TestOpen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, i := range site {
		name := filepath.Join(dir, i.name)
		must(t, os.MkdirAll(filepath.Dir(name), 0o777))
		if !strings.HasSuffix(i.name, "/") && !strings.Contains(i.name, "\xff") {
			must(t, os.WriteFile(name, []byte(i.data), 0o666))
		}
	}
	plain := tarOf(t, append(site, item{name: "pax_global_header", tar: func(h *tar.Header) {
		*h = tar.Header{Typeflag: tar.TypeXGlobalHeader, PAXRecords: map[string]string{"comment": "x"}}
	}})...)
	skippable := append([]byte("\x50\x2a\x4d\x18\x03\x00\x00\x00abc"), zstdOf(t, plain)...)
	for name, path := range map[string]string{
		"r":             dir,
		"r.tar":         written(t, "r.tar", plain),
		"r.tar.gz":      written(t, "r.tar.gz", gzipOf(t, plain)),
		"R.TGZ":         written(t, "R.TGZ", gzipOf(t, plain)),
		"r.tar.zst":     written(t, "r.tar.zst", zstdOf(t, plain)),
		"frame.tar.zst": written(t, "frame.tar.zst", skippable),
		"r.tzst":        written(t, "r.tzst", zstdOf(t, plain)),
		"r.zip":         written(t, "r.zip", zipOf(t, site...)),
	} {
		r, err := open(t, path, options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if diff := cmp.Diff(siteFiles, readContents(t, r)); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", name, diff)
		}
		if r.Name != filepath.Base(path) {
			t.Errorf("%s: named %q", name, r.Name)
		}
	}
}

// TestWant: only what is wanted is listed, and in an archive the directory that
// everything is in stands for the release if that is what makes files wanted.
func TestWant(t *testing.T) {
	t.Parallel()
	app := func(path string) bool { return path == "app.js" || path == "dist/both.js" }
	for name, c := range map[string]struct {
		items []item
		want  map[string]string
	}{
		"plain":      {[]item{{name: "app.js", data: "1"}, {name: "b.js"}}, map[string]string{"app.js": "1"}},
		"in one":     {[]item{{name: "dist/"}, {name: "dist/app.js", data: "1"}, {name: "./.git/x"}}, map[string]string{"app.js": "1"}},
		"in two":     {[]item{{name: "dist/app.js", data: "1"}, {name: "src/app.js"}}, map[string]string{}},
		"and beside": {[]item{{name: "dist/app.js", data: "1"}, {name: "x.js"}}, map[string]string{}},
		"true path":  {[]item{{name: "dist/app.js", data: "1"}, {name: "dist/both.js", data: "2"}}, map[string]string{"dist/both.js": "2"}},
	} {
		for kind, path := range map[string]string{
			"tar": written(t, "r.tar", tarOf(t, c.items...)), "zip": written(t, "r.zip", zipOf(t, c.items...)),
		} {
			r, err := open(t, path, options{want: app})
			must(t, err)
			if diff := cmp.Diff(c.want, readContents(t, r)); diff != "" {
				t.Errorf("%s, %s: (-want +got)\n%s", name, kind, diff)
			}
		}
	}
}

// TestHostileNames: archives with such names are refused as a whole, whatever else
// they hold and even if nobody wants the entry.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"../a.js", "a/../../b.js", "a/..", "/etc/passwd", `a\b.js`, `..\a.js`, "c:a.js", "C:/a.js", "x/D:y", "a\x00b.js", strings.Repeat("a/", 3000) + "b.js",
	} {
		files := map[string][]byte{"r.zip": zipOf(t, item{name: "ok.js"}, item{name: name, data: "x"})}
		if !strings.Contains(name, "\x00") { // its writer refuses that
			files["r.tar"] = tarOf(t, item{name: "ok.js"}, item{name: name, data: "x"})
		}
		for file, data := range files {
			_, err := open(t, written(t, file, data), options{want: func(path string) bool { return path == "ok.js" }})
			refused(t, file+" "+name[:min(20, len(name))], err, errUnsafe, "entry ")
		}
	}
}

// refused checks the error of what must not be opened.
func refused(t *testing.T, what string, err, want error, words ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", what, err, want)
		return
	}
	for _, w := range append(words, "earlier release ") {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: %q is not in %v", what, w, err)
		}
	}
}

func ofType(flag byte) func(*tar.Header) {
	return func(h *tar.Header) { h.Typeflag, h.Linkname = flag, "ok.js" }
}

func ofMode(mode fs.FileMode) func(*zip.FileHeader) {
	return func(h *zip.FileHeader) { h.SetMode(mode) }
}

// TestHostile: what no release has a reason to hold.
func TestHostile(t *testing.T) {
	t.Parallel()
	ok := item{name: "ok.js", data: strings.Repeat("ok", 5000)}
	twice := []item{ok, {name: "x/../ok.js"}}
	twice[1].name = "./ok.js"
	tarred := tarOf(t, ok)
	for name, c := range map[string]struct {
		file string
		data []byte
		err  error
		word string
	}{
		"link":          {"r.tar", tarOf(t, ok, item{name: "l", tar: ofType(tar.TypeSymlink)}), errUnsafe, `"l"`},
		"hard link":     {"r.tar", tarOf(t, ok, item{name: "l", tar: ofType(tar.TypeLink)}), errUnsafe, "a link"},
		"device":        {"r.tar", tarOf(t, ok, item{name: "d", tar: ofType(tar.TypeBlock)}), errUnsafe, "a device"},
		"FIFO":          {"r.tar", tarOf(t, ok, item{name: "d", tar: ofType(tar.TypeFifo)}), errUnsafe, "a FIFO"},
		"unknown":       {"r.tar", tarOf(t, ok, item{name: "d", tar: ofType('Q')}), errUnsafe, "'Q'"},
		"sparse":        {"r.tar", sparse(t), errUnsafe, "a sparse file"},
		"twice":         {"r.tar", tarOf(t, twice...), errUnsafe, "two entries"},
		"zip: twice":    {"r.zip", zipOf(t, twice...), errUnsafe, "two entries"},
		"zip: link":     {"r.zip", zipOf(t, ok, item{name: "l", data: "/etc", zip: ofMode(fs.ModeSymlink | 0o777)}), errUnsafe, `"l"`},
		"zip: device":   {"r.zip", zipOf(t, ok, item{name: "d", zip: ofMode(fs.ModeDevice | 0o666)}), errUnsafe, `"d"`},
		"zip: secret":   {"r.zip", marked(t, ok, 8, 1), ErrFormat, "encrypted"},
		"zip: method":   {"r.zip", marked(t, ok, 10, 93), ErrFormat, "method 93"},
		"cut":           {"r.tar", tarred[:5000], ErrDamaged, "ends early"},
		"cut after all": {"r.tar", tarred[:512+10240], ErrDamaged, "ends early"},
		"more":          {"r.tar", append(bytes.Clone(tarred), tarred...), ErrDamaged, "follows"},
		"gzip: cut":     {"r.tgz", cut(gzipOf(t, tarred), 4), ErrDamaged, "ends early"},
		"gzip: flipped": {"r.tgz", flipped(gzipOf(t, tarred), -6), ErrDamaged, "again"},
		"zstd: cut":     {"r.tzst", cut(zstdOf(t, tarred), 4), ErrDamaged, "ends early"},
		"zstd: flipped": {"r.tzst", flipped(zstdOf(t, tarred), -2), ErrDamaged, "again"},
		"zip: cut":      {"r.zip", cut(zipOf(t, ok), 30), ErrDamaged, "again"},
		"zstd: window":  {"r.tzst", wideFrame, errLimit, "window"},
		"empty":         {"r.tar", nil, ErrDamaged, "empty"},
		"text as tar":   {"r.tar", bytes.Repeat([]byte("text "), 500), ErrFormat, ""},
		"text as zip":   {"r.zip", []byte("text"), ErrFormat, "not one"},
		"gzip as zip":   {"r.zip", gzipOf(t, tarred), ErrFormat, "rename"},
		"tar as gzip":   {"r.tar.gz", tarred, ErrFormat, "rename"},
		"zip as tar":    {"r.tar", zipOf(t, ok), ErrFormat, "rename"},
		"text in gzip":  {"r.tgz", gzipOf(t, bytes.Repeat([]byte("text "), 500)), ErrFormat, ""},
		"unknown name":  {"r.rar", tarred, ErrFormat, "name a directory"},
	} {
		_, err := open(t, written(t, c.file, c.data), options{})
		refused(t, name, err, c.err, c.word)
	}
}

// wideFrame is the start of a zstd frame with a window of 1 GiB.
var wideFrame = []byte("\x28\xb5\x2f\xfd\x00\xa0\x01\x00\x00")

func cut(data []byte, n int) []byte { return data[:len(data)-n] }

func flipped(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[len(data)+at] ^= 0x55
	return data
}

// marked returns a zip archive with a 16-bit value in both headers of its entry.
// at is the place in the central one.
func marked(t testing.TB, i item, at int, value byte) []byte {
	data := zipOf(t, i)
	central := bytes.LastIndex(data, []byte("PK\x01\x02"))
	data[central+at] = value
	data[at-2] = value
	return data
}

// sparse returns an archive with a file of 1 TiB that is all holes.
func sparse(t testing.TB) []byte {
	records := ""
	for _, r := range []string{
		"GNU.sparse.major=0", "GNU.sparse.minor=1", "GNU.sparse.size=1099511627776",
		"GNU.sparse.numblocks=1", "GNU.sparse.map=0,0", "GNU.sparse.name=big.js",
	} {
		records += fmt.Sprintf("%d %s\n", len(r)+4, r) // with the two digits, a space and the end of the line
	}
	data := tarOf(t, item{name: "PaxHeaders/big.js", data: records}, item{name: "big.js"})
	data[156] = tar.TypeXHeader
	fixHeader(data[:512])
	return data
}

// fixHeader sets the sum of a tar header that was edited.
func fixHeader(h []byte) {
	copy(h[148:156], "        ")
	sum := 0
	for _, b := range h {
		sum += int(b)
	}
	for i := 5; i >= 0; i-- {
		h[148+i] = byte('0' + sum&7)
		sum >>= 3
	}
	h[154] = 0
}

// TestLimits: each of them refuses an archive, and one more lets it pass.
func TestLimits(t *testing.T) {
	t.Parallel()
	items := []item{{name: "a/"}, {name: "a/x.js", data: strings.Repeat("x", 10_000)}, {name: "y.js", data: strings.Repeat("y", 20_000)}}
	dir := t.TempDir()
	must(t, os.Mkdir(filepath.Join(dir, "a"), 0o777))
	must(t, os.WriteFile(filepath.Join(dir, "a", "x.js"), nil, 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "y.js"), nil, 0o666))
	tarred := tarOf(t, items...)
	paths := map[string]string{
		"directory": dir, "tar": written(t, "r.tar", tarred), "zip": written(t, "r.zip", zipOf(t, items...)),
		"gzip": written(t, "r.tgz", gzipOf(t, tarred)), "zstd": written(t, "r.tzst", zstdOf(t, tarred)),
	}
	whole := int64(len(tarred))
	for name, c := range map[string]struct {
		kinds string
		low   limits
		high  limits
	}{
		"entries":      {"directory tar zip gzip zstd", limits{entries: 2}, limits{entries: 3}},
		"unpacked":     {"tar gzip zstd", limits{unpacked: whole - 1}, limits{unpacked: whole}},
		"unpacked zip": {"zip", limits{unpacked: 29_999}, limits{unpacked: 30_000}},
		"kept":         {"tar gzip zstd", limits{kept: 29_999}, limits{kept: 30_000}},
	} {
		for kind := range strings.FieldsSeq(c.kinds) {
			_, err := open(t, paths[kind], options{limits: c.low})
			refused(t, name+" of "+kind, err, errLimit)
			if _, err := open(t, paths[kind], options{limits: c.high}); err != nil {
				t.Errorf("%s of %s: %v", name, kind, err)
			}
		}
	}
}

// TestNamesLimit: names alone cannot fill memory, however few bytes they have in
// the archive.
func TestNamesLimit(t *testing.T) {
	l := newListing(options{})
	name := strings.Repeat("a", maxName)
	for n := range maxNames/maxName + 1 {
		if err := l.add(name); errors.Is(err, errLimit) != (n == maxNames/maxName) {
			t.Fatalf("name %d: got %v", n, err)
		}
	}
}

// TestBombs: a small archive of gigabytes ends at the limit, and so do sizes that
// are only claimed.
func TestBombs(t *testing.T) {
	var head bytes.Buffer
	must(t, tar.NewWriter(&head).WriteHeader(&tar.Header{Name: "big.js", Typeflag: tar.TypeReg, Size: 1 << 50}))
	_, err := open(t, written(t, "r.tar", head.Bytes()), options{})
	refused(t, "claimed", err, errLimit, `"big.js"`)

	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	tw := tar.NewWriter(w)
	zeros := make([]byte, 1<<20)
	must(t, tw.WriteHeader(&tar.Header{Name: "zeros.js", Typeflag: tar.TypeReg, Size: 64 << 20}))
	for range 64 {
		_, err := tw.Write(zeros)
		must(t, err)
	}
	must(t, errors.Join(tw.Close(), w.Close()))
	path := written(t, "r.tgz", out.Bytes())
	_, err = open(t, path, options{limits: limits{unpacked: 63 << 20}})
	refused(t, "zeros", err, errLimit)

	r, err := open(t, path, options{})
	must(t, err)
	files := r.Files()
	if len(files) != 1 || files[0].Size != 64<<20 {
		t.Fatalf("got %+v", files)
	}
	if _, err := r.Read(t.Context(), files[0]); !errors.Is(err, errTooLarge) || !strings.Contains(err.Error(), "zeros.js") {
		t.Errorf("got %v", err)
	}

	claims := zipOf(t, item{name: "a.js", data: strings.Repeat("a", 100_000)})
	central := bytes.LastIndex(claims, []byte("PK\x01\x02"))
	claims[central+24]++ // its size
	r, err = open(t, written(t, "r.zip", claims), options{})
	must(t, err)
	if _, err := r.Read(t.Context(), r.Files()[0]); !errors.Is(err, ErrDamaged) {
		t.Errorf("a false size: got %v", err)
	}
}

// TestDirectory: links are left out, nothing leads outside, and what changes after
// it was read is noticed.
func TestDirectory(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	must(t, os.WriteFile(filepath.Join(outside, "secret.js"), []byte("secret"), 0o666))
	must(t, os.WriteFile(filepath.Join(dir, "a.js"), []byte("aaa"), 0o666))
	must(t, os.Mkdir(filepath.Join(dir, "sub"), 0o777))
	must(t, os.WriteFile(filepath.Join(dir, "sub", "b.js"), []byte("b"), 0o666))
	if os.Symlink(filepath.Join(outside, "secret.js"), filepath.Join(dir, "link.js")) != nil ||
		os.Symlink(outside, filepath.Join(dir, "away")) != nil {
		t.Skip("no links here")
	}
	r, err := open(t, dir, options{})
	must(t, err)
	if diff := cmp.Diff(map[string]string{"a.js": "aaa", "sub/b.js": "b"}, readContents(t, r)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	for _, changed := range []string{"bbb", "aaaa", "a", ""} {
		must(t, os.WriteFile(filepath.Join(dir, "a.js"), []byte(changed), 0o666))
		if _, err := r.Read(t.Context(), r.Files()[0]); !errors.Is(err, ErrDamaged) {
			t.Errorf("changed to %q: got %v", changed, err)
		}
	}
	must(t, os.RemoveAll(filepath.Join(dir, "sub")))
	must(t, os.Symlink(outside, filepath.Join(dir, "sub")))
	must(t, os.WriteFile(filepath.Join(outside, "b.js"), []byte("b"), 0o666))
	if data, err := r.Read(t.Context(), r.Files()[1]); err == nil {
		t.Errorf("read %q from outside", data)
	}
}

// TestOpenFails: what is no release, and a context that is done.
func TestOpenFails(t *testing.T) {
	_, err := open(t, filepath.Join(t.TempDir(), "no.tar"), options{})
	refused(t, "missing", err, fs.ErrNotExist)
	done, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.js"), []byte("a"), 0o666))
	r, err := open(t, dir, options{})
	must(t, err)
	if _, err := r.Read(done, r.Files()[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	for _, path := range []string{
		dir, written(t, "r.tar", tarOf(t, site...)), written(t, "r.tzst", zstdOf(t, tarOf(t, site...))), written(t, "r.zip", zipOf(t, site...)),
	} {
		if _, err := openRelease(done, path, options{}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: got %v", path, err)
		}
	}
}

// TestCheckPath: what can be no release is told from outside, and never opened.
func TestCheckPath(t *testing.T) {
	store := filepath.Join(t.TempDir(), "store")
	s, err := OpenStore(store)
	must(t, err)
	_, err = s.Add(t.Context(), "", nil)
	must(t, err)
	must(t, s.Close())
	for path, word := range map[string]string{
		store:                "it is a store of releases",
		written(t, "r", nil): "its name ends in none of",
		os.DevNull:           "neither a file nor a directory",
	} {
		refused(t, path, CheckPath(path), ErrFormat, word)
		_, err := open(t, path, options{})
		refused(t, path, err, ErrFormat, word)
	}
	for _, path := range []string{t.TempDir(), written(t, "r.tgz", nil)} {
		if err := CheckPath(path); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestCheck: it finds what Read does.
func TestCheck(t *testing.T) {
	dir := t.TempDir()
	must(t, os.WriteFile(filepath.Join(dir, "a.js"), []byte("abc"), 0o666))
	r, err := open(t, dir, options{})
	must(t, err)
	f := r.Files()[0]
	must(t, r.Check(t.Context(), f))
	must(t, os.WriteFile(filepath.Join(dir, "a.js"), []byte("abd"), 0o666))
	refused(t, "changed", r.Check(t.Context(), f), ErrDamaged)
	must(t, os.WriteFile(filepath.Join(dir, "a.js"), []byte("abcd"), 0o666))
	refused(t, "longer", r.Check(t.Context(), f), ErrDamaged)
}

// TestSpoolIsNameless: while an archive's files are kept, their file has no name
// where the system can do that; where not, closing removes it.
func TestSpoolIsNameless(t *testing.T) {
	dir := t.TempDir()
	r, err := openRelease(t.Context(), written(t, "r.tar", tarOf(t, site...)), options{tempDir: dir})
	must(t, err)
	if left, err := os.ReadDir(dir); runtime.GOOS != "windows" && (err != nil || len(left) > 0) {
		t.Errorf("got %v, %v", left, err)
	}
	must(t, r.Close())
	f, err := os.CreateTemp(dir, "")
	must(t, err)
	must(t, (&spool{file: f, path: f.Name()}).close())
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("after closing: got %v, %v", left, err)
	}
}
