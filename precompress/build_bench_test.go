package precompress

import (
	"os"
	"testing"
)

// BenchmarkBuild measures builds of testdata/site: from scratch, and up to date.
func BenchmarkBuild(b *testing.B) {
	b.Run("cold", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			dir := b.TempDir()
			if err := os.CopyFS(dir, os.DirFS("../testdata/site")); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			if report, err := Build(b.Context(), dir, Options{}); err != nil || report.Err() != nil {
				b.Fatal(err, report)
			}
		}
	})
	b.Run("nothing to do", func(b *testing.B) {
		dir := b.TempDir()
		if err := os.CopyFS(dir, os.DirFS("../testdata/site")); err != nil {
			b.Fatal(err)
		}
		if _, err := Build(b.Context(), dir, Options{}); err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			if report, err := Build(b.Context(), dir, Options{}); err != nil || report.Err() != nil {
				b.Fatal(err, report)
			}
		}
	})
}
