package bench

import (
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"

	"github.com/precompress/precompress/internal/page"
)

// Speeds that the chart of gains covers in any case, in Mbit/s.
const (
	slowest = 1
	fastest = 10_000
)

// scatter draws times against bytes.
func (v *resultView) scatter() *page.Scatter {
	chart := &page.Scatter{
		ID:          v.ID + "-sizes",
		Title:       "Time to compress against size",
		Description: v.sizesText(),
		XTitle:      "time to compress (logarithmic)",
		YTitle:      "bytes after",
		XText:       timeTick,
		YText:       bytesTick,
		Codings:     v.codings(),
		Level:       float64(v.Bytes),
		LevelText:   "size before",
	}
	for _, row := range v.Result.Rows {
		point := page.ScatterPoint{
			Coding: string(row.Coding),
			X:      row.Compress.Median.Seconds(),
			XLow:   row.Compress.Median.Seconds(),
			XHigh:  row.Compress.Median.Seconds(),
			Y:      float64(row.Bytes),
			Label:  setting(row),
			Short:  strconv.Itoa(row.Level),
			Title:  fmt.Sprintf("%s: %s in %s", setting(row), byteCount(row.Bytes), spreadText(row.Compress)),
			Front:  row.Pareto,
		}
		if row.Pareto || !v.ManyRows() {
			point.XLow, point.XHigh = row.Compress.Min.Seconds(), row.Compress.Max.Seconds()
		}
		chart.Points = append(chart.Points, point)
	}
	return chart
}

// ManyRows reports whether there are so many rows that the ranges of all would hide
// what is behind them.
func (v *resultView) ManyRows() bool { return len(v.Result.Rows) > 20 }

// sizesText says what the chart of sizes shows.
func (v *resultView) sizesText() string {
	var front []string
	for _, row := range v.Result.Rows {
		if row.Pareto {
			front = append(front, fmt.Sprintf("%s: %s in %s", setting(row), byteCount(row.Bytes), seconds(row.Compress.Median.Seconds())))
		}
	}
	if front == nil {
		return "No level is on the Pareto front."
	}
	return "On the Pareto front: " + strings.Join(front, "; ") + "."
}

// gains draws what rows save over speeds of the link.
func (v *resultView) gains() template.HTML {
	low, high := min(slowest, v.link.Mbits), max(fastest, v.link.Mbits)
	chart := page.Lines{
		ID:          v.ID + "-gains",
		Title:       "Time saved per request against the speed of the link",
		Description: v.BandsText,
		XTitle:      "speed of the link (logarithmic)",
		YTitle:      "time saved per request (below zero: lost)",
		XText:       speedTick,
		YText:       gainTick,
		Low:         low,
		High:        high,
		Mark:        v.link.Mbits,
		MarkText:    "link: " + speedTick(v.link.Mbits),
	}
	lines := map[int]int{} // from rows
	for _, i := range v.drawn() {
		row, s := v.Result.Rows[i], v.Result.sending(v.Result.Rows[i], v.link.Requests)
		lines[i] = len(chart.Lines)
		chart.Lines = append(chart.Lines, page.Line{
			Coding: string(row.Coding),
			Best:   v.isBest(i),
			Label:  setting(row),
			Title:  fmt.Sprintf("%s: break-even at %s", setting(row), speed(v.breakEven(row))),
			Value:  s.gain,
		})
	}
	for _, b := range v.bands {
		drawn := page.Band{From: b.from, To: b.to, Line: -1, Label: "identity", Short: "as is"}
		if b.row != identity {
			row := v.Result.Rows[b.row]
			drawn.Line, drawn.Label, drawn.Short = lines[b.row], setting(row), strconv.Itoa(row.Level)
		}
		chart.Bands = append(chart.Bands, drawn)
	}
	return chart.HTML()
}

// drawn returns the rows that have a line: those on the Pareto front, and those that
// are the best at some speed, which are on it too unless another is their equal.
func (v *resultView) drawn() (rows []int) {
	for i, row := range v.Result.Rows {
		if row.Pareto || v.isBest(i) {
			rows = append(rows, i)
		}
	}
	return rows
}

func (v *resultView) isBest(row int) bool {
	for _, b := range v.bands {
		if b.row == row {
			return true
		}
	}
	return false
}

// linesText says which rows have a line.
func linesText(lines, rows int) string {
	if lines == 0 {
		return "No level saves bytes, so that there is no line."
	}
	if lines == rows {
		return "Each level has a line, which is thick where it is the quickest."
	}
	if lines == 1 {
		return fmt.Sprintf("Of %d levels, the one on the Pareto front has a line, which is thick where it is the quickest; others are never the quickest.", rows)
	}
	return fmt.Sprintf("Of %d levels, the %d on the Pareto front have a line, which is thick where it is the quickest; others are never the quickest.", rows, lines)
}

// bandsText says which row is the best at which speed.
func bandsText(r *Result, bands []band) string {
	if len(bands) == 1 {
		return "Quickest at any speed: " + sendingName(r, bands[0].row) + "."
	}
	var parts []string
	for _, b := range bands {
		if math.IsInf(b.to, 1) {
			parts = append(parts, sendingName(r, b.row)+" above")
			continue
		}
		parts = append(parts, sendingName(r, b.row)+" up to "+speed(b.to))
	}
	return "Quickest: " + strings.Join(parts, ", ") + "."
}

// sendingName names a row or sending files as they are.
func sendingName(r *Result, row int) string {
	if row == identity {
		return "identity"
	}
	return setting(r.Rows[row])
}

// setting names a row, as in "br 11".
func setting(row Row) string { return fmt.Sprintf("%s %d", row.Coding, row.Level) }
