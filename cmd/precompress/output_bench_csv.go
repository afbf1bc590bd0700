package main

import (
	"encoding/csv"
	"strconv"
	"strings"

	"github.com/precompress/precompress/internal/bench"
	"github.com/precompress/precompress/precompress"
)

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
		precompress.PrintablePath(r.Name), string(r.Kind), strconv.Itoa(r.Files), whole(r.Bytes), string(row.Coding), strconv.Itoa(row.Level), row.Encoder,
		whole(row.Bytes), whole(r.Saved(row)), real(r.Ratio(row)),
	}
	for _, t := range []bench.Timing{row.Compress, row.Decompress} {
		fields = append(fields, whole(t.Median.Nanoseconds()), whole(t.Min.Nanoseconds()), whole(t.Max.Nanoseconds()))
	}
	return append(fields, real(r.BreakEven(row, o.link.Requests)), whole(r.Gain(row, o.link).Nanoseconds()), strconv.FormatBool(row.Pareto),
		strconv.Itoa(o.runs), real(o.link.Mbits), strconv.Itoa(o.link.Requests))
}
