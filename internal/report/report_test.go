package report_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/report"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// options are those of the tests' builds, which are to be quick.
func options() precompress.Options {
	return precompress.Options{Levels: map[manifest.Coding]int{manifest.Brotli: 1, manifest.Zstd: 1, manifest.Gzip: 1}}
}

// build builds a copy of testdata/site, after more was done to it.
func build(t *testing.T, opts precompress.Options, more map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "site")
	if err := os.CopyFS(dir, os.DirFS("../../testdata/site")); err != nil {
		t.Fatal(err)
	}
	for name, content := range more {
		write(t, filepath.Join(dir, name), content)
	}
	if _, err := precompress.Build(t.Context(), dir, opts); err != nil {
		t.Fatal(err)
	}
	return dir
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

// subject plans a tree.
func subject(t *testing.T, dir string, opts precompress.Options) report.Subject {
	t.Helper()
	tree, err := precompress.OpenReadOnly(t.Context(), dir, opts)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	plan, err := tree.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	problems, err := tree.Problems(t.Context(), plan)
	if err != nil {
		t.Fatal(err)
	}
	return report.Subject{Name: "site", Plan: plan, Problems: problems}
}

func text(t *testing.T, s report.Subject) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hostile are names that want to be more than text.
var hostile = []string{
	"<script>.txt",
	`"><img src=x onerror=alert(1)>.txt`,
	"<title><b>.txt",
	"{{.}}&amp;.txt",
	"\u05e9\u05dc\u05d5\u05dd.txt",
	"\u202egnp.txt",
	strings.Repeat("long", 60) + ".txt",
}

func TestHostileNames(t *testing.T) {
	t.Parallel()
	more := map[string]string{}
	for _, name := range hostile {
		more[name] = strings.Repeat("some text ", 20000)
	}
	dir := build(t, options(), more)
	page := text(t, subject(t, dir, options()))
	for _, bad := range []string{"<script>.txt", "<img", "<b>", "\u202e"} {
		if strings.Contains(page, bad) {
			t.Errorf("%q stands in the page", bad)
		}
	}
	for _, good := range []string{"&lt;script&gt;.txt</td>", "{{.}}&amp;amp;.txt</td>", "<td><bdi>\u05e9\u05dc\u05d5\u05dd.txt</bdi></td>", `<td>&#34;\u202egnp.txt&#34;</td>`, strings.Repeat("long", 60)} {
		if !strings.Contains(page, good) {
			t.Errorf("%q is not in the page", good)
		}
	}
}

// TestImages: every image on the page is well-formed XML, with a name and a description
// or hidden from those who would hear them.
func TestImages(t *testing.T) {
	t.Parallel()
	page := text(t, subject(t, build(t, options(), map[string]string{`a<&"b.txt`: strings.Repeat("x", 99999)}), options()))
	charts, bars := 0, 0
	for _, whole := range strings.Split(page, "<svg xmlns")[1:] {
		d := xml.NewDecoder(strings.NewReader("<svg xmlns" + whole))
		for depth, first := 0, true; first || depth > 0; first = false {
			token, err := d.Token()
			if err != nil {
				t.Fatalf("%v in %.300s", err, whole)
			}
			switch token.(type) {
			case xml.StartElement:
				depth++
			case xml.EndElement:
				depth--
			}
		}
		switch {
		case strings.Contains(whole, `role="img"`) && strings.Contains(whole, "<title id=") && strings.Contains(whole, "<desc id="):
			charts++
		case strings.Contains(whole, `aria-hidden="true"`):
			bars++
		default:
			t.Errorf("an image without a name: %.200s", whole)
		}
	}
	if charts != 4 || bars < 10 {
		t.Errorf("%d charts and %d bars, want two charts in two sizes, and a bar for each coding, visitor and part", charts, bars)
	}
}

// TestSame: the same tree makes the same page, without a time or the place of the tree.
func TestSame(t *testing.T) {
	t.Parallel()
	first, second := build(t, options(), nil), build(t, options(), nil)
	a, b := text(t, subject(t, first, options())), text(t, subject(t, second, options()))
	if a != b {
		t.Error("two trees alike make different pages")
	}
	if strings.Contains(a, filepath.Dir(first)) {
		t.Error("the page tells where the tree is")
	}
}

