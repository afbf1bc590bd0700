package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The documented form of --json, apart from the types that make it: a member
// that is added, renamed or of another type fails here.
type (
	document struct {
		Version *int           `json:"version"`
		Command string         `json:"command"`
		OK      *bool          `json:"ok"`
		Trees   []documentTree `json:"trees"`
	}
	documentTree struct {
		Dir      documentPath  `json:"dir"`
		UpToDate *bool         `json:"up_to_date"`
		Stopped  string        `json:"stopped"`
		Assets   []documentOne `json:"assets"`
		Shard    struct {
			Index     int `json:"index"`
			Count     int `json:"count"`
			Total     int `json:"total"`
			Encodings int `json:"encodings"`
			Encoded   int `json:"encoded"`
			Cached    int `json:"cached"`
			Failed    int `json:"failed"`
		} `json:"shard"`
		Totals []struct {
			Coding      string `json:"coding"`
			Files       int    `json:"files"`
			BytesBefore int64  `json:"bytes_before"`
			BytesAfter  int64  `json:"bytes_after"`
			Omitted     int    `json:"omitted"`
			Reused      int    `json:"reused"`
			Cached      int    `json:"cached"`
			Failed      int    `json:"failed"`
		} `json:"totals"`
		Problems []struct {
			Path    documentPath `json:"path"`
			Coding  string       `json:"coding"`
			Kind    string       `json:"kind"`
			Message string       `json:"message"`
		} `json:"problems"`
		OverBudget []struct {
			Budget string       `json:"budget"`
			Path   documentPath `json:"path"`
			Coding string       `json:"coding"`
			Files  int          `json:"files"`
			Bytes  int64        `json:"bytes"`
			Limit  int64        `json:"limit"`
		} `json:"over_budget"`
		Orphans  []documentFile `json:"orphans"`
		Removed  []documentFile `json:"removed"`
		Skipped  []documentFile `json:"skipped"`
		Failures []struct {
			Path    documentPath `json:"path"`
			Coding  string       `json:"coding"`
			Op      string       `json:"op"`
			Message string       `json:"message"`
		} `json:"failures"`
		Warnings []string `json:"warnings"`
	}
	documentOne struct {
		Path         documentPath `json:"path"`
		Size         *int64       `json:"size"`
		Digest       string       `json:"xxh64"`
		CopyOriginal bool         `json:"copy_original"`
		Variants     []struct {
			Coding string `json:"coding"`
			Action string `json:"action"`
			Status string `json:"status"`
			Reason string `json:"reason"`
			Size   int64  `json:"size"`
			Cached bool   `json:"cached"`
		} `json:"variants"`
	}
	documentFile struct {
		Path   documentPath `json:"path"`
		Size   int64        `json:"size"`
		Reason string       `json:"reason"`
	}
)

// documentPath is a string, or an object with a member base64.
type documentPath string

func (p *documentPath) UnmarshalJSON(data []byte) error {
	var raw struct {
		Bytes []byte `json:"base64"`
	}
	if json.Unmarshal(data, (*string)(p)) == nil {
		return nil
	}
	err := strict(data, &raw)
	*p = documentPath(raw.Bytes)
	return err
}

func strict(data []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// printed runs precompress in this process with --json and decodes what it
// prints.
func printed(t *testing.T, code int, args ...string) (document, documentTree) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if got := run(t.Context(), append(args, "--json"), &stdout, &stderr); got != code {
		t.Fatalf("%q: exit code %d, want %d: %s", args, got, code, stderr.String())
	}
	var d document
	if err := strict(stdout.Bytes(), &d); err != nil {
		t.Fatalf("%q: %v in %s", args, err, stdout.String())
	}
	if d.Version == nil || *d.Version != 1 || d.OK == nil || *d.OK != (code == exitDone) || len(d.Trees) != 1 {
		t.Fatalf("%q: wrong head of %s", args, stdout.String())
	}
	return d, d.Trees[0]
}

func makeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, content := range files {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func TestJSONOfBuild(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("a line of text\n", 50)
	makeFiles(t, dir, map[string]string{"app.js": text, "old.css": text, "bad.js": text, "bad.js.gz": "foreign", "tiny.txt": "x"})
	d, tree := printed(t, exitFailed, dir)
	if d.Command != "build" || string(tree.Dir) != dir || tree.UpToDate != nil || tree.Stopped != "" {
		t.Errorf("wrong head: %+v", d)
	}
	if len(tree.Failures) != 1 || tree.Failures[0].Path != "bad.js" || tree.Failures[0].Coding != "gzip" ||
		tree.Failures[0].Op != "write" || tree.Failures[0].Message == "" {
		t.Errorf("wrong failures: %+v", tree.Failures)
	}
	if len(tree.Skipped) != 1 || tree.Skipped[0] != (documentFile{"tiny.txt", 0, "too-small"}) {
		t.Errorf("wrong skipped: %+v", tree.Skipped)
	}
	app := tree.Assets[0]
	if app.Path != "app.js" || *app.Size != int64(len(text)) || len(app.Digest) != 16 || len(app.Variants) != 3 {
		t.Fatalf("wrong asset: %+v", app)
	}
	stored, err := os.Stat(filepath.Join(dir, "app.js.br"))
	if err != nil {
		t.Fatal(err)
	}
	if v := app.Variants[0]; v.Coding != "br" || v.Status != "written" || v.Action != "" || v.Reason != "new" || v.Size != stored.Size() {
		t.Errorf("wrong variant: %+v", v)
	}
	if v := tree.Assets[1].Variants[2]; v.Status != "failed" || v.Coding != "gzip" {
		t.Errorf("wrong failed variant: %+v", v)
	}
	var codings []string
	for _, total := range tree.Totals {
		codings = append(codings, total.Coding)
	}
	if gzip := tree.Totals[2]; !slices.Equal(codings, []string{"br", "zstd", "gzip"}) || gzip.Files != 2 || gzip.Failed != 1 ||
		gzip.BytesBefore != int64(2*len(text)) || gzip.BytesAfter == 0 {
		t.Errorf("wrong totals: %+v", tree.Totals)
	}

	// The manifest is damaged and a source gone.
	makeFiles(t, dir, map[string]string{"precompress-manifest.json": "{"})
	if _, tree = printed(t, exitFailed, dir); len(tree.Warnings) != 1 || tree.Assets[0].Variants[0].Status != "adopted" {
		t.Errorf("wrong warnings and adoption: %+v", tree)
	}
	if err := os.Remove(filepath.Join(dir, "old.css")); err != nil {
		t.Fatal(err)
	}
	_, tree = printed(t, exitFailed, dir)
	if len(tree.Removed) != 3 || tree.Removed[0].Path != "old.css.br" || tree.Removed[0].Reason != "source-gone" || tree.Removed[0].Size == 0 {
		t.Errorf("wrong removed: %+v", tree.Removed)
	}
	if v := tree.Assets[0].Variants[0]; v.Status != "reused" || v.Reason != "fresh" {
		t.Errorf("wrong reused variant: %+v", v)
	}
}

func TestJSONOfCheckAndClean(t *testing.T) {
	dir := t.TempDir()
	text := strings.Repeat("a line of text\n", 50)
	makeFiles(t, dir, map[string]string{"app.js": text, "old.css": text})
	d, tree := printed(t, exitNotUpToDate, "check", dir)
	if d.Command != "check" || tree.UpToDate == nil || *tree.UpToDate || tree.Totals != nil {
		t.Errorf("wrong head: %+v", d)
	}
	if v := tree.Assets[0].Variants[0]; v.Action != "encode" || v.Reason != "new" || v.Status != "" || v.Size != 0 {
		t.Errorf("wrong step: %+v", v)
	}
	printed(t, exitDone, dir)
	if _, tree = printed(t, exitDone, "check", dir); !*tree.UpToDate || tree.Assets[0].Variants[0].Action != "keep" {
		t.Errorf("wrong check: %+v", tree)
	}
	if d, tree = printed(t, exitDone, dir, "--dry-run", "--force"); d.Command != "build" || tree.Assets[0].Variants[0].Reason != "forced" {
		t.Errorf("wrong dry run: %+v", d)
	}
	if err := os.Remove(filepath.Join(dir, "old.css")); err != nil {
		t.Fatal(err)
	}
	if _, tree = printed(t, exitNotUpToDate, "check", dir); len(tree.Orphans) != 3 || tree.Orphans[0].Path != "old.css.br" ||
		tree.Orphans[0].Reason != "source-gone" {
		t.Errorf("wrong orphans: %+v", tree.Orphans)
	}
	out := filepath.Join(t.TempDir(), "out")
	if _, tree = printed(t, exitNotUpToDate, "check", dir, "--out", out, "--out-originals"); !tree.Assets[0].CopyOriginal {
		t.Errorf("no copy of the original: %+v", tree.Assets[0])
	}
	d, tree = printed(t, exitDone, "clean", dir)
	if d.Command != "clean" || len(tree.Removed) != 7 || tree.Removed[0].Path != "app.js.br" || tree.Removed[0].Reason != "cleaned" {
		t.Errorf("wrong clean: %+v", tree)
	}
}
