package page

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/precompress/precompress/precompress"
)

// Shown returns the name of a file as pages show it: quoted if it would not be fully
// visible, for example with spaces at the end.
func Shown(name string) string {
	text := precompress.PrintablePath(name)
	if text == name && (strings.Trim(name, " ") != name || strings.Contains(name, "  ")) {
		return strconv.Quote(name)
	}
	return text
}

// TextWidth estimates the width of a text of usual size on a [Canvas]. Fonts differ; it is
// rather too large than too small.
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
		return 13.5 // Chinese, Japanese and Korean, emoji, and everything else
	case unicode.IsUpper(r):
		return 10
	}
	return 8.4
}

// Shorten leaves out the middle of a text that is wider than width on a [Canvas], so that
// names keep their start and their extension.
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
