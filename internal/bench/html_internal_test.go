package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// times are rows by bytes and time to compress.
func timedRows(pairs ...int64) (rows []Row) {
	for i := 0; i < len(pairs); i += 2 {
		d := time.Duration(pairs[i+1])
		rows = append(rows, Row{Coding: "br", Level: i / 2, Bytes: pairs[i], Compress: Timing{d, d, d}})
	}
	return rows
}

func TestBands(t *testing.T) {
	t.Parallel()
	inf := math.Inf(1)
	const second = int64(time.Second)
	for _, test := range []struct {
		name     string
		rows     []Row
		requests int
		want     []band
	}{
		{"no row", nil, 1, []band{{identity, 0, inf}}},
		{"one row", timedRows(500_000, second), 1, []band{{0, 0, 4}, {identity, 4, inf}}},
		{"over requests", timedRows(500_000, second), 100, []band{{0, 0, 400}, {identity, 400, inf}}},
		{"larger", timedRows(1_000_001, 0, 1_200_000, second), 1, []band{{identity, 0, inf}}},
		{"no time", timedRows(600_000, 0, 500_000, 0), 1, []band{{1, 0, inf}}},
		{"two", timedRows(500_000, second, 250_000, 3*second), 1, []band{{1, 0, 1}, {0, 1, 4}, {identity, 4, inf}}},
		{"never the best", timedRows(500_000, second, 499_000, 2*second, 250_000, 3*second), 1, []band{{2, 0, 1}, {0, 1, 4}, {identity, 4, inf}}},
		{"crossing where another does", timedRows(500_000, second, 400_000, second*6/5, 250_000, second*3/2), 1, []band{{2, 0, 4}, {identity, 4, inf}}},
		{"equal", timedRows(500_000, second, 500_000, second), 1, []band{{0, 0, 4}, {identity, 4, inf}}},
	} {
		r := &Result{Bytes: 1_000_000, Rows: test.rows}
		got := r.bands(test.requests)
		if !cmp.Equal(got, test.want, cmp.AllowUnexported(band{}), cmpopts.EquateApprox(1e-9, 0)) {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// TestBandsAreBest: at each speed, no way to send is quicker than the band's.
func TestBandsAreBest(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var pairs []int64
		for range random.IntN(12) {
			pairs = append(pairs, random.Int64N(1_100_000), random.Int64N(int64(math.Pow(10, float64(random.IntN(11))))))
		}
		r := &Result{Bytes: 1_000_000, Rows: timedRows(pairs...)}
		bands := r.bands(1)
		for mbits := 1e-3; mbits < 1e7; mbits *= 1.3 {
			best := 0.0
			for _, row := range r.Rows {
				best = max(best, r.tradeoff(row, 1).gain(mbits))
			}
			v := comparison{Result: r, bands: bands, link: Link{Mbits: mbits, Requests: 1}}
			got := 0.0
			if i := v.bestAtLink(); i != identity {
				got = r.tradeoff(r.Rows[i], 1).gain(mbits)
			}
			if got < best-1e-9*math.Abs(best)-1e-12 {
				t.Fatalf("at %v Mbit/s a band saves %v s, but %v can be had: %v of %v", mbits, got, best, bands, pairs)
			}
		}
	}
}

func TestBandsText(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		rows []Row
		want string
	}{
		{timedRows(250_000, 3e9, 500_000, 1e9), "Quickest: br 0 up to 1.00 Mbit/s, br 1 up to 4.00 Mbit/s, identity above."},
		{timedRows(2_000_000, 1), "Quickest at any speed: identity."},
		{timedRows(500_000, 0), "Quickest at any speed: br 0."},
	} {
		r := &Result{Bytes: 1_000_000, Rows: test.rows}
		if got := bandsText(newComparison(r, Link{Mbits: 1, Requests: 1})); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for got, want := range map[string]string{
		seconds(0):                        "0 s",
		seconds(37.123):                   "37.1 s",
		seconds(-0.0042):                  "−4.20 ms",
		seconds(0.99996):                  "1.00 s",
		seconds(0.099996):                 "100 ms",
		seconds(1234.5):                   "1,235 s",
		seconds(4.2e-10):                  "0.42 ns",
		signedSeconds(12e-6):              "+12.0 µs",
		speed(558.4):                      "558 Mbit/s",
		speed(1250):                       "1.25 Gbit/s",
		speed(0.0654):                     "65.4 kbit/s",
		speed(math.Inf(1)):                "any",
		bytesTick(4_050_000):              "4.05 MB",
		bytesTick(0):                      "0",
		bytesTick(400):                    "400 B",
		gainTick(0.1):                     "+100 ms",
		gainTick(-10):                     "−10 s",
		timeTick(2e-5):                    "20 µs",
		speedTick(10_000):                 "10 Gbit/s",
		speedTick(0.3):                    "300 kbit/s",
		linesText(3, 3):                   "Each level has a line, thick where the level is the quickest.",
		fmt.Sprint(cell{value: 1}.Sort()): "1",
		cell{value: math.Inf(1)}.Sort():   "Infinity",
		cell{value: math.NaN()}.Sort():    "",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if text := linesText(0, 9); !strings.Contains(text, "no line") {
		t.Error(text)
	}
	if text := linesText(4, 9); !strings.Contains(text, "Of 9 levels, the 4 ") {
		t.Error(text)
	}
}
