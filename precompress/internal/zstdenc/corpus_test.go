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
		data, err := e.Encode(context.Background(), src)
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
