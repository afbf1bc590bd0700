package main

import (
	"errors"
	"fmt"
	"log"
	"net"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/precompress/precompress/serve"
)

// serving prints where a tree is served.
func (o *output) serving(dir, asked string, at net.Addr, secure bool) {
	scheme := "http"
	if secure {
		scheme = "https"
	}
	o.result("%s: %s://%s/\n", o.bold(printable(dir)), scheme, hostPort(asked, at))
}

// hostPort is the host as it was asked for, so that a certificate may fit it,
// and the port that there really is.
func hostPort(asked string, at net.Addr) string {
	host, port, err := net.SplitHostPort(at.String())
	if err != nil {
		return at.String()
	}
	if name, _, err := net.SplitHostPort(asked); err == nil {
		host = name
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost" // every interface; localhost is one of them
	}
	return net.JoinHostPort(host, port)
}

// served prints the line of the access log about an answer, and the error if it is the
// server's.
func (o *output) served(e serve.Event) {
	if e.Err != nil && e.Status >= 500 {
		o.message("%s: %v", field(e.Request.URL.Path), e.Err)
	}
	if !o.quiet {
		o.print(accessLine(time.Now(), e))
	}
}

// readerGone reports whether standard output is a pipe that nobody reads any more.
// Whoever started the server with it is gone, and would leave the server behind.
// A full disk is another matter: answers are worth more than a log.
func (o *output) readerGone() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return errors.Is(o.err, syscall.EPIPE)
}

// unread says why a tree is no longer served.
func (o *output) unread(dir string) {
	o.message("%s: nobody reads standard output any more: stopping; with --quiet, serve needs no reader", printable(dir))
}

func accessLine(now time.Time, e serve.Event) string {
	host, _, err := net.SplitHostPort(e.Request.RemoteAddr)
	if err != nil {
		host = e.Request.RemoteAddr
	}
	coding := string(e.Coding)
	if coding == "" {
		coding = "identity"
	}
	end := "\n"
	if e.Err != nil && e.Status < 400 {
		end = " incomplete\n"
	}
	return fmt.Sprintf("%s %s %s %s %d %s %d %.3fms%s",
		now.UTC().Format("2006-01-02T15:04:05.000Z"), host, field(e.Request.Method), field(e.Request.URL.Path),
		e.Status, coding, e.Bytes, float64(e.Duration)/float64(time.Millisecond), end)
}

// field quotes text from a client unless it is one printable word: a line of
// the log must not be forged, nor a terminal be driven.
func field(s string) string {
	odd := func(r rune) bool {
		return r == ' ' || r == '"' || r == '\\' || r == unicode.ReplacementChar || !unicode.IsPrint(r)
	}
	if s == "" || strings.ContainsFunc(s, odd) {
		return strconv.Quote(s)
	}
	return s
}

// findings warns of variants that are not served, and of files that cannot be.
func (o *output) findings(dir string, findings []serve.Finding, err error) {
	var warnings []string
	for _, f := range findings {
		warnings = append(warnings, "not served: "+f.String())
	}
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "\n") {
			warnings = append(warnings, strings.TrimPrefix(line, "serve: "))
		}
	}
	o.warnings(dir, warnings)
}

// reloaded says whether a tree could be reloaded.
func (o *output) reloaded(dir string, err error) {
	name := printable(dir)
	switch {
	case err != nil:
		text := strings.Join(strings.Fields(err.Error()), " ")
		o.message("%s: cannot reload, still serving what was there before: %s", name, text)
	case !o.quiet:
		o.message("%s: reloaded", name)
	}
}

// serverLog is where an http.Server logs connections that failed.
func (o *output) serverLog() *log.Logger { return log.New(logWriter{o}, "", 0) }

type logWriter struct{ *output }

func (w logWriter) Write(p []byte) (int, error) {
	w.message("%s", printable(strings.TrimSuffix(string(p), "\n")))
	return len(p), nil
}
