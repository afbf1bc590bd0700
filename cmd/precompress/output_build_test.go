package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// copyRelease makes a copy of one of the releases in testdata.
func copyRelease(t *testing.T, dir, release string) string {
	t.Helper()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("../../testdata/releases", release))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestJSONOfDeltas: a build, a dry run and check tell of each delta, and of what
// returning visitors download.
func TestJSONOfDeltas(t *testing.T) {
	dir := copyRelease(t, t.TempDir(), "2")
	old := copyRelease(t, filepath.Join(t.TempDir(), "old"), "1")
	const dictionary = "781ca4b7b217ba67"
	app := func(tree documentTree) documentDelta {
		t.Helper()
		if len(tree.Assets) != 5 || tree.Assets[0].Path != "assets/app-e8667ee4.js" || len(tree.Assets[0].Deltas) != 2 || len(tree.Assets[1].Deltas) != 0 {
			t.Fatalf("wrong assets: %+v", tree.Assets)
		}
		d := tree.Assets[0].Deltas[0]
		if d.Coding != "dcb" || d.Release != "old" || d.Dictionary[:16] != dictionary || d.DictionaryPath != "assets/app-781ca4b7.js" {
			t.Errorf("wrong delta: %+v", d)
		}
		if len(tree.Returning) != 1 || tree.Returning[0].Release != "old" || tree.Returning[0].Assets != 4 {
			t.Errorf("wrong visitors: %+v", tree.Returning)
		}
		return d
	}
	_, tree := printed(t, exitDone, "-n", "--previous", old, dir)
	if d := app(tree); d.Action != "encode" || d.Reason != "new" || d.Status != "" {
		t.Errorf("wrong step: %+v", d)
	}
	if r := tree.Returning[0]; r.BytesAfter != r.BytesBefore {
		t.Errorf("wrong visitors: %+v", r)
	}
	_, tree = printed(t, exitDone, "--previous", old, dir)
	d := app(tree)
	if d.Status != "written" || d.Reason != "new" || d.Action != "" || d.Size == 0 || d.Size > 500 {
		t.Errorf("wrong delta: %+v", d)
	}
	if r := tree.Returning[0]; r.BytesAfter < d.Size || r.BytesAfter*2 > r.BytesBefore {
		t.Errorf("wrong visitors: %+v", r)
	}
	name := filepath.Join(dir, "assets", "app-e8667ee4.js."+dictionary+".dcb")
	if info, err := os.Stat(name); err != nil || info.Size() != d.Size {
		t.Errorf("%v, %v, want %d bytes", info, err, d.Size)
	}
	if err := os.Remove(name); err != nil {
		t.Fatal(err)
	}
	_, tree = printed(t, exitNotUpToDate, "check", "--previous", old, dir)
	if d := app(tree); d.Action != "encode" || d.Reason != "missing" {
		t.Errorf("wrong step: %+v", d)
	}
	if len(tree.Problems) != 1 || tree.Problems[0].Dictionary != dictionary || tree.Problems[0].Coding != "dcb" || tree.Problems[0].Kind != "missing" {
		t.Errorf("wrong problems: %+v", tree.Problems)
	}
}

// TestDeltaOutput: names that a terminal or Markdown could take for something
// else, releases of which nothing changed, and deltas that a run did not get to.
func TestDeltaOutput(t *testing.T) {
	report := &precompress.Result{
		Releases: []string{"a\x1b[2J|", "same"},
		Stopped:  context.Canceled,
		Assets: []precompress.AssetResult{{
			Path: "app.js", Size: 1000, Held: []string{"same"},
			Variants: []precompress.VariantResult{{Coding: manifest.Brotli, Status: precompress.Written, Size: 500}},
			Deltas:   []precompress.DeltaResult{{Coding: manifest.DCB, Release: "a\x1b[2J|", DictionaryPath: "b\nc.js", Status: precompress.Pending}},
		}},
	}
	var text bytes.Buffer
	people := &output{stdout: &text, stderr: &text, verbose: true}
	people.built("site", report, false)
	for _, want := range []string{
		"app.js: dcb from \"b\\nc.js\" of release \"a\\x1b[2J|\": pending",
		"a returning visitor (release \"a\\x1b[2J|\") downloads 500 B instead of 500 B (1 asset changed)\n",
		"a returning visitor (release same) downloads nothing: no asset changed\n",
		"stopped with 1 asset to go",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("%q is not in:\n%s", want, text.String())
		}
	}
	markdown := (&summary{dir: "site", returning: report.Returning()}).markdown()
	if strings.ContainsAny(markdown, "\x1b") || !strings.Contains(markdown, "&#124;&#34;</code> | 1 | 500 B | 500 B | 0.0 % |") {
		t.Errorf("the summary is:\n%s", markdown)
	}
}
