package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/manifest"
)

// tree returns assets of the given sizes, sorted by path, whose smallest
// representations have half the bytes.
func tree(sizes map[string]int64) []manifest.Asset {
	var all []manifest.Asset
	for path, size := range sizes {
		all = append(all, manifest.Asset{Path: path, Size: size, Variants: []manifest.Variant{{Coding: manifest.Brotli, Size: size / 2}}})
	}
	slices.SortFunc(all, func(a, b manifest.Asset) int { return strings.Compare(a.Path, b.Path) })
	return all
}

// large returns a tree of many files of all sizes, some of them deep.
func large(files int) map[string]int64 {
	random := rand.New(rand.NewPCG(1, 2))
	sizes := map[string]int64{}
	for i := range files {
		depth := random.IntN(4)
		path := ""
		for range depth {
			path += fmt.Sprintf("directory%d/", random.IntN(5))
		}
		sizes[fmt.Sprintf("%sfile%d.js", path, i)] = int64(math.Exp(random.Float64() * 12))
	}
	return sizes
}

func TestDivide(t *testing.T) {
	t.Parallel()
	equal := map[string]int64{}
	for i := range 5000 {
		equal[fmt.Sprintf("f%04d", i)] = 10
	}
	for name, test := range map[string]struct {
		sizes map[string]int64
		want  []string // nil for what is only checked for sums
	}{
		"none":                   {nil, []string{" 0"}},
		"files":                  {map[string]int64{"a": 5, "b": 7}, []string{"b 7", "a 5"}},
		"directories":            {map[string]int64{"d/x": 100, "d/y": 50, "e/z": 60, "top": 1}, []string{"d/x 100", "e/z 60", "d/y 50", "top 1"}},
		"names like directories": {map[string]int64{"a-b": 1, "a/b": 2, "a0": 3}, []string{"a0 3", "a/b 2", "a-b 1"}},
		"small ones together":    {map[string]int64{"a": 10000, "b": 1, "c/d": 2}, []string{"a 10000", "other (2 files) 3"}},
		"one small one remains":  {map[string]int64{"a": 10000, "b": 1}, []string{"a 10000", "b 1"}},
		"small ones of a directory": {map[string]int64{"a": 10000, "d/b": 9000, "d/c": 1, "d/d": 1},
			[]string{"a 10000", "d/b 9000", "d/other (2 files) 2"}},
		"a directory that shows nothing": {map[string]int64{"a": 10000, "d/b": 30, "d/c": 30}, []string{"a 10000", "d/ 60"}},
		"all equal":                      {equal, []string{"other (5,000 files) 50000"}},
		"empty files":                    {map[string]int64{"a": 0, "b": 0}, []string{"a 0", "b 0"}},
		"many":                           {large(5000), nil},
	} {
		t.Run(name, func(t *testing.T) {
			leaves := divide(tree(test.sizes)).leaves()
			var got []string
			var files int
			var source, smallest, want int64
			for _, p := range leaves {
				got = append(got, fmt.Sprintf("%s %d", p.Path(), p.Source))
				files += p.Files
				source += p.Source
				smallest += p.Smallest
			}
			for _, size := range test.sizes {
				want += size
			}
			if test.want != nil && !slices.Equal(got, test.want) {
				t.Error(cmp.Diff(test.want, got))
			}
			if files != len(test.sizes) || source != want || smallest > want/2 {
				t.Errorf("the parts have %d files, %d and %d bytes, want %d and %d", files, source, smallest, len(test.sizes), want)
			}
			if len(leaves) > mostParts {
				t.Errorf("%d parts, want at most %d", len(leaves), mostParts)
			}
		})
	}
}

// TestDivideMany: much is shown of a large tree.
func TestDivideMany(t *testing.T) {
	t.Parallel()
	if n := len(divide(tree(large(5000))).leaves()); n < 20 {
		t.Errorf("%d parts of 5,000 files", n)
	}
}

// TestTreemap: areas are in proportion to bytes, lie in the canvas, and cover it
// without overlapping.
func TestTreemap(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 5, 300, 5000} {
		root := divide(tree(large(n)))
		in := rect{3, 4, 900, 400}
		var all []rect
		treemap(root, in, func(p *part, r rect) {
			want := in.width * in.height * float64(p.Source) / float64(root.Source)
			if math.Abs(r.width*r.height-want) > 1e-6*in.width*in.height {
				t.Errorf("%d files: %s has an area of %g, want %g", n, p.Path(), r.width*r.height, want)
			}
			if r.x < in.x-1e-6 || r.y < in.y-1e-6 || r.x+r.width > in.x+in.width+1e-6 || r.y+r.height > in.y+in.height+1e-6 {
				t.Errorf("%d files: %s is outside: %+v", n, p.Path(), r)
			}
			all = append(all, r)
		})
		for i, a := range all {
			for _, b := range all[:i] {
				width := min(a.x+a.width, b.x+b.width) - max(a.x, b.x)
				height := min(a.y+a.height, b.y+b.height) - max(a.y, b.y)
				if width > 1e-6 && height > 1e-6 {
					t.Errorf("%d files: %+v and %+v overlap", n, a, b)
				}
			}
		}
	}
}

// TestSquarify: rectangles are near to squares. The sizes are those of the paper's
// example, in which the worst is 2.8 by 1 or so, where slices would be 12 by 1.
func TestSquarify(t *testing.T) {
	t.Parallel()
	for _, r := range squarify([]float64{6, 6, 4, 3, 2, 2, 1}, rect{0, 0, 6, 4}) {
		if ratio := max(r.width/r.height, r.height/r.width); ratio > 3 {
			t.Errorf("%+v is %g by 1", r, ratio)
		}
	}
	if got := squarify([]float64{0, 0}, rect{0, 0, 6, 4}); got[0] != (rect{}) || got[1] != (rect{}) {
		t.Errorf("nothing has an area: %+v", got)
	}
}
