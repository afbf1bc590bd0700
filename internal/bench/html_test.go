package bench_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"io/fs"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/precompress/precompress/internal/bench"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// pageRow returns a row whose runs took from 0.9 to 1.3 of a time.
func pageRow(c manifest.Coding, level int, size int64, d time.Duration, front bool) bench.Row {
	return bench.Row{
		Coding: c, Level: level, Encoder: "encoder 1", Bytes: size, Pareto: front,
		Compress:   bench.Timing{Median: d, Min: d * 9 / 10, Max: d * 13 / 10},
		Decompress: bench.Timing{Median: d / 20, Min: d / 20, Max: d / 20},
	}
}

// usual is a result as measuring the usual levels gives one.
func usual() *bench.Result {
	const ms = time.Millisecond
	return &bench.Result{Name: "dist", Files: 9, Bytes: 505_446, Runs: 3, Rows: []bench.Row{
		pageRow(manifest.Brotli, 1, 211_149, 4*ms, true),
		pageRow(manifest.Brotli, 4, 188_760, 13*ms, true),
		pageRow(manifest.Brotli, 5, 179_275, 25*ms, true),
		pageRow(manifest.Brotli, 9, 176_888, 74*ms, true),
		pageRow(manifest.Brotli, 10, 168_713, 543*ms, true),
		pageRow(manifest.Brotli, 11, 166_128, 858*ms, true),
		pageRow(manifest.Zstd, 1, 210_942, 5*ms, true),
		pageRow(manifest.Zstd, 3, 196_572, 14*ms, false),
		pageRow(manifest.Zstd, 9, 192_655, 20*ms, false),
		pageRow(manifest.Zstd, 19, 171_825, 466*ms, true),
		pageRow(manifest.Gzip, 1, 215_282, 5*ms, false),
		pageRow(manifest.Gzip, 6, 192_297, 10*ms, true),
		pageRow(manifest.Gzip, 9, 187_801, 37*ms, false),
	}}
}

// crowded is a result of very many levels.
func crowded() *bench.Result {
	r := &bench.Result{Name: "all", Files: 1, Bytes: 400_000, Runs: 3}
	for i := range 60 {
		c := []manifest.Coding{manifest.Brotli, manifest.Zstd, manifest.Gzip, bench.Deflate}[i%4]
		size := int64(100_000 + 50_000/(i+1) + i%4*3_000)
		r.Rows = append(r.Rows, pageRow(c, i/4, size, time.Millisecond<<(i/5), i%4 == 0))
	}
	return r
}

// oddResults are results that charts are hard to draw of.
func oddResults() map[string]*bench.Result {
	result := func(size int64, rows ...bench.Row) *bench.Result {
		return &bench.Result{Name: "odd", Files: 1, Bytes: size, Runs: 3, Rows: rows}
	}
	const long = 200 * time.Hour
	return map[string]*bench.Result{
		"usual":         usual(),
		"crowded":       crowded(),
		"no rows":       result(0),
		"one row":       result(1000, pageRow("br", 11, 400, 2e6, true)),
		"no time":       result(115, pageRow("gzip", 1, 135, 0, false), pageRow("br", 1, 100, 0, true)),
		"some no time":  result(115, pageRow("gzip", 1, 110, 0, true), pageRow("br", 1, 100, 1, true), pageRow("br", 2, 90, 1e9, true)),
		"equal":         result(1000, pageRow("br", 5, 500, 1e6, true), pageRow("zstd", 5, 500, 1e6, true)),
		"larger":        result(1000, pageRow("br", 1, 1100, 2e5, true), pageRow("gzip", 1, 1200, 1e5, true)),
		"nothing saved": result(1000, pageRow("br", 1, 1000, 5, true)),
		"no bytes":      result(0, pageRow("br", 1, 1, 5, true), pageRow("gzip", 1, 20, 5, false)),
		"no bytes left": result(1000, pageRow("br", 1, 0, 5, true)),
		"huge":          result(math.MaxInt64, pageRow("br", 1, math.MaxInt64/2, long, true), pageRow("br", 2, 1, 1, true)),
		"none in front": result(1000, pageRow("br", 1, 400, 1e6, false), pageRow("br", 2, 300, 2e6, false)),
		"unknown":       result(1000, pageRow(`x"><script>`, 1, 400, 1e6, true)),
	}
}

func html(t *testing.T, link bench.Link, results ...*bench.Result) string {
	t.Helper()
	var page bytes.Buffer
	if err := bench.WriteHTML(&page, results, link); err != nil {
		t.Fatal(err)
	}
	return page.String()
}

var (
	svgImages = regexp.MustCompile(`(?s)<svg.*?</svg>`)
	numbers   = regexp.MustCompile(`-?[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?`)
)

