package architecture

import (
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// knots is how many files of a package may at most depend on each other in a circle.
// Files that do have to be read together.
var knots = map[string]int{
	"precompress":       3, // options, rules and selection
	"precompress/cache": 2,
	"serve":             1,
	"manifest":          1,
	"internal/bench":    1,
	"internal/codec":    1,
	"internal/page":     1,
	"internal/probe":    1,
	"internal/release":  1,
	"internal/report":   1,
	"cmd/precompress":   2, // the output of bench and its JSON
}

// TestKnots: the files of a package can be read one after the other, from what is
// above to what is below.
func TestKnots(t *testing.T) {
	var paths []string
	for name := range knots {
		paths = append(paths, module+name)
	}
	packages := list(t, append([]string{"-export", "-deps"}, paths...)...)
	for name, most := range knots {
		knot := largestKnot(fileUses(t, packages, packages[module+name]))
		if len(knot) > most {
			t.Errorf("package %s: %d files depend on each other in a circle, at most %d may: %v", name, len(knot), most, knot)
		}
		if len(knot) < most {
			t.Errorf("package %s: the largest circle of files has %d files now: write that down in the table", name, len(knot))
		}
	}
}

// fileUses returns for each file of a package the others that it uses names of.
func fileUses(t *testing.T, packages map[string]goPackage, p goPackage) map[string][]string {
	t.Helper()
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, name := range p.GoFiles {
		f, err := parser.ParseFile(files, filepath.Join(p.Dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		parsed = append(parsed, f)
	}
	export := func(path string) (io.ReadCloser, error) { return os.Open(packages[path].Export) }
	config := types.Config{Importer: importer.ForCompiler(files, "gc", export)}
	info := &types.Info{Uses: make(map[*ast.Ident]types.Object)}
	checked, err := config.Check(p.ImportPath, files, parsed, info)
	if err != nil {
		t.Fatal(err)
	}
	fileOf := func(pos token.Pos) string { return filepath.Base(files.Position(pos).Filename) }
	uses := make(map[string][]string)
	for id, object := range info.Uses {
		if object.Pkg() != checked || !object.Pos().IsValid() {
			continue
		}
		from, to := fileOf(id.Pos()), fileOf(object.Pos())
		if from != to && !slices.Contains(uses[from], to) {
			uses[from] = append(uses[from], to)
		}
	}
	return uses
}

// largestKnot returns the largest strongly connected component: the files that each
// reach all others.
func largestKnot(uses map[string][]string) []string {
	reach := make(map[string]map[string]bool)
	var visit func(from, at string)
	visit = func(from, at string) {
		for _, to := range uses[at] {
			if !reach[from][to] {
				reach[from][to] = true
				visit(from, to)
			}
		}
	}
	for from := range uses {
		reach[from] = make(map[string]bool)
		visit(from, from)
	}
	var largest []string
	for from := range uses {
		knot := []string{from}
		for to := range reach[from] {
			if to != from && reach[to][from] {
				knot = append(knot, to)
			}
		}
		if len(knot) > len(largest) {
			largest = knot
		}
	}
	slices.Sort(largest)
	return largest
}
