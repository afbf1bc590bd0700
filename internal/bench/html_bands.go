package bench

import "slices"

// band is a range of link speeds, in Mbit/s, where one way to send is the quickest.
type band struct {
	// row is an index of Result.Rows, or identity for sending files as they are.
	row      int
	from, to float64
}

// identity stands for sending files as they are, in place of a row.
const identity = -1

// sending is what a way to send comes to: it saves size ÷ speed − cost seconds for
// each request, with the speed in Mbit/s.
type sending struct {
	// row is as that of a band.
	row int
	// size is what is saved in megabits, cost is in seconds.
	size, cost float64
}

// gain returns the seconds saved at a speed.
func (s sending) gain(mbits float64) float64 { return s.size/mbits - s.cost }

// sending returns what a row comes to if compressing is spread over requests.
func (r *Result) sending(row Row, requests int) sending {
	return sending{size: float64(r.Saved(row)) * 8 / 1e6, cost: row.Compress.Median.Seconds() / float64(requests)}
}

// bands returns which row is the quickest at which speed: ranges that follow each
// other from 0 up to +Inf. Over 1 ÷ speed, the gains are straight lines, and what is
// sought is the upper of them all at each place. It starts where the speed is without
// limit and only the cost counts, and goes from one crossing to the next.
func (r *Result) bands(requests int) []band {
	now := sending{row: identity}
	var others []sending
	for i, row := range r.Rows {
		s := r.sending(row, requests)
		s.row = i
		others = append(others, s)
	}
	var bands []band
	at := 0.0 // 1 ÷ speed
	for {
		next, crossing := nextAbove(now, others)
		if next == nil {
			break
		}
		if crossing > at {
			bands = append(bands, band{row: now.row, from: 1 / crossing, to: 1 / at})
			at = crossing
		}
		now = *next
	}
	bands = append(bands, band{row: now.row, from: 0, to: 1 / at})
	slices.Reverse(bands)
	return bands
}

// nextAbove returns what becomes quicker than now first as links get slower, and at
// which 1 ÷ speed; nil if nothing does. Of those that do at the same, it is the first:
// the others follow it.
func nextAbove(now sending, others []sending) (next *sending, crossing float64) {
	for i, o := range others {
		if o.size <= now.size {
			continue
		}
		at := (o.cost - now.cost) / (o.size - now.size)
		if next == nil || at < crossing {
			next, crossing = &others[i], at
		}
	}
	return next, crossing
}
