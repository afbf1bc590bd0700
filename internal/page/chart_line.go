package page

import (
	"cmp"
	"math"
	"slices"
)

// Lines is a chart of values, on both sides of zero, over a logarithmic X. Bands show where
// each line is the best.
type Lines struct {
	// XTitle and YTitle name the axes. XText and YText format the values of ticks.
	XTitle, YTitle string
	XText, YText   func(float64) string
	// Low and High are the ends of X, both above zero.
	Low, High float64
	Lines     []Line
	// Bands adjoin each other, and cover Low to High.
	Bands []Band
	// Mark is a value of X that a vertical line shows, MarkText its name.
	Mark     float64
	MarkText string
}

// Line is a line of [Lines].
type Line struct {
	// Coding sets the color.
	Coding string
	// Best is set for lines that have a band. They are thick there.
	Best bool
	// Label is at the right end of the line, Title is its tooltip.
	Label, Title string
	// Value returns Y at X.
	Value func(x float64) float64
}

// Band is a range of X where a line is the best.
type Band struct {
	From, To float64
	// Line is its index, or -1 if zero is better than each.
	Line int
	// Label is the name of the band. Short is used where Label is too wide.
	Label, Short string
}

// Draw draws the chart, for a [Figure].
func (c *Lines) Draw(canvas *Canvas) {
	longest := 0.0
	for _, l := range c.Lines {
		longest = max(longest, textWidth(l.Label, textSize(canvas)))
	}
	p := newPlot(canvas, 1, 16+longest)
	x, y, unit := c.axes(p)
	c.bands(p, x)
	p.yAxis(y, symlogTicks(y.low, y.high, unit, p.yTicks+2), c.YText, c.YTitle)
	p.xAxis(x, logTicks(x.low, x.high, 5), c.XText, c.XTitle)
	p.Line("axis", p.x, y.at(0), p.right(), y.at(0))
	for _, l := range c.Lines {
		p.Polyline("thin "+l.Coding, c.sample(l, c.Low, c.High, x, y), l.Title)
	}
	c.envelope(p, x, y)
	c.labels(p, y)
	c.mark(p, x, y)
}

// mark draws the line of the mark, with a gap for its name if that is across the line.
func (c *Lines) mark(p *plot, x, y axis) {
	at, name := x.at(c.Mark), c.markName(p, x, y)
	if name.x < at && at < name.x+name.w {
		p.Line("here", at, p.y, at, name.y)
		p.Line("here", at, name.y+name.h, at, p.bottom())
	} else {
		p.Line("here", at, p.y, at, p.bottom())
	}
	p.write("halo middle", name.x+name.w/2, name.y+p.text, c.MarkText)
}

// markName returns where the mark's name is placed, next to its line or across it: in the
// lowest place that no other line crosses, or that the fewest cross.
func (c *Lines) markName(p *plot, x, y axis) box {
	at, w, h := x.at(c.Mark), textWidth(c.MarkText, p.text), p.text+5
	lines := [][]Point{{{p.x, y.at(0)}, {p.right(), y.at(0)}}}
	for _, l := range c.Lines {
		lines = append(lines, c.sample(l, c.Low, c.High, x, y))
	}
	var places []box
	for _, start := range []float64{at + 6, at - 6 - w, at - w/2} {
		for low := p.bottom() - 2; low-h > p.y; low -= 4 {
			places = append(places, box{start - 2, low - h, w + 4, h})
		}
	}
	return cheapest(places, func(name box) float64 {
		cost := name.beyond(p.box)
		for _, line := range lines {
			if name.crosses(line) {
				cost++
			}
		}
		return cost
	})
}

// axes returns the axes, and the value up to which the vertical one is linear.
func (c *Lines) axes(p *plot) (x, y axis, unit float64) {
	values := []float64{0}
	least := math.Inf(1)
	for _, l := range c.Lines {
		for _, v := range []float64{l.Value(c.Low), l.Value(c.High)} {
			values = append(values, v)
			if v != 0 {
				least = min(least, math.Abs(v))
			}
		}
	}
	low, high := slices.Min(values), slices.Max(values)
	unit = symlogUnit(least, max(high, -low))
	// some of both sides of zero is always visible
	y = symlogAxis(min(low*1.6, -unit), max(high*1.6, unit), unit).between(p.bottom(), p.y, 0)
	return logAxis(c.Low, c.High).between(p.x, p.right(), 0), y, unit
}

