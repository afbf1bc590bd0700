package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// maxFile is the size in bytes of the largest file that the command reads.
const maxFile = 64 << 10

// TestKinds: a setting of any kind can be in a file, and is printed so that it can be
// read again.
func TestKinds(t *testing.T) {
	type file struct {
		Budget Texts  `toml:"budget"`
		Mode   Word   `toml:"mode"`
		Plain  Text   `toml:"plain"`
		Slice  List   `toml:"slice"`
		Number Count  `toml:"number"`
		Rate   Number `toml:"rate"`
		Size   Size   `toml:"size"`
		Saving Saving `toml:"saving"`
		On     Switch `toml:"on"`
		Level  Levels `toml:"level"`
	}
	const text = `budget = ["*.js=1kB", "total=2"]
mode = "write"
plain = "5"
slice = ["a", "b"]
number = 3
rate = "0.5"
size = 10
saving = "2%"
on = true
level = { br = 1, zstd = 2 }
`
	printed := func(text string) string {
		var f file
		if err := Parse("f", []byte(text), &f, func(_, _, _ string) error { return nil }); err != nil {
			t.Fatal(err)
		}
		var page strings.Builder
		for key, v := range All(&f) {
			page.WriteString(key + " = " + TOML(v, v.Get().Texts) + "\n")
		}
		return page.String()
	}
	if diff := cmp.Diff(text, printed(text)); diff != "" {
		t.Errorf("printed (-want +got):\n%s", diff)
	}
	const other = "rate = 0.5\nnumber = '3'\nlevel = 'br=1,zstd=2'\nslice = 'a,b'\nmode = 'write'\nplain = '5'\nsize = '10'\nsaving = '2%'\non = true\nbudget = ['*.js=1kB', 'total=2']\n"
	if diff := cmp.Diff(text, printed(other)); diff != "" {
		t.Errorf("printed in other forms (-want +got):\n%s", diff)
	}
}

// TestKeys: no section has a key twice.
func TestKeys(t *testing.T) {
	for _, section := range []any{&Build{}, &Serve{}, &Bench{}, &Probe{}} {
		var keys []string
		for key := range All(section) {
			keys = append(keys, key)
		}
		if len(keys) == 0 || len(slices.Compact(slices.Sorted(slices.Values(keys)))) != len(maps.Collect(All(section))) {
			t.Errorf("%T: %q", section, keys)
		}
	}
}

// TestKeyPositions: what is noted of a file stays small.
func TestKeyPositions(t *testing.T) {
	for name, text := range map[string]string{
		"deep keys":    strings.Repeat("a.", maxFile/2-10) + "a = 1",
		"long section": "[" + strings.Repeat("x", maxFile/2) + "]\n" + numbered(maxFile/20),
		"deep section": "[" + strings.Repeat("x.", maxFile/4) + "x]\n" + numbered(maxFile/20),
	} {
		noted := 0
		for path := range keyPositions("f", []byte(text)) {
			noted += len(path)
		}
		if noted > 2*maxFile {
			t.Errorf("%s: %d bytes", name, noted)
		}
	}
}

// TestNearest: slips of a letter or two are understood, other words are not.
func TestNearest(t *testing.T) {
	names := []string{"include", "exclude", "out", "jobs", "min-size", "max-size"}
	for text, want := range map[string]string{
		"exlude": "exclude", "excluded": "exclude", "Include": "include", "ou": "", "outt": "out", "job": "jobs",
		"maxsize": "max-size", "min_size": "min-size", "x": "", "": "", "something": "", "nclud": "",
	} {
		if got := nearest(text, names); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// numbered returns as many settings of different names.
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "k%d = 1\n", i)
	}
	return b.String()
}
