package page_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/precompress/precompress/internal/browsertest"
	"github.com/precompress/precompress/internal/page"
)

// longTable is the body of a page with a table of many rows: names and numbers are in
// other orders.
const longTable = `<div class="sheet"><table class="sortable" data-filter="things">
<thead><tr><th>name</th><th class="number">size</th><th class="number">saved</th><th class="notes">notes</th></tr></thead>
<tbody>{{range .}}<tr data-state="{{.State}}"><td>{{name .Name}}</td><td class="number">{{comma .Size}}</td><td class="number">{{.Saved}}</td><td class="notes">first of {{.Name}}<br>second</td></tr>
{{end}}</tbody></table></div>`

type longRow struct {
	Name, State, Saved string
	Size               int
}

func longPage(t *testing.T, rows int) []byte {
	var all []longRow
	for i := range rows {
		r := longRow{Name: "n" + strings.Repeat("x", i%7) + ".js", State: "even", Size: 1000 + i*7919%rows, Saved: "–"}
		if i%2 == 1 {
			r.State = "odd"
		}
		switch i {
		case rows - 1:
			r.Name, r.Saved = "last.css", "99.9 %"
		case rows - 2:
			r.Saved = page.Saved(1000000, 13)
		}
		all = append(all, r)
	}
	return []byte(write(t, page.Page{Body: longTable, Data: all}))
}

const (
	drawn = `[...document.querySelectorAll("tbody tr")].filter(r => r.getBoundingClientRect().height > 0)`
	names = drawn + `.map(r => r.cells[0].textContent)`
)

// TestLongTable: of a long table the first rows are drawn, sorting and filtering are
// about all of them, and all can be asked for. On paper and without scripts there are
// all from the start.
func TestLongTable(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	const rows = 1500
	long := longPage(t, rows)
	number := func() int { return browsertest.Evaluate[int](t, b, drawn+`.length`) }
	if complaints := b.Show(t, long, browsertest.View{Width: 1000}); len(complaints) > 0 {
		t.Errorf("the page is not clean: %q", complaints)
	}
	if n := number(); n != 1000 {
		t.Errorf("%d rows are drawn, want 1000", n)
	}
	click(t, b, `.sort`, 2)
	if got := browsertest.Evaluate[[]string](t, b, drawn+`.slice(0, 3).map(r => r.cells[2].textContent)`); !slices.Equal(got, []string{">99.9 %", "99.9 %", "–"}) && !slices.Equal(got, []string{"99.9 %", ">99.9 %", "–"}) {
		t.Errorf("the rows that saved most are %q", got)
	}
	click(t, b, `.sort`, 1)
	if got := browsertest.Evaluate[[]string](t, b, drawn+`.slice(0, 2).map(r => r.cells[1].textContent)`); !slices.Equal(got, []string{"2,499", "2,498"}) || number() != 1000 {
		t.Errorf("the largest are %q of %d", got, number())
	}
	filter(t, b, "LAST.css")
	if got := settled(t, b, names, []string{"last.css"}); !slices.Equal(got, []string{"last.css"}) {
		t.Errorf("the filter leaves %q", got)
	}
	filter(t, b, "")
	if got := settled(t, b, drawn+`.map(r => "")`, make([]string, 1000)); len(got) != 1000 {
		t.Errorf("without a filter there are %d rows", len(got))
	}
	if got := browsertest.Evaluate[string](t, b, `document.querySelector(".more").textContent`); got != "Show all 1,500 instead of the first 1,000" {
		t.Errorf("the button says %q", got)
	}
	click(t, b, ".more", 0)
	if n := number(); n != rows || browsertest.Evaluate[bool](t, b, `document.querySelector(".more").checkVisibility()`) {
		t.Errorf("all that is asked for is %d rows, want %d and no button", n, rows)
	}
	for _, view := range []browsertest.View{{Width: 718, Print: true}, {Width: 1000, NoScript: true}} {
		b.Show(t, long, view)
		if n := number(); n != rows {
			t.Errorf("%+v: %d rows, want %d", view, n, rows)
		}
	}
}

// TestFilter: all words have to be there, in any order, each in one line of a cell, and
// numbers are not found.
func TestFilter(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	b.Show(t, longPage(t, 9), browsertest.View{Width: 1000})
	for text, want := range map[string]int{"": 9, " n.js ": 2, "Last": 1, "js1": 0, "1,003": 0, "1003": 0, "jssecond": 0, "second": 9, "first of last": 1, "second  LAST": 1, "css first": 1, "last absent": 0, "%": 0} {
		filter(t, b, text)
		if got := browsertest.Evaluate[[]string](t, b, names); len(got) != want {
			t.Errorf("%q leaves %q, want %d", text, got, want)
		}
	}
	if got := browsertest.Evaluate[string](t, b, `document.querySelector(".filter input").placeholder`); got != "Filter by name or notes" {
		t.Errorf("the field says %q", got)
	}
	if browsertest.Evaluate[bool](t, b, `document.querySelector(".more").checkVisibility()`) {
		t.Error("a table with few rows has a button for more")
	}
}

// TestSortBlanks: rows without a text come last, whichever way the others are sorted.
func TestSortBlanks(t *testing.T) {
	t.Parallel()
	b := browsertest.Open(t)
	const body = `<table class="sortable"><thead><tr><th>notes</th></tr></thead>
<tbody>{{range .}}<tr><td>{{.}}</td></tr>{{end}}</tbody></table>`
	b.Show(t, []byte(write(t, page.Page{Body: body, Data: []string{"", "b", "a", ""}})), browsertest.View{Width: 1000})
	for _, want := range [][]string{{"a", "b", "", ""}, {"b", "a", "", ""}} {
		click(t, b, `.sort`, 0)
		if got := browsertest.Evaluate[[]string](t, b, names); !slices.Equal(got, want) {
			t.Errorf("sorted, the notes are %q, want %q", got, want)
		}
	}
}

func click(t *testing.T, b *browsertest.Browser, selector string, n int) {
	t.Helper()
	browsertest.Evaluate[any](t, b, `document.querySelectorAll("`+selector+`")[`+string(rune('0'+n))+`].click()`)
}

func filter(t *testing.T, b *browsertest.Browser, text string) {
	t.Helper()
	browsertest.Evaluate[any](t, b, `(() => { const e = document.querySelector(".filter input"); e.value = "`+text+`"; e.dispatchEvent(new Event("input")) })()`)
}

// settled waits for an expression to come to what is wanted: the filter of a long table
// waits for the next key. It returns what it comes to in the end.
func settled(t *testing.T, b *browsertest.Browser, expression string, want []string) []string {
	t.Helper()
	got := browsertest.Evaluate[[]string](t, b, expression)
	for end := time.Now().Add(30 * time.Second); !slices.Equal(got, want) && time.Now().Before(end); {
		time.Sleep(10 * time.Millisecond)
		got = browsertest.Evaluate[[]string](t, b, expression)
	}
	return got
}
