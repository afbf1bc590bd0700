package page

import (
	"encoding/xml"
	"fmt"
	"html/template"
	"strconv"
	"strings"
)

// Canvas collects the shapes of an SVG image. Coordinates start at the top left corner;
// their unit is about a CSS pixel. The looks of a shape come from its class, or classes
// separated by spaces; see style.css.
type Canvas struct {
	Width, Height float64 // Height is for the drawing function to set
	Narrow        bool    // the image is for narrow screens

	shapes strings.Builder
}

// Rect draws a rectangle. A tooltip may be "" for none.
func (c *Canvas) Rect(class string, x, y, width, height float64, tooltip string) {
	c.shape("rect", class, tooltip, "x", x, "y", y, "width", width, "height", height)
}

// Circle draws a circle around a point.
func (c *Canvas) Circle(class string, x, y, radius float64, tooltip string) {
	c.shape("circle", class, tooltip, "cx", x, "cy", y, "r", radius)
}

// Line draws a straight line.
func (c *Canvas) Line(class string, x1, y1, x2, y2 float64) {
	c.shape("line", class, "", "x1", x1, "y1", y1, "x2", x2, "y2", y2)
}

// Point is a place on a canvas.
type Point struct{ X, Y float64 }

// Polyline draws a line through points.
func (c *Canvas) Polyline(class string, points []Point, tooltip string) {
	var at strings.Builder
	for i, p := range points {
		if i > 0 {
			at.WriteByte(' ')
		}
		at.WriteString(number(p.X) + "," + number(p.Y))
	}
	c.open("polyline", class)
	c.attribute("points", at.String())
	c.end("polyline", tooltip)
}

// Text writes a line of text. The point is where its baseline starts, or its middle or end
// with the class "middle" or "last".
func (c *Canvas) Text(class string, x, y float64, text string) {
	c.open("text", class, "x", x, "y", y)
	c.shapes.WriteString(">" + escape(text) + "</text>")
}

// Group starts a group of shapes with a class of its own. [Canvas.EndGroup] ends it.
func (c *Canvas) Group(class string) {
	c.open("g", class)
	c.shapes.WriteByte('>')
}

// EndGroup ends the group that was started last.
func (c *Canvas) EndGroup() { c.shapes.WriteString("</g>") }

// Tooltip adds a tooltip to the group that was just started.
func (c *Canvas) Tooltip(text string) {
	c.shapes.WriteString("<title>" + escape(text) + "</title>")
}

// Clip starts a part of the image that shows only what is inside a rectangle. Until
// [Canvas.EndClip], the origin is the top left corner of the rectangle.
func (c *Canvas) Clip(x, y, width, height float64) {
	c.open("svg", "", "x", x, "y", y, "width", width, "height", height)
	c.shapes.WriteByte('>')
}

// EndClip ends the part that was started last.
func (c *Canvas) EndClip() { c.shapes.WriteString("</svg>") }

// shape writes an element; see open.
func (c *Canvas) shape(element, class, tooltip string, attributes ...any) {
	c.open(element, class, attributes...)
	c.end(element, tooltip)
}

// open writes the start of a tag. Attributes are pairs of a name and a number.
func (c *Canvas) open(element, class string, attributes ...any) {
	c.shapes.WriteString("<" + element)
	if class != "" {
		c.attribute("class", class)
	}
	for i := 0; i < len(attributes); i += 2 {
		c.attribute(attributes[i].(string), number(attributes[i+1].(float64)))
	}
}

func (c *Canvas) attribute(name, value string) {
	c.shapes.WriteString(" " + name + `="` + escape(value) + `"`)
}

func (c *Canvas) end(element, tooltip string) {
	if tooltip == "" {
		c.shapes.WriteString("/>")
		return
	}
	c.shapes.WriteString("><title>" + escape(tooltip) + "</title></" + element + ">")
}

// image returns the canvas as an image with a title and a description for screen readers.
// The id must be unique on the page.
func (c *Canvas) image(id, class, title, description string) template.HTML {
	return c.svg(fmt.Sprintf(`role="img" class="%s" aria-labelledby="%[2]s-title %[2]s-desc"`, escape(class), escape(id)),
		fmt.Sprintf(`<title id="%[1]s-title">%[2]s</title><desc id="%[1]s-desc">%[3]s</desc>`, escape(id), escape(title), escape(description)))
}

// decoration returns the canvas as an image that screen readers ignore, stretched to the
// room available.
func (c *Canvas) decoration(class string) template.HTML {
	return c.svg(`aria-hidden="true" preserveAspectRatio="none" class="`+escape(class)+`"`, "")
}

// svg returns the image, with attributes and with elements before the shapes.
func (c *Canvas) svg(attributes, elements string) template.HTML {
	return template.HTML(`<svg xmlns="http://www.w3.org/2000/svg" ` + attributes + ` viewBox="0 0 ` + number(c.Width) + " " + number(c.Height) + `">` +
		elements + c.shapes.String() + "</svg>")
}

// number returns a number with no more digits than are visible.
func number(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// escape returns text escaped for XML, with characters that XML forbids replaced.
func escape(text string) string {
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(text)) // writing to a Builder cannot fail
	return escaped.String()
}
