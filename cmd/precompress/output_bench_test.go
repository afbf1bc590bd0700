package main

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/precompress/precompress/internal/bench"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// benched returns the output of a measurement with names that need care, and a row
// of round numbers: 1,000,000 bytes become 500,000 in 20 ms.
func benched() *benchOutput {
	row := bench.Row{
		Coding: manifest.Brotli, Level: 5, Encoder: "go-brrr, v1", Bytes: 500_000, Pareto: true,
		Compress:   bench.Timing{Median: 20 * time.Millisecond, Min: 19 * time.Millisecond, Max: 22 * time.Millisecond},
		Decompress: bench.Timing{Median: 2 * time.Millisecond, Min: time.Millisecond, Max: 3 * time.Millisecond},
	}
	larger := row
	larger.Coding, larger.Bytes, larger.Pareto = bench.Deflate, 1_250_000, false
	o := &benchOutput{output: &output{stdout: io.Discard, stderr: io.Discard}, link: bench.Link{Mbits: 100, Requests: 1}, runs: 3}
	o.results = []*bench.Result{
		{Name: "a,\"b\".js", Kind: bench.Directory, Files: 2, Bytes: 1_000_000, Runs: 3, Rows: []bench.Row{row, larger}},
		{Name: "bad\xff\n", Kind: bench.File, Files: 1, Bytes: 1_000_000, Runs: 3, Rows: []bench.Row{row}},
	}
	return o
}

