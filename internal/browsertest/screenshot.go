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

// Painted takes a picture of the first element that a selector finds, and returns how
// many of its pixels have each of the named colors of the style sheet, such as "br" for
// var(--br). Shapes that are not drawn, or drawn in nothing, have none.
func Painted(t *testing.T, b *Browser, selector string, names ...string) map[string]int {
	t.Helper()
	data, err := chromedp.Run(b.ctx, chromedp.Screenshot(selector))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	pixels := countColors(picture)
	painted := make(map[string]int)
	for _, name := range names {
		value := Evaluate[string](t, b, fmt.Sprintf(`getComputedStyle(document.documentElement).getPropertyValue("--%s")`, name))
		painted[name] = pixels[strings.TrimSpace(value)]
	}
	return painted
}

// Charts returns the selector of the charts that a page shows in a view: each is drawn
// for wide windows and for narrow ones.
func (v View) Charts() string {
	if v.Width < 720 {
		return "svg.chart.narrow"
	}
	return "svg.chart.wide"
}

// countColors counts the pixels of each color, by its form in style sheets.
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
