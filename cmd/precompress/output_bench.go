package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/precompress/precompress/internal/bench"
	"github.com/precompress/precompress/precompress"
)

// benchOutput prints what bench measured: tables as soon as they are known, JSON and
// CSV at the end.
type benchOutput struct {
	*output
	link     bench.Link
	runs     int
	csv      bool
	results  []*bench.Result
	page     []*bench.Result // the results so far, and what is missing from them, with its failures
	failures []benchFailure
}

// benchFailure is what went wrong with an input or a file of it.
type benchFailure struct {
	input string
	err   *precompress.Error
}

func (o *output) bench(f *benchFlags) *benchOutput {
	return &benchOutput{output: o, link: f.link, runs: f.runs, csv: f.csv}
}

// measured prints the result of measuring one input.
func (o *benchOutput) measured(in *bench.Input, r *bench.Result, err error) {
	if err != nil {
		o.failed(in.Name(), in.Kind(), err)
		return
	}
	o.page = append(o.page, r)
	if r.Files > 0 {
		o.results = append(o.results, r)
		if !o.csv {
			o.show(r)
		}
	}
	for _, failure := range r.Failures {
		o.fail(r.Name, r.Kind, failure)
	}
}

// failed prints why an input could not be measured. Its kind is "" if that is not known.
func (o *benchOutput) failed(name string, kind bench.Kind, err error) {
	failure := o.fail(name, kind, err)
	o.page = append(o.page, &bench.Result{Name: name, Kind: kind, Failures: []*precompress.Error{failure}})
}

// errUnfinished is about an input that was not measured, or not completely, when a
// signal came.
var errUnfinished = errors.New("interrupted before it was measured whole")

// unfinished notes an input that was not measured because of a signal. It prints
// nothing: that the command was interrupted is said once.
func (o *benchOutput) unfinished(name string) {
	failure := &precompress.Error{Err: errUnfinished}
	o.failures = append(o.failures, benchFailure{name, failure})
	o.page = append(o.page, &bench.Result{Name: name, Failures: []*precompress.Error{failure}})
}

// fail prints and notes what went wrong with an input or a file of it.
func (o *benchOutput) fail(name string, kind bench.Kind, err error) *precompress.Error {
	failure := &precompress.Error{Err: err}
	if inner := (*precompress.Error)(nil); errors.As(err, &inner) {
		*failure = *inner
	}
	if failure.Path == name { // which is printed in front
		failure.Path = ""
	}
	hint := ""
	switch {
	case errors.Is(err, precompress.ErrTooLarge):
		hint = " (raise --max-size)"
	case errors.Is(err, bench.ErrEmpty) && kind == bench.Directory:
		hint = " (formats that are compressed already are left out of a directory: see --include and --exclude)"
	}
	o.failures = append(o.failures, benchFailure{name, failure})
	o.message("%s: %s: %s%s", o.red("failed"), printable(name), failure, hint)
	return failure
}

// finish prints what comes at the end, which is early if the command was interrupted.
func (o *benchOutput) finish(interrupted bool) {
	switch {
	case o.json != nil:
		o.print(o.jsonText(interrupted))
	case o.csv:
		o.print(o.csvText())
	case slices.ContainsFunc(o.results, hasStar):
		o.result("* saves bytes, and no other level is both as small and as fast to compress\n")
	}
}

// hasStar reports whether a row of a result is marked.
func hasStar(r *bench.Result) bool {
	return slices.ContainsFunc(r.Rows, func(row bench.Row) bool { return row.Pareto })
}

// show prints one input: a heading, and a line per coding and level.
func (o *benchOutput) show(r *bench.Result) {
	o.result("%s: %s\n", o.bold(printable(r.Name)), o.about(r))
	if o.link.Requests > 1 {
		o.result("  break-even and gain are those of one of %s requests\n", humanize.Comma(int64(o.link.Requests)))
	}
	var text strings.Builder
	w := tabwriter.NewWriter(&text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "\tcoding  \tlevel\tbytes\tratio\tsaved\tcompress\t±\tdecompress\tbreak-even\tgain\t\n")
	fmt.Fprintf(w, "\tidentity\t-\t%s\t1.00\t-\t-\t-\t-\t-\t-\t\n", humanize.Comma(r.Bytes))
	for _, row := range r.Rows {
		mark := ""
		if row.Pareto {
			mark = "*"
		}
		fmt.Fprintf(w, "%s\t%-8s\t%d\t%s\t%.2f\t%s\t%s\t%s\t%s\t%s\t%s\t\n", mark, row.Coding, row.Level,
			humanize.Comma(row.Bytes), r.Ratio(row), saved(r.Bytes, row.Bytes),
			shortTime(row.Compress.Median), spread(row.Compress, r.Runs), shortTime(row.Decompress.Median),
			speed(r.BreakEven(row, o.link.Requests)), signedTime(r.Gain(row, o.link)))
	}
	w.Flush() // to a strings.Builder: cannot fail
	for line := range strings.Lines(text.String()) {
		o.result("%s", strings.TrimRight(line, " \n")+"\n")
	}
}

