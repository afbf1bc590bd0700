package report

import (
	"fmt"

	"github.com/precompress/precompress/internal/page"
)

// rect is a rectangle on a canvas.
type rect struct{ x, y, width, height float64 }

// treemap draws each leaf in its own rectangle, with an area proportional to the bytes of
// its sources. The leaves of a directory are next to each other.
func treemap(p *part, in rect, draw func(*part, rect)) {
	if p.parts == nil {
		draw(p, in)
		return
	}
	for i, r := range places(p, in) {
		treemap(p.parts[i], r, draw)
	}
}

// places returns the rectangles of the parts that a part is divided into.
func places(p *part, in rect) []rect {
	sizes := make([]float64, len(p.parts))
	for i, child := range p.parts {
		sizes[i] = float64(child.Source)
	}
	// A rest may be larger than the parts before it: shapes get a little worse, areas
	// stay exact.
	return squarify(sizes, in)
}

// squarify divides a rectangle into one for each size, with areas proportional to sizes,
// and close to squares if sizes descend. It fills rows along the shorter side for as long
// as that makes their rectangles squarer (Bruls, Huizing and van Wijk: Squarified
// Treemaps, 2000).
func squarify(sizes []float64, in rect) []rect {
	var total float64
	for _, s := range sizes {
		total += s
	}
	rects := make([]rect, len(sizes))
	for start := 0; start < len(sizes) && total > 0; {
		scale := in.width * in.height / total
		side := min(in.width, in.height)
		end, sum := start+1, sizes[start]
		for end < len(sizes) && worst(sizes[start:end+1], sum+sizes[end], side, scale) <= worst(sizes[start:end], sum, side, scale) {
			sum += sizes[end]
			end++
		}
		in = lay(sizes[start:end], sum/total, in, rects[start:end])
		total -= sum
		start = end
	}
	return rects
}

// worst returns the largest aspect ratio of a row's rectangles.
func worst(row []float64, sum, side, scale float64) float64 {
	depth := sum * scale / side
	var worst float64
	for _, s := range row {
		if s > 0 {
			length := s * scale / depth
			worst = max(worst, depth/length, length/depth)
		}
	}
	return worst
}

// lay fills a share of a rectangle, along its shorter side, with a row of rectangles, and
// returns the remaining rectangle.
func lay(row []float64, share float64, in rect, rects []rect) rect {
	var sum, done float64
	for _, s := range row {
		sum += s
	}
	for i, s := range row {
		part := 0.0
		if sum > 0 {
			part = s / sum
		}
		if in.width >= in.height {
			rects[i] = rect{in.x, in.y + done*in.height, share * in.width, part * in.height}
		} else {
			rects[i] = rect{in.x + done*in.width, in.y, part * in.width, share * in.height}
		}
		done += part
	}
	if in.width >= in.height {
		return rect{in.x + share*in.width, in.y, (1 - share) * in.width, in.height}
	}
	return rect{in.x, in.y + share*in.height, in.width, (1 - share) * in.height}
}

func treemapFigure(root *part, leaves int) page.Figure {
	return page.Figure{
		ID:    "treemap",
		Title: "Where the bytes are",
		Description: fmt.Sprintf("A map of %s in %s. The area of each part is the size of its sources, the darker portion the size of its smallest representations. The table below has the same numbers.",
			page.Count(root.Files, "file"), page.Count(leaves, "part")),
		Draw: func(c *page.Canvas) {
			c.Height = 440
			in := rect{0, 0, c.Width, c.Height}
			treemap(root, in, func(p *part, r rect) { drawTile(c, p, r) })
			for i, r := range places(root, in) {
				if root.parts[i].parts != nil {
					c.Rect("enclosure", r.x+1, r.y+1, max(0, r.width-2), max(0, r.height-2), "")
				}
			}
		},
	}
}

// drawTile draws a leaf.
func drawTile(c *page.Canvas, p *part, r rect) {
	if r.width <= 0 || r.height <= 0 {
		return
	}
	class := "tile"
	if p.kind == rest {
		class = "tile others"
	}
	tooltip := fmt.Sprintf("%s: %s of sources, %s in the smallest representations (saved %s)", p.Path(), page.Size(p.Source), page.Size(p.Smallest), page.Saved(p.Source, p.Smallest))
	if p.kind == directory {
		tooltip += ", " + page.Count(p.Files, "file")
	}
	kept := r.height * float64(p.Smallest) / float64(p.Source)
	c.Group(class)
	c.Tooltip(tooltip)
	c.Rect("whole", r.x, r.y, r.width, r.height, "")
	c.Rect("kept", r.x, r.y+r.height-kept, r.width, kept, "")
	c.Rect("edge", r.x, r.y, r.width, r.height, "")
	drawLabel(c, p, r)
	c.EndGroup()
}

// drawLabel writes name, sizes and directory, as far as there is room.
func drawLabel(c *page.Canvas, p *part, r rect) {
	const margin, line, least = 6, 17, 36
	room := r.width - 2*margin
	if r.height < line+margin || room < least {
		return
	}
	c.Clip(r.x+margin, r.y+margin/2, room, r.height-margin)
	for i, text := range label(p, room) {
		if float64(i+1)*line+margin > r.height {
			break
		}
		class := "faint"
		if i == 0 {
			class = ""
		}
		c.Text(class, 0, 13+float64(i)*line, text)
	}
	c.EndClip()
}

// label returns the lines of text for a tile, no wider than room; none if there is no room
// for the name.
func label(p *part, room float64) []string {
	name := p.Name()
	if p.kind == rest && page.TextWidth(name) > room {
		name = "other"
	}
	if name = shortened(name, room); name == "" || page.TextWidth(name) > room {
		return nil
	}
	sizes := page.Size(p.Source) + " → " + page.Size(p.Smallest)
	if page.TextWidth(sizes) > room {
		sizes = page.Size(p.Source)
	}
	lines := []string{name}
	for _, text := range []string{sizes, shortened(p.Directory(), room)} {
		if text != "" && page.TextWidth(text) <= room {
			lines = append(lines, text)
		}
	}
	return lines
}

// shortened shortens a name to fit into room. It returns "" if too little would be left.
func shortened(name string, room float64) string {
	const least = 7 // characters
	short := page.Shorten(name, room)
	if short != name && len([]rune(short)) < least {
		return ""
	}
	return short
}
