// Package page writes self-contained HTML pages: style and scripts are inline, nothing is
// loaded from the network. Pages follow the reader's light or dark color scheme, work
// without JavaScript, and can be printed.
//
// A page consists of a template of package [html/template] for the content of <main>, and
// its data:
//
//	//go:embed bench.html
//	var body string
//
//	err := page.Page{Title: "bench: app.js", Body: body, Data: view}.Write(w)
//
// The Content-Security-Policy of a page allows nothing but its own style and scripts, so a
// body has no style attributes, event handlers or scripts. Looks come from the classes in
// style.css, drawings from a [Canvas]. [Page.Body] lists the functions of templates.
//
// A chart is a [Figure]: a function that draws on a [Canvas], once for wide screens and once
// for narrow ones; [Scatter] and [Lines] have one. Anything that belongs to a coding has the
// name of the coding as a class ("br", "dcz", "identity"), which sets its color.
//
// Tables of the class "sortable" are sorted by a click on a column head, and those with the
// attribute data-filter can be filtered. Long tables show their first rows, and the others
// on demand. The script adds the controls: without scripts, there are none.
//
// Pages contain no time and nothing random: the same data makes the same bytes.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
)

// Parts of every page.
var (
	//go:embed shell.html
	shell string
	//go:embed style.css
	style string
	//go:embed start.js
	start string
	//go:embed script.js
	script string
)

// Page is one page.
type Page struct {
	// Title is plain text. It is shortened as names are.
	Title string
	// Body is a template for the content of <main>. Besides the functions of package
	// html/template, it can call:
	//
	//	comma N        1,234,567
	//	signed N       +1,234
	//	size N         1.2 MB, with the exact number in a tooltip
	//	saved N M      the share that is saved if M bytes replace N, such as 77.2 %
	//	count N WORD   1 file, 2 files
	//	bar CLASS N M  a small bar, N of M of its width in the color of a class
	//	name TEXT      TEXT, which may be hostile: isolated from the text direction
	//	               around it, with all of its spaces, and without its middle if
	//	               it has more than 1,000 characters
	Body string
	Data any
}

// Write writes the page. If the template fails, nothing is written.
func (p Page) Write(w io.Writer) error {
	t, err := template.New("shell").Funcs(functions()).Parse(shell)
	if err != nil {
		return err
	}
	if _, err := t.New("body").Parse(p.Body); err != nil {
		return err
	}
	var page bytes.Buffer
	err = t.Execute(&page, map[string]any{
		"Title":  middleOut(p.Title),
		"Policy": policy(),
		"Style":  template.CSS(style),
		"Start":  template.JS(start),
		"Script": template.JS(script),
		"Data":   p.Data,
	})
	if err != nil {
		return err
	}
	_, err = page.WriteTo(w)
	return err
}

// policy returns a Content-Security-Policy (W3C CSP Level 3) that allows nothing but the
// style and the scripts of pages, by their SHA-256.
func policy() string {
	return "default-src 'none'; style-src " + source(style) + "; script-src " + source(start) + " " + source(script) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
