package page

import (
	"cmp"
	"slices"
)

// Scatter is a chart of points, for which less is better on both axes: X is logarithmic, Y
// linear. The Pareto front is drawn as steps.
type Scatter struct {
	// XTitle and YTitle name the axes. XText and YText format the values of ticks.
	XTitle, YTitle string
	XText, YText   func(float64) string
	// Codings are those of the points, in the order of the legend.
	Codings []string
	Points  []ScatterPoint
	// Level is a value of Y to compare with, drawn as a line if it is in the range of
	// the points. LevelText is its name.
	Level     float64
	LevelText string
}

// ScatterPoint is a point of a [Scatter].
type ScatterPoint struct {
	// Coding sets color and shape.
	Coding string
	// The range of X from XLow to XHigh is drawn where it is wide enough to see.
	X, XLow, XHigh, Y float64
	// Label is shown next to points on the front, Short next to others where there is
	// room. Title is the tooltip.
	Label, Short, Title string
	// Front is set for points that no other point beats.
	Front bool
}

// Draw draws the chart, for a [Figure].
func (s *Scatter) Draw(c *Canvas) {
	legend := 1
	if c.Narrow {
		legend = 2
	}
	p := newPlot(c, legend, 16)
	x, y := s.axes(p)
	p.yAxis(y, linearTicks(y.low, y.high, p.yTicks), s.YText, s.YTitle)
	p.xAxis(x, s.xTicks(x, p), s.XText, s.XTitle)
	s.legend(p)
	spots := s.spots(p, x, y)
	var lines []box
	if s.Level >= y.low && s.Level <= y.high {
		lines = append(lines, s.level(p, y.at(s.Level), spotBoxes(spots)))
	}
	steps := frontSteps(front(spots), p.box)
	p.Polyline("front", steps, "")
	drawSpots(p, spots, append(lines, segmentBoxes(steps)...))
}

// FromZero reports whether the Y axis starts at zero.
func (s *Scatter) FromZero() bool {
	low, _ := linearRange(s.ys())
	return low == 0
}

func (s *Scatter) ys() (ys []float64) {
	for _, point := range s.Points {
		ys = append(ys, point.Y)
	}
	return ys
}

func (s *Scatter) axes(p *plot) (x, y axis) {
	var xs []float64
	for _, point := range s.Points {
		xs = append(xs, point.X)
		if point.X > 0 {
			xs = append(xs, max(point.XLow, point.X/10), max(point.XHigh, point.X))
		}
	}
	xLow, xHigh, zeros := logRange(xs)
	yLow, yHigh := linearRange(s.ys())
	kept, edge := 0.0, 0.0
	if zeros { // keeps points at zero off the edge
		kept, edge = p.text*2.5, p.text
	}
	x = logAxis(xLow, xHigh).between(p.x+edge, p.right(), kept)
	return x, linearAxis(yLow, yHigh).between(p.bottom(), p.y, 0)
}

func (s *Scatter) xTicks(x axis, p *plot) []float64 {
	ticks := logTicks(x.low, x.high, p.xTicks)
	if x.zero != x.from {
		ticks = append([]float64{0}, ticks...)
	}
	return ticks
}

// level draws the line to compare with, and returns what its name covers: a place above or
// below the line, as far to the right as it covers no point.
func (s *Scatter) level(p *plot, y float64, points []box) box {
	p.Line("level", p.x, y, p.right(), y)
	w, h := textWidth(s.LevelText, p.text), p.text+7
	var places []box
	for x := p.right() - 4 - w; x > p.x; x -= p.text {
		places = append(places, box{x, y - 5 - p.text, w, h}, box{x, y + 3, w, h})
	}
	best := cheapest(places, func(name box) float64 {
		cost := 100 * name.beyond(p.box)
		for _, o := range points {
			cost += name.overlap(o)
		}
		return cost
	})
	p.write("faint last", best.x+w, best.y+p.text, s.LevelText)
	return best
}

// spot is where a point is drawn.
type spot struct {
	ScatterPoint
	marker
	radius    float64
	low, high float64 // ends of the range of X
	hasRange  bool    // the range is wide enough to see
}

