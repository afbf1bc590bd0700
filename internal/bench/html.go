package bench

import (
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/precompress/precompress/internal/page"
)

//go:embed html.html
var htmlBody string

// WriteHTML writes results as one HTML page that needs nothing but itself: it asks
// no network for anything and can be read without JavaScript, which adds the sorting
// of tables. For each result it has a table of all rows; a chart of the time to
// compress against bytes with the Pareto front; and a chart of the time saved per
// request over the speed of the link, from 1 Mbit/s to 10 Gbit/s and on to that of
// link if it lies outside, which says what is the quickest at each speed. Failures are
// in a box: those of results without a file, which have nothing else on the page, in one
// at the top.
//
// The same results and link make the same bytes. It fails, with nothing written, if
// link has no speed above zero or less than one request; else only if w does.
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
			view.Results = append(view.Results, newResultView(r, link, fmt.Sprintf("result-%d", i+1)))
			continue
		}
		for _, fault := range r.Failures {
			view.Missing = append(view.Missing, page.Shown(r.Name)+": "+fault.Error())
		}
	}
	title := "bench: " + page.Count(len(view.Results), "input")
	if len(view.Results) == 1 {
		title = "bench: " + view.Results[0].Name
	}
	return page.Page{Title: title, Body: htmlBody, Data: view}.Write(w)
}

// pageView is what the page's template shows.
type pageView struct {
	// Speed is that of the link, Requests how many share the time to compress.
	Speed    string
	Requests int64
	Results  []*resultView
	// Missing says what went wrong with inputs that nothing was measured of.
	Missing []string
}

// resultView is what the template shows of a result.
type resultView struct {
	*Result
	link  Link
	bands []band

	// ID is unique on the page, Name may be shown.
	ID, Name string
	// Highlights are the smallest and the fastest of the rows that save bytes, and the
	// best at the link's speed; none without rows.
	Highlights []highlight
	// BandsText says what is the quickest at which speed, LinesText which rows are
	// drawn in the chart of gains.
	BandsText, LinesText string
	Sizes, Gains         template.HTML
	// FromZero reports whether the axis of bytes starts at zero.
	FromZero bool
	Table    []rowView
	// Encoders names them all.
	Encoders string
}

// highlight is a row, or sending files as they are, with what it stands out for.
type highlight struct{ Title, Coding, Setting, Text string }

// rowView is a row of the table. Cells of numbers have the number to sort by, which
// is no number where there is none.
type rowView struct {
	Row
	// Class is the coding's.
	Class                                          string
	Ratio, Saved, Compress, Decompress, Even, Gain cell
	// Notes says what the row stands out for.
	Notes string
}

// cell is a number in a table; Range stands below it.
type cell struct {
	value       float64
	Text, Range string
}

// Sort returns the number as a script reads it, and "" if it is none.
func (c cell) Sort() string {
	switch {
	case math.IsNaN(c.value):
		return ""
	case math.IsInf(c.value, 1):
		return "Infinity"
	}
	return strconv.FormatFloat(c.value, 'g', -1, 64)
}

func newResultView(r *Result, link Link, id string) *resultView {
	v := &resultView{Result: r, link: link, ID: id, Name: page.Shown(r.Name), bands: r.bands(link.Requests)}
	v.BandsText = bandsText(r, v.bands)
	if len(r.Rows) == 0 {
		return v
	}
	v.LinesText = linesText(len(v.drawn()), len(r.Rows))
	smallest, fastest, best := r.smallest(), r.fastest(), v.bestAtLink()
	v.highlight(smallest, fastest, best)
	for i, row := range r.Rows {
		var notes []string
		for _, n := range []struct {
			is   bool
			text string
		}{{row.Pareto, "Pareto front"}, {i == smallest, "smallest"}, {i == fastest, "fastest"}, {i == best, "best at " + speedTick(link.Mbits)}} {
			if n.is {
				notes = append(notes, n.text)
			}
		}
		v.Table = append(v.Table, v.row(row, strings.Join(notes, ", ")))
	}
	v.Encoders = encoders(r.Rows)
	sizes := v.scatter()
	v.Sizes, v.FromZero, v.Gains = sizes.HTML(), sizes.FromZero(), v.gains()
	return v
}

