package precompress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/manifest"
)

// TestKilledTwice checks that the next build replaces a variant of a run that was
// killed, also if the source was edited since and another run was killed before it got
// to the file.
func TestKilledTwice(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	opts := Options{Codings: []manifest.Coding{manifest.Gzip}}
	announce := func() {
		tree, err := Open(t.Context(), dir, opts)
		if err != nil {
			t.Fatal(err)
		}
		defer tree.Close()
		p, err := tree.Plan(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if err := newRun(tree, p).announce(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	first := strings.Repeat("the first version\n", 100)
	write("app.js", first)
	announce()
	data, err := (&codec.Encoder{}).Encode(t.Context(), codec.Params{Coding: manifest.Gzip, Level: 9}, []byte(first))
	if err != nil {
		t.Fatal(err)
	}
	write("app.js.gz", string(data))
	write("app.js", strings.Repeat("the second version\n", 100))
	announce()
	if result, err := Build(t.Context(), dir, opts); err != nil || result.Err() != nil {
		t.Fatal(err, result.Err())
	}
	if p := planOf(t, dir, opts); !p.UpToDate() {
		t.Error("not up to date after the build")
	}
}
