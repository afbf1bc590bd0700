package page

import (
	"math"
	"slices"
)

// axis maps values to coordinates. Values outside of its range, and NaN, are mapped to one of
// its ends: coordinates are always finite.
type axis struct {
	transform func(float64) float64
	// low and high are the ends of the range, from and to their coordinates.
	low, high, from, to float64
	// zero is the coordinate of values up to 0 on a logarithmic axis, before its range;
	// equal to from if there are no such values.
	zero float64
}

// linearAxis returns an axis of equal steps from low to high.
func linearAxis(low, high float64) axis {
	return axis{transform: func(v float64) float64 { return v }, low: low, high: high}
}

// logAxis returns an axis of equal factors from low to high, both above zero.
func logAxis(low, high float64) axis {
	return axis{transform: math.Log10, low: low, high: high}
}

// symlogAxis returns an axis that is linear up to about unit on both sides of zero, and
// logarithmic beyond: it shows gains and losses of any size.
func symlogAxis(low, high, unit float64) axis {
	return axis{transform: func(v float64) float64 { return math.Asinh(v / unit) }, low: low, high: high}
}

// between sets the coordinates of the axis: low is at from, high at to. If room for zero is
// kept, values up to zero are at from, and low is that much further.
func (a axis) between(from, to, kept float64) axis {
	a.zero, a.from, a.to = from, from+kept, to
	return a
}

// at returns the coordinate of a value.
func (a axis) at(v float64) float64 {
	if !(v > 0) && a.zero != a.from {
		return a.zero
	}
	v = min(max(v, a.low), a.high)
	low, high := a.transform(a.low), a.transform(a.high)
	share := (a.transform(v) - low) / (high - low)
	if math.IsNaN(share) || math.IsInf(share, 0) {
		share = 0
	}
	return a.from + share*(a.to-a.from)
}

// linearTicks returns values between low and high, about n of them, whose steps are
// 1, 2 or 5 times a power of ten.
func linearTicks(low, high float64, n int) []float64 {
	if !(high > low) || n < 1 {
		return []float64{low}
	}
	step := niceStep((high - low) / float64(n))
	var ticks []float64
	for i := math.Ceil(low/step - 1e-9); i*step <= high+step*1e-9; i++ {
		ticks = append(ticks, i*step)
	}
	return ticks
}

// niceStep returns the smallest number of 1, 2 or 5 times a power of ten that is at least
// step.
func niceStep(step float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(step)))
	for _, factor := range []float64{1, 2, 5} {
		if step <= factor*power*(1+1e-9) {
			return factor * power
		}
	}
	return 10 * power
}

// linearRange returns a range with a margin around values that are not negative. It starts
// at zero if it would start close to it. Almost equal values are not drawn far apart.
func linearRange(values []float64) (low, high float64) {
	low, high = slices.Min(values), slices.Max(values)
	room := max((high-low)*0.1, high*0.005, 1)
	if low -= room; low < high*0.02 { // too little to be seen
		low = 0
	}
	return low, high + room
}

// logTicks returns at most about n values between low and high: powers of ten, or every
// second or third of them, or also 2 and 5 times each where these are few.
func logTicks(low, high float64, n int) []float64 {
	first, last := int(math.Floor(math.Log10(low)+1e-9)), int(math.Ceil(math.Log10(high)-1e-9))
	decades := math.Log10(high / low)
	factors, every := []float64{1}, 1
	switch {
	case decades*3 <= float64(n):
		factors = []float64{1, 2, 5}
	case decades > float64(n):
		every = int(math.Ceil(decades / float64(n)))
	}
	var ticks []float64
	for power := first; power <= last; power += every {
		for _, factor := range factors {
			if v := factor * math.Pow(10, float64(power)); v >= low*(1-1e-9) && v <= high*(1+1e-9) {
				ticks = append(ticks, v)
			}
		}
	}
	return ticks
}

// logRange returns a range with a margin around the values above zero, and whether there are
// others. The range covers at least a factor of ten.
func logRange(values []float64) (low, high float64, zeros bool) {
	low, high = math.Inf(1), 0
	for _, v := range values {
		if !(v > 0) {
			zeros = true
			continue
		}
		low, high = min(low, v), max(high, v)
	}
	if high == 0 {
		low, high = 1, 1
	}
	room := math.Pow(high/low, 0.06)
	low, high = low/room, high*room
	if missing := 10 / (high / low); missing > 1 {
		low, high = low/math.Sqrt(missing), high*math.Sqrt(missing)
	}
	return low, high, zeros
}

// symlogTicks returns zero and, on both sides of it, powers of ten from unit on, within low
// and high; if these are many, every second or third.
func symlogTicks(low, high, unit float64, n int) []float64 {
	first := math.Ceil(math.Log10(unit) - 1e-9)
	decades := math.Max(0, math.Log10(max(high, unit))-first) + math.Max(0, math.Log10(max(-low, unit))-first)
	every := math.Max(1, math.Ceil(decades/float64(n)))
	var ticks []float64
	for power := first; math.Pow(10, power) <= max(high, -low)*(1+1e-9); power += every {
		v := math.Pow(10, power)
		if v <= high*(1+1e-9) {
			ticks = append(ticks, v)
		}
		if v <= -low*(1+1e-9) {
			ticks = append(ticks, -v)
		}
	}
	if low <= 0 && high >= 0 {
		ticks = append(ticks, 0)
	}
	slices.Sort(ticks)
	return ticks
}
