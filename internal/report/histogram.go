package report

import (
	"fmt"
	"math"

	"github.com/precompress/precompress/internal/page"
	"github.com/precompress/precompress/manifest"
)

// mostBins is how many bins a histogram has at most. The first bin also has all smaller
// files.
const mostBins = 18

// bin counts the files in a range of sizes.
type bin struct {
	From, To int64 // bytes; To is excluded
	// Sources and Smallest count sources and smallest representations.
	Sources, Smallest int
}

// Sizes names the bin.
func (b bin) Sizes() string {
	if b.From == 0 {
		return "under " + page.Size(b.To)
	}
	return page.Size(b.From) + " to " + page.Size(b.To)
}

// bins returns the histogram of assets. Bounds are 1, 2 and 5 times powers of ten, so that
// bins are about equally wide on a logarithmic scale.
func bins(assets []manifest.Asset) []bin {
	if len(assets) == 0 {
		return nil
	}
	low, high := int64(math.MaxInt64), int64(0)
	for i := range assets {
		low, high = min(low, smallest(&assets[i])), max(high, assets[i].Size)
	}
	all := emptyBins(low, high)
	for i := range assets {
		all[find(all, assets[i].Size)].Sources++
		all[find(all, smallest(&assets[i]))].Smallest++
	}
	return all
}

// emptyBins returns bins for sizes from low to high.
func emptyBins(low, high int64) []bin {
	var all []bin
	from := int64(0)
	for exponent := int64(1); exponent < math.MaxInt64/10; exponent *= 10 {
		for _, step := range []int64{1, 2, 5} {
			to := step * exponent
			if to > low {
				all = append(all, bin{From: from, To: to})
			}
			if to > high {
				return mergeLowest(all)
			}
			from = to
		}
	}
	return mergeLowest(append(all, bin{From: from, To: math.MaxInt64}))
}

// mergeLowest merges the lowest bins into one if there are too many.
func mergeLowest(all []bin) []bin {
	if len(all) <= mostBins {
		return all
	}
	all = all[len(all)-mostBins:]
	all[0].From = 0
	return all
}

// find returns the index of the bin of a size.
func find(all []bin, size int64) int {
	for i, b := range all {
		if size < b.To {
			return i
		}
	}
	return len(all) - 1
}

func histogramFigure(all []bin) page.Figure {
	return page.Figure{
		ID:          "histogram",
		Title:       "File sizes",
		Description: "For each range of sizes, two bars: the number of sources, and the number of smallest representations. The table below has the same numbers.",
		Draw:        func(c *page.Canvas) { drawHistogram(c, all) },
	}
}

func drawHistogram(c *page.Canvas, all []bin) {
	const right, top, bottom = 4, 12, 30
	c.Height = 280
	most := 1
	for _, b := range all {
		most = max(most, b.Sources, b.Smallest)
	}
	left := 12 + page.TextWidth(page.Comma(int64(most)))
	base := c.Height - bottom
	y := func(n int) float64 { return base - (base-top)*float64(n)/float64(most) }
	for n := 0; n <= most; n += step(most) {
		class := "grid"
		if n == 0 {
			class = "axis"
		}
		c.Line(class, left, y(n), c.Width-right, y(n))
		c.Text("small faint last", left-8, y(n)+4, page.Comma(int64(n)))
	}
	width := (c.Width - left - right) / float64(len(all))
	for i, b := range all {
		x := left + width*float64(i)
		drawBars(c, b, x, width, y)
	}
	drawBounds(c, all, left, width, base)
}

// drawBars draws the two bars of a bin.
func drawBars(c *page.Canvas, b bin, x, width float64, y func(int) float64) {
	gap := min(8, width*.16)
	bar := (width - 2*gap) / 2
	for i, n := range []int{b.Sources, b.Smallest} {
		class, what := "mark identity", page.Count(n, "source")
		if i == 1 {
			class, what = "mark smallest", page.Count(n, "smallest representation")
		}
		if n > 0 {
			c.Rect(class, x+gap+bar*float64(i), y(n), bar, y(0)-y(n), fmt.Sprintf("%s: %s", b.Sizes(), what))
		}
	}
}

// drawBounds labels the bounds between bins, as far as there is room.
func drawBounds(c *page.Canvas, all []bin, left, width, base float64) {
	const room = 58
	every := int(math.Ceil(room / width))
	for i, b := range all {
		x := left + width*float64(i+1)
		c.Line("axis", x, base, x, base+4)
		if (len(all)-1-i)%every == 0 && i < len(all)-1 {
			c.Text("small faint middle", x, base+18, page.Size(b.To))
		}
	}
}

// step returns the distance between the lines of a scale from 0 to most: 1, 2 or 5 times a
// power of ten. There are two to five lines above zero, or most if that is less.
func step(most int) int {
	for exponent := 1; ; exponent *= 10 {
		for _, s := range []int{1, 2, 5} {
			if most/(s*exponent) <= 5 {
				return s * exponent
			}
		}
	}
}