// spots returns those of all points, those on the front last.
func (s *Scatter) spots(p *plot, x, y axis) (spots []spot) {
	for _, point := range s.Points {
		at := spot{ScatterPoint: point, marker: marker{x.at(point.X), y.at(point.Y), point.Short, point.Front}, radius: p.text * 0.42}
		if point.Front {
			at.label = point.Label
		}
		at.low, at.high = x.at(point.XLow), x.at(point.XHigh)
		at.hasRange = point.X > 0 && at.high-at.low > 3*at.radius
		spots = append(spots, at)
	}
	slices.SortStableFunc(spots, func(a, b spot) int { return compareBools(a.Front, b.Front) })
	return spots
}

// spotBoxes returns what points cover, with their ranges.
func spotBoxes(spots []spot) (boxes []box) {
	for _, s := range spots {
		left, right, r := s.x, s.x, s.radius+2
		if s.hasRange {
			left, right = min(left, s.low), max(right, s.high)
		}
		boxes = append(boxes, box{left - r, s.y - r, right - left + 2*r, 2 * r})
	}
	return boxes
}

// legend explains codings, and full and hollow markers, above the plot.
func (s *Scatter) legend(p *plot) {
	x, y, r := p.x, p.text+p.line(), p.text*0.42
	entry := func(class, coding, text string) {
		p.marker(class, coding, x+r, y-p.text*0.33, r, "")
		p.write("", x+2*r+6, y, text)
		x += 2*r + 6 + textWidth(text, p.text) + 14
	}
	for _, coding := range s.Codings {
		entry("mark "+coding, coding, coding)
	}
	if p.Narrow {
		x, y = p.x, y+p.line()
	}
	entry("mark", "", "on the Pareto front")
	entry("hollow", "", "not on it")
}

// front returns where the points on the front are, from left to right.
func front(spots []spot) (points []Point) {
	for _, s := range spots {
		if s.Front {
			points = append(points, Point{s.x, s.y})
		}
	}
	slices.SortFunc(points, func(a, b Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	return points
}

// frontSteps returns the line that separates what the points of a front, from left to right,
// make possible from what they do not: from the top of the plot to its right edge, since what
// is possible in some time is also possible in more.
func frontSteps(front []Point, area box) []Point {
	var steps []Point
	for i, p := range front {
		if i == 0 {
			steps = append(steps, Point{p.X, area.y})
		} else {
			steps = append(steps, Point{p.X, front[i-1].Y})
		}
		steps = append(steps, p)
	}
	if len(front) > 0 {
		steps = append(steps, Point{area.x + area.w, front[len(front)-1].Y})
	}
	return steps
}

// segmentBoxes returns what a line of vertical and horizontal segments covers.
func segmentBoxes(points []Point) []box {
	var boxes []box
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		x, y := min(a.X, b.X), min(a.Y, b.Y)
		boxes = append(boxes, box{x - 1, y - 1, max(a.X, b.X) - x + 2, max(a.Y, b.Y) - y + 2})
	}
	return boxes
}

// drawSpots draws points, their ranges and their labels, which keep off lines.
func drawSpots(p *plot, spots []spot, lines []box) {
	var markers []marker
	for _, s := range spots {
		markers = append(markers, s.marker)
		if s.hasRange {
			lines = append(lines, box{s.low, s.y - 2, s.high - s.low, 4})
		}
	}
	placing := labelling{area: p.box, size: p.text, radius: p.text * 0.42, lines: lines}
	labels := placing.place(markers)
	for i, l := range labels {
		if l.leader {
			m, end := markers[i], l.end(markers[i])
			p.Line("leader", m.x, m.y, end.X, end.Y)
		}
	}
	for _, s := range spots {
		s.draw(p)
	}
	for i, l := range labels {
		if l.shown {
			p.write(labelClass(spots[i].Coding, spots[i].Front)+" middle", l.x+l.w/2, l.y+l.h*0.83, markers[i].label)
		}
	}
}

// draw draws a point, and the range of its X if that is wide enough to see.
func (s spot) draw(p *plot) {
	if s.hasRange {
		p.Line("spread "+s.Coding, s.low, s.y, s.high, s.y)
		for _, end := range []float64{s.low, s.high} {
			p.Line("spread "+s.Coding, end, s.y-3, end, s.y+3)
		}
	}
	class := "hollow "
	if s.Front {
		class = "mark outline "
	}
	p.marker(class+s.Coding, s.Coding, s.x, s.y, s.radius, s.Title)
}

// labelClass returns the class of a label that belongs to a coding.
func labelClass(coding string, strong bool) string {
	if strong {
		return "label strong " + coding
	}
	return "label " + coding
}

// compareBools orders false before true.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
