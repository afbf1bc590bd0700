package page

import (
	"cmp"
	"math"
	"slices"
)

// Scatter is a chart of points of which less is better both ways: X on a
// logarithmic axis, Y on a linear one, whose front is drawn as steps.
type Scatter struct {
	// XTitle and YTitle name the axes, XText and YText write values at their ticks.
	XTitle, YTitle string
	XText, YText   func(float64) string
	// Codings are those of the points, in the order of the legend.
	Codings []string
	Points  []ScatterPoint
	// Level is a value of Y to compare with, drawn as a line if it lies among the
	// points, and LevelText its name.
	Level     float64
	LevelText string
}

// ScatterPoint is a point of a [Scatter].
type ScatterPoint struct {
	// Coding gives the point its color and its shape.
	Coding string
	// X is drawn with the range from XLow to XHigh where it is wide enough to see.
	X, XLow, XHigh, Y float64
	// Label is shown next to points of the front, Short next to others where there
	// is room. Title is shown when pointing at one.
	Label, Short, Title string
	// Front is set for points that no other one beats.
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
	var lines []box
	if s.Level >= y.low && s.Level <= y.high {
		lines = append(lines, s.level(p, y.at(s.Level), s.spots(p, x, y)))
	}
	steps := frontSteps(s.front(x, y), p.box)
	p.Polyline("front", steps, "")
	s.points(p, x, y, append(lines, segmentBoxes(steps)...))
}

// FromZero reports whether the axis of Y starts at zero.
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
	if zeros { // points at zero keep off the edge
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

// level draws the line to compare with and returns what its name covers: a place above
// or below the line, as far to the right as none of the points is in it.
func (s *Scatter) level(p *plot, y float64, points []box) box {
	p.Line("level", p.x, y, p.right(), y)
	w, h := textWidth(s.LevelText, p.text), p.text+7
	best, least := box{p.right() - 4 - w, y - 5 - p.text, w, h}, math.Inf(1)
	for x := best.x; x > p.x; x -= p.text {
		for _, at := range []box{{x, y - 5 - p.text, w, h}, {x, y + 3, w, h}} {
			covered := 100 * at.beyond(p.box)
			for _, o := range points {
				covered += at.overlap(o)
			}
			if covered < least {
				best, least = at, covered
			}
		}
	}
	p.write("faint last", best.x+w, best.y+p.text, s.LevelText)
	return best
}

// spots returns what the points cover, with their ranges.
func (s *Scatter) spots(p *plot, x, y axis) []box {
	var spots []box
	for _, point := range s.Points {
		r := p.text*0.42 + 2
		left, right := x.at(point.X), x.at(point.X)
		if low, high, ok := s.spread(point, x, p.text*0.42); ok {
			left, right = min(left, low), max(right, high)
		}
		spots = append(spots, box{left - r, y.at(point.Y) - r, right - left + 2*r, 2 * r})
	}
	return spots
}

// legend names the codings, and what full and empty markers are, above the plot.
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

// front returns the places of the points of the front, from left to right.
func (s *Scatter) front(x, y axis) []Point {
	var points []Point
	for _, p := range s.Points {
		if p.Front {
			points = append(points, Point{x.at(p.X), y.at(p.Y)})
		}
	}
	slices.SortFunc(points, func(a, b Point) int { return cmp.Or(cmp.Compare(a.X, b.X), cmp.Compare(a.Y, b.Y)) })
	return points
}

// frontSteps returns the line between what the points of a front, from left to
// right, make possible and what they do not: from the top of the plot to its right
// edge, since what is done in some time is also done in more.
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

// segmentBoxes returns what a line of upright and level segments covers.
func segmentBoxes(points []Point) []box {
	var boxes []box
	for i := 1; i < len(points); i++ {
		a, b := points[i-1], points[i]
		x, y := min(a.X, b.X), min(a.Y, b.Y)
		boxes = append(boxes, box{x - 1, y - 1, max(a.X, b.X) - x + 2, max(a.Y, b.Y) - y + 2})
	}
	return boxes
}

// points draws the points, their ranges and their labels, those of the front last.
func (s *Scatter) points(p *plot, x, y axis, lines []box) {
	sorted := slices.Clone(s.Points)
	slices.SortStableFunc(sorted, func(a, b ScatterPoint) int { return compareBools(a.Front, b.Front) })
	r := p.text * 0.42
	markers := make([]marker, len(sorted))
	for i, point := range sorted {
		markers[i] = marker{x: x.at(point.X), y: y.at(point.Y), label: point.Short, must: point.Front}
		if point.Front {
			markers[i].label = point.Label
		}
	}
	for i, point := range sorted {
		if low, high, ok := s.spread(point, x, r); ok {
			lines = append(lines, box{low, markers[i].y - 2, high - low, 4})
		}
	}
	placing := labelling{area: p.box, size: p.text, radius: r, lines: lines}
	labels := placing.place(markers)
	for i, l := range labels {
		if l.leader {
			m, end := markers[i], l.end(markers[i])
			p.Line("leader", m.x, m.y, end.X, end.Y)
		}
	}
	for i, point := range sorted {
		s.point(p, point, markers[i], x, r)
	}
	for i, l := range labels {
		if l.shown {
			p.write(labelClass(sorted[i].Coding, sorted[i].Front)+" middle", l.x+l.w/2, l.y+l.h*0.83, markers[i].label)
		}
	}
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

// spread returns where the range of a point's X starts and ends, if it reaches out
// of its marker far enough to see.
func (s *Scatter) spread(p ScatterPoint, x axis, radius float64) (low, high float64, ok bool) {
	low, high = x.at(p.XLow), x.at(p.XHigh)
	return low, high, p.X > 0 && high-low > 3*radius
}

// point draws a point, and the range of its X if that reaches out of the marker.
func (s *Scatter) point(p *plot, point ScatterPoint, m marker, x axis, r float64) {
	if low, high, ok := s.spread(point, x, r); ok {
		p.Line("spread "+point.Coding, low, m.y, high, m.y)
		for _, end := range []float64{low, high} {
			p.Line("spread "+point.Coding, end, m.y-3, end, m.y+3)
		}
	}
	class := "hollow "
	if point.Front {
		class = "mark outline "
	}
	p.marker(class+point.Coding, point.Coding, m.x, m.y, r, point.Title)
}
