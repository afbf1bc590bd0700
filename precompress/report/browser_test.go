package report_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/precompress/precompress/precompress/internal/pagetest"
	"github.com/precompress/precompress/precompress/report"
)

// reportPage returns the page about a tree with an old build, problems and skipped
// files.
func reportPage(t *testing.T) []byte {
	dir := build(t, options(), map[string]string{"old.txt": strings.Repeat("old text ", 99), "picture.png": "", strings.Repeat("a-long-name", 20) + ".txt": strings.Repeat("text ", 99)})
	before := subject(t, dir, options())
	write(t, filepath.Join(dir, "old.txt"), strings.Repeat("new text ", 199))
	write(t, filepath.Join(dir, strings.Repeat("folder/", 30)+"new.txt"), strings.Repeat("new text ", 99))
	s := subject(t, dir, options())
	s.Baseline = &report.Baseline{Name: "before.json", Assets: before.Plan.Stored()[2:]}
	return []byte(text(t, s))
}

// TestBrowser: the page can be seen in both color schemes, in windows of any width,
// complains of nothing and asks for nothing.
func TestBrowser(t *testing.T) {
	b, page := pagetest.Open(t), reportPage(t)
	colors := map[string]bool{}
	for _, dark := range []bool{false, true} {
		for _, width := range []int64{320, 360, 719, 720, 1280} {
			view := pagetest.View{Width: width, Dark: dark}
			if complaints := b.Show(t, page, view); len(complaints) > 0 {
				t.Errorf("%+v: the page is not clean: %q", view, complaints)
			}
			checkParts(t, b, view)
			colors[pagetest.Evaluate[string](t, b, `getComputedStyle(document.body).backgroundColor`)] = true
		}
	}
	if len(colors) != 2 {
		t.Errorf("the backgrounds are %v, want one for each scheme", colors)
	}
}

func checkParts(t *testing.T, b *pagetest.Browser, view pagetest.View) {
	t.Helper()
	if got := pagetest.Evaluate[int64](t, b, `document.documentElement.scrollWidth`); got > view.Width {
		t.Errorf("%+v: the page is %d wide", view, got)
	}
	sizes := pagetest.Evaluate[[]float64](t, b, `[...document.querySelectorAll("h1, main > section, .figures, table.assets")].map(e => e.getBoundingClientRect()).map(r => Math.min(r.width, r.height))`)
	if len(sizes) < 8 || slices.Min(sizes) < 10 {
		t.Errorf("%+v: parts of the page have sizes of %v", view, sizes)
	}
	charts := pagetest.Evaluate[int](t, b, `[...document.querySelectorAll("svg.chart")].map(e => e.getBoundingClientRect()).filter(r => r.width > 250 && r.height > 150).length`)
	if charts != 2 {
		t.Errorf("%+v: %d charts are seen, want 2 of 4", view, charts)
	}
}

// TestBrowserTables: a click on a head sorts, a second one the other way, and fields
// above a table filter it.
func TestBrowserTables(t *testing.T) {
	b := pagetest.Open(t)
	b.Show(t, reportPage(t), pagetest.View{Width: 1280})
	column := func(n string) []string {
		return pagetest.Evaluate[[]string](t, b, `[...document.querySelectorAll(".assets tbody tr:not([hidden])")].map(r => r.cells[`+n+`].textContent)`)
	}
	click := func(n string) {
		pagetest.Evaluate[any](t, b, `document.querySelectorAll(".assets .sort")[`+n+`].click()`)
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
	if got := pagetest.Evaluate[string](t, b, `document.querySelectorAll(".assets th")[1].ariaSort`); got != "ascending" {
		t.Errorf("the head says that it is sorted %q", got)
	}
	click("2")
	if got := column("2"); slices.Index(got, "–") < 0 || slices.Index(got, "–") < len(got)-strings.Count(strings.Join(got, " "), "–") {
		t.Errorf("rows without a size are not last: %v", got)
	}
	filter := func(selector, value, event string) []string {
		pagetest.Evaluate[any](t, b, `(() => { const e = document.querySelectorAll(".filter")[0].querySelector("`+selector+`"); e.value = "`+value+`"; e.dispatchEvent(new Event("`+event+`")) })()`)
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
	page := reportPage(t)
	b := pagetest.Open(t)
	for _, width := range []int64{360, 1280} {
		b.Show(t, page, pagetest.View{Width: width, NoScript: true})
		if got := pagetest.Evaluate[int](t, b, `document.querySelectorAll("button, input, select").length`); got != 0 {
			t.Errorf("there are %d controls", got)
		}
		seen := pagetest.Evaluate[int](t, b, `[...document.querySelectorAll(".assets tbody tr")].filter(r => r.getBoundingClientRect().height > 10).length`)
		if want := strings.Count(string(page), `<td class="number source`) - strings.Count(string(page), `<td class="number files`); seen != want || seen < 20 {
			t.Errorf("%d rows of assets are seen, want %d", seen, want)
		}
	}
}
