package page

import (
	"fmt"
	"strings"
)

// plot is the area of a chart with two axes in which values are drawn.
type plot struct {
	*Canvas
	box
	text           float64 // size of labels
	xTicks, yTicks int     // about how many ticks an axis has
}

// newPlot lays out a canvas: labels of axes on the left and below, some lines of a legend
// above, and a margin on the right.
func newPlot(c *Canvas, legend int, right float64) *plot {
	p := &plot{Canvas: c, text: textSize(c), xTicks: 9, yTicks: 7}
	left, top, bottom := 78.0, 24.0, 50.0
	c.Height = 470
	if c.Narrow {
		p.xTicks, p.yTicks = 4, 6
		left, c.Height = 66, 380
	}
	top += float64(legend) * p.line()
	c.Height += float64(legend) * p.line()
	p.box = box{left, top, c.Width - left - right, c.Height - top - bottom}
	return p
}

// textSize returns the size of text in the charts of a canvas, as style.css has it.
func textSize(c *Canvas) float64 {
	if c.Narrow {
		return 11.5
	}
	return 13
}

// line returns the height of a line of text.
func (p *plot) line() float64 { return p.text * 1.6 }

// right and bottom return the far edges.
func (p *plot) right() float64  { return p.x + p.w }
func (p *plot) bottom() float64 { return p.y + p.h }

// write writes text in the text size of the plot.
func (p *plot) write(class string, x, y float64, text string) {
	if p.Narrow {
		class = "small " + class
	}
	p.Text(class, x, y, text)
}

// xAxis draws ticks, their grid lines, and the axis's title below the plot. Labels that
// would overlap the previous one are left out.
func (p *plot) xAxis(a axis, ticks []float64, format func(float64) string, title string) {
	after := 0.0
	for _, v := range ticks {
		x, text := a.at(v), format(v)
		p.Line("grid", x, p.y, x, p.bottom())
		half := textWidth(text, p.text) / 2
		middle := min(x, p.Width-half)
		if middle-half < after {
			continue
		}
		p.write("faint middle", middle, p.bottom()+p.text+9, text)
		after = middle + half + 6
	}
	p.Line("axis", p.x, p.bottom(), p.right(), p.bottom())
	p.write("middle", p.x+p.w/2, p.Height-8, title)
}

// yAxis draws ticks, their grid lines, and the axis's title above the plot.
func (p *plot) yAxis(a axis, ticks []float64, format func(float64) string, title string) {
	for _, v := range ticks {
		y := a.at(v)
		p.Line("grid", p.x, y, p.right(), y)
		p.write("faint last", p.x-8, y+p.text*0.35, format(v))
	}
	p.write("", 2, p.text, title)
}

// codingShapes are the corners of the markers of codings, which distinguish them without
// colors. Other codings have a circle.
var codingShapes = map[string][][2]float64{
	"zstd":    {{-0.9, -0.9}, {0.9, -0.9}, {0.9, 0.9}, {-0.9, 0.9}},
	"gzip":    {{0, -1.15}, {1.1, 0.85}, {-1.1, 0.85}},
	"deflate": {{0, -1.25}, {1.25, 0}, {0, 1.25}, {-1.25, 0}},
}

// marker draws the marker of a coding around a point.
func (p *plot) marker(class, coding string, x, y, radius float64, tooltip string) {
	corners := codingShapes[coding]
	if corners == nil {
		p.Circle(class, x, y, radius, tooltip)
		return
	}
	var data strings.Builder
	for i, c := range corners {
		command := "L"
		if i == 0 {
			command = "M"
		}
		fmt.Fprintf(&data, "%s%s %s", command, number(x+c[0]*radius), number(y+c[1]*radius))
	}
	p.open("path", class)
	p.attribute("d", data.String()+"Z")
	p.end("path", tooltip)
}