// TestNotes: the page says of every asset what there is of it, and why there is not
// more.
func TestNotes(t *testing.T) {
	t.Parallel()
	opts := options()
	dir := build(t, opts, map[string]string{"tiny.txt": "tiny, and random: 9x7d1f", "old.txt": strings.Repeat("old text ", 99)})
	write(t, filepath.Join(dir, "old.txt"), strings.Repeat("new text ", 99))
	if err := os.Remove(filepath.Join(dir, "index.html.br")); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "picture.png"), "no picture")
	page := text(t, subject(t, dir, opts))
	for _, want := range []string{
		`<tr data-state="omitted in every coding"><td>tiny.txt</td><td class="number source best">24</td><td class="number br">–</td><td class="number zstd">–</td><td class="number gzip">–</td><td class="number saved">0.0 %</td><td class="notes">br (28), zstd (33), gzip (49): would not save enough</td>`,
		`<tr data-state="not up to date"><td>old.txt</td>`,
		"br, zstd, gzip: to encode: the source changed",
		"br: to encode: the variant is missing",
		"<h2>Not up to date: 4 problems</h2>\n<p>1 missing, 3 stale.",
		"<tr><td>index.html</td><td>br</td><td>missing: the variant is missing</td></tr>",
		`<tr data-state="the format is compressed already"><td>picture.png</td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in the page", want)
		}
	}
	if strings.Contains(text(t, subject(t, build(t, opts, nil), opts)), "Not up to date") {
		t.Error("a tree that was just built is not up to date")
	}
}

// TestWarnings: warnings and failures of the plan are on the page, as text.
func TestWarnings(t *testing.T) {
	t.Parallel()
	s := subject(t, t.TempDir(), options())
	s.Plan.Warnings = []precompress.Warning{{Kind: precompress.WarnManifest, Text: "<b> cannot be used"}}
	s.Plan.Failures = []*precompress.Error{{Op: "read", Path: "<i>.txt", Err: errors.New("lost")}}
	page := text(t, s)
	for _, want := range []string{"<h2>Warnings</h2>\n<ul><li>&lt;b&gt; cannot be used</li>", "<h2>1 path could not be read</h2>", "<li>&lt;i&gt;.txt: read: lost</li>"} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in the page", want)
		}
	}
}

// TestNotChosen: a coding that a rule leaves out for some assets is accounted for.
func TestNotChosen(t *testing.T) {
	t.Parallel()
	opts := options()
	opts.Rules = []precompress.Rule{{Globs: []string{"*.txt"}, Codings: []manifest.Coding{manifest.Gzip}}}
	dir := build(t, opts, map[string]string{"a.txt": strings.Repeat("some text ", 99), "b.txt": "q8Zr1xKfV0mTn5LwYc7JpB3sHd9GaEuR2oX6iQjWtNvSgMkPbCyDhFzUlIeA4"})
	page := text(t, subject(t, dir, opts))
	for _, want := range []string{
		`<tr data-state="stored in every coding chosen for it"><td>a.txt</td>`,
		`<td class="notes">br, zstd not chosen</td>`,
		`<tr data-state="omitted in every coding"><td>b.txt</td>`,
		`<br>br, zstd not chosen</td>`,
		`<th scope="col" class="number">not chosen</th>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in the page", want)
		}
	}
	// Files, omitted and not chosen are all assets.
	rows := regexp.MustCompile(`<span class="key \w+">\w+</span></th><td class="number">(\d+)</td>.*<td class="number">(\d+)</td><td class="number">(\d+)</td><td class="bar">`).FindAllStringSubmatch(page, -1)
	assets := strings.Count(page, `<td class="number source`) - strings.Count(page, `<td class="number files`)
	for _, row := range rows {
		sum := 0
		for _, n := range row[1:] {
			n, _ := strconv.Atoi(n)
			sum += n
		}
		if sum != assets {
			t.Errorf("%s: %d assets, want %d", row[0], sum, assets)
		}
	}
	if len(rows) != 3 {
		t.Errorf("%d codings", len(rows))
	}
	if strings.Contains(text(t, subject(t, build(t, options(), nil), options())), "not chosen") {
		t.Error("where every coding is chosen, one is not")
	}
}

// TestNames: of a name all is seen, and a reason is not taken for a part of a sentence.
func TestNames(t *testing.T) {
	t.Parallel()
	dir := build(t, options(), map[string]string{"  ": strings.Repeat("some text ", 99), "a  b.txt": strings.Repeat("some text ", 99), ".one": "", ".two": ""})
	page := text(t, subject(t, dir, options()))
	for _, want := range []string{
		`<td><bdi class="spaced">&#34;  &#34;</bdi></td>`,
		`<td><bdi class="spaced">&#34;a  b.txt&#34;</bdi></td>`,
		"the name starts with a dot (2)",
		"files and directories</summary>",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in the page", want)
		}
	}
}

