// Package architecture has the tests that hold what ARCHITECTURE.md says about
// packages and files.
package architecture

import (
	"encoding/json"
	"errors"
	"io"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/precompress/precompress/"

// goPackage is what `go list` says about a package.
type goPackage struct {
	ImportPath, Dir, Export string
	GoFiles                 []string
	Imports, Deps           []string
	Standard                bool
}

// list returns packages by import path.
func list(t *testing.T, flags ...string) map[string]goPackage {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", append([]string{"list", "-json=ImportPath,Dir,Export,GoFiles,Imports,Deps,Standard"}, flags...)...)
	cmd.Dir = "../.."
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		t.Skip("needs go: not found on PATH")
	}
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		t.Fatalf("%v: %s", err, failed.Stderr)
	} else if err != nil {
		t.Fatal(err)
	}
	packages := make(map[string]goPackage)
	for d := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		if err := d.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages[p.ImportPath] = p
	}
}

// arrows are the packages of this module that each package may import. A package
// that is not listed fails the test: decide where it belongs.
var arrows = map[string]string{
	// What the world sees.
	"manifest":             "internal/fingerprint internal/urlpattern",
	"serve":                "manifest internal/sfv internal/framing internal/urlpattern",
	"serve/decode":         "serve manifest",
	"precompress":          "manifest precompress/cache internal/codec internal/release internal/framing internal/urlpattern internal/bytesize internal/glob internal/osfile",
	"precompress/cache":    "manifest internal/osfile",
	"precompress/cache/s3": "precompress/cache",

	// Parts of the engine.
	"internal/codec":         "manifest internal/framing internal/codec/deflate internal/codec/zstdenc",
	"internal/codec/deflate": "internal/codec/entropy internal/codec/lz",
	"internal/codec/zstdenc": "internal/codec/entropy internal/codec/lz",
	"internal/release":       "manifest internal/osfile",

	// What only the command uses.
	"internal/bench":  "precompress manifest internal/codec internal/osfile internal/page",
	"internal/budget": "manifest internal/bytesize internal/glob",
	"internal/page":   "precompress",
	"internal/probe":  "serve serve/decode manifest internal/framing internal/urlpattern",
	"internal/report": "precompress manifest internal/budget internal/page",

	// Leaves.
	"internal/bytesize":      "",
	"internal/codec/entropy": "",
	"internal/codec/lz":      "",
	"internal/fingerprint":   "",
	"internal/framing":       "manifest",
	"internal/glob":          "",
	"internal/osfile":        "",
	"internal/sfv":           "",
	"internal/urlpattern":    "",

	"cmd/precompress/internal/config": "precompress",
	"cmd/precompress": "precompress precompress/cache precompress/cache/s3 serve serve/decode manifest cmd/precompress/internal/config " +
		"internal/bench internal/budget internal/bytesize internal/glob internal/osfile internal/probe internal/release internal/report",
}

// TestArrows: packages import only what the table allows.
func TestArrows(t *testing.T) {
	packages := list(t, "./cmd/...", "./internal/...", "./manifest/...", "./precompress/...", "./serve/...")
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, module)
		if len(p.GoFiles) == 0 || isForTests(name) {
			continue
		}
		allowed, listed := arrows[name]
		if !listed {
			t.Errorf("package %s is not in the table of arrows", name)
			continue
		}
		for _, imported := range p.Imports {
			to, ours := strings.CutPrefix(imported, module)
			if ours && !slices.Contains(strings.Fields(allowed), to) {
				t.Errorf("package %s imports %s", name, to)
			}
		}
	}
	for name, allowed := range arrows {
		p, found := packages[module+name]
		if !found {
			t.Errorf("the table of arrows has package %s, which does not exist", name)
		}
		for to := range strings.FieldsSeq(allowed) {
			if found && !slices.Contains(p.Imports, module+to) {
				t.Errorf("the table of arrows allows %s to import %s, which it does not", name, to)
			}
		}
	}
}

// isForTests reports whether only tests import a package.
func isForTests(name string) bool {
	return slices.Contains([]string{"internal/browsertest", "internal/testneeds", "internal/testsummary"}, name)
}

// links are the modules that a program links which imports a package, beside the
// standard library. No program that only serves links an encoder, and no program that
// imports the library links a client for S3, a command line or a browser.
var links = map[string]string{
	"manifest":          "github.com/cespare/xxhash/v2",
	"serve":             "github.com/cespare/xxhash/v2",
	"serve/decode":      "github.com/cespare/xxhash/v2 github.com/andybalholm/brotli github.com/klauspost/compress",
	"precompress/cache": "github.com/cespare/xxhash/v2 github.com/gofrs/flock golang.org/x/sync golang.org/x/sys",
	"precompress": "github.com/cespare/xxhash/v2 github.com/andybalholm/brotli github.com/klauspost/compress " +
		"github.com/bmatcuk/doublestar/v4 github.com/dustin/go-humanize github.com/gofrs/flock github.com/molecule-man/go-brrr " +
		"golang.org/x/sync golang.org/x/sys",
}

// TestLinks: importing a public package links only the modules of the table.
func TestLinks(t *testing.T) {
	var paths []string
	for name := range links {
		paths = append(paths, module+name)
	}
	packages := list(t, append([]string{"-deps"}, paths...)...)
	for _, name := range slices.Sorted(maps.Keys(links)) {
		for _, dep := range packages[module+name].Deps {
			isAllowed := func(m string) bool { return dep == m || strings.HasPrefix(dep, m+"/") }
			if !packages[dep].Standard && !strings.HasPrefix(dep, module) && !slices.ContainsFunc(strings.Fields(links[name]), isAllowed) {
				t.Errorf("a program that imports %s links %s", name, dep)
			}
			if strings.HasPrefix(name, "serve") && strings.HasPrefix(dep, module+"internal/codec") {
				t.Errorf("a program that imports %s links the encoder %s", name, dep)
			}
		}
	}
}