// about returns what a table is about.
func (o *benchOutput) about(r *bench.Result) string {
	files := ""
	if r.Files > 1 {
		files = count(r.Files, "file") + ", "
	}
	sending := time.Duration(float64(r.Bytes) * 8 / (o.link.Mbits * 1e6) * float64(time.Second))
	return fmt.Sprintf("%s%s, %s at %s Mbit/s, median of %s", files, count(r.Bytes, "byte"), shortTime(sending), humanize.Commaf(o.link.Mbits), count(r.Runs, "run"))
}

// shortTime formats a time with three digits.
func shortTime(d time.Duration) string {
	const micro, milli = float64(time.Microsecond), float64(time.Millisecond)
	switch t := float64(d); {
	case t < 999.5*micro:
		return threeDigits(t/micro) + " µs"
	case t < 999.5*milli:
		return threeDigits(t/milli) + " ms"
	}
	return threeDigits(d.Seconds()) + " s"
}

// signedTime is shortTime for what may be less than nothing.
func signedTime(d time.Duration) string {
	if d < 0 {
		return "-" + shortTime(-d)
	}
	return "+" + shortTime(d)
}

// speed formats one that is given in Mbit/s; 0 is none at all.
func speed(mbits float64) string {
	switch {
	case mbits == 0:
		return "never"
	case mbits < 0.9995:
		return threeDigits(mbits*1000) + " kbit/s"
	case mbits < 999.5:
		return threeDigits(mbits) + " Mbit/s"
	}
	return threeDigits(mbits/1000) + " Gbit/s"
}

// threeDigits formats a number with three digits, or all there are before the point.
func threeDigits(x float64) string {
	switch {
	case x < 9.995:
		return fmt.Sprintf("%.2f", x)
	case x < 99.95:
		return fmt.Sprintf("%.1f", x)
	}
	return humanize.Comma(int64(x + 0.5))
}

// spread returns half the distance between the fastest and the slowest run, as a share
// of the median. One run has none.
func spread(t bench.Timing, runs int) string {
	if t.Median == 0 || runs == 1 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 50*float64(t.Max-t.Min)/float64(t.Median))
}

// benchColumns are the columns of --csv; the README documents them.
func benchColumns() []string {
	return []string{
		"name", "kind", "files", "source_bytes", "coding", "level", "encoder", "bytes", "saved_bytes", "ratio",
		"compress_median_ns", "compress_min_ns", "compress_max_ns", "decompress_median_ns", "decompress_min_ns", "decompress_max_ns",
		"break_even_mbits", "gain_ns", "pareto", "runs", "link_mbits", "requests",
	}
}

// csvText returns a line of names, and one per input, coding and level. Names of files
// that are not printable are quoted as in Go.
func (o *benchOutput) csvText() string {
	var text strings.Builder
	w := csv.NewWriter(&text)
	w.Write(benchColumns()) // to a strings.Builder: cannot fail
	for _, r := range o.results {
		for _, row := range r.Rows {
			w.Write(o.csvRow(r, row))
		}
	}
	w.Flush()
	return text.String()
}

func (o *benchOutput) csvRow(r *bench.Result, row bench.Row) []string {
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	real := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	fields := []string{
		printable(r.Name), string(r.Kind), strconv.Itoa(r.Files), whole(r.Bytes), string(row.Coding), strconv.Itoa(row.Level), row.Encoder,
		whole(row.Bytes), whole(r.Saved(row)), real(r.Ratio(row)),
	}
	for _, t := range []bench.Timing{row.Compress, row.Decompress} {
		fields = append(fields, whole(t.Median.Nanoseconds()), whole(t.Min.Nanoseconds()), whole(t.Max.Nanoseconds()))
	}
	return append(fields, real(r.BreakEven(row, o.link.Requests)), whole(r.Gain(row, o.link).Nanoseconds()), strconv.FormatBool(row.Pareto),
		strconv.Itoa(o.runs), real(o.link.Mbits), strconv.Itoa(o.link.Requests))
}
