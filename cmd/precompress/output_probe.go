package main

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/internal/probe"
)

// probed is what a probe has found out.
type probed struct {
	results     []*probe.Result
	targets     int // that were to be asked about
	interrupted bool
}

// count returns the number of faults, and of URLs with a request that got no answer
// or a redirect to elsewhere.
func (p probed) count() (faults, unanswered int) {
	for _, r := range p.results {
		faults += r.Faults()
		if r.Err != nil {
			unanswered++
		}
	}
	return faults, unanswered
}

// probedURL prints the answers for one URL and what was found: a table of the
// answers if the URL was named on the command line.
func (o *output) probedURL(r *probe.Result, named bool) {
	if named || o.verbose {
		o.answers(r)
	}
	for _, f := range r.Findings {
		o.probeFinding(f)
	}
	if o.verbose {
		for _, c := range r.Passed {
			o.result("%s: %s: fine\n", printable(r.URL), c.Word)
		}
	}
	var elsewhere *probe.RedirectError
	switch {
	case errors.As(r.Err, &elsewhere):
		o.message("%s: not checked: %v", printable(r.URL), r.Err)
	case r.Err != nil:
		o.message("%s: no answer: %v", printable(r.URL), r.Err)
	}
}

// probed prints a line that sums up.
func (o *output) probed(p probed) {
	if o.json != nil {
		o.probedJSON(p)
	}
	o.result("%s\n", probeSummary(p))
	if p.interrupted {
		o.message("interrupted: %d of %d URLs were probed", len(p.results), p.targets)
	}
}

func (o *output) probeFinding(f probe.Finding) {
	word := o.bold(f.Word)
	if f.Severity == probe.Advice {
		word = f.Word + " (advice)"
	}
	text := printable(f.URL) + ": " + word
	if f.Coding != "" {
		text += ": " + shorten(f.Coding, 40)
	}
	text += ": " + f.Message
	if f.Reference != "" {
		text += " (" + f.Reference + ")"
	}
	text += ": " + f.Check.Advice + "\n"
	if f.Severity == probe.Fault {
		o.finding(text)
		return
	}
	o.result("%s", text)
}

func probeSummary(p probed) string {
	faults, unanswered := p.count()
	advice := 0
	for _, r := range p.results {
		advice += len(r.Findings)
	}
	advice -= faults
	text := count(len(p.results), "URL") + " probed: "
	if faults == 0 {
		text += "no faults"
	} else {
		text += count(faults, "fault")
	}
	if advice > 0 {
		text += ", " + humanize.Comma(int64(advice)) + " advice"
	}
	if unanswered > 0 {
		text += fmt.Sprintf(", %d not checked in full", unanswered)
	}
	return text
}

// answers prints a table of the answers for one URL: to requests for the whole
// content and to HEAD, or with --verbose to all.
func (o *output) answers(r *probe.Result) {
	if len(r.Answers) == 0 {
		return
	}
	o.result("%s\n", o.bold(printable(r.URL)))
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', 0)
	fmt.Fprint(w, "  asked with\tstatus\tcoding\tbytes\tETag\tVary\tanswered by\n")
	for _, a := range r.Answers {
		q := a.Request
		if !o.verbose && (q.Range != "" || q.IfNoneMatch != "" || q.IfModifiedSince != "") {
			continue
		}
		fmt.Fprintf(w, "  %s\t%d\t%s\t%s\t%s\t%s\t%s\n", asked(q), a.Status, codingCell(a), bytesCell(a),
			cell(a.Header, "Etag", 24), cell(a.Header, "Vary", 24), or(a.Provenance.String(), "-"))
	}
	w.Flush() // to a strings.Builder: cannot fail
	o.result("%s", text.String())
}

// asked formats a request for a cell of the table.
func asked(q probe.Request) string {
	text := or(q.AcceptEncoding, "(nothing)")
	if q.Method != http.MethodGet {
		text = q.Method + " " + text
	}
	for _, f := range []struct{ name, value string }{
		{"Range", q.Range}, {"If-Range", q.IfRange}, {"If-None-Match", q.IfNoneMatch}, {"If-Modified-Since", q.IfModifiedSince},
		{"Available-Dictionary", q.AvailableDictionary},
	} {
		if f.value != "" {
			text += "; " + f.name + ": " + shorten(f.value, 24)
		}
	}
	return text
}

func codingCell(a *probe.Answer) string {
	if a.Status >= 300 {
		return "-"
	}
	return or(shorten(a.Coding, 16), "identity")
}

func bytesCell(a *probe.Answer) string {
	switch {
	case a.Status == http.StatusNotModified:
		return "-"
	case a.Request.Method == http.MethodHead && a.Length < 0:
		return "-"
	case a.Request.Method == http.MethodHead:
		return strconv.FormatInt(a.Length, 10)
	case a.Content.TooLarge:
		return ">" + strconv.FormatInt(a.Content.Size, 10)
	}
	return strconv.FormatInt(a.Content.Size, 10)
}

// cell returns a field for a table, "-" if it is absent.
func cell(h http.Header, name string, limit int) string {
	return or(shorten(strings.Join(h.Values(name), ", "), limit), "-")
}

// shorten cuts text from a server for a table, and quotes what is not printable.
func shorten(s string, limit int) string {
	if utf8.RuneCountInString(s) > limit {
		s = string([]rune(s)[:limit-1]) + "…"
	}
	return printable(s)
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
