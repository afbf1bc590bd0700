package page

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var almost = cmpopts.EquateApprox(1e-9, 0)

func TestLinearTicks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		low, high float64
		n         int
		want      []float64
	}{
		{0, 10, 5, []float64{0, 2, 4, 6, 8, 10}},
		{3, 9.5, 4, []float64{4, 6, 8}},
		{101, 149, 10, []float64{105, 110, 115, 120, 125, 130, 135, 140, 145}},
		{0.11, 0.14, 3, []float64{0.11, 0.12, 0.13, 0.14}},
		{-5, 5, 2, []float64{-5, 0, 5}},
		{4, 4, 5, []float64{4}},
		{math.NaN(), 4, 5, []float64{math.NaN()}},
	} {
		if got := linearTicks(test.low, test.high, test.n); !cmp.Equal(got, test.want, almost, cmpopts.EquateNaNs()) {
			t.Errorf("%v to %v: %v, want %v", test.low, test.high, got, test.want)
		}
	}
}

func TestLogTicks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		low, high float64
		n         int
		want      []float64
	}{
		{1, 10_000, 5, []float64{1, 10, 100, 1000, 10_000}},
		{0.9, 11, 9, []float64{1, 2, 5, 10}},
		{3e-6, 2e-3, 4, []float64{1e-5, 1e-4, 1e-3}},
		{1e-9, 100, 4, []float64{1e-9, 1e-6, 1e-3, 1}},
	} {
		if got := logTicks(test.low, test.high, test.n); !cmp.Equal(got, test.want, cmpopts.EquateApprox(1e-9, 0)) {
			t.Errorf("%v to %v: %v, want %v", test.low, test.high, got, test.want)
		}
	}
}

func TestSymlogTicks(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		low, high, unit float64
		n               int
		want            []float64
	}{
		{-10, 1000, 1, 9, []float64{-10, -1, 0, 1, 10, 100, 1000}},
		{-1, 5, 1, 9, []float64{-1, 0, 1}},
		{-0.01, 1e4, 0.01, 3, []float64{-0.01, 0, 0.01, 1, 100, 10_000}},
		{1, 100, 1, 9, []float64{1, 10, 100}},
	} {
		if got := symlogTicks(test.low, test.high, test.unit, test.n); !cmp.Equal(got, test.want, cmpopts.EquateApprox(1e-9, 0)) {
			t.Errorf("%v to %v by %v: %v, want %v", test.low, test.high, test.unit, got, test.want)
		}
	}
}

// TestRanges: values lie within, with room at both ends.
func TestRanges(t *testing.T) {
	t.Parallel()
	for _, values := range [][]float64{{0}, {1}, {3, 3, 3}, {1e-9, 37}, {0, 5}, {1e15, 1e15 + 1}} {
		low, high := linearRange(values)
		if !(low < high) || low < 0 || low > slices.Min(values) || high <= slices.Max(values) {
			t.Errorf("linear, %v: %v to %v", values, low, high)
		}
		low, high, zeros := logRange(values)
		if !(low > 0) || !(high >= 10*low*0.999) || high < slices.Max(values) || zeros != slices.Contains(values, 0) {
			t.Errorf("logarithmic, %v: %v to %v, zeros %v", values, low, high, zeros)
		}
	}
}

func TestAxis(t *testing.T) {
	t.Parallel()
	log := logAxis(1, 100).between(50, 150, 0)
	kept := logAxis(1, 100).between(50, 150, 20)
	upright := symlogAxis(-100, 100, 1).between(200, 0, 0)
	for _, test := range []struct {
		name        string
		axis        axis
		value, want float64
	}{
		{"linear", linearAxis(0, 10).between(100, 200, 0), 2.5, 125},
		{"linear, one value", linearAxis(3, 3).between(100, 200, 0), 3, 100},
		{"linear, beyond", linearAxis(0, 10).between(100, 200, 0), math.Inf(1), 200},
		{"linear, no number", linearAxis(0, 10).between(100, 200, 0), math.NaN(), 100},
		{"log", log, 10, 100},
		{"log, beyond", log, 1e9, 150},
		{"log, zero", log, 0, 50},
		{"log, zero kept", kept, 0, 50},
		{"log, low kept", kept, 1, 70},
		{"symlog, zero", upright, 0, 100},
		{"symlog, high", upright, 100, 0},
		{"symlog, endless", upright, math.Inf(-1), 200},
	} {
		if got := test.axis.at(test.value); !(math.Abs(got-test.want) <= 1e-9) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
	if gain, loss := upright.at(7), upright.at(-7); math.Abs(gain-100+loss-100) > 1e-9 {
		t.Errorf("symlog: 7 is at %v and -7 at %v: not as far from zero", gain, loss)
	}
}

func TestSymlogUnit(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ least, most, want float64 }{
		{math.Inf(1), 0, 1}, {3, 500, 1}, {0.02, 0.02, 0.01}, {1e-9, 1000, 0.1},
	} {
		if got := symlogUnit(test.least, test.most); !(math.Abs(got-test.want) <= 1e-9) {
			t.Errorf("%v to %v: %v, want %v", test.least, test.most, got, test.want)
		}
	}
}

