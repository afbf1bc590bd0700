package bench

import (
	"cmp"
	"fmt"
	"slices"
)

// identity stands for sending files as they are, in place of the index of a row.
const identity = -1

// comparison compares the rows of a result over a link, with each other and with
// sending files as they are.
type comparison struct {
	*Result
	link  Link
	bands []band
}

func newComparison(r *Result, link Link) comparison {
	return comparison{r, link, r.bands(link.Requests)}
}

// name names a row, as in "br 11", or sending files as they are.
func (c comparison) name(row int) string {
	if row == identity {
		return "identity"
	}
	return c.Rows[row].name()
}

func (r Row) name() string { return fmt.Sprintf("%s %d", r.Coding, r.Level) }

// breakEven and gain are those at the link; the gain is in seconds.
func (c comparison) breakEven(row Row) float64 { return c.BreakEven(row, c.link.Requests) }
func (c comparison) gain(row Row) float64 {
	return c.tradeoff(row, c.link.Requests).gain(c.link.Mbits)
}

// smallest returns the row with the fewest bytes; ties go to the fastest; identity if no
// row saves bytes.
func (c comparison) smallest() int {
	return c.first(func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Compress.Median, b.Compress.Median))
	})
}

// fastest returns the row that saves bytes and takes the least time to compress, and of
// equals the smallest; identity if no row saves bytes.
func (c comparison) fastest() int {
	return c.first(func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Compress.Median, b.Compress.Median), cmp.Compare(a.Bytes, b.Bytes))
	})
}

// first returns the first row, in an order, of those that save bytes, or identity.
func (c comparison) first(order func(a, b Row) int) int {
	first := identity
	for i, row := range c.Rows {
		if c.Saved(row) > 0 && (first == identity || order(row, c.Rows[first]) < 0) {
			first = i
		}
	}
	return first
}

// bestAtLink returns the row that is the quickest at the link's speed, or identity.
func (c comparison) bestAtLink() int {
	for _, b := range c.bands {
		if c.link.Mbits < b.to {
			return b.row
		}
	}
	return identity
}

// isBest reports whether a row is the quickest at some speed.
func (c comparison) isBest(row int) bool {
	return slices.ContainsFunc(c.bands, func(b band) bool { return b.row == row })
}

// drawn returns the rows that have a line in the chart of gains: those on the Pareto
// front, and those that are the best at some speed, which may be off the front only if
// another row is their equal.
func (c comparison) drawn() (rows []int) {
	for i, row := range c.Rows {
		if row.Pareto || c.isBest(i) {
			rows = append(rows, i)
		}
	}
	return rows
}

// ManyRows reports whether there are so many rows that drawing the ranges of all would
// hide what is behind them.
func (c comparison) ManyRows() bool { return len(c.Rows) > 20 }

// codings returns the codings of the rows, each once.
func (c comparison) codings() (names []string) {
	for _, row := range c.Rows {
		if !slices.Contains(names, string(row.Coding)) {
			names = append(names, string(row.Coding))
		}
	}
	return names
}

// band is a range of link speeds, in Mbit/s, in which one way to send is the quickest.
type band struct {
	row      int // or identity
	from, to float64
}

// tradeoff is what a row saves and costs for each request.
type tradeoff struct {
	row   int     // or identity
	saved float64 // megabits
	cost  float64 // seconds
}

// gain returns the seconds saved at a speed in Mbit/s.
func (t tradeoff) gain(mbits float64) float64 { return t.saved/mbits - t.cost }

// tradeoff returns that of a row, with its time to compress spread over requests.
func (r *Result) tradeoff(row Row, requests int) tradeoff {
	return tradeoff{saved: float64(r.Saved(row)) * 8 / 1e6, cost: row.Compress.Median.Seconds() / float64(requests)}
}

// bands returns which row is the quickest at which speed: adjoining ranges from 0 to +Inf.
// Over 1 ÷ speed, the gains are straight lines, and the result is their upper envelope. The
// search starts at unlimited speed, where only the cost counts, and goes from one crossing
// to the next.
func (r *Result) bands(requests int) []band {
	now := tradeoff{row: identity}
	var others []tradeoff
	for i, row := range r.Rows {
		t := r.tradeoff(row, requests)
		t.row = i
		others = append(others, t)
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

// nextAbove returns which of the others is the first to become quicker than now as links
// get slower, and at which 1 ÷ speed; nil if none does. Of several at the same speed it
// returns the first: bands then goes on to the others.
func nextAbove(now tradeoff, others []tradeoff) (next *tradeoff, crossing float64) {
	for i, o := range others {
		if o.saved <= now.saved {
			continue
		}
		at := (o.cost - now.cost) / (o.saved - now.saved)
		if next == nil || at < crossing {
			next, crossing = &others[i], at
		}
	}
	return next, crossing
}
