package deflate

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/klauspost/compress/flate"

	"github.com/precompress/precompress/internal/testneeds"
)

const (
	// treeVariable names the directory whose files are encoded.
	treeVariable  = "DEFLATE_BENCH_TREE"
	levelVariable = "DEFLATE_BENCH_LEVEL"
	gzipFrame     = 18 // bytes of a member's header and trailer (RFC 1952)
)

// BenchmarkTree measures the size in bytes of the complete gzip files for a tree's
// files, and the processor time for encoding them: with each level of this
// package, with klauspost's level 9, and with two programs if they are installed.
// Each runs once, in a process of its own.
//
//	DEFLATE_BENCH_TREE=dist go test -run '^$' -bench Tree -benchtime 1x .
func BenchmarkTree(b *testing.B) {
	dir := os.Getenv(treeVariable)
	if dir == "" {
		dir = site
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		b.Fatal(err)
	}
	var names []string
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	for _, level := range append([]int{9}, levels...) {
		b.Run("level "+strconv.Itoa(level), func(b *testing.B) {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestEncodeTree$")
			cmd.Env = append(os.Environ(), treeVariable+"="+dir, levelVariable+"="+strconv.Itoa(level))
			measure(b, cmd)
		})
	}
	for _, program := range [][]string{{"libdeflate-gzip", "-12", "-k", "-c"}, {"zopfli", "-c"}} {
		b.Run(program[0], func(b *testing.B) {
			testneeds.Program(b, program[0])
			measure(b, exec.Command(program[0], append(program[1:], names...)...))
		})
	}
}

// measure runs a program that writes the encodings to standard output.
func measure(b *testing.B, cmd *exec.Cmd) {
	out := &counter{}
	cmd.Stdout, cmd.Stderr = out, os.Stderr
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(out.n), "bytes")
	b.ReportMetric((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), "cpu-s")
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// TestEncodeTree is the process that BenchmarkTree measures.
func TestEncodeTree(t *testing.T) {
	level, err := strconv.Atoi(os.Getenv(levelVariable))
	if err != nil {
		t.Skip("for BenchmarkTree alone")
	}
	var encode func(src []byte) []byte
	if level > 9 {
		e := New(level)
		encode = func(src []byte) []byte { return encoded(t, e, src) }
	} else {
		var out bytes.Buffer
		w, err := flate.NewWriter(io.Discard, level)
		if err != nil {
			t.Fatal(err)
		}
		encode = func(src []byte) []byte {
			out.Reset()
			w.Reset(&out)
			w.Write(src)
			w.Close()
			return out.Bytes()
		}
	}
	n := 0
	for _, src := range siteFiles(t, os.Getenv(treeVariable)) {
		n += len(encode(src)) + gzipFrame
	}
	os.Stdout.Write(make([]byte, n))
	os.Exit(0) // keeps the test's own messages out of the output
}
