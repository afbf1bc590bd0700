package bench

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
)

// photo returns a PNG that resembles a photo: a sky that gets darker, hills of a few
// colors, and on all of it the noise of a sensor, which no coding can predict.
func photo() []byte {
	const width, height = 320, 240
	d := newDice(2)
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	hills := ridge(d, width, height)
	for y := range height {
		for x := range width {
			base := color.NRGBA{R: uint8(90 + y/3), G: uint8(130 + y/4), B: uint8(220 - y/3), A: 255}
			if y > hills[x] {
				base = color.NRGBA{R: uint8(60 + (y-hills[x])/2), G: uint8(110 - y/6), B: uint8(50 + x/16), A: 255}
			}
			picture.SetNRGBA(x, y, noisy(d, base))
		}
	}
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		panic(err) // cannot happen: the picture is not empty, and goes to memory
	}
	return out.Bytes()
}

// ridge returns the line at which the hills begin, for each column.
func ridge(d dice, width, height int) []int {
	line := make([]int, width)
	at := height / 2
	for x := range line {
		at = min(max(at+d.between(-2, 2), height/3), 2*height/3)
		line[x] = at
	}
	return line
}

// noisy adds noise to each of the three parts of a color.
func noisy(d dice, c color.NRGBA) color.NRGBA {
	noise := func(v uint8) uint8 { return uint8(min(max(int(v)+d.n(16)+d.n(16)-15, 0), 255)) }
	return color.NRGBA{R: noise(c.R), G: noise(c.G), B: noise(c.B), A: c.A}
}