func TestFrontSteps(t *testing.T) {
	t.Parallel()
	area := box{x: 0, y: 5, w: 100, h: 90}
	for _, test := range []struct{ front, want []Point }{
		{nil, nil},
		{[]Point{{10, 50}}, []Point{{10, 5}, {10, 50}, {100, 50}}},
		{[]Point{{10, 50}, {40, 80}}, []Point{{10, 5}, {10, 50}, {40, 50}, {40, 80}, {100, 80}}},
		{[]Point{{10, 50}, {10, 50}}, []Point{{10, 5}, {10, 50}, {10, 50}, {10, 50}, {100, 50}}},
	} {
		if got := frontSteps(test.front, area); !slices.Equal(got, test.want) {
			t.Errorf("%v: %v, want %v", test.front, got, test.want)
		}
	}
}

func TestSpread(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		places    []float64
		low, high float64
		want      []float64
	}{
		{nil, 0, 100, nil},
		{[]float64{20, 50}, 0, 100, []float64{20, 50}},
		{[]float64{50, 50, 50}, 0, 100, []float64{40, 50, 60}},
		{[]float64{98, 99}, 0, 100, []float64{90, 100}},
		{[]float64{-40, 1, 70}, 0, 100, []float64{0, 10, 70}},
		{[]float64{1, 2, 3}, 0, 10, []float64{0, 5, 10}},
		{[]float64{30, 36, 44}, 0, 100, []float64{26 + 2./3, 36 + 2./3, 46 + 2./3}},
	} {
		if got := spread(test.places, 10, test.low, test.high); !cmp.Equal(got, test.want, almost) {
			t.Errorf("%v: %v, want %v", test.places, got, test.want)
		}
	}
}

// TestPlace: labels that must be shown are, and none covers another or a marker
// while there is room for all.
func TestPlace(t *testing.T) {
	t.Parallel()
	var markers []marker
	for i := range 12 {
		markers = append(markers, marker{x: 100 + float64(i%4)*16, y: 100 + float64(i/4)*25, label: "br " + strconv.Itoa(i), must: i%2 == 0})
	}
	placing := labelling{area: box{0, 0, 400, 300}, size: 12, radius: 5}
	labels := placing.place(markers)
	for i, l := range labels {
		if !l.shown {
			if markers[i].must {
				t.Errorf("%s is not shown", markers[i].label)
			}
			continue
		}
		if l.beyond(placing.area) > 1e-6 {
			t.Errorf("%s lies outside: %v", markers[i].label, l.box)
		}
		for j, m := range markers {
			if i != j && l.overlap(box{m.x - 5, m.y - 5, 10, 10}) > 0 {
				t.Errorf("%s covers the marker of %s", markers[i].label, m.label)
			}
			if i != j && labels[j].shown && l.overlap(labels[j].box) > 0 {
				t.Errorf("%s covers %s", markers[i].label, m.label)
			}
		}
	}
}

// TestPlaceCrowded: in a place with no room at all, only what must be shown is.
func TestPlaceCrowded(t *testing.T) {
	t.Parallel()
	var markers []marker
	for i := range 30 {
		markers = append(markers, marker{x: 50, y: 50, label: "zstd 19", must: i == 7})
	}
	placing := labelling{area: box{0, 0, 100, 100}, size: 12, radius: 5, lines: []box{{0, 0, 100, 100}}}
	for i, l := range placing.place(markers) {
		if l.shown != (i == 7) {
			t.Errorf("label %d: shown %v", i, l.shown)
		}
	}
}

