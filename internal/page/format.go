package page

import (
	"fmt"
	"html/template"
	"reflect"
	"strings"
	"unicode"

	"github.com/dustin/go-humanize"
)

// functions returns the functions of templates; see [Page.Body].
func functions() template.FuncMap {
	return template.FuncMap{"comma": commaAny, "size": sizeWithBytes, "signed": Signed, "saved": Saved, "count": countAny, "name": isolated, "bar": bar}
}

// Templates pass numbers of any integer type.
func commaAny(n any) string               { return Comma(reflect.ValueOf(n).Int()) }
func countAny(n any, thing string) string { return Count(int(reflect.ValueOf(n).Int()), thing) }

// Comma returns a number as in 1,234,567.
func Comma(n int64) string { return humanize.Comma(n) }

// Signed returns a change with its sign, as in +1,234.
func Signed(n int64) string {
	if n > 0 {
		return "+" + Comma(n)
	}
	return Comma(n)
}

// Size returns a number of bytes as in 1.2 MB.
func Size(n int64) string {
	if n < 0 {
		return "-" + Size(-n)
	}
	return humanize.Bytes(uint64(n))
}

// Saved returns the share of bytes that is saved, as in 77.2 %. It is negative if there are
// more bytes after.
func Saved(before, after int64) string {
	if before == 0 {
		return "–"
	}
	text := fmt.Sprintf("%.1f %%", 100*float64(before-after)/float64(before))
	if text == "100.0 %" && after > 0 {
		return ">99.9 %" // 100 % would mean that nothing is left
	}
	return text
}

// Count returns a number of things, as in "1 file" and "2 files".
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Comma(int64(n)) + " " + thing + "s"
}

func sizeWithBytes(n int64) template.HTML {
	return template.HTML(`<span title="` + Comma(n) + ` bytes">` + Size(n) + `</span>`)
}

// isolated returns text whose direction does not affect the text around it. ASCII needs no
// element for that, which matters: tens of thousands of elements take browsers seconds.
func isolated(text string) template.HTML {
	text = middleOut(text)
	escaped := template.HTML(template.HTMLEscapeString(text))
	switch {
	case strings.Contains(text, "  "):
		return `<bdi class="spaced">` + escaped + "</bdi>"
	case isASCII(text):
		return escaped
	}
	return "<bdi>" + escaped + "</bdi>"
}

// middleOut leaves out the middle of a text that is longer than names in file systems can
// be. Names from elsewhere, such as a manifest, may have any length.
func middleOut(text string) string {
	const most = 1000 // characters
	if len(text) <= most {
		return text
	}
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most/2]) + "…" + string(runes[len(runes)-most/2:])
}

func isASCII(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}
