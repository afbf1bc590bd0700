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

// Result is what measuring one input came to: a file, a sample, or the files of
// a tree summed up.
type Result struct {
	// Name is the input's, as it was given, and Kind what that is.
	Name string
	Kind Kind
	// Files is the number of files measured, Bytes their size together.
	Files int
	Bytes int64
	// Runs is the number of times that each was encoded and decoded.
	Runs int
	// Rows has one row per coding and level, in the order of [Options.Settings];
	// none if no file could be read.
	Rows []Row
	// Failures are files that could not be read, which the numbers leave out.
	Failures []*precompress.Error
}

// Row is one coding at one level.
type Row struct {
	Coding manifest.Coding
	Level  int
	// Encoder is its name and version, as manifests record it.
	Encoder string
	// Bytes is the size of all files encoded, also of those that got larger.
	Bytes int64
	// Compress and Decompress are times for all files together.
	Compress, Decompress Timing
	// Pareto is set if this level is worth considering: it saves bytes, and no other
	// row is both as small and as fast to compress, and better in one of the two.
	Pareto bool
}

// Timing is how long runs of the same work took. With an even number of runs the
// median is the mean of the middle two.
type Timing struct{ Median, Min, Max time.Duration }

// newTiming sums up the times of runs, of which there is at least one.
func newTiming(runs []time.Duration) Timing {
	runs = slices.Sorted(slices.Values(runs))
	low, high := runs[(len(runs)-1)/2], runs[len(runs)/2]
	return Timing{Median: low + (high-low)/2, Min: runs[0], Max: runs[len(runs)-1]}
}

// Link says how files reach clients.
type Link struct {
	// Mbits is its speed in Mbit/s, of 1,000,000 bits.
	Mbits float64
	// Requests is how often what was compressed once is sent: 1 for content that is
	// compressed for each request.
	Requests int
}

// Saved returns the bytes that a row saves over sending the files as they are; less
// than zero if it makes them larger.
func (r *Result) Saved(row Row) int64 { return r.Bytes - row.Bytes }

// Ratio returns the size before by that after, such as 3.2; zero if that is nothing,
// which no measurement comes to.
func (r *Result) Ratio(row Row) float64 {
	if row.Bytes == 0 {
		return 0
	}
	return float64(r.Bytes) / float64(row.Bytes)
}

// BreakEven returns the speed of a link in Mbit/s below which compressing saves
// time: bytes saved × 8 by the time of compression, which is spread over that many
// requests. It is zero if nothing is saved, or took no time, which no measurement
// comes to.
func (r *Result) BreakEven(row Row, requests int) float64 {
	saved := r.Saved(row)
	if saved <= 0 || row.Compress.Median <= 0 {
		return 0
	}
	return float64(saved) * 8 / 1e6 / (row.Compress.Median.Seconds() / float64(requests))
}

// Gain returns the time that a row saves for each request over a link: that of
// sending the bytes saved, without the compression's part. It is less than zero if
// compressing costs more than it saves.
func (r *Result) Gain(row Row, link Link) time.Duration {
	transfer := float64(r.Saved(row)) * 8 / (link.Mbits * 1e6)
	cost := row.Compress.Median.Seconds() / float64(link.Requests)
	return time.Duration((transfer - cost) * float64(time.Second))
}

// markPareto marks the rows that no other one is better than, and neither is sending
// the files as they are, of so many bytes.
func markPareto(rows []Row, identity int64) {
	for i, r := range rows {
		rows[i].Pareto = r.Bytes < identity && !slices.ContainsFunc(rows, func(o Row) bool {
			smaller, faster := o.Bytes < r.Bytes, o.Compress.Median < r.Compress.Median
			return o.Bytes <= r.Bytes && o.Compress.Median <= r.Compress.Median && (smaller || faster)
		})
	}
}
