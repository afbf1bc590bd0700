package page

import (
	"math"
	"unicode/utf8"
)

// box is a rectangle in a chart: its top left corner and its size.
type box struct{ x, y, w, h float64 }

// overlap returns the area that two boxes share.
func (b box) overlap(o box) float64 {
	w := min(b.x+b.w, o.x+o.w) - max(b.x, o.x)
	h := min(b.y+b.h, o.y+o.h) - max(b.y, o.y)
	return max(w, 0) * max(h, 0)
}

// beyond returns the area of a box that is outside of another.
func (b box) beyond(o box) float64 { return b.w*b.h - b.overlap(o) }

// crosses reports whether a line runs through a box.
func (b box) crosses(line []Point) bool {
	for i := 1; i < len(line); i++ {
		if b.along(line[i-1], line[i]) > 0 {
			return true
		}
	}
	return false
}

// along returns the length of the part of a segment that is inside a box.
func (b box) along(from, to Point) float64 {
	start, end := 0.0, 1.0 // shares of the segment
	for _, side := range [...]struct{ from, to, low, high float64 }{{from.X, to.X, b.x, b.x + b.w}, {from.Y, to.Y, b.y, b.y + b.h}} {
		step := side.to - side.from
		if step == 0 {
			if side.from < side.low || side.from > side.high {
				return 0
			}
			continue
		}
		one, two := (side.low-side.from)/step, (side.high-side.from)/step
		start, end = max(start, min(one, two)), min(end, max(one, two))
	}
	return max(end-start, 0) * math.Hypot(to.X-from.X, to.Y-from.Y)
}

// textWidth estimates the width of a text of any size; see [TextWidth] for names.
func textWidth(text string, size float64) float64 {
	return float64(utf8.RuneCountInString(text)) * size * 0.58
}

// marker is a point of a chart that may have a label.
type marker struct {
	x, y  float64
	label string
	// must is set if the label is shown even where it covers something.
	must bool
}

// label is where the label of a marker is placed. A label at some distance has a leader: a
// line to its marker.
type label struct {
	box
	shown, leader bool
}

// end returns the end of the leader: the point of the label that is nearest to the marker.
func (l label) end(m marker) Point {
	return Point{min(max(m.x, l.x), l.x+l.w), min(max(m.y, l.y), l.y+l.h)}
}

// labelling places labels.
type labelling struct {
	area   box     // that labels must not leave
	size   float64 // of text
	radius float64 // of markers
	lines  []box   // that labels should not cover
}

// labelDistances are the distances between a marker and its label, in the order in which
// they are tried.
var labelDistances = [...]float64{2, 9, 18, 30, 44}

// place places the labels of markers so that they cover neither markers nor each other.
// Labels that must be shown are placed first, three times over, since each placement may
// free a better place for another. Other labels are shown only in a free place close by.
func (l *labelling) place(markers []marker) []label {
	labels := make([]label, len(markers))
	for range 3 {
		for i, m := range markers {
			if m.must && m.label != "" {
				labels[i].shown = false
				labels[i], _ = l.best(i, markers, labels, len(labelDistances))
			}
		}
	}
	for i, m := range markers {
		if m.must || m.label == "" {
			continue
		}
		if found, cost := l.best(i, markers, labels, 1); cost == 0 {
			labels[i] = found
		}
	}
	return labels
}

// best returns the place of least cost for a marker's label, at one of the first so many
// distances. The cost is zero if the label covers nothing. The first of equals wins.
func (l *labelling) best(i int, markers []marker, labels []label, distances int) (best label, cost float64) {
	m := markers[i]
	w, h := textWidth(m.label, l.size), l.size
	least := math.Inf(1)
	for step, distance := range labelDistances[:distances] {
		for _, d := range [...][2]float64{{1, 0}, {-1, 0}, {0, -1}, {0, 1}, {1, -1}, {-1, 1}, {1, 1}, {-1, -1}} {
			reach := l.radius + distance
			if d[0] != 0 && d[1] != 0 {
				reach *= 0.75
			}
			b := box{x: m.x + d[0]*(reach+w/2) - w/2, y: m.y + d[1]*(reach+h/2) - h/2, w: w, h: h}
			placed := label{box: b, shown: true, leader: step > 1}
			covered := l.covered(placed, i, markers, labels)
			// a label is placed further away only to cover less
			if total := covered + float64(step)*l.size*0.5; total < least {
				least, cost = total, covered
				best = placed
			}
		}
	}
	return best, cost
}

// leaderWeight is the cost of a pixel of a leader on a label, in square pixels covered.
const leaderWeight = 8

// wider returns a box with a margin around it.
func (b box) wider(margin float64) box {
	return box{b.x - margin, b.y - margin, b.w + 2*margin, b.h + 2*margin}
}

// covered returns the cost of what a label and its leader would cover, and of leaders that
// would cross the label.
func (l *labelling) covered(b label, self int, markers []marker, labels []label) float64 {
	cost := 100 * b.beyond(l.area)
	from, to := Point{markers[self].x, markers[self].y}, b.end(markers[self])
	for i, m := range markers {
		if i == self {
			continue
		}
		r := l.radius
		cost += 3 * b.overlap(box{m.x - r, m.y - r, 2 * r, 2 * r})
		if labels[i].shown {
			o := labels[i]
			cost += 5 * b.overlap(o.box)
			if o.leader {
				cost += leaderWeight * b.wider(2).along(Point{m.x, m.y}, o.end(m))
			}
			if b.leader {
				cost += leaderWeight * o.wider(2).along(from, to)
			}
		}
	}
	for _, line := range l.lines {
		cost += b.overlap(line)
	}
	if cost < 1e-6 {
		return 0
	}
	return cost
}

// cheapest returns the first of the places with the least cost.
func cheapest(places []box, cost func(box) float64) (best box) {
	least := math.Inf(1)
	for _, place := range places {
		if c := cost(place); c < least {
			best, least = place, c
		}
	}
	return best
}
