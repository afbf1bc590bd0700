package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

// releaseCommands are the script commands about releases.
func releaseCommands(releases string) map[string]func(*testscript.TestScript, bool, []string) {
	return map[string]func(*testscript.TestScript, bool, []string){
		"release": func(ts *testscript.TestScript, _ bool, args []string) { cmdRelease(ts, releases, args) },
		"archive": cmdArchive,
		"spoil":   cmdSpoil,
	}
}

// cmdRelease replaces a directory by one of the releases in testdata, as build
// tools do that empty their directory first.
func cmdRelease(ts *testscript.TestScript, releases string, args []string) {
	want(ts, args, 2, "release DIR NUMBER")
	dir := ts.MkAbs(args[0])
	ts.Check(os.RemoveAll(dir))
	ts.Check(os.CopyFS(dir, os.DirFS(filepath.Join(releases, args[1]))))
}

// cmdArchive makes an archive of a directory, of the kind that its name tells, and
// puts further files and links in it: NAME=CONTENT and NAME->TARGET.
func cmdArchive(ts *testscript.TestScript, _ bool, args []string) {
	if len(args) < 2 {
		ts.Fatalf("usage: archive FILE DIR [NAME=CONTENT | NAME->TARGET]...")
	}
	f, err := os.Create(ts.MkAbs(args[0]))
	ts.Check(err)
	defer f.Close()
	if strings.HasSuffix(args[0], ".zip") {
		zipFiles(ts, f, ts.MkAbs(args[1]))
		return
	}
	w := io.WriteCloser(f)
	switch {
	case strings.HasSuffix(args[0], "gz"):
		w = gzip.NewWriter(f)
	case strings.HasSuffix(args[0], ".zst"):
		w, err = zstd.NewWriter(f)
		ts.Check(err)
	}
	t := tar.NewWriter(w)
	eachFile(ts, ts.MkAbs(args[1]), func(name string, content []byte) {
		addToTar(ts, t, tar.Header{Name: name}, content)
	})
	for _, more := range args[2:] {
		if name, target, isLink := strings.Cut(more, "->"); isLink {
			addToTar(ts, t, tar.Header{Name: name, Linkname: target, Typeflag: tar.TypeSymlink}, nil)
			continue
		}
		name, content, _ := strings.Cut(more, "=")
		addToTar(ts, t, tar.Header{Name: name}, []byte(content))
	}
	ts.Check(t.Close())
	if w != f {
		ts.Check(w.Close())
	}
}

func eachFile(ts *testscript.TestScript, dir string, do func(name string, content []byte)) {
	ts.Check(fs.WalkDir(os.DirFS(dir), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		content, err := os.ReadFile(filepath.Join(dir, name))
		do(name, content)
		return err
	}))
}

func addToTar(ts *testscript.TestScript, t *tar.Writer, header tar.Header, content []byte) {
	header.Mode, header.Size = 0o644, int64(len(content))
	ts.Check(t.WriteHeader(&header))
	_, err := t.Write(content)
	ts.Check(err)
}

func zipFiles(ts *testscript.TestScript, f *os.File, dir string) {
	z := zip.NewWriter(f)
	eachFile(ts, dir, func(name string, content []byte) {
		w, err := z.Create(name)
		ts.Check(err)
		_, err = w.Write(content)
		ts.Check(err)
	})
	ts.Check(z.Close())
}

// cmdSpoil changes one byte in the middle of each file below a directory.
func cmdSpoil(ts *testscript.TestScript, _ bool, args []string) {
	want(ts, args, 1, "spoil DIR")
	dir := ts.MkAbs(args[0])
	eachFile(ts, dir, func(name string, content []byte) {
		if len(content) == 0 {
			return
		}
		content[len(content)/2] ^= 1
		full := filepath.Join(dir, name)
		ts.Check(os.Chmod(full, 0o644))
		ts.Check(os.WriteFile(full, content, 0o644))
	})
}
