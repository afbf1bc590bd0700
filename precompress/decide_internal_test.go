package precompress

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/manifest"
)

const (
	asBr   = manifest.Brotli
	asZstd = manifest.Zstd
	asGzip = manifest.Gzip
)

func TestWeigh(t *testing.T) {
	tests := []struct {
		name          string
		source        int64
		candidates    []candidate
		saving        Saving
		dropDominated bool
		want          []manifest.Omission
	}{
		{"each pays", 1000, []candidate{{asBr, 300, false}, {asZstd, 400, false}, {asGzip, 350, false}}, Saving{}, false, []manifest.Omission{"", "", ""}},
		{"br: one byte more than its field", 100, []candidate{{asBr, 100 - 22 - 1, false}}, Saving{}, false, []manifest.Omission{""}},
		{"br: its field's bytes", 100, []candidate{{asBr, 100 - 22, false}}, Saving{}, false, []manifest.Omission{"larger"}},
		{"zstd: its field's bytes", 100, []candidate{{asZstd, 100 - 24, false}}, Saving{}, false, []manifest.Omission{"larger"}},
		{"zstd: one byte more", 100, []candidate{{asZstd, 100 - 25, false}}, Saving{}, false, []manifest.Omission{""}},
		{"larger than the source", 100, []candidate{{asBr, 101, false}}, Saving{}, false, []manifest.Omission{"larger"}},
		{"empty source", 0, []candidate{{asBr, 1, false}}, SaveBytes(0), false, []manifest.Omission{"larger"}},
		{"no saving asked for, the size of the source", 100, []candidate{{asBr, 100, false}}, SaveBytes(0), false, []manifest.Omission{"larger"}},
		{"no saving asked for, one byte", 100, []candidate{{asBr, 99, false}}, SaveBytes(0), false, []manifest.Omission{""}},
		{"bytes, enough", 100, []candidate{{asBr, 90, false}}, SaveBytes(10), false, []manifest.Omission{""}},
		{"bytes, too few", 100, []candidate{{asBr, 91, false}}, SaveBytes(10), false, []manifest.Omission{"larger"}},
		{"percent, enough", 1000, []candidate{{asBr, 970, false}}, SavePercent(3), false, []manifest.Omission{""}},
		{"percent, too few", 1000, []candidate{{asBr, 971, false}}, SavePercent(3), false, []manifest.Omission{"larger"}},
		{"probed", 1000, []candidate{{asBr, 0, true}, {asGzip, 500, false}}, Saving{}, true, []manifest.Omission{"incompressible", ""}},
		{"dominated kept unless asked", 1000, []candidate{{asBr, 300, false}, {asZstd, 500, false}, {asGzip, 400, false}}, Saving{}, false, []manifest.Omission{"", "", ""}},
		{"zstd beaten by gzip", 1000, []candidate{{asBr, 300, false}, {asZstd, 400, false}, {asGzip, 400, false}}, Saving{}, true, []manifest.Omission{"", "dominated", ""}},
		{"zstd beaten by br alone", 1000, []candidate{{asBr, 300, false}, {asZstd, 301, false}, {asGzip, 400, false}}, Saving{}, true, []manifest.Omission{"", "dominated", ""}},
		{"zstd beats all", 1000, []candidate{{asBr, 300, false}, {asZstd, 299, false}, {asGzip, 400, false}}, Saving{}, true, []manifest.Omission{"", "", ""}},
		{"gzip beats all", 1000, []candidate{{asBr, 300, false}, {asZstd, 299, false}, {asGzip, 298, false}}, Saving{}, true, []manifest.Omission{"dominated", "dominated", ""}},
		{"beaten by one that does not pay", 100, []candidate{{asZstd, 70, false}, {asGzip, 70, false}}, SavePercent(50), true, []manifest.Omission{"larger", "larger"}},
		{"order does not matter", 1000, []candidate{{asGzip, 298, false}, {asZstd, 299, false}, {asBr, 300, false}}, Saving{}, true, []manifest.Omission{"", "dominated", "dominated"}},
		{"none", 1000, nil, Saving{}, true, []manifest.Omission{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := weigh(tt.source, tt.candidates, tt.saving, tt.dropDominated)
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestParseSaving(t *testing.T) {
	for text, want := range map[string]Saving{"0": SaveBytes(0), "120": SaveBytes(120), "1kB": SaveBytes(1000), "1KiB": SaveBytes(1024),
		"3%": SavePercent(3), "0.5 %": SavePercent(0.5), " 0%": SavePercent(0)} {
		if got, err := ParseSaving(text); err != nil || got != want {
			t.Errorf("%q: %v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "-1", "x", "100%", "-1%", "NaN%", "inf%", "%", "99999999999999999999", "1e30GB"} {
		if got, err := ParseSaving(text); err == nil {
			t.Errorf("%q was accepted as %v", text, got)
		}
	}
}

// selectionTests are also the seeds of FuzzSelection.
var selectionTests = []struct {
	include, exclude string // split at blanks
	path             string
	want             Reason
}{
	{"", "", "app.js", ""},
	{"", "", "APP.JS", ""},
	{"", "", "a/b/c.html", ""},
	{"", "", "no-extension", ""},
	{"", "", "a.png", ReasonCompressedType},
	{"", "", "a.PNG", ReasonCompressedType},
	{"", "", "x.woff2", ReasonCompressedType},
	{"", "", "data.tar.gz", ReasonCompressedType},
	{"", "", ".env", ReasonHidden},
	{"", "", "a/.git/config", ReasonHidden},
	{"", "", ".well-known/a", ""},
	{"", "", "a/.well-known/b.txt", ""},
	{"", "", ".well-known/.hidden", ReasonHidden},
	{"", "", ".well-known.js", ReasonHidden},
	{"*.js", "", "app.js", ""},
	{"*.js", "", "a/b/app.js", ""},
	{"*.js", "", "app.css", ReasonNotIncluded},
	{"*.js", "", "app.JS", ReasonNotIncluded},
	{"/*.js", "", "app.js", ""},
	{"/*.js", "", "a/app.js", ReasonNotIncluded},
	{"./a/*.js", "", "a/app.js", ""},
	{"a/*.js", "", "b/a/app.js", ReasonNotIncluded},
	{"**/a/*.js", "", "b/a/app.js", ""},
	{"a", "", "a/b/c.js", ""},
	{"a/", "", "a/b/c.js", ""},
	{"*.{js,css}", "", "x.css", ""},
	{"*.js *.css", "", "x.css", ""},
	{"[ab].js", "", "b.js", ""},
	{"[^ab].js", "", "b.js", ReasonNotIncluded},
	{"?.js", "", "\xff.js", ""},
	{"*", "*.map", "a.map", ReasonExcluded},
	{"", "*.map", "a/b.map", ReasonExcluded},
	{"", "vendor", "vendor/a.js", ReasonExcluded},
	{"", "vendor/", "x/vendor/a.js", ReasonExcluded},
	{"", "/vendor", "x/vendor/a.js", ""},
	{"", "vendor/**", "vendor/a.js", ReasonExcluded},
	{"", "vendor/** !keep.js", "vendor/keep.js", ""},
	{"", "!keep.js vendor/**", "vendor/keep.js", ReasonExcluded},
	{"", "!*.gz", "data.gz", ""},
	{"", "!.env", ".env", ""},
	{"", "!*", ".git/config", ""},
	{"*.js", "!*", "a.css", ReasonNotIncluded},
}

func TestSelection(t *testing.T) {
	for _, tt := range selectionTests {
		m, err := newSelection(Options{Include: strings.Fields(tt.include), Exclude: strings.Fields(tt.exclude)})
		if err != nil {
			t.Errorf("include %q, exclude %q: %v", tt.include, tt.exclude, err)
			continue
		}
		if got := m.reason(tt.path); got != tt.want {
			t.Errorf("include %q, exclude %q: %q: %q, want %q", tt.include, tt.exclude, tt.path, got, tt.want)
		}
	}
}

// FuzzSelection checks that no path or glob causes a panic, and that a directory is
// pruned only if no file in it is a candidate.
func FuzzSelection(f *testing.F) {
	for _, tt := range selectionTests {
		f.Add(tt.include, tt.exclude, tt.path)
	}
	f.Fuzz(func(t *testing.T, include, exclude, path string) {
		if !manifest.ValidPath(path) || strings.Count(include+exclude, "*") > 6 {
			return // the globs' own library backtracks without bound
		}
		m, err := newSelection(Options{Include: strings.Fields(include), Exclude: strings.Fields(exclude)})
		if err != nil {
			return
		}
		reason := m.reason(path)
		if m.reason(path) != reason {
			t.Fatal("two calls give different answers")
		}
		for i, r := range path {
			if r == '/' && m.prunes(path[:i]) && reason == "" {
				t.Fatalf("%q is a candidate in the pruned directory %q", path, path[:i])
			}
		}
	})
}

// TestPrintablePath checks that a name can neither break a line nor send control
// codes to a terminal.
func TestPrintablePath(t *testing.T) {
	for in, want := range map[string]string{"a b.js": "a b.js", "é.js": "é.js", "a\nb": `"a\nb"`, "\x1b[31m": `"\x1b[31m"`, "\xff": `"\xff"`, "a\u202eb": `"a\u202eb"`} {
		if got := PrintablePath(in); got != want {
			t.Errorf("%q: %s", in, got)
		}
	}
	err := &Error{Op: "verify", Path: "app.js", Coding: asBr, Err: ErrVerify}
	if got := err.Error(); got != "app.js: br: verify: decoded content differs" {
		t.Error(got)
	}
}

// TestRecordUndone checks that a variant that could not be replaced is recorded as
// stale, unless only its attributes are wrong.
func TestRecordUndone(t *testing.T) {
	task := &Task{before: &manifest.Asset{Variants: []manifest.Variant{{Coding: asZstd, Size: 5, Digest: 1}}}}
	for reason, want := range map[Reason]bool{ReasonDamaged: true, ReasonWindow: true, ReasonForeign: true, ReasonSettingsChanged: false, ReasonMetadata: false} {
		record, found := task.recordUndone(&Step{Coding: asZstd, Action: Encode, Reason: reason})
		if !found || record.Stale != want {
			t.Errorf("%s: %+v, %v", reason, record, found)
		}
	}
}

// TestReasons checks that every reason has a text.
func TestReasons(t *testing.T) {
	for _, r := range []Reason{ReasonNew, ReasonSourceChanged, ReasonSettingsChanged, ReasonEncoderChanged, ReasonMissing, ReasonDamaged, ReasonWindow, ReasonForeign,
		ReasonForced, ReasonUnfinished, ReasonFresh, ReasonMetadata, ReasonLarger, ReasonIncompressible, ReasonDominated, ReasonSourceGone, ReasonCopyNotChosen,
		ReasonCodingNotChosen, ReasonCleaned, ReasonLeftover, ReasonExcluded, ReasonNotIncluded, ReasonHidden, ReasonCompressedType, ReasonSymlink,
		ReasonSymlinkAway, ReasonSymlinkWalked, ReasonNotRegular, ReasonTooSmall, ReasonTooLarge, ReasonOverMemory, ReasonNameTooLong, ReasonModified} {
		if text := r.Text(); text == "" || text == string(r) && strings.Contains(text, "-") {
			t.Errorf("%s: %q", r, text)
		}
	}
}
