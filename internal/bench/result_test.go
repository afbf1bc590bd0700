package bench

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTiming(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		runs []time.Duration
		want Timing
	}{
		{[]time.Duration{5}, Timing{5, 5, 5}},
		{[]time.Duration{9, 1, 4}, Timing{4, 1, 9}},
		{[]time.Duration{10, 2, 4, 3}, Timing{3, 2, 10}}, // between 3 and 4, rounded down
		{[]time.Duration{8, 2}, Timing{5, 2, 8}},
		{[]time.Duration{math.MaxInt64, math.MaxInt64}, Timing{math.MaxInt64, math.MaxInt64, math.MaxInt64}},
	} {
		given := append([]time.Duration{}, test.runs...)
		if got := newTiming(test.runs); got != test.want {
			t.Errorf("%v: got %v, want %v", test.runs, got, test.want)
		}
		if diff := cmp.Diff(given, test.runs); diff != "" {
			t.Errorf("the runs were put in another order: %s", diff)
		}
	}
}

func TestWorth(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for _, test := range []struct {
		name      string
		bytes     int64
		compress  time.Duration
		link      Link
		ratio     float64
		breakEven float64
		gain      time.Duration
	}{
		// 1,000,000 bytes become 500,000: 4 Mbit are saved.
		{"pays", 500_000, 20 * ms, Link{100, 1}, 2, 200, 20 * ms},
		{"at the break-even", 500_000, 40 * ms, Link{100, 1}, 2, 100, 0},
		{"costs", 500_000, 80 * ms, Link{100, 1}, 2, 50, -40 * ms},
		{"a slow link", 500_000, 80 * ms, Link{1, 1}, 2, 50, 3920 * ms},
		{"spread over requests", 500_000, 80 * ms, Link{100, 4}, 2, 200, 20 * ms},
		{"larger", 1_250_000, 20 * ms, Link{100, 1}, 0.8, 0, -40 * ms},
		{"the same size", 1_000_000, 20 * ms, Link{100, 1}, 1, 0, -20 * ms},
	} {
		r := &Result{Bytes: 1_000_000}
		row := Row{Bytes: test.bytes, Compress: Timing{Median: test.compress}}
		if got := r.Ratio(row); got != test.ratio {
			t.Errorf("%s: ratio %v, want %v", test.name, got, test.ratio)
		}
		if got := r.BreakEven(row, test.link.Requests); math.Abs(got-test.breakEven) > 1e-9 {
			t.Errorf("%s: break-even %v, want %v", test.name, got, test.breakEven)
		}
		if got := r.Gain(row, test.link); (got - test.gain).Abs() > time.Nanosecond {
			t.Errorf("%s: gain %v, want %v", test.name, got, test.gain)
		}
		if got := r.Saved(row); got != 1_000_000-test.bytes {
			t.Errorf("%s: saved %d", test.name, got)
		}
	}
}

// TestWorthOfNothing has rows that no measurement makes: all numbers are finite even so.
func TestWorthOfNothing(t *testing.T) {
	t.Parallel()
	for _, r := range []*Result{{}, {Bytes: 10}} {
		for _, row := range []Row{{}, {Bytes: 1}, {Compress: Timing{Median: 1}}} {
			for _, x := range []float64{r.Ratio(row), r.BreakEven(row, 1)} {
				if math.IsNaN(x) || math.IsInf(x, 0) {
					t.Errorf("%d bytes become %d in %v: %v", r.Bytes, row.Bytes, row.Compress.Median, x)
				}
			}
		}
	}
}

func TestPareto(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		rows [][2]int64 // bytes and time
		want []bool
	}{
		{"a front", [][2]int64{{50, 1}, {40, 2}, {30, 9}}, []bool{true, true, true}},
		{"slower and no smaller", [][2]int64{{50, 1}, {50, 2}, {40, 3}}, []bool{true, false, true}},
		{"larger and no faster", [][2]int64{{60, 1}, {50, 1}}, []bool{false, true}},
		{"larger and slower", [][2]int64{{50, 2}, {60, 3}}, []bool{true, false}},
		{"equals", [][2]int64{{50, 2}, {50, 2}}, []bool{true, true}},
		{"no smaller than identity", [][2]int64{{100, 1}, {101, 1}, {99, 5}}, []bool{false, false, true}},
		{"alone", [][2]int64{{99, 7}}, []bool{true}},
		{"none", nil, nil},
	} {
		var rows []Row
		for _, r := range test.rows {
			rows = append(rows, Row{Bytes: r[0], Compress: Timing{Median: time.Duration(r[1])}})
		}
		markPareto(rows, 100)
		var got []bool
		for _, r := range rows {
			got = append(got, r.Pareto)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: %s", test.name, diff)
		}
	}
}
