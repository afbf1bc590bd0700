package precompress_test

import (
	"bytes"
	stdgzip "compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestMain lets the test binary act as another process; see [child].
func TestMain(m *testing.M) {
	if job := os.Getenv(childVariable); job != "" {
		runChild(job)
		return
	}
	os.Exit(m.Run())
}

const childVariable = "PRECOMPRESS_TEST_CHILD"

// child is the work for another process, and its result.
type child struct {
	Dir    string
	Jobs   int
	Levels map[manifest.Coding]int
	Force  bool
	// Hold opens the tree, prints a line, and keeps the tree open until standard input
	// ends.
	Hold bool

	Err        string   `json:",omitempty"`
	Failures   []string `json:",omitempty"`
	Permission bool     `json:",omitempty"` // every failure is one of permission
}

func runChild(text string) {
	var c child
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		panic(err)
	}
	if c.Hold {
		tree, err := precompress.Open(context.Background(), c.Dir, c.options())
		if err != nil {
			panic(err)
		}
		fmt.Println("locked")
		io.Copy(io.Discard, os.Stdin)
		tree.Close()
		return
	}
	c.build()
	json.NewEncoder(os.Stdout).Encode(c)
}

func (c *child) options() precompress.Options {
	return precompress.Options{Jobs: c.Jobs, Levels: c.Levels, Force: c.Force}
}

func (c *child) build() {
	report, err := precompress.Build(context.Background(), c.Dir, c.options())
	if err != nil {
		c.Err = err.Error()
		return
	}
	c.Permission = len(report.Failures) > 0
	for _, f := range report.Failures {
		c.Failures = append(c.Failures, f.Error())
		c.Permission = c.Permission && errors.Is(f, fs.ErrPermission)
	}
}

// tree describes a tree of files: contents by path. A path that ends in a slash is a
// directory, content that starts with "-> " is a symbolic link.
type tree map[string]string

// plant writes the tree to a new directory and returns the directory.
func plant(t testing.TB, files tree) string {
	t.Helper()
	dir := t.TempDir()
	plantIn(t, dir, files)
	return dir
}

// longAgo is the mtime of planted files, so that later writes are noticed.
var longAgo = time.Date(2020, 2, 3, 4, 5, 6, 789000000, time.UTC)

func plantIn(t testing.TB, dir string, files tree) {
	t.Helper()
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	for name, content := range files {
		directory, isDirectory := strings.CutSuffix(name, "/")
		if isDirectory {
			must(t, root.MkdirAll(directory, 0o777))
			continue
		}
		must(t, root.MkdirAll(filepath.ToSlash(filepath.Dir(name)), 0o777))
		if target, isLink := strings.CutPrefix(content, "-> "); isLink {
			must(t, root.Symlink(target, name))
			continue
		}
		must(t, root.WriteFile(name, []byte(content), 0o644))
		must(t, root.Chtimes(name, longAgo, longAgo))
	}
}

