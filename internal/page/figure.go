package page

import (
	"fmt"
	"html/template"
)

// Widths of the two drawings of a [Figure].
const (
	wideWidth   = 960
	narrowWidth = 360
)

// Figure is a chart.
type Figure struct {
	// ID is a word that is unique on the page.
	ID string
	// Title names the chart. Description says in a sentence or two what it shows, for
	// readers who cannot see it.
	Title, Description string
	// Draw draws the chart and sets the canvas's height. It is called for a wide and for
	// a narrow canvas, and must be deterministic.
	Draw func(*Canvas)
}

// HTML returns the chart for a template, as in {{.Chart.HTML}}. Screens, printers and screen
// readers get only one of the two drawings.
func (f Figure) HTML() template.HTML {
	wide := Canvas{Width: wideWidth}
	f.Draw(&wide)
	narrow := Canvas{Width: narrowWidth, Narrow: true}
	f.Draw(&narrow)
	return wide.image(f.ID+"-wide", "chart wide", f.Title, f.Description) +
		narrow.image(f.ID+"-narrow", "chart narrow", f.Title, f.Description)
}

// Strip returns a small drawing for a table cell. Screen readers ignore it: the same numbers
// must be in the table.
func Strip(width, height float64, draw func(*Canvas)) template.HTML {
	c := Canvas{Width: width, Height: height}
	draw(&c)
	return c.decoration("strip")
}

// bar draws a bar in the color of a class, n of whole of its width.
func bar(class any, n, whole int64) template.HTML {
	const width, height = 200, 14
	return Strip(width, height, func(c *Canvas) {
		c.Rect("track", 0, 0, width, height, "")
		if whole > 0 && n > 0 {
			c.Rect(fmt.Sprint("mark ", class), 0, 0, max(1, width*float64(n)/float64(whole)), height, "")
		}
	})
}
