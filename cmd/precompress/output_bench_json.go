package main

import (
	"time"

	"github.com/precompress/precompress/internal/bench"
	"github.com/precompress/precompress/manifest"
)

// jsonBench is what --json prints of a measurement; the README documents it.
type jsonBench struct {
	Version     int                `json:"version"`
	Command     string             `json:"command"`
	OK          bool               `json:"ok"`
	Interrupted bool               `json:"interrupted,omitempty"`
	Runs        int                `json:"runs"`
	LinkMbits   float64            `json:"link_mbits"`
	Requests    int                `json:"requests"`
	Results     []jsonBenchResult  `json:"results"`
	Failures    []jsonBenchFailure `json:"failures,omitempty"`
}

type jsonBenchResult struct {
	Name  jsonPath       `json:"name"`
	Kind  bench.Kind     `json:"kind"`
	Files int            `json:"files"`
	Bytes int64          `json:"bytes"`
	Rows  []jsonBenchRow `json:"rows"`
}

type jsonBenchRow struct {
	Coding         manifest.Coding `json:"coding"`
	Level          int             `json:"level"`
	Encoder        string          `json:"encoder"`
	Bytes          int64           `json:"bytes"`
	SavedBytes     int64           `json:"saved_bytes"`
	Ratio          float64         `json:"ratio"`
	Compress       jsonTiming      `json:"compress_ns"`
	Decompress     jsonTiming      `json:"decompress_ns"`
	BreakEvenMbits float64         `json:"break_even_mbits"`
	GainNS         int64           `json:"gain_ns"`
	Pareto         bool            `json:"pareto"`
}

type jsonTiming struct {
	Median time.Duration `json:"median"` // in nanoseconds, as all durations in JSON
	Min    time.Duration `json:"min"`
	Max    time.Duration `json:"max"`
}

type jsonBenchFailure struct {
	Name    jsonPath        `json:"name"`
	Path    jsonPath        `json:"path,omitempty"`
	Coding  manifest.Coding `json:"coding,omitempty"`
	Op      string          `json:"op,omitempty"`
	Message string          `json:"message"`
}

// jsonText returns the whole object.
func (o *benchOutput) jsonText(interrupted bool) string {
	j := jsonBench{
		Version: 1, Command: "bench", OK: !interrupted && len(o.failures) == 0, Interrupted: interrupted,
		Runs: o.runs, LinkMbits: o.link.Mbits, Requests: o.link.Requests, Results: []jsonBenchResult{},
	}
	for _, r := range o.results {
		result := jsonBenchResult{Name: jsonPath(r.Name), Kind: r.Kind, Files: r.Files, Bytes: r.Bytes, Rows: []jsonBenchRow{}}
		for _, row := range r.Rows {
			result.Rows = append(result.Rows, o.jsonRow(r, row))
		}
		j.Results = append(j.Results, result)
	}
	for _, f := range o.failures {
		j.Failures = append(j.Failures, jsonBenchFailure{jsonPath(f.input), jsonPath(f.err.Path), f.err.Coding, jsonOp(f.err), f.err.Err.Error()})
	}
	return jsonText(j)
}

func (o *benchOutput) jsonRow(r *bench.Result, row bench.Row) jsonBenchRow {
	return jsonBenchRow{
		Coding: row.Coding, Level: row.Level, Encoder: row.Encoder,
		Bytes: row.Bytes, SavedBytes: r.Saved(row), Ratio: r.Ratio(row),
		Compress: jsonTiming(row.Compress), Decompress: jsonTiming(row.Decompress),
		BreakEvenMbits: r.BreakEven(row, o.link.Requests), GainNS: r.Gain(row, o.link).Nanoseconds(), Pareto: row.Pareto,
	}
}
