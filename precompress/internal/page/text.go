package page

// Widths that characters take in an image, in the units of a [Canvas] and at the size
// of its text: more than those of the usual fonts on the average, since fonts differ.
const (
	usualWidth  = 8
	doubleWidth = 14 // of Chinese, Japanese and Korean, of pictures, and of what is not known
)

// TextWidth returns about how wide a text is in an image.
func TextWidth(text string) float64 {
	var width float64
	for _, r := range text {
		width += runeWidth(r)
	}
	return width
}

func runeWidth(r rune) float64 {
	if r >= 0x1100 {
		return doubleWidth
	}
	return usualWidth
}

// Shorten returns a text with its middle left out if it is wider than that in an
// image, so that names keep their start and their extension.
func Shorten(text string, width float64) string {
	if TextWidth(text) <= width {
		return text
	}
	runes := []rune(text)
	start, end := 0, len(runes)
	for used := float64(usualWidth); start < end; {
		next := runes[start]
		fromEnd := len(runes)-end < start
		if fromEnd {
			next = runes[end-1]
		}
		if used += runeWidth(next); used > width {
			break
		}
		if fromEnd {
			end--
		} else {
			start++
		}
	}
	return string(runes[:start]) + "…" + string(runes[end:])
}
