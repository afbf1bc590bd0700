// Package browsertest finds and starts Chromium for tests, shows them pages and takes
// screenshots.
package browsertest

import (
	"context"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
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

	"github.com/precompress/precompress/internal/testneeds"
)

// Browser is a browser with one tab, which shows one page at a time.
type Browser struct {
	ctx    context.Context
	server *httptest.Server

	mu         sync.Mutex
	page       []byte
	complaints []string
}

// View is how a page is shown.
type View struct {
	Width    int64 // of the window, in CSS pixels
	Dark     bool  // the reader prefers dark colors
	Print    bool  // as for a printer
	NoScript bool  // scripts do not run
}

// Find returns the path of Chromium. It skips the test if there is none on PATH, or
// under -short: a browser takes seconds to start.
func Find(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			testneeds.Long(t, "starts a browser")
			return found
		}
	}
	t.Skip("needs chromium: not found on PATH")
	return ""
}

// Start starts Chromium with an empty profile and one tab, which is the context that
// package chromedp works with. The browser ends with the test, or after five minutes.
// Tests without a browser are skipped as by [Find].
func Start(t *testing.T, flags ...chromedp.ExecAllocatorOption) context.Context {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(Find(t)), chromedp.UserDataDir(t.TempDir()))
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewExecAllocator(ctx, append(options, flags...)...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	return ctx
}

// Trust is a flag for [Start]: the browser accepts a certificate that no authority has
// signed as if it were valid. What comes with an invalid one is not cached. A nil
// certificate changes nothing.
func Trust(certificate *x509.Certificate) chromedp.ExecAllocatorOption {
	if certificate == nil {
		return func(*chromedp.ExecAllocator) {}
	}
	key := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
	return chromedp.Flag("ignore-certificate-errors-spki-list", base64.StdEncoding.EncodeToString(key[:]))
}

// Open starts a browser as [Start] does.
func Open(t *testing.T) *Browser {
	t.Helper()
	b := &Browser{ctx: Start(t)}
	b.server = httptest.NewServer(http.HandlerFunc(b.serve))
	t.Cleanup(b.server.Close)
	b.listen(t)
	return b
}

// listen records requests for anything but the page, and messages on the console.
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
	_, _ = w.Write(b.page) // the browser complains if this fails
}

// Show loads a page and returns what is wrong with it: exceptions, requests for other
// resources, and messages on the console, such as what the page's policy blocked.
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

// Evaluate returns the value of a JavaScript expression on the page.
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