// TestHTMLCharts: whatever the numbers are, the charts are well-formed images with
// texts instead of them, whose shapes all lie within or close by.
func TestHTMLCharts(t *testing.T) {
	t.Parallel()
	for name, r := range oddResults() {
		for _, link := range []bench.Link{{Mbits: 100, Requests: 1}, {Mbits: 1e-6, Requests: 1}, {Mbits: 1e9, Requests: math.MaxInt32}} {
			page := html(t, link, r)
			if strings.Contains(page, "Inf<") || strings.Contains(page, ">NaN") {
				t.Errorf("%s: a cell is no number", name)
			}
			images := svgImages.FindAllString(page, -1)
			if want := 4; len(images) != want && len(r.Rows) > 0 {
				t.Errorf("%s: %d images, want %d", name, len(images), want)
			}
			for _, image := range images {
				checkImage(t, name, image)
			}
		}
	}
}

func checkImage(t *testing.T, name, image string) {
	t.Helper()
	elements := map[string]int{}
	for d := xml.NewDecoder(strings.NewReader(image)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%s: %v in %s", name, err, image)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		elements[start.Name.Local]++
		for _, a := range start.Attr {
			checkPlaces(t, name, start.Name.Local, a)
		}
	}
	if elements["svg"] != 1 || elements["title"] == 0 || elements["desc"] != 1 || elements["script"] != 0 {
		t.Errorf("%s: elements %v", name, elements)
	}
	if !strings.Contains(image, `role="img"`) || !strings.Contains(image, "aria-labelledby=") {
		t.Errorf("%s: not marked as an image: %.200s", name, image)
	}
}

// checkPlaces checks that the numbers of a shape are numbers, and not far outside.
func checkPlaces(t *testing.T, name, element string, a xml.Attr) {
	t.Helper()
	switch a.Name.Local {
	case "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "width", "height", "d", "points":
	default:
		return
	}
	rest := numbers.ReplaceAllStringFunc(a.Value, func(number string) string {
		if v, err := strconv.ParseFloat(number, 64); err != nil || v < -20 || v > 1000 {
			t.Errorf("%s: %s has %s=%q", name, element, a.Name.Local, a.Value)
		}
		return ""
	})
	if strings.Trim(rest, "MLZ ,") != "" {
		t.Errorf("%s: %s has %s=%q", name, element, a.Name.Local, a.Value)
	}
}