func TestAlong(t *testing.T) {
	t.Parallel()
	b := box{10, 10, 20, 10}
	for _, test := range []struct {
		from, to Point
		want     float64
	}{
		{Point{0, 15}, Point{100, 15}, 20},
		{Point{20, 0}, Point{20, 12}, 2},
		{Point{0, 0}, Point{100, 100}, 10 * math.Sqrt2},
		{Point{0, 30}, Point{100, 30}, 0},
		{Point{0, 40}, Point{9, 0}, 0},
		{Point{12, 12}, Point{12, 15}, 3},
		{Point{40, 15}, Point{50, 15}, 0},
	} {
		if got, back := b.along(test.from, test.to), b.along(test.to, test.from); math.Abs(got-test.want) > 1e-9 || math.Abs(back-test.want) > 1e-9 {
			t.Errorf("%v to %v: %v and %v, want %v", test.from, test.to, got, back, test.want)
		}
	}
	if b.crosses([]Point{{0, 0}, {5, 5}, {5, 50}}) || !b.crosses([]Point{{0, 0}, {5, 15}, {50, 15}}) {
		t.Error("wrong on lines of several segments")
	}
}

// TestLevelName: the name of the line to compare with keeps off points at its right end.
func TestLevelName(t *testing.T) {
	t.Parallel()
	s := &Scatter{LevelText: "size before"}
	p := newPlot(&Canvas{Width: 800}, 1, 16)
	y := p.y + 100
	free := s.level(p, y, nil)
	for _, points := range [][]box{
		{{p.right() - 30, y - 10, 12, 12}},
		{{p.right() - 30, y - 10, 12, 30}},
		{{p.right() - 30, y - 15, 12, 8}, {p.right() - 120, y, 12, 20}},
	} {
		at := s.level(p, y, points)
		for _, o := range points {
			if at.overlap(o) > 0 || at == free {
				t.Errorf("the name at %v covers %v", at, o)
			}
		}
		if at.beyond(p.box) > 0 {
			t.Errorf("the name lies outside: %v", at)
		}
	}
}

// TestMarkName: no line runs through the name of the mark while there is room.
func TestMarkName(t *testing.T) {
	t.Parallel()
	c := &Lines{Low: 1, High: 10_000, Mark: 100, MarkText: "link: 100 Mbit/s", Lines: []Line{
		{Value: func(x float64) float64 { return 1/x - 0.001 }}, {Value: func(x float64) float64 { return 2/x - 1 }}, {Value: func(x float64) float64 { return 2/x - 0.1 }},
	}}
	p := newPlot(&Canvas{Width: 800}, 1, 60)
	x, y, _ := c.axes(p)
	name := c.markName(p, x, y)
	for i, l := range c.Lines {
		if name.crosses(c.sample(l, c.Low, c.High, x, y)) {
			t.Errorf("line %d runs through the name at %v", i, name)
		}
	}
	if name.beyond(p.box) > 0 {
		t.Errorf("the name lies outside: %v", name)
	}
	if c.Lines = c.Lines[:1]; c.markName(p, x, y).y+p.text+7 != p.bottom() {
		t.Error("with room at the bottom, the name is not there")
	}
	for _, mark := range []float64{1, 10_000} {
		if c.Mark = mark; c.markName(p, x, y).beyond(p.box) > 0 {
			t.Errorf("at %v the name lies outside", mark)
		}
	}
}

// TestPlaceLeaders: labels keep off the lines that lead to other labels.
func TestPlaceLeaders(t *testing.T) {
	t.Parallel()
	markers := []marker{{x: 100, y: 100, label: "deflate 5", must: true}, {x: 140, y: 60, label: "4"}}
	placing := labelling{area: box{0, 0, 400, 300}, size: 12, radius: 5}
	led := label{box: box{170, 54, 60, 12}, shown: true, leader: true} // past the other marker
	from, to := Point{100, 100}, led.end(markers[0])
	got, _ := placing.best(1, markers, []label{led, {}}, 1)
	if got.along(from, to) > 0 {
		t.Errorf("%v lies on the line from %v to %v", got.box, from, to)
	}
	if cost := placing.covered(label{box: box{130, 70, 20, 20}, shown: true}, 1, markers, []label{led, {}}); cost == 0 {
		t.Error("a line beside a label counts for nothing")
	}
	own := label{box: box{130, 10, 20, 12}, shown: true, leader: true}
	if cost := placing.covered(own, 1, markers, []label{{box: box{136, 30, 30, 12}, shown: true}, {}}); cost == 0 {
		t.Error("a line through another's label counts for nothing")
	}
}