func TestBenchCSV(t *testing.T) {
	lines, err := csv.NewReader(strings.NewReader(benched().csvText())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	times := []string{"20000000", "19000000", "22000000", "2000000", "1000000", "3000000"}
	line := func(front, back []string) []string { return append(append(front, times...), back...) }
	want := [][]string{
		strings.Split("name,kind,files,source_bytes,coding,level,encoder,bytes,saved_bytes,ratio,compress_median_ns,compress_min_ns,compress_max_ns,"+
			"decompress_median_ns,decompress_min_ns,decompress_max_ns,break_even_mbits,gain_ns,pareto,runs,link_mbits,requests", ","),
		line([]string{"a,\"b\".js", "folder", "2", "1000000", "br", "5", "go-brrr, v1", "500000", "500000", "2"}, []string{"200", "20000000", "true", "3", "100", "1"}),
		line([]string{"a,\"b\".js", "folder", "2", "1000000", "deflate", "5", "go-brrr, v1", "1250000", "-250000", "0.8"}, []string{"0", "-40000000", "false", "3", "100", "1"}),
		line([]string{`"bad\xff\n"`, "file", "1", "1000000", "br", "5", "go-brrr, v1", "500000", "500000", "2"}, []string{"200", "20000000", "true", "3", "100", "1"}),
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Error(diff)
	}
}

// The documented form of --json of bench, apart from the types that make it.
type (
	benchDocument struct {
		Version   int          `json:"version"`
		Command   string       `json:"command"`
		OK        bool         `json:"ok"`
		Runs      int          `json:"runs"`
		LinkMbits float64      `json:"link_mbits"`
		Requests  int          `json:"requests"`
		Results   []benchInput `json:"results"`
		Failures  []benchFault `json:"failures"`
	}
	benchInput struct {
		Name  documentPath `json:"name"`
		Kind  string       `json:"kind"`
		Files int          `json:"files"`
		Bytes int64        `json:"bytes"`
		Rows  []benchRow   `json:"rows"`
	}
	benchRow struct {
		Coding     string     `json:"coding"`
		Level      int        `json:"level"`
		Encoder    string     `json:"encoder"`
		Bytes      int64      `json:"bytes"`
		Saved      int64      `json:"saved_bytes"`
		Ratio      float64    `json:"ratio"`
		Compress   benchTimes `json:"compress_ns"`
		Decompress benchTimes `json:"decompress_ns"`
		BreakEven  float64    `json:"break_even_mbits"`
		Gain       int64      `json:"gain_ns"`
		Pareto     bool       `json:"pareto"`
	}
	benchTimes struct {
		Median int64 `json:"median"`
		Min    int64 `json:"min"`
		Max    int64 `json:"max"`
	}
	benchFault struct {
		Name    documentPath `json:"name"`
		Path    documentPath `json:"path"`
		Coding  string       `json:"coding"`
		Op      string       `json:"op"`
		Message string       `json:"message"`
	}
)

func TestBenchJSON(t *testing.T) {
	o := benched()
	o.failed("dist", bench.Directory, &precompress.Error{Op: "verify", Path: "a.js", Coding: manifest.Gzip, Err: errors.New("level 6: differs")})
	o.failed("b.js", "", &precompress.Error{Op: "open", Path: "b.js", Err: errors.New("denied")})
	var got benchDocument
	if err := strict([]byte(o.jsonText(false)), &got); err != nil {
		t.Fatal(err)
	}
	times, restore := benchTimes{20_000_000, 19_000_000, 22_000_000}, benchTimes{2_000_000, 1_000_000, 3_000_000}
	row := benchRow{"br", 5, "go-brrr, v1", 500_000, 500_000, 2, times, restore, 200, 20_000_000, true}
	larger := benchRow{"deflate", 5, "go-brrr, v1", 1_250_000, -250_000, 0.8, times, restore, 0, -40_000_000, false}
	want := benchDocument{
		Version: 1, Command: "bench", Runs: 3, LinkMbits: 100, Requests: 1,
		Results:  []benchInput{{"a,\"b\".js", "folder", 2, 1_000_000, []benchRow{row, larger}}, {"bad\xff\n", "file", 1, 1_000_000, []benchRow{row}}},
		Failures: []benchFault{{"dist", "a.js", "gzip", "verify", "level 6: differs"}, {"b.js", "", "", "open", "denied"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestBenchJSONOfRun has the command print it.
func TestBenchJSONOfRun(t *testing.T) {
	dir := t.TempDir()
	makeFiles(t, dir, map[string]string{"a.js": strings.Repeat("let a = 1;\n", 100), "b.js": "let b = 2;"})
	var stdout, stderr bytes.Buffer
	args := []string{"bench", "--json", "--runs", "2", "--levels", "br=4,gzip=6,deflate=6", "--requests", "5", "--link", "2.5", dir, filepath.Join(dir, "b.js")}
	if code := run(t.Context(), args, &stdout, &stderr); code != exitDone || stderr.Len() > 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	var got benchDocument
	if err := strict(stdout.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if !got.OK || got.Runs != 2 || got.Requests != 5 || got.LinkMbits != 2.5 || len(got.Results) != 2 {
		t.Fatalf("wrong head: %+v", got)
	}
	whole, small := got.Results[0], got.Results[1]
	if string(whole.Name) != dir || whole.Files != 1 || whole.Bytes != 1100 || len(whole.Rows) != 3 { // b.js is too small to gain anything
		t.Errorf("wrong result: %+v", whole)
	}
	if gzip, deflate := whole.Rows[1], whole.Rows[2]; gzip.Bytes-deflate.Bytes != 12 || deflate.Coding != "deflate" || deflate.Saved != 1100-deflate.Bytes || deflate.BreakEven <= 0 {
		t.Errorf("wrong rows: %+v", whole.Rows)
	}
	for _, row := range small.Rows {
		if row.Saved >= 0 || row.BreakEven != 0 || row.Gain >= 0 || row.Pareto {
			t.Errorf("10 bytes that got larger: %+v", row)
		}
	}
}

func TestBenchTable(t *testing.T) {
	var stdout bytes.Buffer
	o := benched()
	o.stdout = &stdout
	for _, r := range o.results {
		o.show(r)
	}
	o.link = bench.Link{Mbits: 2.5, Requests: 1000}
	o.show(o.results[1])
	o.finish(false)
	want := `a,"b".js: 2 files, 1,000,000 bytes, 80.0 ms at 100 Mbit/s, median of 3 runs
     coding    level      bytes  ratio    saved  compress    ±  decompress  break-even      gain
     identity      -  1,000,000   1.00        -         -    -           -           -         -
  *  br            5    500,000   2.00   50.0 %   20.0 ms  8 %     2.00 ms  200 Mbit/s  +20.0 ms
     deflate       5  1,250,000   0.80  -25.0 %   20.0 ms  8 %     2.00 ms       never  -40.0 ms
"bad\xff\n": 1,000,000 bytes, 80.0 ms at 100 Mbit/s, median of 3 runs
     coding    level      bytes  ratio   saved  compress    ±  decompress  break-even      gain
     identity      -  1,000,000   1.00       -         -    -           -           -         -
  *  br            5    500,000   2.00  50.0 %   20.0 ms  8 %     2.00 ms  200 Mbit/s  +20.0 ms
"bad\xff\n": 1,000,000 bytes, 3.20 s at 2.5 Mbit/s, median of 3 runs
  break-even and gain are those of one of 1,000 requests
     coding    level      bytes  ratio   saved  compress    ±  decompress  break-even     gain
     identity      -  1,000,000   1.00       -         -    -           -           -        -
  *  br            5    500,000   2.00  50.0 %   20.0 ms  8 %     2.00 ms  200 Gbit/s  +1.60 s
* saves bytes, and no other level is both as small and as fast to compress
`
	if diff := cmp.Diff(want, stdout.String()); diff != "" {
		t.Error(diff)
	}
}

// TestBenchTablePlain: where nothing is marked, no mark is explained; one run has no
// spread, and one byte no plural.
func TestBenchTablePlain(t *testing.T) {
	var stdout bytes.Buffer
	o := benched()
	o.stdout = &stdout
	row := o.results[0].Rows[1]
	row.Bytes = 9
	o.results = []*bench.Result{{Name: "a.js", Files: 1, Bytes: 1, Runs: 1, Rows: []bench.Row{row}}}
	o.show(o.results[0])
	o.finish(false)
	want := `a.js: 1 byte, 0.08 µs at 100 Mbit/s, median of 1 run
    coding    level  bytes  ratio     saved  compress  ±  decompress  break-even      gain
    identity      -      1   1.00         -         -  -           -           -         -
    deflate       5      9   0.11  -800.0 %   20.0 ms  -     2.00 ms       never  -20.0 ms
`
	if diff := cmp.Diff(want, stdout.String()); diff != "" {
		t.Error(diff)
	}
}

func TestShortTime(t *testing.T) {
	for d, want := range map[time.Duration]string{
		1: "0.00 µs", 96: "0.10 µs", 1234: "1.23 µs", 99_949: "99.9 µs", 99_951: "100 µs", 999_499: "999 µs", 999_500: "1.00 ms",
		12_345_678: "12.3 ms", 999 * time.Millisecond: "999 ms", 999_600_000: "1.00 s", 61 * time.Second: "61.0 s", 90 * time.Minute: "5,400 s",
	} {
		if got := shortTime(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	if plus, minus, none := signedTime(1500), signedTime(-1500), signedTime(0); plus != "+1.50 µs" || minus != "-1.50 µs" || none != "+0.00 µs" {
		t.Errorf("%q, %q, %q", plus, minus, none)
	}
}

func TestSpeed(t *testing.T) {
	for mbits, want := range map[float64]string{
		0: "never", 0.0123: "12.3 kbit/s", 0.9994: "999 kbit/s", 1: "1.00 Mbit/s", 99.96: "100 Mbit/s", 999.4: "999 Mbit/s", 1000: "1.00 Gbit/s", 12_345_678: "12,346 Gbit/s",
	} {
		if got := speed(mbits); got != want {
			t.Errorf("%v: %q, want %q", mbits, got, want)
		}
	}
}
