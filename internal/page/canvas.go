package page

import (
	"encoding/xml"
	"html/template"
	"strconv"
	"strings"
)

// Canvas collects the shapes of an SVG image. Places and lengths are in units of
// about a CSS pixel, from the top left corner. Each shape takes a class, which may
// be several and decides on its looks; see style.css for those that there are.
type Canvas struct {
	// Width is given, Height is for the one who draws to set.
	Width, Height float64
	// Narrow tells that the image is for narrow screens.
	Narrow bool

	shapes strings.Builder
}

// Rect draws a rectangle. A tooltip of "" is none.
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

// Polyline draws straight lines from each point to the next.
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

// Text writes text at the place where its first line's base starts; the classes
// "middle" and "last" have it end there or lie around it.
func (c *Canvas) Text(class string, x, y float64, text string) {
	c.open("text", class)
	c.attribute("x", number(x))
	c.attribute("y", number(y))
	c.shapes.WriteString(">" + escape(text) + "</text>")
}

// Group starts a group of shapes of a class, which [Canvas.EndGroup] ends.
func (c *Canvas) Group(class string) {
	c.open("g", class)
	c.shapes.WriteByte('>')
}

// EndGroup ends the group that was started last.
func (c *Canvas) EndGroup() { c.shapes.WriteString("</g>") }

// Tooltip gives the group that was just started a tooltip.
func (c *Canvas) Tooltip(text string) {
	c.shapes.WriteString("<title>" + escape(text) + "</title>")
}

// Clip starts a part of the image that shows nothing outside of a rectangle, whose
// top left corner is the origin of what is drawn until [Canvas.EndClip].
func (c *Canvas) Clip(x, y, width, height float64) {
	c.open("svg", "")
	for _, a := range []struct {
		name  string
		value float64
	}{{"x", x}, {"y", y}, {"width", width}, {"height", height}} {
		c.attribute(a.name, number(a.value))
	}
	c.shapes.WriteByte('>')
}

// EndClip ends the part that was started last.
func (c *Canvas) EndClip() { c.shapes.WriteString("</svg>") }

// shape writes an element whose attributes are pairs of a name and a number.
func (c *Canvas) shape(element, class, tooltip string, attributes ...any) {
	c.open(element, class)
	for i := 0; i < len(attributes); i += 2 {
		c.attribute(attributes[i].(string), number(attributes[i+1].(float64)))
	}
	c.end(element, tooltip)
}

func (c *Canvas) open(element, class string) {
	c.shapes.WriteString("<" + element)
	if class != "" {
		c.attribute("class", class)
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

// image returns the canvas as an image that readers of screens call by its title
// and description. No other image on the page has the same id.
func (c *Canvas) image(id, class, title, description string) template.HTML {
	var text strings.Builder
	text.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" role="img" class="` + escape(class) + `" viewBox="0 0 ` + number(c.Width) + " " + number(c.Height) +
		`" aria-labelledby="` + escape(id) + "-title " + escape(id) + `-desc">`)
	text.WriteString(`<title id="` + escape(id) + `-title">` + escape(title) + "</title>")
	text.WriteString(`<desc id="` + escape(id) + `-desc">` + escape(description) + "</desc>")
	text.WriteString(c.shapes.String() + "</svg>")
	return template.HTML(text.String())
}

// decoration returns the canvas as an image that says nothing that is not said
// beside it, and that is stretched to the room there is.
func (c *Canvas) decoration(class string) template.HTML {
	return template.HTML(`<svg xmlns="http://www.w3.org/2000/svg" aria-hidden="true" preserveAspectRatio="none" class="` + escape(class) + `" viewBox="0 0 ` +
		number(c.Width) + " " + number(c.Height) + `">` + c.shapes.String() + "</svg>")
}

// number returns a length with no more digits than can be seen.
func number(x float64) string {
	text := strconv.FormatFloat(x, 'f', 2, 64)
	text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	if text == "-0" {
		return "0"
	}
	return text
}

// escape returns text as it may stand in XML; what may not stand there at all is
// replaced.
func escape(text string) string {
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(text)) // a builder takes everything
	return escaped.String()
}
