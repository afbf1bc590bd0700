package deflate

import (
	"bytes"
	"compress/flate"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

func TestCorpus(t *testing.T) {
	dir := os.Getenv("CORPUS")
	if dir == "" {
		t.Skip()
	}
	level, _ := strconv.Atoi(os.Getenv("LEVEL"))
	e := New(level)
	var total, n int
	var spent time.Duration
	out, _ := os.Create("/tmp/deflate-ours.txt")
	filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if !d.Type().IsRegular() {
			return nil
		}
		src, _ := os.ReadFile(p)
		s := time.Now()
		data, err := e.Append(context.Background(), nil, src)
		spent += time.Since(s)
		if err != nil {
			t.Fatal(p, err)
		}
		back, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
		if err != nil || !bytes.Equal(back, src) {
			t.Fatal(p, err, len(src), len(back))
		}
		rel, _ := filepath.Rel(dir, p)
		fmt.Fprintln(out, len(data)+18, len(src), "./"+rel)
		total += len(data) + 18
		n++
		return nil
	})
	fmt.Println(n, "files", total, "bytes", spent)
}
