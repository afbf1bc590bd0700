package bench

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/page"
)

//go:embed html.html
var htmlBody string

// WriteHTML writes results as one HTML page, which loads nothing else and can be read
// without JavaScript; scripts add the sorting of tables. For each result it has a table of
// all rows, a chart of the time to compress against bytes with the Pareto front, and a
// chart of the time saved per request by link speed, which shows what is the quickest at
// each speed from 1 Mbit/s to 10 Gbit/s, extended to include that of link. Failures are
// listed with their result, or at the top of the page if nothing was measured of it.
//
// The page is the same, byte for byte, for the same results and link. It is an error,
// with nothing written, if link has no speed above zero or less than one request.
func WriteHTML(w io.Writer, results []*Result, link Link) error {
	if !(link.Mbits > 0) || math.IsInf(link.Mbits, 1) {
		return fmt.Errorf("a link of %v Mbit/s: its speed must be above zero", link.Mbits)
	}
	if link.Requests < 1 {
		return fmt.Errorf("%d requests: there must be at least one", link.Requests)
	}
	view := pageView{Speed: speedTick(link.Mbits), Requests: int64(link.Requests)}
	for i, r := range results {
		if r.Files > 0 || len(r.Failures) == 0 {
			view.Results = append(view.Results, newResultView(newComparison(r, link), fmt.Sprintf("result-%d", i+1)))
			continue
		}
		for _, failure := range r.Failures {
			view.Missing = append(view.Missing, page.Shown(r.Name)+": "+failure.Error())
		}
	}
	title := "bench: " + page.Count(len(view.Results), "input")
	if len(view.Results) == 1 {
		title = "bench: " + view.Results[0].Name
	}
	return page.Page{Title: title, Body: htmlBody, Data: view}.Write(w)
}

// pageView is the data of the page's template.
type pageView struct {
	Speed    string // of the link
	Requests int64  // that share the time to compress
	Results  []*resultView
	Missing  []string // failures of inputs without any measured file
}

// resultView is the data of a result.
type resultView struct {
	comparison
	ID   string // unique on the page
	Name string // printable
	// Highlights are the smallest and the fastest row, and the best at the link's speed;
	// none without rows.
	Highlights []highlight
	// BandsText says what is the quickest at which speed, LinesText which rows have a
	// line in the chart of gains.
	BandsText, LinesText string
	Sizes, Gains         page.Figure
	FromZero             bool // the axis of bytes starts at zero
	Table                []rowView
	Encoders             string // names and versions
}

// highlight is a row, or sending files as they are, and what is special about it.
type highlight struct{ Title, Coding, Setting, Text string }

// rowView is a row of the table.
type rowView struct {
	Row
	Ratio, Saved, Compress, Decompress, Even, Gain cell
	Notes                                          string // what is special about the row
}

func newResultView(c comparison, id string) *resultView {
	v := &resultView{comparison: c, ID: id, Name: page.Shown(c.Name), BandsText: bandsText(c)}
	if len(c.Rows) == 0 {
		return v
	}
	v.LinesText = linesText(len(c.drawn()), len(c.Rows))
	smallest, fastest, best := c.smallest(), c.fastest(), c.bestAtLink()
	v.highlight(smallest, fastest, best)
	for i, row := range c.Rows {
		var notes []string
		for _, n := range []struct {
			is   bool
			text string
		}{{row.Pareto, "Pareto front"}, {i == smallest, "smallest"}, {i == fastest, "fastest"}, {i == best, "best at " + speedTick(c.link.Mbits)}} {
			if n.is {
				notes = append(notes, n.text)
			}
		}
		v.Table = append(v.Table, newRowView(c, row, strings.Join(notes, ", ")))
	}
	v.Encoders = encoders(c.Rows)
	v.Sizes, v.FromZero = sizesFigure(c, id)
	v.Gains = gainsFigure(c, id, v.BandsText)
	return v
}

// highlight describes the rows that stand out.
func (v *resultView) highlight(smallest, fastest, best int) {
	add := func(title string, row int, text string) {
		h := highlight{Title: title, Coding: "identity", Setting: v.name(row), Text: text}
		if row != identity {
			h.Coding = string(v.Rows[row].Coding)
		}
		v.Highlights = append(v.Highlights, h)
	}
	size := func(i int) string {
		if i == identity {
			return "no level saves bytes"
		}
		row := v.Rows[i]
		return fmt.Sprintf("%s, %s saved, in %s", page.Size(row.Bytes), savedText(v.Result, row), seconds(row.Compress.Median.Seconds()))
	}
	text := "every level takes longer than it saves"
	if smallest == identity {
		text = size(identity)
	}
	if best != identity {
		text = seconds(v.gain(v.Rows[best])) + " saved per request"
	}
	add("Smallest", smallest, size(smallest))
	add("Fastest", fastest, size(fastest))
	add("Best at "+speedTick(v.link.Mbits), best, text)
}

func newRowView(c comparison, row Row, notes string) rowView {
	even := "none"
	if c.Saved(row) > 0 {
		even = speed(c.breakEven(row))
	}
	ratio, gain := c.Ratio(row), c.gain(row)
	return rowView{
		Row:        row,
		Ratio:      cell{value: ratio, Text: fmt.Sprintf("%.2f", ratio)},
		Saved:      cell{value: 1 - float64(row.Bytes)/float64(c.Bytes), Text: savedText(c.Result, row)},
		Compress:   timingCell(row.Compress),
		Decompress: timingCell(row.Decompress),
		Even:       cell{value: c.breakEven(row), Text: even},
		Gain:       cell{value: gain, Text: signedSeconds(gain)},
		Notes:      notes,
	}
}

// savedText returns the share that a row saves, with a minus sign if it adds bytes.
func savedText(r *Result, row Row) string {
	return strings.Replace(page.Saved(r.Bytes, row.Bytes), "-", "−", 1)
}

// BytesText returns the size of all files.
func (v *resultView) BytesText() string { return byteCount(v.Bytes) }

// HasDeflate reports whether deflate was measured, in which no variants are stored.
func (v *resultView) HasDeflate() bool { return slices.Contains(v.codings(), string(Deflate)) }

// encoders names the encoders of rows, each once.
func encoders(rows []Row) string {
	var names []string
	for _, row := range rows {
		name := string(row.Coding) + ": " + row.Encoder
		if row.Encoder != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return strings.Join(names, "; ")
}

// linesText says which rows have a line in the chart of gains.
func linesText(lines, rows int) string {
	switch lines {
	case 0:
		return "No level saves bytes, so there is no line."
	case rows:
		return "Each level has a line, thick where the level is the quickest."
	case 1:
		return fmt.Sprintf("Of %d levels, the one on the Pareto front has a line, thick where it is the quickest; the others are never the quickest.", rows)
	}
	return fmt.Sprintf("Of %d levels, the %d on the Pareto front have a line, thick where the level is the quickest; the others are never the quickest.", rows, lines)
}

// bandsText says which row is the best at which speed.
func bandsText(c comparison) string {
	if len(c.bands) == 1 {
		return "Quickest at any speed: " + c.name(c.bands[0].row) + "."
	}
	var parts []string
	for _, b := range c.bands {
		if math.IsInf(b.to, 1) {
			parts = append(parts, c.name(b.row)+" above")
			continue
		}
		parts = append(parts, c.name(b.row)+" up to "+speed(b.to))
	}
	return "Quickest: " + strings.Join(parts, ", ") + "."
}
