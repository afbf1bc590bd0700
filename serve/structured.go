package serve

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/precompress/precompress/manifest"
)

// maxStructured is the longest structured field that is read, in bytes: an
// Available-Dictionary has 46 and perhaps a few parameters.
const maxStructured = 1024

// parseDictionary parses an Available-Dictionary field (RFC 9842, section 2.2):
// an item of a structured field, a byte sequence of 32 bytes (RFC 9651,
// section 4.2.3). Its parameters, which have no meaning, are checked and
// ignored. A field that does not parse is to be ignored as a whole (section
// 4.2), and so is one of several lines, which would be a list.
func parseDictionary(lines []string) (d manifest.Dictionary, ok bool) {
	if len(lines) != 1 || len(lines[0]) > maxStructured {
		return d, false
	}
	p := structured{strings.Trim(lines[0], " ")}
	data, ok := p.byteSequence()
	if !ok || len(data) != 43 || !p.parameters() || p.rest != "" {
		return d, false
	}
	var text [43]byte
	copy(text[:], data)
	n, err := base64.RawStdEncoding.Decode(d[:], text[:])
	return d, err == nil && n == len(d)
}

// structured reads a structured field (RFC 9651, section 4.2) from its start.
type structured struct{ rest string }

// take cuts the bytes off that are in the set, at most limit of them.
func (p *structured) take(limit int, in func(byte) bool) string {
	n := 0
	for n < len(p.rest) && n < limit && in(p.rest[n]) {
		n++
	}
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	return taken
}

// skip cuts c off, if it is next.
func (p *structured) skip(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// byteSequence reads a byte sequence (section 4.2.7) and returns its base64
// without padding, which may be absent.
func (p *structured) byteSequence() (data string, ok bool) {
	if !p.skip(':') {
		return "", false
	}
	data = p.take(maxStructured, isBase64)
	padding := len(p.take(maxStructured, func(c byte) bool { return c == '=' }))
	padded := padding == 0 || padding <= 2 && (len(data)+padding)%4 == 0
	return data, padded && len(data)%4 != 1 && p.skip(':')
}

// parameters reads parameters (section 4.2.3.2).
func (p *structured) parameters() bool {
	for p.skip(';') {
		p.take(maxStructured, func(c byte) bool { return c == ' ' })
		if p.rest == "" || !isLower(p.rest[0]) && p.rest[0] != '*' {
			return false
		}
		p.take(maxStructured, isKey)
		if p.skip('=') && !p.bareItem() {
			return false
		}
	}
	return true
}

// bareItem reads the value of a parameter (section 4.2.3.1).
func (p *structured) bareItem() bool {
	if p.rest == "" {
		return false
	}
	switch c := p.rest[0]; {
	case c == ':':
		_, ok := p.byteSequence()
		return ok
	case c == '"':
		return p.quoted()
	case c == '?':
		p.rest = p.rest[1:]
		return p.skip('0') || p.skip('1')
	case c == '@':
		p.rest = p.rest[1:]
		return p.number(false)
	case c == '%':
		p.rest = p.rest[1:]
		return p.displayString()
	case c == '-' || isDigit(c):
		return p.number(true)
	case c == '*' || isLower(c|0x20):
		p.take(maxStructured, func(c byte) bool { return isTokenByte(c) || c == ':' || c == '/' })
		return true
	}
	return false
}

// number reads an integer or a decimal (section 4.2.4).
func (p *structured) number(fraction bool) bool {
	p.skip('-')
	whole := p.take(15, isDigit)
	if whole == "" || !fraction || !p.skip('.') {
		return whole != "" && (p.rest == "" || !isDigit(p.rest[0]))
	}
	parts := p.take(3, isDigit)
	return len(whole) <= 12 && parts != "" && (p.rest == "" || !isDigit(p.rest[0]))
}

// quoted reads a string (section 4.2.5).
func (p *structured) quoted() bool {
	p.skip('"')
	for {
		p.take(maxStructured, func(c byte) bool { return c >= ' ' && c <= '~' && c != '"' && c != '\\' })
		if p.skip('"') {
			return true
		}
		if !p.skip('\\') || !p.skip('"') && !p.skip('\\') {
			return false
		}
	}
}

// displayString reads what follows the percent sign of a display string
// (section 4.2.10).
func (p *structured) displayString() bool {
	if !p.skip('"') {
		return false
	}
	var text []byte
	for {
		plain := p.take(maxStructured, func(c byte) bool { return c >= ' ' && c <= '~' && c != '"' && c != '%' })
		text = append(text, plain...)
		if p.skip('"') {
			return utf8.Valid(text)
		}
		if !p.skip('%') {
			return false
		}
		digits := p.take(2, isLowerHex)
		if len(digits) < 2 {
			return false
		}
		text = append(text, hexValue(digits[0])<<4|hexValue(digits[1]))
	}
}

// quote returns printable ASCII text as a string of a structured field
// (section 4.1.6).
func quote(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func isLowerHex(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' }

func hexValue(c byte) byte {
	if isDigit(c) {
		return c - '0'
	}
	return c - 'a' + 10
}

func isBase64(c byte) bool { return isDigit(c) || isLower(c|0x20) || c == '+' || c == '/' }

func isKey(c byte) bool { return isLower(c) || isDigit(c) || strings.IndexByte("_-.*", c) >= 0 }
