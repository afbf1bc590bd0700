// Package page writes pages of HTML that need nothing but themselves: style and
// script are in them, they ask no network for anything, follow the reader's light
// or dark scheme, and can be read without JavaScript and printed.
//
// A page is made of a template of package [html/template] for what stands in its
// <main>, and the data for it:
//
//	//go:embed bench.html
//	var body string
//
//	err := page.Page{Title: "bench: app.js", Body: body, Data: view}.Write(w)
//
// The policy of a page lets nothing through but its own style and script, so a body
// has no style attributes, no handlers and no scripts: looks come from the classes
// of style.css, which says what there is, and numbers from a [Canvas]. The template
// can call what [Page.Body] lists.
//
// A chart is a [Figure]: a function that draws on a [Canvas], twice, once for wide
// screens and once for narrow ones. Whatever belongs to a coding has the coding's
// name as a class ("br", "dcz", "identity"), which gives it the coding's color.
//
// A table of the class "sortable" is sorted by a click on a column's head, one
// with the attribute data-filter can be filtered, and of a long one the first rows
// are drawn until more are asked for: the script adds the controls, so that there
// are none where scripts do not run.
//
// Pages hold no time and nothing random: the same data makes the same bytes.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html/template"
	"io"
)

// What every page has in it.
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
	// Title is plain text, which is shortened as names are.
	Title string
	// Body is the text of a template for the content of <main>. Beside what
	// package html/template knows, it can call:
	//
	//	comma N        1,234,567
	//	signed N       +1,234
	//	size N         1.2 MB, with the exact number in a tooltip
	//	saved N M      what M saves of N, such as 77.2 %
	//	count N WORD   1 file, 2 files
	//	bar CLASS N M  a small bar, N of M of its width in the color of a class
	//	name TEXT      TEXT, which may be hostile: kept apart from the direction of
	//	               the text around it, with all of its spaces, and without the
	//	               middle if it has more than 1,000 characters
	Body string
	Data any
}

// Write writes the page. It fails if the template does or w does; if the template
// does, nothing is written.
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

// policy returns a Content-Security-Policy (W3C CSP Level 3) that allows the style
// and the scripts of every page, by their SHA-256, and nothing else.
func policy() string {
	return "default-src 'none'; style-src " + source(style) + "; script-src " + source(start) + " " + source(script) +
		"; img-src data:; base-uri 'none'; form-action 'none'"
}

func source(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
