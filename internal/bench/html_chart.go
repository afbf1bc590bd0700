package bench

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/precompress/precompress/internal/page"
)

// Speeds in Mbit/s that the chart of gains always covers.
const (
	slowest = 1
	fastest = 10_000
)

// sizesFigure draws bytes against times to compress, and reports whether the axis of
// bytes starts at zero.
func sizesFigure(c comparison, id string) (f page.Figure, fromZero bool) {
	chart := &page.Scatter{
		XTitle:    "time to compress (logarithmic)",
		YTitle:    "bytes after",
		XText:     timeTick,
		YText:     bytesTick,
		Codings:   c.codings(),
		Level:     float64(c.Bytes),
		LevelText: "size before",
	}
	var front []string
	for _, row := range c.Rows {
		took := timingCell(row.Compress)
		text := fmt.Sprintf("%s: %s in %s", row.name(), byteCount(row.Bytes), took.Text)
		point := page.ScatterPoint{
			Coding: string(row.Coding),
			X:      took.value,
			XLow:   took.value,
			XHigh:  took.value,
			Y:      float64(row.Bytes),
			Label:  row.name(),
			Short:  strconv.Itoa(row.Level),
			Title:  text,
			Front:  row.Pareto,
		}
		if took.Range != "" {
			point.Title += " (" + took.Range + ")"
		}
		if row.Pareto || !c.ManyRows() {
			point.XLow, point.XHigh = row.Compress.Min.Seconds(), row.Compress.Max.Seconds()
		}
		if row.Pareto {
			front = append(front, text)
		}
		chart.Points = append(chart.Points, point)
	}
	description := "No level is on the Pareto front."
	if front != nil {
		description = "On the Pareto front: " + strings.Join(front, "; ") + "."
	}
	return page.Figure{ID: id + "-sizes", Title: "Time to compress against size", Description: description, Draw: chart.Draw}, chart.FromZero()
}

// gainsFigure draws what rows save by link speed.
func gainsFigure(c comparison, id, description string) page.Figure {
	chart := page.Lines{
		XTitle:   "link speed (logarithmic)",
		YTitle:   "time saved per request (below zero: lost)",
		XText:    speedTick,
		YText:    gainTick,
		Low:      min(slowest, c.link.Mbits),
		High:     max(fastest, c.link.Mbits),
		Mark:     c.link.Mbits,
		MarkText: "link: " + speedTick(c.link.Mbits),
	}
	lines := map[int]int{} // by row
	for _, i := range c.drawn() {
		row := c.Rows[i]
		lines[i] = len(chart.Lines)
		chart.Lines = append(chart.Lines, page.Line{
			Coding: string(row.Coding),
			Best:   c.isBest(i),
			Label:  row.name(),
			Title:  fmt.Sprintf("%s: break-even at %s", row.name(), speed(c.breakEven(row))),
			Value:  c.tradeoff(row, c.link.Requests).gain,
		})
	}
	for _, b := range c.bands {
		drawn := page.Band{From: b.from, To: b.to, Line: -1, Label: "identity", Short: "as is"}
		if b.row != identity {
			row := c.Rows[b.row]
			drawn.Line, drawn.Label, drawn.Short = lines[b.row], row.name(), strconv.Itoa(row.Level)
		}
		chart.Bands = append(chart.Bands, drawn)
	}
	return page.Figure{ID: id + "-gains", Title: "Time saved per request by link speed", Description: description, Draw: chart.Draw}
}
