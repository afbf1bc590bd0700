package report_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/browsertest"
	"github.com/precompress/precompress/internal/report"
	"github.com/precompress/precompress/precompress"
)

// reportPage returns the page about a tree with an old build, problems and skipped
// files.
func reportPage(t *testing.T) []byte {
	dir := build(t, options(), map[string]string{"old.txt": strings.Repeat("old text ", 99), "picture.png": "", strings.Repeat("a-long-name", 20) + ".txt": strings.Repeat("text ", 99)})
	before := subject(t, dir, options())
	write(t, filepath.Join(dir, "old.txt"), strings.Repeat("new text ", 199))
	write(t, filepath.Join(dir, strings.Repeat("directory/", 30)+"new.txt"), strings.Repeat("new text ", 99))
	s := subject(t, dir, options())
	s.Baseline = &report.Baseline{Name: "before.json", Assets: before.Plan.Sizes()[2:]}
	return []byte(text(t, s))
}

// TestBrowser: the page can be seen in both color schemes, in windows of any width,
// complains of nothing and asks for nothing.
func TestBrowser(t *testing.T) {
	t.Parallel()
	b, page := browsertest.Open(t), reportPage(t)
	colors := map[string]bool{}
	for _, dark := range []bool{false, true} {
		for _, width := range []int64{320, 360, 719, 720, 1280} {
			view := browsertest.View{Width: width, Dark: dark}
			if complaints := b.Show(t, page, view); len(complaints) > 0 {
				t.Errorf("%+v: the page is not clean: %q", view, complaints)
			}
			checkParts(t, b, view)
			for color, n := range browsertest.Painted(t, b, view.Charts(), "text", "tile", "tile-kept") {
				if n < 50 {
					t.Errorf("%+v: %d pixels of the map are of the color %s", view, n, color)
				}
			}
			colors[browsertest.Evaluate[string](t, b, `getComputedStyle(document.body).backgroundColor`)] = true
		}
	}
	if len(colors) != 2 {
		t.Errorf("the backgrounds are %v, want one for each scheme", colors)
	}
}

func checkParts(t *testing.T, b *browsertest.Browser, view browsertest.View) {
	t.Helper()
	if got := browsertest.Evaluate[int64](t, b, `document.documentElement.scrollWidth`); got > view.Width {
		t.Errorf("%+v: the page is %d wide", view, got)
	}
	sizes := browsertest.Evaluate[[]float64](t, b, `[...document.querySelectorAll("h1, main > section, .figures, table.assets")].map(e => e.getBoundingClientRect()).map(r => Math.min(r.width, r.height))`)
	if len(sizes) < 8 || slices.Min(sizes) < 10 {
		t.Errorf("%+v: parts of the page have sizes of %v", view, sizes)
	}
	charts := browsertest.Evaluate[int](t, b, `[...document.querySelectorAll("svg.chart")].map(e => e.getBoundingClientRect()).filter(r => r.width > 250 && r.height > 150).length`)
	if charts != 2 {
		t.Errorf("%+v: %d charts are seen, want 2 of 4", view, charts)
	}
}

// storePage returns the page about a release with deltas from two others, which have
// the long names that a store gives them.
func storePage(t *testing.T) []byte {
	opts := options()
	opts.Releases = filepath.Join(t.TempDir(), "store")
	var dir string
	for _, release := range []string{"1", "2", "3"} {
		dir = filepath.Join(t.TempDir(), "site")
		if err := os.CopyFS(dir, os.DirFS("../../testdata/releases/"+release)); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, "assets/a-rather-long-name-of-a-file.js"), strings.Repeat(release+" changes in each release ", 60000))
		write(t, filepath.Join(dir, "same.txt"), "never changed, and random: 9x7d1fKf83jdLs0")
		if _, err := precompress.Build(t.Context(), dir, opts); err != nil {
			t.Fatal(err)
		}
	}
	return []byte(text(t, subject(t, dir, opts)))
}