// TestHTMLText: the page has every row, and says what is the best.
func TestHTMLText(t *testing.T) {
	t.Parallel()
	text := html(t, bench.Link{Mbits: 100, Requests: 1}, usual())
	for _, want := range []string{
		"<title>bench: dist</title>",
		"505,446 bytes in 9 files, each encoded and decoded 3 times. Encoders: br: encoder 1; zstd: encoder 1; gzip: encoder 1.",
		"166 kB, 67.1 % saved, in 858 ms",  // smallest
		"211 kB, 58.2 % saved, in 4.00 ms", // fastest
		"19.5 ms saved per request",        // best
		"Quickest: br 11 up to 65.7 kbit/s,",
		"identity above.",
		"Of 13 levels, the 9 on the Pareto front have a line",
		`<td class="notes">Pareto front, fastest, best at 100 Mbit/s</td>`,
		`<td class="notes">Pareto front, smallest</td>`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	for _, row := range []string{"215,282", "187,801", "196,572"} {
		if !strings.Contains(text, "<td class=\"number\">"+row+"</td>") {
			t.Errorf("no row of %s bytes", row)
		}
	}
}

// TestHTMLRequests: spread over requests, compressing costs less, and the page says
// that it is spread.
func TestHTMLRequests(t *testing.T) {
	t.Parallel()
	text := html(t, bench.Link{Mbits: 100, Requests: 1000}, usual())
	for _, want := range []string{"sent 1,000 times", "divided by 1,000 requests", "Quickest: br 11 up to 65.7 Mbit/s,", "best at 100 Mbit/s"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if once := html(t, bench.Link{Mbits: 100, Requests: 1}, usual()); strings.Contains(once, "divided by") {
		t.Error("what is compressed for each request is not divided")
	}
}

// TestHTMLDeflate: only where deflate was measured, the page says what it is for.
func TestHTMLDeflate(t *testing.T) {
	t.Parallel()
	for _, r := range []*bench.Result{usual(), crowded()} {
		if got, want := strings.Contains(html(t, bench.Link{Mbits: 100, Requests: 1}, r), "no variants are stored in it"), r.Name == "all"; got != want {
			t.Errorf("%s: said %v, want %v", r.Name, got, want)
		}
	}
}

// TestHTMLFailures: files that are left out are named.
func TestHTMLFailures(t *testing.T) {
	t.Parallel()
	r := usual()
	r.Failures = []*precompress.Error{{Op: "open", Path: "se<cret>.js", Err: fs.ErrPermission}}
	text := html(t, bench.Link{Mbits: 100, Requests: 1}, r)
	if !strings.Contains(text, "Could not be read, and not included in the numbers") || !strings.Contains(text, "se&lt;cret&gt;.js: open: permission denied") {
		t.Error("the failure is not told")
	}
}

// TestHTMLMissing: inputs that nothing was measured of are in a box, and nowhere else.
func TestHTMLMissing(t *testing.T) {
	t.Parallel()
	none := &bench.Result{Name: "empty<.js", Failures: []*precompress.Error{{Err: bench.ErrEmpty}}}
	text := html(t, bench.Link{Mbits: 100, Requests: 1}, none, usual())
	for _, want := range []string{"<h2>Not measured</h2>", "<li>empty&lt;.js: holds nothing to measure</li>", "<title>bench: dist</title>"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing", want)
		}
	}
	if strings.Count(text, "<section") != 1 {
		t.Error("what was not measured has a section")
	}
	if text := html(t, bench.Link{Mbits: 100, Requests: 1}, usual()); strings.Contains(text, "Not measured") {
		t.Error("nothing is missing, and the page says so")
	}
}

// TestHTMLSaves: what makes the content larger is neither the smallest nor the fastest.
func TestHTMLSaves(t *testing.T) {
	t.Parallel()
	text := html(t, bench.Link{Mbits: 100, Requests: 1}, oddResults()["larger"])
	if strings.Count(text, `<dd><span class="key identity">identity</span></dd><dd class="note">no level saves bytes</dd>`) != 3 {
		t.Error("identity is not what is best")
	}
	text = html(t, bench.Link{Mbits: 100, Requests: 1}, oddResults()["some no time"])
	if !strings.Contains(text, `<dt>Fastest</dt><dd><span class="key gzip">gzip 1</span>`) {
		t.Error("gzip 1 saves 5 bytes, and is not the fastest")
	}
	r := oddResults()["no time"] // gzip 1 makes it larger in no time
	r.Rows[1].Compress.Median = 5
	if text := html(t, bench.Link{Mbits: 100, Requests: 1}, r); !strings.Contains(text, `<dt>Fastest</dt><dd><span class="key br">br 1</span>`) {
		t.Error("br 1 is not the fastest that saves bytes")
	}
}

// TestHTMLAxis: the axis of bytes starts at zero where there is little left.
func TestHTMLAxis(t *testing.T) {
	t.Parallel()
	const note = "does not start at zero"
	zeros := &bench.Result{Name: "zeros", Files: 1, Bytes: 50_000_000, Runs: 1, Rows: []bench.Row{pageRow("br", 1, 50, 2e6, true), pageRow("gzip", 1, 220_000, 2e6, false)}}
	if text := html(t, bench.Link{Mbits: 100, Requests: 1}, zeros); strings.Contains(text, note) {
		t.Error("it starts at zero, and the page denies it")
	}
	if text := html(t, bench.Link{Mbits: 100, Requests: 1}, usual()); !strings.Contains(text, note) {
		t.Error("it does not start at zero, and the page does not say so")
	}
}

// TestHTMLHostileNames: names are text, whatever is in them.
func TestHTMLHostileNames(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		`</title><script>alert(1)</script>.js`:  "&lt;script&gt;",
		`"onload="x' {{.}} {{template "body"}}`: "{{template",
		"\x1b[31m\u202egnp.\xff":                `\x1b[31m\u202egnp.\xff`,
		"\u05d0.js":                             "<bdi>\u05d0.js</bdi>",
		"  a.js":                                `&#34;  a.js&#34;`,
	} {
		r := usual()
		r.Name = name
		text := html(t, bench.Link{Mbits: 100, Requests: 1}, r, r)
		if strings.Count(text, "<script>") != 2 || strings.Contains(text, "<script>alert") || strings.ContainsAny(text, "\x1b\u202e") || !utf8.ValidString(text) {
			t.Errorf("%q is not escaped", name)
		}
		if !strings.Contains(text, want) {
			t.Errorf("%q is not on the page as %q", name, want)
		}
	}
}

// TestHTMLIsDeterministic: the same results make the same bytes.
func TestHTMLIsDeterministic(t *testing.T) {
	t.Parallel()
	link := bench.Link{Mbits: 100, Requests: 1}
	first := html(t, link, usual(), crowded())
	for range 5 {
		if html(t, link, usual(), crowded()) != first {
			t.Fatal("the page differs")
		}
	}
}

func TestHTMLLink(t *testing.T) {
	t.Parallel()
	for _, link := range []bench.Link{{}, {Mbits: 100}, {Requests: 1}, {Mbits: -1, Requests: 1}, {Mbits: math.NaN(), Requests: 1}, {Mbits: math.Inf(1), Requests: 1}} {
		var page bytes.Buffer
		if err := bench.WriteHTML(&page, []*bench.Result{usual()}, link); err == nil || page.Len() > 0 {
			t.Errorf("%+v: error %v, %d bytes written", link, err, page.Len())
		}
	}
}