// symlogUnit returns the power of ten up to which an axis is linear. Values have magnitudes
// from least to most.
func symlogUnit(least, most float64) float64 {
	if !(most > 0) {
		return 1
	}
	return math.Pow(10, math.Floor(math.Log10(max(least, most*1e-4))))
}

// bands draws the bands, with their names above them where these fit.
func (c *Lines) bands(p *plot, x axis) {
	tab := p.text + 9
	for _, b := range c.Bands {
		if b.To <= x.low || b.From >= x.high {
			continue
		}
		coding := "identity"
		if b.Line >= 0 {
			coding = c.Lines[b.Line].Coding
		}
		from, to := x.at(b.From), x.at(b.To)
		p.Rect("band "+coding, from, p.y, to-from, p.h, b.Label)
		p.Rect("tab "+coding, from, p.y-tab, to-from, tab, b.Label)
		for _, text := range []string{b.Label, b.Short} {
			if textWidth(text, p.text) <= to-from-4 {
				p.write("strong middle label "+coding, (from+to)/2, p.y-7, text)
				break
			}
		}
	}
}

// envelope draws the parts of lines that are the best, thick.
func (c *Lines) envelope(p *plot, x, y axis) {
	for _, b := range c.Bands {
		from, to := max(b.From, c.Low), min(b.To, c.High)
		if b.Line >= 0 && from < to {
			l := c.Lines[b.Line]
			p.Polyline("thick "+l.Coding, c.sample(l, from, to, x, y), l.Title)
		}
	}
}

// sample returns points along a line, enough that it looks smooth.
func (c *Lines) sample(l Line, from, to float64, x, y axis) []Point {
	at := func(v float64) Point { return Point{x.at(v), y.at(l.Value(v))} }
	points := []Point{at(from)}
	var add func(from, to float64, a, b Point, depth int)
	add = func(from, to float64, a, b Point, depth int) {
		middle := math.Sqrt(from * to)
		m := at(middle)
		bend := math.Abs(m.X-(a.X+b.X)/2) + math.Abs(m.Y-(a.Y+b.Y)/2)
		// the middle alone may hide a second bend, so the first halves are always divided
		if depth < 5 || depth < 12 && bend > 0.4 {
			add(from, middle, a, m, depth+1)
			add(middle, to, m, b, depth+1)
			return
		}
		points = append(points, b)
	}
	add(from, to, points[0], at(to), 0)
	return points
}

// labels writes the names of lines at their right ends: first of those that are the best
// somewhere, then of others while there is room.
func (c *Lines) labels(p *plot, y axis) {
	height := p.text * 1.12
	named := slices.Clone(c.Lines)
	slices.SortStableFunc(named, func(a, b Line) int { return compareBools(b.Best, a.Best) })
	named = named[:min(len(named), int(p.h/height))]
	slices.SortStableFunc(named, func(a, b Line) int { return cmp.Compare(y.at(a.Value(c.High)), y.at(b.Value(c.High))) })
	places := make([]float64, len(named))
	for i, l := range named {
		places[i] = y.at(l.Value(c.High))
	}
	for i, at := range spread(places, height, p.y+height/2, p.bottom()-height/2) {
		p.Line("leader", p.right()+1, places[i], p.right()+9, at)
		p.write(labelClass(named[i].Coding, named[i].Best), p.right()+12, at+p.text*0.35, named[i].Label)
	}
}

// spread moves ascending places apart, so that neighbours are at least a gap from each other
// and all are between low and high, each as near as possible to where it was. If there is too
// little room, the gap is smaller.
func spread(places []float64, gap, low, high float64) []float64 {
	if n := len(places) - 1; n > 0 {
		gap = min(gap, (high-low)/float64(n))
	}
	// neighbours that touch form a group, which moves as a whole; groups that overlap merge
	type group struct {
		sum  float64 // of the starts of the group that each place would choose
		n    int
		from float64
	}
	place := func(g group) group {
		g.from = min(max(g.sum/float64(g.n), low), high-gap*float64(g.n-1))
		return g
	}
	var groups []group
	for _, at := range places {
		g := place(group{sum: at, n: 1})
		for len(groups) > 0 {
			last := groups[len(groups)-1]
			if last.from+gap*float64(last.n) <= g.from+1e-9 {
				break
			}
			groups = groups[:len(groups)-1]
			g = place(group{sum: last.sum + g.sum - gap*float64(last.n*g.n), n: last.n + g.n})
		}
		groups = append(groups, g)
	}
	var moved []float64
	for _, g := range groups {
		for i := range g.n {
			moved = append(moved, g.from+gap*float64(i))
		}
	}
	return moved
}