// TestBrowserWidths: whatever the width, names have some room, and nothing is wider than
// the page, on screens and on paper (A4 has 718 pixels between its margins).
func TestBrowserWidths(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	pages := map[string][]byte{"plain": reportPage(t), "releases": storePage(t)}
	if !strings.Contains(string(pages["releases"]), "Full names of the releases") {
		t.Error("the names of the store's releases are not shortened")
	}
	for name, page := range pages {
		views := []browsertest.View{{Width: 718, Print: true}, {Width: 768, NoScript: true}}
		for _, width := range []int64{320, 400, 600, 719, 720, 768, 1024, 1104, 1280} {
			views = append(views, browsertest.View{Width: width})
		}
		for _, view := range views {
			b.Show(t, page, view)
			browsertest.Evaluate[any](t, b, `document.querySelectorAll("details").forEach(d => d.open = true)`)
			if got := browsertest.Evaluate[int64](t, b, `document.documentElement.scrollWidth`); got > view.Width {
				t.Errorf("%s, %+v: the page is %d wide", name, view, got)
			}
			outside := browsertest.Evaluate[[]string](t, b, `[...document.querySelectorAll(".sheet :is(td, th)")].filter(e => {
				const main = document.querySelector("main"), right = main.getBoundingClientRect().right - parseFloat(getComputedStyle(main).paddingRight);
				return e.getBoundingClientRect().right > right + 1 || e.scrollWidth > e.clientWidth + 1;
			}).map(e => e.textContent)`)
			if len(outside) > 0 {
				t.Errorf("%s, %+v: wider than the page: %q", name, view, outside)
			}
			least := browsertest.Evaluate[float64](t, b, `Math.min(...[...document.querySelectorAll(".sheet tbody td:first-child")].map(e => e.clientWidth))`)
			if least < 120 {
				t.Errorf("%s, %+v: the column of names is %g wide", name, view, least)
			}
		}
	}
}

// TestBrowserTables: a click on a head sorts, a second one the other way, and fields
// above a table filter it.
func TestBrowserTables(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	b.Show(t, reportPage(t), browsertest.View{Width: 1280})
	column := func(n string) []string {
		return browsertest.Evaluate[[]string](t, b, `[...document.querySelectorAll(".assets tbody tr:not([hidden])")].map(r => r.cells[`+n+`].textContent)`)
	}
	click := func(n string) {
		browsertest.Evaluate[any](t, b, `document.querySelectorAll(".assets .sort")[`+n+`].click()`)
	}
	size := func(a, b string) int {
		x, y := strings.ReplaceAll(a, ",", ""), strings.ReplaceAll(b, ",", "")
		if len(x) != len(y) {
			return len(x) - len(y)
		}
		return strings.Compare(x, y)
	}
	all := column("0")
	click("1")
	if got := column("1"); !slices.IsSortedFunc(got, func(a, b string) int { return size(b, a) }) || len(got) != len(all) {
		t.Errorf("after a click the sizes are %v", got)
	}
	click("1")
	if got := column("1"); !slices.IsSortedFunc(got, size) {
		t.Errorf("after a second click the sizes are %v", got)
	}
	if got := browsertest.Evaluate[string](t, b, `document.querySelectorAll(".assets th")[1].ariaSort`); got != "ascending" {
		t.Errorf("the head says that it is sorted %q", got)
	}
	click("2")
	if got := column("2"); slices.Index(got, "–") < 0 || slices.Index(got, "–") < len(got)-strings.Count(strings.Join(got, " "), "–") {
		t.Errorf("rows without a size are not last: %v", got)
	}
	filter := func(selector, value, event string) []string {
		browsertest.Evaluate[any](t, b, `(() => { const e = document.querySelectorAll(".filter")[0].querySelector("`+selector+`"); e.value = "`+value+`"; e.dispatchEvent(new Event("`+event+`")) })()`)
		return column("0")
	}
	if got := filter("input", "NEW.txt", "input"); len(got) != 1 || !strings.HasSuffix(got[0], "new.txt") {
		t.Errorf("the filter for text leaves %v", got)
	}
	filter("input", "", "input")
	if got := filter("select", "not up to date", "change"); len(got) != 2 {
		t.Errorf("the filter for states leaves %v", got)
	}
	if got := filter("select", "", "change"); len(got) != len(all) {
		t.Errorf("without a filter there are %v", got)
	}
}

// TestBrowserWithoutScript: all is there, but for what does nothing without scripts.
func TestBrowserWithoutScript(t *testing.T) {
	t.Parallel()
	page := reportPage(t)
	b := browsertest.Open(t)
	for _, width := range []int64{360, 1280} {
		b.Show(t, page, browsertest.View{Width: width, NoScript: true})
		if got := browsertest.Evaluate[int](t, b, `document.querySelectorAll("button, input, select").length`); got != 0 {
			t.Errorf("there are %d controls", got)
		}
		seen := browsertest.Evaluate[int](t, b, `[...document.querySelectorAll(".assets tbody tr")].filter(r => r.getBoundingClientRect().height > 10).length`)
		if want := strings.Count(string(page), `<td class="number source`) - strings.Count(string(page), `<td class="number files`); seen != want || seen < 20 {
			t.Errorf("%d rows of assets are seen, want %d", seen, want)
		}
	}
}
