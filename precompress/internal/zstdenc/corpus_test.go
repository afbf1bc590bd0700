package zstdenc

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"
)

func TestCorpus(t *testing.T) {
	dir := os.Getenv("CORPUS")
	if dir == "" {
		t.Skip()
	}
	level, _ := strconv.Atoi(os.Getenv("LEVEL"))
	dec, _ := zstd.NewReader(nil)
	e := New(level)
	var total, n int
	var spent time.Duration
	out, _ := os.Create("/tmp/zbench/ours.txt")
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if !d.Type().IsRegular() {
			return nil
		}
		src, _ := os.ReadFile(p)
		s := time.Now()
		data, err := e.Encode(context.Background(), src, nil, 8<<20)
		spent += time.Since(s)
		if err != nil {
			t.Fatal(p, err)
		}
		back, err := dec.DecodeAll(data, nil)
		if err != nil || !bytes.Equal(back, src) {
			os.WriteFile("/tmp/zbench/bad.zst", data, 0o666)
			t.Fatal(p, err, len(src), len(back))
		}
		rel, _ := filepath.Rel(dir, p)
		fmt.Fprintln(out, len(data), len(src), "./"+rel)
		total += len(data)
		n++
		return nil
	})
	fmt.Println(n, "files", total, "bytes", spent)
}

func TestPairs(t *testing.T) {
	level, _ := strconv.Atoi(os.Getenv("LEVEL"))
	e := New(level)
	for _, name := range []string{"bootstrap-css", "bootstrap-js", "react-dom-prod", "three-min", "swagger-ui-bundle"} {
		old, _ := filepath.Glob("/tmp/c6/" + name + "/old/*")
		niew, _ := filepath.Glob("/tmp/c6/" + name + "/new/*")
		o, _ := os.ReadFile(old[0])
		n, _ := os.ReadFile(niew[0])
		s := time.Now()
		data, err := e.Encode(context.Background(), n, o, max(8<<20, len(o)*5/4))
		spent := time.Since(s)
		if err != nil {
			t.Fatal(err)
		}
		dec, _ := zstd.NewReader(nil, zstd.WithDecoderDictRaw(0, o))
		back, err := dec.DecodeAll(data, nil)
		if err != nil || !bytes.Equal(back, n) {
			t.Fatal(name, err, len(n), len(back))
		}
		fmt.Println(name, len(n), len(data), spent)
	}
}
