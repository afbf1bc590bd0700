// Package browsertest shows pages in Chromium, for tests of how they look.
package browsertest

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// Browser is a browser with one tab.
type Browser struct {
	ctx    context.Context
	server *httptest.Server

	mu         sync.Mutex
	page       []byte
	complaints []string
}

// View is what a page is looked at with.
type View struct {
	// Width is that of the window in CSS pixels, Dark the reader's color scheme.
	Width int64
	Dark  bool
	// Print is set if it is printed.
	Print bool
	// NoScript is set if the page's scripts do not run.
	NoScript bool
}

// Open starts a browser, which ends with the test. It skips the test where there is
// none, or where tests are to be short.
func Open(t *testing.T) *Browser {
	t.Helper()
	program := find(t)
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.UserDataDir(t.TempDir()))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &Browser{ctx: ctx}
	b.server = httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(b.server.Close)
	b.listen(t)
	return b
}

func find(t *testing.T) string {
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

// listen notes what the page asks for beside itself and what the console is told.
func (b *Browser) listen(t *testing.T) {
	t.Helper()
	own := b.server.URL + "/"
	err := chromedp.Listen(b.ctx, func(event any) {
		switch e := event.(type) {
		case *network.EventRequestWillBeSent:
			if e.Request.URL != own && !strings.HasPrefix(e.Request.URL, "data:") {
				b.complain("request for " + e.Request.URL)
			}
		case *runtime.EventExceptionThrown:
			b.complain("exception: " + e.ExceptionDetails.Text)
		case *runtime.EventConsoleAPICalled:
			b.complain("console: " + string(e.Type))
		case *log.EventEntryAdded:
			b.complain("log: " + e.Entry.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	call(t, b, network.Enable, network.EnableParams{})
	call(t, b, runtime.Enable, cdp.Empty{})
	call(t, b, log.Enable, cdp.Empty{})
}

func (b *Browser) complain(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.complaints = append(b.complaints, text)
}

func (b *Browser) serve(w http.ResponseWriter, r *http.Request) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if r.URL.Path != "/" {
		b.complaints = append(b.complaints, "request for "+r.URL.Path)
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write(b.page) // the browser will say if it went away
}

// Show loads a page, and returns what was wrong with it: messages on the console,
// among them what its policy has refused, exceptions, and requests for anything.
func (b *Browser) Show(t *testing.T, page []byte, v View) (complaints []string) {
	t.Helper()
	b.mu.Lock()
	b.page, b.complaints = page, nil
	b.mu.Unlock()
	scheme := "light"
	if v.Dark {
		scheme = "dark"
	}
	media := "screen"
	if v.Print {
		media = "print"
	}
	call(t, b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Media:    media,
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	call(t, b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: v.NoScript})
	if err := chromedp.Do(b.ctx, chromedp.EmulateViewport(v.Width, 900), chromedp.Navigate(b.server.URL+"/")); err != nil {
		t.Fatal(err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.complaints)
}

// Evaluate returns what an expression comes to on the page.
func Evaluate[T any](t *testing.T, b *Browser, expression string) T {
	t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression))
	if err != nil {
		t.Fatalf("%v: %s", err, expression)
	}
	return value
}

func call[P, R any](t *testing.T, b *Browser, command cdp.Command[P, R], params P) {
	t.Helper()
	if _, err := chromedp.Call(b.ctx, command, params); err != nil {
		t.Fatalf("%s: %v", command.Method, err)
	}
}
