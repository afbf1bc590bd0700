package page

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/precompress/precompress/precompress"
)

// Shown returns the name of a file as it stands on a page: quoted if that is not all to
// be seen, as of one with spaces at an end.
func Shown(name string) string {
	text := precompress.PrintablePath(name)
	if text == name && (strings.Trim(name, " ") != name || strings.Contains(name, "  ")) {
		return strconv.Quote(name)
	}
	return text
}

// TextWidth returns about how wide a text is in an image, in the units of a [Canvas]
// and at the size of its text: rather more than in the usual fonts, which differ.
func TextWidth(text string) float64 {
	var width float64
	for _, r := range text {
		width += runeWidth(r)
	}
	return width
}

func runeWidth(r rune) float64 {
	switch {
	case strings.ContainsRune("ijlfrtI.,:;'|!()[]/- ", r):
		return 5.5
	case r >= 0x1100, strings.ContainsRune("mwMW@%", r):
		return 13.5 // what is Chinese, Japanese or Korean, pictures, and what is not known
	case unicode.IsUpper(r):
		return 10
	}
	return 8.4
}

// Shorten returns a text with its middle left out if it is wider than that in an
// image, so that names keep their start and their extension.
func Shorten(text string, width float64) string {
	if TextWidth(text) <= width {
		return text
	}
	runes := []rune(text)
	start, end := 0, len(runes)
	for used := runeWidth('…'); start < end; {
		fromEnd := len(runes)-end < start
		next := runes[start]
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
