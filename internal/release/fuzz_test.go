package release

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// fuzzOptions keep what a fuzzer makes small.
func fuzzOptions() options {
	return options{limits: limits{entries: 100, unpacked: 1 << 20, kept: 1 << 20}}
}

var fuzzItems = []item{{name: "js/"}, {name: "js/app.js", data: "app"}, {name: "b.css", data: strings.Repeat("b", 700)}}

// FuzzTar: reading an archive either fails with one of the errors that are
// documented, or gives files that have what they are said to have.
func FuzzTar(f *testing.F) {
	f.Add(tarOf(f, fuzzItems...))
	f.Add(sparse(f))
	f.Fuzz(func(t *testing.T, data []byte) {
		in := newTarReader(t.Context(), bytes.NewReader(data), newListing(fuzzOptions()))
		kept := &memory{}
		in.spool = kept
		found, err := in.readAll()
		if err != nil {
			documented(t, err)
		}
		for _, e := range found {
			bytes := kept.Bytes()[e.at:][:e.Size]
			if sha256.Sum256(bytes) != e.SHA256 || !filepath.IsLocal(e.Path) || strings.ContainsAny(e.Path, "\\\x00") {
				t.Errorf("%+v", e)
			}
		}
	})
}

// memory is a spool without a file, for speed.
type memory struct{ bytes.Buffer }

func (m *memory) keep(in io.Reader, size int64) (at int64, err error) {
	at = int64(m.Len())
	_, err = io.CopyN(m, in, size)
	return at, err
}

// FuzzZip is [FuzzTar] for zip archives.
func FuzzZip(f *testing.F) {
	f.Add(zipOf(f, fuzzItems...))
	f.Add(marked(f, fuzzItems[1], 8, 1))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, entries, err := readDirectory(t.Context(), bytes.NewReader(data), int64(len(data)), newListing(fuzzOptions()))
		if err != nil {
			documented(t, err)
		}
		r := &Release{files: files, from: zipped{entries: entries}}
		for _, file := range files {
			data, err := r.Read(t.Context(), file)
			switch {
			case err != nil:
				documented(t, err)
			case int64(len(data)) != file.Size, !filepath.IsLocal(file.Path), strings.ContainsAny(file.Path, "\\\x00"):
				t.Errorf("%+v has %d bytes", file, len(data))
			}
		}
	})
}

func documented(t *testing.T, err error) {
	t.Helper()
	for _, want := range []error{ErrDamaged, ErrFormat, errLimit, errUnsafe, errTooLarge} {
		if errors.Is(err, want) {
			return
		}
	}
	t.Errorf("got %v", err)
}

// FuzzRecord: what is decoded is encoded to what decodes to the same, and no path
// leads anywhere.
func FuzzRecord(f *testing.F) {
	good := record{Version: 1, Name: "v1", Files: []recordFile{{Path: "a.js", Size: 3}, {Path: "b/c.css"}}}
	data, err := good.encode()
	must(f, err)
	f.Add(data)
	f.Add([]byte(`{"version":1,"files":[{"path":"../a","size":1}]}`))
	f.Add([]byte(`{"version":9}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := decodeRecord(data)
		if err != nil {
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrVersion) {
				t.Errorf("got %v", err)
			}
			return
		}
		for _, file := range r.Files {
			if !filepath.IsLocal(file.Path) {
				t.Errorf("path %q", file.Path)
			}
		}
		again, err := r.encode()
		must(t, err)
		back, err := decodeRecord(again)
		must(t, err)
		if back.id() != r.id() || back.Name != r.Name {
			t.Errorf("got %+v, want %+v", back, r)
		}
	})
}

// FuzzEntryName: a path that is taken is local, clean and stays itself.
func FuzzEntryName(f *testing.F) {
	for _, name := range []string{"a.js", "./a//b/", "../a", "/a", `a\b`, "c:/x", "a\x00", ".", ""} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		path, err := cleanEntry(name)
		if err != nil {
			if !errors.Is(err, errUnsafe) {
				t.Errorf("got %v", err)
			}
			return
		}
		again, err := cleanEntry(path)
		if err != nil || again != path || !filepath.IsLocal(path) || strings.ContainsAny(path, "\\\x00") {
			t.Errorf("%q became %q, and that %q, %v", name, path, again, err)
		}
	})
}
