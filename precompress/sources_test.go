package precompress_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/precompress"
)

// TestSourcesOfBuild checks that the sources are the assets of a build with the same
// options, before and after the build.
func TestSourcesOfBuild(t *testing.T) {
	for _, opts := range []precompress.Options{
		{},
		{Exclude: []string{"*.js"}, MinSize: 1000},
		{Include: []string{"*.js", "*.png"}, Exclude: []string{"!*.png"}, MaxSize: 20_000},
	} {
		dir := copySite(t)
		var want []precompress.SourceFile
		for _, a := range plan(t, dir, opts).Assets {
			want = append(want, precompress.SourceFile{Path: a.Path, Size: a.Size})
		}
		opts.Levels = fast().Levels
		for _, when := range []string{"before", "after"} {
			s, err := precompress.OpenSources(t.Context(), dir, opts)
			must(t, err)
			if diff := cmp.Diff(want, s.Files); diff != "" || len(want) == 0 || len(s.Failures) > 0 {
				t.Errorf("%+v: %s a build, %v: %s", opts, when, s.Failures, diff)
			}
			must(t, s.Close())
			build(t, dir, opts)
		}
	}
}

func TestSourcesRead(t *testing.T) {
	dir := plant(t, tree{"sub/a.js": text(1000, 1), "b.PNG": text(500, 2)})
	s, err := precompress.OpenSources(t.Context(), dir, precompress.Options{})
	must(t, err)
	defer s.Close()
	data, err := s.Read("sub/a.js")
	if err != nil || string(data) != text(1000, 1) {
		t.Errorf("%d bytes, %v", len(data), err)
	}
	var fault *precompress.Error
	if _, err := s.Read("nosuch"); !errors.As(err, &fault) || !errors.Is(err, fs.ErrNotExist) || fault.Path != "nosuch" || fault.Op != "read" {
		t.Errorf("a missing file: %v", err)
	}

	// A single file: of the options, only MaxSize applies.
	one, err := precompress.OpenSource(filepath.Join(dir, "b.PNG"), precompress.Options{MinSize: 501, MaxSize: 500})
	must(t, err)
	defer one.Close()
	if data, err := one.Read(one.Files[0].Path); err != nil || string(data) != text(500, 2) || len(one.Files) != 1 || one.Files[0].Size != 500 {
		t.Errorf("%+v: %d bytes, %v", one.Files, len(data), err)
	}
}

func TestSourcesRefused(t *testing.T) {
	dir := plant(t, tree{"a.js": text(1000, 1)})
	for name, test := range map[string]struct {
		path string
		opts precompress.Options
		want error
	}{
		"too large":         {"a.js", precompress.Options{MaxSize: 999}, precompress.ErrTooLarge},
		"missing":           {"nosuch", precompress.Options{}, fs.ErrNotExist},
		"wrong options":     {"a.js", precompress.Options{MinSize: -1}, precompress.ErrInvalidOptions},
		"a wrong directory": {"a.js/b", precompress.Options{}, nil},
	} {
		if _, err := precompress.OpenSource(filepath.Join(dir, test.path), test.opts); err == nil || test.want != nil && !errors.Is(err, test.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := precompress.OpenSource(os.DevNull, precompress.Options{}); err == nil || !strings.Contains(err.Error(), "not a regular file") {
		t.Errorf("a device: %v", err)
	}
	if _, err := precompress.OpenSource(dir, precompress.Options{}); err == nil {
		t.Error("a directory is accepted as a file")
	}
	if _, err := precompress.OpenSources(t.Context(), filepath.Join(dir, "a.js"), precompress.Options{}); !errors.Is(err, precompress.ErrNotDirectory) {
		t.Errorf("a file in the place of a directory: %v", err)
	}
	if _, err := precompress.OpenSources(t.Context(), dir, precompress.Options{Include: []string{"["}}); !errors.Is(err, precompress.ErrInvalidOptions) {
		t.Errorf("an invalid glob: %v", err)
	}
}
