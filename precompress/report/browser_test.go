package report_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/precompress/precompress/precompress/report"
)

func findBrowser(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts a browser")
	}
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			return found
		}
	}
	t.Skip("there is no chromium on PATH")
	return ""
}

// browser shows a page, and collects what it complains of and asks for.
type browser struct {
	t   *testing.T
	ctx context.Context
	url string

	mu       sync.Mutex
	faults   []string
	requests []string
}

func newBrowser(t *testing.T, page string) *browser {
	program := findBrowser(t)
	b := &browser{t: t}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		b.requests = append(b.requests, r.URL.Path)
		b.mu.Unlock()
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write([]byte(page))
	}))
	t.Cleanup(server.Close)
	b.url = server.URL + "/page"
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir()))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	b.ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	if err := chromedp.Listen(b.ctx, b.observe); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *browser) observe(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, e.ExceptionDetails.Text)
	case *runtime.EventConsoleAPICalled:
		b.faults = append(b.faults, "console."+string(e.Type))
	case *log.EventEntryAdded:
		b.faults = append(b.faults, e.Entry.Text)
	}
}

// shows loads the page in a window and a color scheme.
func (b *browser) shows(width int64, scheme string) {
	b.t.Helper()
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	b.run(chromedp.EmulateViewport(width, 800))
	b.run(call(emulation.SetEmulatedMedia, media))
	b.run(call(log.Enable, cdp.Empty{}))
	b.run(call(runtime.Enable, cdp.Empty{}))
	b.run(chromedp.Navigate(b.url))
}

func call[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

func (b *browser) run(action chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if _, err := chromedp.Run(b.ctx, action); err != nil {
		b.t.Fatal(err)
	}
}

func evaluate[T any](b *browser, expression string) T {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// reportPage returns the page about a tree with an old build, problems and skipped
// files.
func reportPage(t *testing.T) string {
	dir := build(t, options(), map[string]string{"old.txt": strings.Repeat("old text ", 99), "picture.png": "", strings.Repeat("a-long-name", 20) + ".txt": strings.Repeat("text ", 99)})
	before := subject(t, dir, options())
	write(t, filepath.Join(dir, "old.txt"), strings.Repeat("new text ", 199))
	write(t, filepath.Join(dir, strings.Repeat("folder/", 30)+"new.txt"), strings.Repeat("new text ", 99))
	s := subject(t, dir, options())
	s.Baseline = &report.Baseline{Name: "before.json", Assets: before.Plan.Stored()[2:]}
	return text(t, s)
}

// TestBrowser: the page can be seen in both color schemes, in windows of any width,
// complains of nothing and asks for nothing.
func TestBrowser(t *testing.T) {
	b := newBrowser(t, reportPage(t))
	colors := map[string]bool{}
	for _, scheme := range []string{"light", "dark"} {
		for _, width := range []int64{320, 360, 719, 720, 1280} {
			b.shows(width, scheme)
			if got := evaluate[int64](b, `document.documentElement.scrollWidth`); got > width {
				t.Errorf("%s: the page is %d wide in a window of %d", scheme, got, width)
			}
			sizes := evaluate[[]float64](b, `[...document.querySelectorAll("h1, main > section, .figures, table.assets")].map(e => e.getBoundingClientRect()).map(r => Math.min(r.width, r.height))`)
			if len(sizes) < 8 || slices.Min(sizes) < 10 {
				t.Errorf("%s, %d: parts of the page have sizes of %v", scheme, width, sizes)
			}
			charts := evaluate[[]float64](b, `[...document.querySelectorAll("svg.chart")].map(e => e.getBoundingClientRect()).filter(r => r.width > 250 && r.height > 150).map(r => r.width)`)
			if len(charts) != 2 {
				t.Errorf("%s, %d: %d charts are seen, want 2 of 4", scheme, width, len(charts))
			}
			colors[evaluate[string](b, `getComputedStyle(document.body).backgroundColor`)] = true
		}
	}
	if len(colors) != 2 {
		t.Errorf("the backgrounds are %v, want one for each scheme", colors)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.faults) > 0 {
		t.Errorf("the page complains: %q", b.faults)
	}
	if slices.ContainsFunc(b.requests, func(path string) bool { return path != "/page" }) {
		t.Errorf("the page asks for %q", b.requests)
	}
}

// TestBrowserTables: a click on a head sorts, a second one the other way, and fields
// above a table filter it.
func TestBrowserTables(t *testing.T) {
	b := newBrowser(t, reportPage(t))
	b.shows(1280, "light")
	column := func(n string) []string {
		return evaluate[[]string](b, `[...document.querySelectorAll(".assets tbody tr:not([hidden])")].map(r => r.cells[`+n+`].textContent)`)
	}
	click := func(n string) { evaluate[any](b, `document.querySelectorAll(".assets .sort")[`+n+`].click()`) }
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
	if got := evaluate[string](b, `document.querySelectorAll(".assets th")[1].ariaSort`); got != "ascending" {
		t.Errorf("the head says that it is sorted %q", got)
	}
	click("2")
	if got := column("2"); slices.Index(got, "–") < 0 || slices.Index(got, "–") < len(got)-strings.Count(strings.Join(got, " "), "–") {
		t.Errorf("rows without a size are not last: %v", got)
	}
	filter := func(selector, value, event string) []string {
		evaluate[any](b, `(() => { const e = document.querySelectorAll(".filter")[0].querySelector("`+selector+`"); e.value = "`+value+`"; e.dispatchEvent(new Event("`+event+`")) })()`)
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
	b := newBrowser(t, page)
	b.run(call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	for _, width := range []int64{360, 1280} {
		b.shows(width, "light")
		if got := evaluate[int](b, `document.querySelectorAll("button, input, select").length`); got != 0 {
			t.Errorf("there are %d controls", got)
		}
		seen := evaluate[int](b, `[...document.querySelectorAll(".assets tbody tr")].filter(r => r.getBoundingClientRect().height > 10).length`)
		if want := strings.Count(page, `<td class="number source`) - strings.Count(page, `<td class="number files`); seen != want || seen < 20 {
			t.Errorf("%d rows of assets are seen, want %d", seen, want)
		}
	}
}