// highlight words the rows that stand out.
func (v *resultView) highlight(smallest, fastest, best int) {
	add := func(title string, row int, text string) {
		h := highlight{Title: title, Coding: "identity", Setting: sendingName(v.Result, row), Text: text}
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
	text := "any level takes longer than it saves"
	if smallest == identity {
		text = size(identity)
	}
	if best != identity {
		text = seconds(v.sending(v.Rows[best], v.link.Requests).gain(v.link.Mbits)) + " saved per request"
	}
	add("Smallest", smallest, size(smallest))
	add("Fastest", fastest, size(fastest))
	add("Best at "+speedTick(v.link.Mbits), best, text)
}

// row returns a row of the table.
func (v *resultView) row(row Row, notes string) rowView {
	return rowView{
		Row:        row,
		Class:      string(row.Coding),
		Ratio:      cell{value: v.Result.Ratio(row), Text: fmt.Sprintf("%.2f", v.Result.Ratio(row))},
		Saved:      cell{value: 1 - float64(row.Bytes)/float64(v.Bytes), Text: savedText(v.Result, row)},
		Compress:   timingCell(row.Compress),
		Decompress: timingCell(row.Decompress),
		Even:       cell{value: v.breakEven(row), Text: v.evenText(row)},
		Gain:       v.gain(row),
		Notes:      notes,
	}
}

// savedText returns what a row saves, with a minus for what it adds.
func savedText(r *Result, row Row) string {
	return strings.Replace(page.Saved(r.Bytes, row.Bytes), "-", "−", 1)
}

func (v *resultView) breakEven(row Row) float64 { return v.Result.BreakEven(row, v.link.Requests) }

func (v *resultView) evenText(row Row) string {
	if v.Result.Saved(row) <= 0 {
		return "none"
	}
	return speed(v.breakEven(row))
}

func (v *resultView) gain(row Row) cell {
	s := v.Result.sending(row, v.link.Requests).gain(v.link.Mbits)
	return cell{value: s, Text: signedSeconds(s)}
}

func timingCell(t Timing) cell {
	c := cell{value: t.Median.Seconds(), Text: seconds(t.Median.Seconds())}
	if t.Min != t.Max {
		c.Range = seconds(t.Min.Seconds()) + " – " + seconds(t.Max.Seconds())
	}
	return c
}

// spreadText returns a median and, if there were several runs, their range.
func spreadText(t Timing) string {
	c := timingCell(t)
	if c.Range == "" {
		return c.Text
	}
	return c.Text + " (" + c.Range + ")"
}

// smallest returns the row of the fewest bytes; of those, the fastest. It is identity if
// no row saves any.
func (r *Result) smallest() int {
	return r.least(func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Bytes, b.Bytes), cmp.Compare(a.Compress.Median, b.Compress.Median))
	})
}

// fastest returns the row that takes the least time to compress; of those, the
// smallest. Those that save no bytes do not count; it is identity if there is no other.
func (r *Result) fastest() int {
	return r.least(func(a, b Row) int {
		return cmp.Or(cmp.Compare(a.Compress.Median, b.Compress.Median), cmp.Compare(a.Bytes, b.Bytes))
	})
}

// least returns the first of the rows that come first and save bytes, or identity.
func (r *Result) least(compare func(a, b Row) int) int {
	least := identity
	for i, row := range r.Rows {
		if r.Saved(row) > 0 && (least == identity || compare(row, r.Rows[least]) < 0) {
			least = i
		}
	}
	return least
}

// bestAtLink returns the row that is the quickest at the link's speed, or identity.
func (v *resultView) bestAtLink() int {
	for _, b := range v.bands {
		if v.link.Mbits < b.to {
			return b.row
		}
	}
	return identity
}

// BytesText returns the size of all files.
func (v *resultView) BytesText() string { return byteCount(v.Bytes) }

// HasDeflate reports whether a coding was measured that no variants are stored in.
func (v *resultView) HasDeflate() bool { return slices.Contains(v.codings(), string(Deflate)) }

// codings returns the codings of the rows, each once.
func (v *resultView) codings() (names []string) {
	for _, row := range v.Rows {
		if !slices.Contains(names, string(row.Coding)) {
			names = append(names, string(row.Coding))
		}
	}
	return names
}

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
