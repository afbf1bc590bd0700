package precompress_test

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// TestManifestSchema validates manifests of builds against manifest/schema.json:
// stored, stale and original files, files omitted for each reason, and a name that is
// not UTF-8.
func TestManifestSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("..", "manifest", "schema.json"))
	must(t, err)
	valid := func(dir string) *manifest.Manifest {
		data, err := os.ReadFile(filepath.Join(dir, manifest.Name))
		must(t, err)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
		must(t, err)
		must(t, schema.Validate(doc))
		return loadManifest(t, dir)
	}
	files := base()
	if runtime.GOOS == "linux" {
		maps.Copy(files, tree{"caf\xe9.js": text(2000, 1), "a\n\"b\\.js": text(2000, 1)})
	}
	dir := plant(t, files)
	opts := fast()
	opts.DropDominated = true
	build(t, dir, opts)
	seen := map[manifest.Omission]bool{}
	for _, a := range valid(dir).Assets {
		for _, v := range a.Variants {
			seen[v.Omitted] = true
		}
	}
	sameSnapshot(t, map[manifest.Omission]bool{"": true, manifest.Larger: true, manifest.Incompressible: true, manifest.Dominated: true}, seen)

	// A variant that cannot be replaced is stale.
	opts = fast()
	opts.Out, opts.OutOriginals = t.TempDir(), true
	build(t, dir, opts)
	remove(t, opts.Out, "app.js.br")
	must(t, os.Mkdir(filepath.Join(opts.Out, "app.js.br"), 0o777))
	overwrite(t, dir, tree{"app.js": text(2000, 9)})
	report, err := precompress.Build(t.Context(), dir, opts)
	must(t, err)
	if len(report.Failures) != 1 {
		t.Errorf("failures: %v", report.Failures)
	}
	a, _ := valid(opts.Out).Lookup("app.js")
	if v, _ := a.Variant(manifest.Brotli); !v.Stale || !a.Original {
		t.Errorf("%+v", a)
	}
}
