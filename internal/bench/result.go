package bench

import (
	"slices"
	"time"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// Deflate is the content coding "deflate": the zlib format (RFC 9110, section
// 8.4.1.2). It is measured for comparison; no variants are stored in it.
const Deflate manifest.Coding = "deflate"

// Result is the result of measuring one input: of a directory, sums over its files.
type Result struct {
	// Name and Kind are those of the input.
	Name string
	Kind Kind
	// Files is the number of files measured, Bytes their total size.
	Files int
	Bytes int64
	// Runs is how often each file was encoded and decoded in each setting.
	Runs int
	// Rows has one row per coding and level, in the order of [Options.Settings];
	// none if no file could be read.
	Rows []Row
	// Failures are files that could not be read; the numbers do not include them.
	Failures []*precompress.Error
}

// Row is the result of one coding at one level.
type Row struct {
	Coding manifest.Coding
	Level  int
	// Encoder is the encoder's name and version, as manifests record them.
	Encoder string
	// Bytes is the total size of all encoded files, including those that got larger.
	Bytes int64
	// Compress and Decompress are the times for all files together.
	Compress, Decompress Timing
	// Pareto is set if the level is worth considering: it saves bytes, and no other row
	// is at least as small and as fast to compress, and better in one of the two.
	Pareto bool
}

// Timing is how long the runs took. With an even number of runs, the median is the mean
// of the middle two.
type Timing struct{ Median, Min, Max time.Duration }

// newTiming sums up the times of at least one run.
func newTiming(runs []time.Duration) Timing {
	runs = slices.Sorted(slices.Values(runs))
	low, high := runs[(len(runs)-1)/2], runs[len(runs)/2]
	return Timing{Median: low + (high-low)/2, Min: runs[0], Max: runs[len(runs)-1]}
}

// Link describes how files are sent to clients.
type Link struct {
	// Mbits is the speed in Mbit/s, of 1,000,000 bits.
	Mbits float64
	// Requests is how often a file is sent after it was compressed once: 1 if it is
	// compressed for each request.
	Requests int
}

// Saved returns the bytes that a row saves over sending the files as they are; it is
// negative if encoding makes them larger.
func (r *Result) Saved(row Row) int64 { return r.Bytes - row.Bytes }

// Ratio returns the size before divided by the size after, such as 3.2, or 0 if the size
// after is 0, which does not occur in measurements.
func (r *Result) Ratio(row Row) float64 {
	if row.Bytes == 0 {
		return 0
	}
	return float64(r.Bytes) / float64(row.Bytes)
}

// BreakEven returns the speed of a link in Mbit/s below which compressing saves time: the
// bits saved, divided by the time to compress per request. It is 0 if nothing is saved, or
// if compressing took no time, which does not occur in measurements.
func (r *Result) BreakEven(row Row, requests int) float64 {
	saved := r.Saved(row)
	if saved <= 0 || row.Compress.Median <= 0 {
		return 0
	}
	return float64(saved) * 8 / 1e6 / (row.Compress.Median.Seconds() / float64(requests))
}

// Gain returns the time that a row saves per request: the time to send the bytes saved,
// minus the time to compress per request. It is negative if compressing takes longer than
// it saves.
func (r *Result) Gain(row Row, link Link) time.Duration {
	transfer := float64(r.Saved(row)) * 8 / (link.Mbits * 1e6)
	cost := row.Compress.Median.Seconds() / float64(link.Requests)
	return time.Duration((transfer - cost) * float64(time.Second))
}

// markPareto marks the rows that neither another row beats nor sending the files as they
// are, which has identity bytes.
func markPareto(rows []Row, identity int64) {
	for i, r := range rows {
		rows[i].Pareto = r.Bytes < identity && !slices.ContainsFunc(rows, func(o Row) bool {
			smaller, faster := o.Bytes < r.Bytes, o.Compress.Median < r.Compress.Median
			return o.Bytes <= r.Bytes && o.Compress.Median <= r.Compress.Median && (smaller || faster)
		})
	}
}