// overwrite replaces contents, with a new mtime.
func overwrite(t testing.TB, dir string, files tree) {
	t.Helper()
	for name, content := range files {
		must(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// text returns n compressible bytes, which depend on the seed.
func text(n int, seed uint64) string {
	words := strings.Fields("function return const export default import class static async await " +
		"window document querySelector addEventListener margin padding display flex color background")
	random := rand.New(rand.NewPCG(seed, 1))
	var b strings.Builder
	for b.Len() < n {
		fmt.Fprintf(&b, "%s_%d(%s);\n", words[random.IntN(len(words))], random.IntN(1000), words[random.IntN(len(words))])
	}
	return b.String()[:n]
}

// noise returns n incompressible bytes.
func noise(n int, seed uint64) string {
	var key [32]byte
	key[0] = byte(seed)
	data := make([]byte, n)
	rand.NewChaCha8(key).Read(data)
	return string(data)
}

// fast returns options with low levels, for quick tests.
func fast() precompress.Options {
	return precompress.Options{Levels: map[manifest.Coding]int{manifest.Brotli: 2, manifest.Zstd: 1, manifest.Gzip: 1}}
}

// build builds a tree, and fails the test if anything goes wrong.
func build(t testing.TB, dir string, opts precompress.Options) *precompress.Result {
	t.Helper()
	report, err := precompress.Build(t.Context(), dir, opts)
	must(t, err)
	must(t, report.Err())
	return report
}

// plan returns the plan of a build.
func plan(t testing.TB, dir string, opts precompress.Options) *precompress.Plan {
	t.Helper()
	tree, err := precompress.OpenReadOnly(t.Context(), dir, opts)
	must(t, err)
	defer tree.Close()
	p, err := tree.Plan(t.Context())
	must(t, err)
	return p
}

// clean removes everything that builds wrote.
func clean(t testing.TB, dir string, opts precompress.Options) *precompress.Result {
	t.Helper()
	tree, err := precompress.Open(t.Context(), dir, opts)
	must(t, err)
	defer tree.Close()
	p, err := tree.PlanClean(t.Context())
	must(t, err)
	report, err := tree.Clean(t.Context(), p)
	must(t, err)
	return report
}

// entry is a file or directory in a snapshot.
type entry struct {
	Mode    fs.FileMode
	Time    time.Time
	Content string // or the target of a link
}

// snapshot returns everything in dir.
func snapshot(t testing.TB, dir string) map[string]entry {
	t.Helper()
	all := make(map[string]entry)
	root, err := os.OpenRoot(dir)
	must(t, err)
	defer root.Close()
	var walk func(string)
	walk = func(name string) {
		info, err := root.Lstat(name)
		must(t, err)
		e := entry{Mode: info.Mode(), Time: info.ModTime().UTC()}
		switch {
		case info.IsDir():
			f, err := root.Open(name)
			must(t, err)
			below, err := f.Readdirnames(-1)
			f.Close()
			must(t, err)
			for _, b := range below {
				walk(filepath.ToSlash(filepath.Join(name, b)))
			}
		case info.Mode().IsRegular():
			data, err := root.ReadFile(name)
			must(t, err)
			e.Content = string(data)
		case info.Mode()&fs.ModeSymlink != 0:
			e.Content, err = root.Readlink(name)
			must(t, err)
		}
		all[name] = e
	}
	walk(".")
	return all
}

// contents is a snapshot without directories, modes and times.
func contents(t testing.TB, dir string) map[string]string {
	t.Helper()
	out := make(map[string]string)
	for name, e := range snapshot(t, dir) {
		if !e.Mode.IsDir() {
			out[name] = e.Content
		}
	}
	return out
}

// files returns the sorted paths of everything except directories.
func files(t testing.TB, dir string) []string {
	t.Helper()
	var names []string
	for name := range contents(t, dir) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func sameSnapshot(t testing.TB, want, got any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		if len(diff) > 3000 {
			diff = diff[:3000] + "..."
		}
		t.Errorf("the tree differs (-want +got):\n%s", diff)
	}
}

// exists reports whether dir contains a file.
func exists(dir, name string) bool {
	_, err := os.Lstat(filepath.Join(dir, name))
	return err == nil
}

func wantFiles(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if !exists(dir, name) {
			t.Errorf("%q is missing", name)
		}
	}
}

func wantNoFiles(t testing.TB, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if exists(dir, name) {
			t.Errorf("%q exists", name)
		}
	}
}

// siblings returns the names of an asset's three variants.
func siblings(names ...string) (out []string) {
	for _, name := range names {
		for _, c := range manifest.Codings() {
			out = append(out, name+c.Suffix())
		}
	}
	return out
}

// loadManifest reads a tree's manifest.
func loadManifest(t testing.TB, dir string) *manifest.Manifest {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, manifest.Name))
	must(t, err)
	m, err := manifest.Decode(data)
	must(t, err)
	return m
}

// wantTrue checks that the manifest of a tree without failures is true, and that each
// variant decodes to its source, is smaller, and has its mode and mtime. There must
// be no temporary file left.
func wantTrue(t testing.TB, sources, variants string) {
	t.Helper()
	wantNoTemp(t, variants)
	for _, a := range loadManifest(t, variants).Assets {
		source, err := os.ReadFile(filepath.Join(sources, a.Path))
		must(t, err)
		if manifest.Sum(source) != a.Digest || int64(len(source)) != a.Size {
			t.Errorf("%s: the source differs from its record", a.Path)
		}
		for _, v := range a.Variants {
			name := a.Path + v.Coding.Suffix()
			if !v.Stored() {
				if v.Omitted != "" && exists(variants, name) {
					t.Errorf("%s: omitted, but the file exists", name)
				}
				continue
			}
			wantVariant(t, filepath.Join(variants, name), filepath.Join(sources, a.Path), v)
		}
	}
}

