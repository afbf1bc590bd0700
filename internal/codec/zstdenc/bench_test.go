package zstdenc_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/internal/codec/zstdenc"
	"github.com/precompress/precompress/internal/testneeds"
)

const (
	// treeVariable names the directory whose files are encoded.
	treeVariable  = "ZSTD_BENCH_TREE"
	levelVariable = "ZSTD_BENCH_LEVEL"
	klauspost     = 11 // means the highest level of that encoder
)

// BenchmarkTree measures the size in bytes of the zstd frames for a tree's files,
// and the processor time for encoding them: with each level of this package, with
// klauspost's highest, and with the program zstd if it is installed. Each runs
// once, in a process of its own.
//
//	ZSTD_BENCH_TREE=dist go test -run '^$' -bench Tree -benchtime 1x .
func BenchmarkTree(b *testing.B) {
	dir := os.Getenv(treeVariable)
	if dir == "" {
		dir = "../../../testdata/site"
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		b.Fatal(err)
	}
	for _, level := range append([]int{klauspost}, levels()...) {
		b.Run("level "+strconv.Itoa(level), func(b *testing.B) {
			cmd := exec.Command(os.Args[0], "-test.run", "^TestEncodeTree$")
			cmd.Env = append(os.Environ(), treeVariable+"="+dir, levelVariable+"="+strconv.Itoa(level))
			out := &counter{}
			cmd.Stdout, cmd.Stderr = out, os.Stderr
			measure(b, cmd)
			b.ReportMetric(float64(out.n), "bytes")
		})
	}
	for _, level := range []string{"-19", "--ultra -22 --zstd=wlog=23"} {
		b.Run("zstd "+level, func(b *testing.B) {
			testneeds.Program(b, "zstd")
			mirror := b.TempDir()
			// The shell splits the options.
			measure(b, exec.Command("sh", "-c", "exec zstd -q --single-thread --no-check "+level+` -r "$1" --output-dir-mirror "$2"`, "sh", dir, mirror))
			b.ReportMetric(float64(treeSize(b, mirror)), "bytes")
		})
	}
}

// measure runs a program and reports its processor time.
func measure(b *testing.B, cmd *exec.Cmd) {
	if err := cmd.Run(); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric((cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), "cpu-s")
}

type counter struct{ n int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.n += int64(len(p))
	return len(p), nil
}

// treeSize returns the total size in bytes of the files below a directory.
func treeSize(t testing.TB, dir string) (n int64) {
	eachFile(t, dir, func(src []byte) { n += int64(len(src)) })
	return n
}

func eachFile(t testing.TB, dir string, do func(src []byte)) {
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(path)
		if err == nil {
			do(src)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestEncodeTree is the process that BenchmarkTree measures.
func TestEncodeTree(t *testing.T) {
	level, err := strconv.Atoi(os.Getenv(levelVariable))
	if err != nil {
		t.Skip("for BenchmarkTree alone")
	}
	own := zstdenc.New(level)
	peer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderCRC(false),
		zstd.WithWindowSize(window), zstd.WithEncoderConcurrency(1), zstd.WithZeroFrames(true))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	eachFile(t, os.Getenv(treeVariable), func(src []byte) {
		if level == klauspost {
			n += len(peer.EncodeAll(src, nil))
		} else {
			n += len(encode(t, own, src, nil, window))
		}
	})
	os.Stdout.Write(make([]byte, n))
	os.Exit(0) // keeps the test's own messages out of the output
}
