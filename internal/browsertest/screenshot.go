package browsertest

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Screenshot returns a picture of the first element that a selector matches.
func Screenshot(t *testing.T, b *Browser, selector string) image.Image {
	t.Helper()
	data, err := chromedp.Run(b.ctx, chromedp.Screenshot(selector))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// Painted counts the pixels of each of the named colors of the style sheet, such as "br"
// for var(--br), in a screenshot of the first element that a selector matches. A color
// that is missing, or whose shapes are not drawn, counts 0.
func Painted(t *testing.T, b *Browser, selector string, names ...string) map[string]int {
	t.Helper()
	pixels := countColors(Screenshot(t, b, selector))
	painted := make(map[string]int)
	for _, name := range names {
		value := Evaluate[string](t, b, fmt.Sprintf(`getComputedStyle(document.documentElement).getPropertyValue("--%s")`, name))
		painted[name] = pixels[strings.TrimSpace(value)]
	}
	return painted
}

// Charts returns the selector of the charts that are visible in a view: a page holds
// each chart twice, for wide windows and for narrow ones.
func (v View) Charts() string {
	if v.Width < 720 {
		return "svg.chart.narrow"
	}
	return "svg.chart.wide"
}

// countColors counts the pixels of each color, written as #rrggbb.
func countColors(picture image.Image) map[string]int {
	pixels := make(map[[3]uint8]int)
	box := picture.Bounds()
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			r, g, b, _ := picture.At(x, y).RGBA()
			pixels[[3]uint8{uint8(r >> 8), uint8(g >> 8), uint8(b >> 8)}]++
		}
	}
	counts := make(map[string]int, len(pixels))
	for c, n := range pixels {
		counts[fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])] = n
	}
	return counts
}
