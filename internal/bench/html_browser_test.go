package bench_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/precompress/precompress/internal/bench"
	"github.com/precompress/precompress/internal/browsertest"
)

// TestHTMLInBrowser looks at the page as readers do: in wide and narrow windows,
// light and dark, with and without scripts.
func TestHTMLInBrowser(t *testing.T) {
	t.Parallel()
	browser := browsertest.Open(t)
	page := []byte(html(t, bench.Link{Mbits: 100, Requests: 1}, usual(), crowded()))
	for _, view := range []browsertest.View{
		{Width: 1280}, {Width: 1280, Dark: true}, {Width: 800}, {Width: 360}, {Width: 360, Dark: true, NoScript: true}, {Width: 1280, NoScript: true},
	} {
		t.Run(fmt.Sprintf("%+v", view), func(t *testing.T) {
			if complaints := browser.Show(t, page, view); len(complaints) > 0 {
				t.Errorf("the page is not clean: %q", complaints)
			}
			checkLayout(t, browser, view)
			checkPicture(t, browser, view)
			checkSorting(t, browser, view)
		})
	}
}

// TestHTMLLongNames: a name of any length takes several lines, and leaves room for the
// columns beside it, on screens and on paper.
func TestHTMLLongNames(t *testing.T) {
	t.Parallel()
	browser := browsertest.Open(t)
	name, path, manifold := usual(), crowded(), usual()
	name.Name = strings.Repeat("n", 240)
	path.Name = strings.Repeat("directory/", 24) + "a.js"
	manifold.Name = strings.Repeat("x", 30_000)
	page := []byte(html(t, bench.Link{Mbits: 100, Requests: 1}, name, path, manifold))
	for _, view := range []browsertest.View{{Width: 1280}, {Width: 360}, {Width: 718, Print: true}} {
		browser.Show(t, page, view)
		if over := browsertest.Evaluate[int](t, browser, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			t.Errorf("%+v: the page is %d pixels wider than the window", view, over)
		}
		width := browsertest.Evaluate[float64](t, browser, `document.querySelector("table").getBoundingClientRect().width`)
		if most := float64(max(view.Width, 600)); width > most {
			t.Errorf("%+v: the overview is %g wide, want %g at most", view, width, most)
		}
		least := browsertest.Evaluate[float64](t, browser, `Math.min(...[...document.querySelectorAll("th.input")].map(e => e.clientWidth))`)
		if least < 100 {
			t.Errorf("%+v: the column of names is %g wide", view, least)
		}
	}
}

// checkPicture sees that there is paint where there is to be some: in the first chart,
// points of every coding, and axes and labels.
func checkPicture(t *testing.T, browser *browsertest.Browser, view browsertest.View) {
	t.Helper()
	for color, n := range browsertest.Painted(t, browser, view.Charts(), "background", "muted", "br", "zstd", "gzip") {
		if n < 50 {
			t.Errorf("%d pixels of the chart are of the color %s", n, color)
		}
	}
}

func checkLayout(t *testing.T, browser *browsertest.Browser, view browsertest.View) {
	t.Helper()
	if over := browsertest.Evaluate[int](t, browser, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
		t.Errorf("the page is %d pixels wider than the window", over)
	}
	if dark := browsertest.Evaluate[bool](t, browser, `getComputedStyle(document.body).backgroundColor.match(/\d+/)[0] < 128`); dark != view.Dark {
		t.Errorf("dark: %v", dark)
	}
	if n := browsertest.Evaluate[int](t, browser, `[...document.querySelectorAll("main svg")].filter(e => e.getBoundingClientRect().height > 100).length`); n != 4 {
		t.Errorf("%d charts are shown, want two for each result", n)
	}
	cut := browsertest.Evaluate[[]string](t, browser, `[...document.querySelectorAll("svg text")].filter(e => {
		const a = e.getBoundingClientRect(), b = e.ownerSVGElement.getBoundingClientRect();
		return a.width > 0 && (a.left < b.left - 1 || a.right > b.right + 1 || a.top < b.top - 3 || a.bottom > b.bottom + 3);
	}).map(e => e.textContent)`)
	if len(cut) > 0 {
		t.Errorf("texts are cut: %q", cut)
	}
	small := browsertest.Evaluate[[]string](t, browser, `[...document.querySelectorAll("svg text")].filter(e => {
		const scale = e.ownerSVGElement.getBoundingClientRect().width / e.ownerSVGElement.viewBox.baseVal.width;
		return scale > 0 && parseFloat(getComputedStyle(e).fontSize) * scale < 9;
	}).map(e => e.textContent)`)
	if len(small) > 0 {
		t.Errorf("texts are too small to read: %q", small)
	}
	covered := browsertest.Evaluate[[]string](t, browser, `[...document.querySelectorAll("svg")].flatMap(svg => {
		const texts = [...svg.querySelectorAll("text.strong")].map(e => [e.textContent, e.getBoundingClientRect()]).filter(([, r]) => r.width > 0);
		return texts.flatMap(([a, r], i) => texts.slice(i + 1).filter(([, o]) =>
			Math.min(r.right, o.right) - Math.max(r.left, o.left) > 3 && Math.min(r.bottom, o.bottom) - Math.max(r.top, o.top) > 6).map(([b]) => a + " and " + b));
	})`)
	if len(covered) > 0 {
		t.Errorf("labels cover each other: %q", covered)
	}
	struck := browsertest.Evaluate[[]string](t, browser, `[...document.querySelectorAll("svg .here")].flatMap(line => {
		const a = line.getBoundingClientRect();
		return [...line.ownerSVGElement.querySelectorAll("text")].filter(e => e.textContent.startsWith("link:")).filter(e => {
			const b = e.getBoundingClientRect();
			return b.left < a.left && b.right > a.right && b.top < a.bottom - 3 && b.bottom > a.top + 3;
		}).map(e => e.textContent);
	})`)
	if len(struck) > 0 {
		t.Errorf("the line of the link runs through its name: %q", struck)
	}
}

// checkSorting sorts the first large table by bytes, smallest first, where scripts
// run, and sees that there is nothing to sort with where they do not.
func checkSorting(t *testing.T, browser *browsertest.Browser, view browsertest.View) {
	t.Helper()
	first := `document.querySelector("section table").tBodies[0].rows[0].textContent`
	if buttons := browsertest.Evaluate[int](t, browser, `document.querySelectorAll("button").length`); view.NoScript != (buttons == 0) {
		t.Errorf("%d buttons", buttons)
	}
	if view.NoScript {
		if row := browsertest.Evaluate[string](t, browser, first); !strings.Contains(row, "211,149") {
			t.Errorf("the first row is %q", row)
		}
		return
	}
	for _, test := range []struct {
		column int
		want   string
	}{{1, "215,282"}, {4, "166,128"}, {7, "211,149"}} { // bytes, compress, gain
		browsertest.Evaluate[bool](t, browser, fmt.Sprintf(`document.querySelector("section table").tHead.rows[0].cells[%d].querySelector("button").click(), true`, test.column))
		if row := browsertest.Evaluate[string](t, browser, first); !strings.Contains(row, test.want) {
			t.Errorf("sorted by column %d, the first row is %q, want that of %s", test.column, row, test.want)
		}
	}
}
