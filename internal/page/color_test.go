package page_test

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// scheme are the colors of style.css by name, in linear RGB.
type scheme map[string][3]float64

var declaration = regexp.MustCompile(`(?m)^\s+--([a-z-]+): #([0-9a-f]{6});$`)

func schemes(t *testing.T) map[string]scheme {
	t.Helper()
	css, err := os.ReadFile("style.css")
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]scheme{"light": {}, "dark": {}}
	for _, m := range declaration.FindAllSubmatchIndex(css, -1) {
		name := "light"
		if strings.Contains(string(css[:m[0]]), "prefers-color-scheme: dark") {
			name = "dark"
		}
		var color [3]float64
		for i := range color {
			n, _ := strconv.ParseUint(string(css[m[4]+2*i:m[4]+2*i+2]), 16, 8)
			color[i] = linear(float64(n) / 255)
		}
		all[name][string(css[m[2]:m[3]])] = color
	}
	return all
}

func linear(c float64) float64 {
	if c <= 0.04045 {
		return c / 12.92
	}
	return math.Pow((c+0.055)/1.055, 2.4)
}

// contrast is that of WCAG 2.2.
func contrast(a, b [3]float64) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(c [3]float64) float64 { return 0.2126*c[0] + 0.7152*c[1] + 0.0722*c[2] }

var codings = []string{"identity", "br", "zstd", "gzip", "deflate", "dcb", "dcz"}

// TestContrast: text has a contrast of 4.5:1 and marks one of 3:1 (WCAG 2.2, success
// criteria 1.4.3 and 1.4.11).
func TestContrast(t *testing.T) {
	t.Parallel()
	least := map[string]float64{
		"text/background": 4.5, "muted/background": 4.5, "link/background": 4.5, "alarm/background": 4.5, "good/background": 4.5,
		"text/alarm-surface": 4.5, "alarm/alarm-surface": 4.5, "muted/alarm-surface": 4.5, "link/alarm-surface": 4.5,
		"text/tile": 4.5, "text/tile-kept": 4.5, "text/others": 4.5, "text/others-kept": 4.5,
		"smallest/background": 3,
	}
	for _, c := range codings {
		least[c+"/background"] = 3
	}
	for name, colors := range schemes(t) {
		for pair, want := range least {
			a, b, _ := strings.Cut(pair, "/")
			if got := contrast(colors[a], colors[b]); got < want {
				t.Errorf("%s: %s has a contrast of %.2f:1, want %g:1", name, pair, got, want)
			}
		}
	}
}

// TestColorBlind: the colors of any two codings differ for people without one of the
// three kinds of cones too, simulated with the matrices of Machado, Oliveira and
// Fernandes (2009). Distances are those of CIELAB, where 2 can just be seen.
func TestColorBlind(t *testing.T) {
	t.Parallel()
	kinds := map[string][3][3]float64{
		"nobody":     {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
		"protanopes": {{0.152286, 1.052583, -0.204868}, {0.114503, 0.786281, 0.099216}, {-0.003882, -0.048116, 1.051998}},
		"deutans":    {{0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}},
		"tritanopes": {{1.255528, -0.076749, -0.178779}, {-0.078411, 0.930809, 0.147602}, {0.004733, 0.691367, 0.303900}},
	}
	for name, colors := range schemes(t) {
		for who, matrix := range kinds {
			for i, a := range codings {
				for _, b := range codings[:i] {
					if d := distance(lab(apply(matrix, colors[a])), lab(apply(matrix, colors[b]))); d < 15 {
						t.Errorf("%s, %s: %s and %s are only %.1f apart", name, who, a, b, d)
					}
				}
			}
		}
	}
}

func apply(m [3][3]float64, c [3]float64) (out [3]float64) {
	for i, row := range m {
		out[i] = min(1, max(0, row[0]*c[0]+row[1]*c[1]+row[2]*c[2]))
	}
	return out
}

// lab returns a color in CIELAB under the light D65.
func lab(c [3]float64) [3]float64 {
	f := func(t float64) float64 {
		if t > 0.008856 {
			return math.Cbrt(t)
		}
		return 7.787*t + 16.0/116
	}
	x := f((0.4124*c[0] + 0.3576*c[1] + 0.1805*c[2]) / 0.95047)
	y := f(luminance(c))
	z := f((0.0193*c[0] + 0.1192*c[1] + 0.9505*c[2]) / 1.08883)
	return [3]float64{116*y - 16, 500 * (x - y), 200 * (y - z)}
}

func distance(a, b [3]float64) float64 {
	return math.Sqrt((a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1]) + (a[2]-b[2])*(a[2]-b[2]))
}