// TestDeltas: deltas have columns, with the release if there are several, and those who
// hold a release download less.
func TestDeltas(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "3")
	if err := os.CopyFS(dir, os.DirFS("../../testdata/releases/3")); err != nil {
		t.Fatal(err)
	}
	opts := options()
	opts.Previous = []string{"../../testdata/releases/2", "../../testdata/releases/1"}
	if _, err := precompress.Build(t.Context(), dir, opts); err != nil {
		t.Fatal(err)
	}
	page := text(t, subject(t, dir, opts))
	for _, want := range []string{
		"with deltas from releases 2, 1.",
		`<th scope="row"><span class="key dcz">dcz</span></th><td class="number">8</td>`,
		`<span class="key smallest">has release 1 cached, with deltas</span></th><td class="number">4</td>`,
		`<td class="notes">unchanged since 2, 1</td>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in the page", want)
		}
	}
	both := regexp.MustCompile(`<td>index\.html</td>.*<td class="number dcb" data-value="\d+"><small>from 2:</small> \d+<br><small>from 1:</small> \d+</td>`)
	if !both.MatchString(page) {
		t.Error("index.html has no deltas from two releases")
	}
	opts.Previous = opts.Previous[:1]
	if page := text(t, subject(t, dir, opts)); strings.Contains(page, "<small>") || !strings.Contains(page, "with deltas from release 2.") {
		t.Error("of a single release, sizes need not name it")
	}
}

// TestBaseline: changes of each kind are counted, the largest are listed, and the others
// are summed up.
func TestBaseline(t *testing.T) {
	t.Parallel()
	s := subject(t, t.TempDir(), options())
	s.Baseline = &report.Baseline{Name: "<b>.json"}
	for i := range 103 {
		s.Baseline.Assets = append(s.Baseline.Assets, manifest.Asset{Path: fmt.Sprintf("%c%d.txt", 'a'+i%26, i), Size: int64(1103 - i)})
	}
	page := text(t, s)
	if n := strings.Count(page, `<td class="kind">removed</td>`); n != 100 {
		t.Errorf("%d changes are listed, want 100", n)
	}
	for _, want := range []string{"Changes since &lt;b&gt;.json", "103 removed.", "And 3 smaller changes, -3,006 bytes together.", "-108,356 bytes"} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in the page", want)
		}
	}
}

// TestBaselineNotBuilt: what is not built is in no sum of a comparison.
func TestBaselineNotBuilt(t *testing.T) {
	t.Parallel()
	dir := build(t, options(), map[string]string{"old.txt": strings.Repeat("old text ", 999)})
	built := subject(t, dir, options())
	write(t, filepath.Join(dir, "old.txt"), strings.Repeat("new text ", 999))
	write(t, filepath.Join(dir, "new.txt"), strings.Repeat("new text ", 999))
	s := subject(t, dir, options())
	s.Baseline = &report.Baseline{Name: "before.json", Assets: built.Plan.Sizes()}
	page := text(t, s)
	for _, want := range []string{"<dd>0 bytes</dd>", "No sizes changed.", "2 names not compared, and not in these numbers: not built yet."} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is not in the page", want)
		}
	}
}

// TestBaselineHostile: a name of any length takes little of the page.
func TestBaselineHostile(t *testing.T) {
	t.Parallel()
	s := subject(t, t.TempDir(), options())
	s.Baseline = &report.Baseline{Name: "b.json", Assets: []manifest.Asset{{Path: strings.Repeat("x", 5000000), Size: 1}}}
	if page := text(t, s); len(page) > 100000 || !strings.Contains(page, strings.Repeat("x", 500)+"…") {
		t.Errorf("the page has %d bytes", len(page))
	}
}

// TestNothing: a tree without assets makes a page as well.
func TestNothing(t *testing.T) {
	t.Parallel()
	if page := text(t, subject(t, t.TempDir(), options())); !strings.Contains(page, "0 assets") || strings.Contains(page, "NaN<") {
		t.Error("the page of an empty tree does not say so")
	}
}

// TestLost: what cannot be written is an error.
func TestLost(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	lost := errors.New("lost")
	r.CloseWithError(lost)
	if err := report.Write(w, subject(t, t.TempDir(), options())); !errors.Is(err, lost) {
		t.Errorf("the error is %v", err)
	}
}
