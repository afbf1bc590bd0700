package precompress_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestForeignWindow checks that a sibling whose window is the whole content, too large
// for browsers, is not adopted although it decodes.
func TestForeignWindow(t *testing.T) {
	var src strings.Builder
	random := rand.New(rand.NewPCG(1, 2))
	for src.Len() < 9<<20 {
		fmt.Fprintf(&src, "line %d of a large file, %d\n", src.Len()%1000, random.IntN(50))
	}
	e, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithSingleSegment(true))
	must(t, err)
	defer e.Close()
	dir := plant(t, tree{"app.js": src.String()})
	must(t, os.WriteFile(filepath.Join(dir, "app.js.zst"), e.EncodeAll([]byte(src.String()), nil), 0o644))
	opts := precompress.Options{Codings: []manifest.Coding{manifest.Zstd}, Levels: map[manifest.Coding]int{manifest.Zstd: 1}}
	report, err := precompress.Build(t.Context(), dir, opts)
	must(t, err)
	if !errors.Is(report.Err(), precompress.ErrForeign) {
		t.Errorf("%v", report.Err())
	}
}