func wantVariant(t testing.TB, name, source string, v manifest.Variant) {
	t.Helper()
	data, err := os.ReadFile(name)
	must(t, err)
	want, err := os.ReadFile(source)
	must(t, err)
	if manifest.Sum(data) != v.Digest || int64(len(data)) != v.Size {
		t.Errorf("%s: the file differs from its record", name)
	}
	if got, err := decode(v.Coding, data); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s: does not decode to its source: %v", name, err)
	}
	if len(data) >= len(want) {
		t.Errorf("%s: %d bytes, not smaller than the source with %d", name, len(data), len(want))
	}
	is, err := os.Stat(name)
	must(t, err)
	of, err := os.Stat(source)
	must(t, err)
	if is.Mode() != of.Mode() || !is.ModTime().Equal(of.ModTime()) {
		t.Errorf("%s: mode %v, mtime %v; its source: mode %v, mtime %v", name, is.Mode(), is.ModTime(), of.Mode(), of.ModTime())
	}
}

var tempName = regexp.MustCompile(`(^|/)\.precompress-[0-9a-f]{16}\.tmp$`)

func wantNoTemp(t testing.TB, dir string) {
	t.Helper()
	for _, name := range files(t, dir) {
		if tempName.MatchString(name) {
			t.Errorf("temporary file %q was left", name)
		}
	}
}

// encode encodes at a low level, without the engine.
func encode(t testing.TB, c manifest.Coding, data string) string {
	t.Helper()
	var b bytes.Buffer
	w := encoder(t, c, &b)
	_, err := io.WriteString(w, data)
	must(t, err)
	must(t, w.Close())
	return b.String()
}

// encodeFlushing encodes badly: it flushes the stream every few bytes.
func encodeFlushing(t testing.TB, c manifest.Coding, data string) string {
	t.Helper()
	var b bytes.Buffer
	w := encoder(t, c, &b)
	for len(data) > 0 {
		part := data[:min(20, len(data))]
		data = data[len(part):]
		_, err := io.WriteString(w, part)
		must(t, err)
		must(t, w.Flush())
	}
	must(t, w.Close())
	return b.String()
}

type flusher interface {
	io.WriteCloser
	Flush() error
}

func encoder(t testing.TB, c manifest.Coding, b io.Writer) flusher {
	t.Helper()
	switch c {
	case manifest.Brotli:
		return brotli.NewWriterLevel(b, 3)
	case manifest.Gzip:
		return stdgzip.NewWriter(b)
	}
	w, err := zstd.NewWriter(b, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithWindowSize(1<<20))
	must(t, err)
	return w
}

func decode(c manifest.Coding, data []byte) ([]byte, error) {
	var r io.Reader
	var err error
	switch c {
	case manifest.Brotli:
		r = brotli.NewReader(bytes.NewReader(data))
	case manifest.Gzip:
		r, err = stdgzip.NewReader(bytes.NewReader(data))
	case manifest.Zstd:
		r, err = zstd.NewReader(bytes.NewReader(data))
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// copySite copies the demonstration site to a new directory.
func copySite(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS("../testdata/site")))
	return dir
}

// skips returns the reason for each skipped path.
func skips(list []precompress.Skipped) map[string]precompress.Reason {
	out := make(map[string]precompress.Reason)
	for _, s := range list {
		out[s.Path] = s.Reason
	}
	return out
}

// outcomes returns "status reason" for each variant, by its name.
func outcomes(r *precompress.Result) map[string]string {
	out := make(map[string]string)
	for _, a := range r.Assets {
		for _, v := range a.Variants {
			out[a.Path+v.Coding.Suffix()] = string(v.Status) + " " + string(v.Reason)
		}
	}
	return out
}
