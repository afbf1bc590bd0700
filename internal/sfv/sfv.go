// Package sfv reads and writes structured field values for HTTP (RFC 9651),
// as far as a request handler needs them. Reading does not allocate, except for
// display strings.
package sfv

import (
	"encoding/base64"
	"math"
	"strings"
	"unicode/utf8"
)

// ParseBytes parses a field line that is an item with a byte sequence of
// exactly len(dst) bytes (RFC 9651, sections 4.2.3 and 4.2.7), and stores these
// in dst. Base64 padding may be absent, and the unused bits of the last digit may
// be set. The item's parameters must be well formed and are ignored. If ok is
// false, the content of dst is undefined.
func ParseBytes(dst []byte, line string) (ok bool) {
	p := parser{strings.Trim(line, " ")}
	data, ok := p.byteSequence()
	if !ok || base64.RawStdEncoding.DecodedLen(len(data)) != len(dst) || !p.parameters() || p.rest != "" {
		return false
	}
	return decode(dst, data)
}

// decode decodes base64 without padding in blocks, whose buffers fit the stack:
// package base64 would want all of the text in a slice of its own.
func decode(dst []byte, data string) bool {
	var text [64]byte
	for data != "" {
		block := text[:copy(text[:], data)]
		data = data[len(block):]
		n, err := base64.RawStdEncoding.Decode(dst, block)
		if err != nil {
			return false
		}
		dst = dst[n:]
	}
	return len(dst) == 0
}

// FormatString returns text, which must be printable ASCII, as a string (RFC 9651,
// section 4.1.6), with its quotes.
func FormatString(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// parser holds what is left to parse.
type parser struct{ rest string }

// take cuts off the leading bytes that are in the set, at most limit of them.
func (p *parser) take(limit int, in func(byte) bool) string {
	n := 0
	for n < len(p.rest) && n < limit && in(p.rest[n]) {
		n++
	}
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	return taken
}

// skip cuts off c, if it is next.
func (p *parser) skip(c byte) (ok bool) {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}

// byteSequence parses a byte sequence (section 4.2.7) and returns its base64
// digits without padding.
func (p *parser) byteSequence() (data string, ok bool) {
	if !p.skip(':') {
		return "", false
	}
	data = p.take(math.MaxInt, isBase64)
	padding := len(p.take(math.MaxInt, func(c byte) bool { return c == '=' }))
	padded := padding == 0 || padding <= 2 && (len(data)+padding)%4 == 0
	return data, padded && len(data)%4 != 1 && p.skip(':')
}

// parameters parses parameters (section 4.2.3.2).
func (p *parser) parameters() bool {
	for p.skip(';') {
		p.take(math.MaxInt, func(c byte) bool { return c == ' ' })
		if p.rest == "" || !isLower(p.rest[0]) && p.rest[0] != '*' {
			return false
		}
		p.take(math.MaxInt, isKey)
		if p.skip('=') && !p.bareItem() {
			return false
		}
	}
	return true
}

// bareItem parses the value of a parameter (section 4.2.3.1).
func (p *parser) bareItem() bool {
	switch {
	case p.rest == "":
		return false
	case p.rest[0] == ':':
		_, ok := p.byteSequence()
		return ok
	case p.skip('"'):
		return p.text()
	case p.skip('?'):
		return p.skip('0') || p.skip('1')
	case p.skip('@'):
		return p.number(false)
	case p.skip('%'):
		return p.skip('"') && p.displayText()
	case p.rest[0] == '-' || isDigit(p.rest[0]):
		return p.number(true)
	case p.rest[0] == '*' || isLower(p.rest[0]|0x20):
		p.take(math.MaxInt, func(c byte) bool { return IsTokenByte(c) || c == ':' || c == '/' })
		return true
	}
	return false
}

// number parses an integer or, if fraction allows it, a decimal (section
// 4.2.4).
func (p *parser) number(fraction bool) bool {
	p.skip('-')
	whole := p.take(15, isDigit)
	if whole == "" || !fraction || !p.skip('.') {
		return whole != "" && (p.rest == "" || !isDigit(p.rest[0]))
	}
	parts := p.take(3, isDigit)
	return len(whole) <= 12 && parts != "" && (p.rest == "" || !isDigit(p.rest[0]))
}

// text parses a string (section 4.2.5) from behind its first quote.
func (p *parser) text() bool {
	for {
		p.take(math.MaxInt, func(c byte) bool { return c >= ' ' && c <= '~' && c != '"' && c != '\\' })
		if p.skip('"') {
			return true
		}
		if !p.skip('\\') || !p.skip('"') && !p.skip('\\') {
			return false
		}
	}
}

// displayText parses a display string (section 4.2.10) from behind its first
// quote.
func (p *parser) displayText() bool {
	var text []byte
	for {
		plain := p.take(math.MaxInt, func(c byte) bool { return c >= ' ' && c <= '~' && c != '"' && c != '%' })
		text = append(text, plain...)
		if p.skip('"') {
			return utf8.Valid(text)
		}
		if !p.skip('%') {
			return false
		}
		digits := p.take(2, func(c byte) bool { return isDigit(c) || c >= 'a' && c <= 'f' })
		if len(digits) < 2 {
			return false
		}
		text = append(text, hexValue(digits[0])<<4|hexValue(digits[1]))
	}
}

// IsTokenByte reports whether c may be in a token (RFC 9110, section 5.6.2). In
// tokens of structured fields, ":" and "/" may be, too.
func IsTokenByte(c byte) bool {
	return isLower(c|0x20) || isDigit(c) || strings.IndexByte("!#$%&'*+-.^_`|~", c) >= 0
}

func isLower(c byte) bool { return c >= 'a' && c <= 'z' }

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func hexValue(digit byte) byte {
	if isDigit(digit) {
		return digit - '0'
	}
	return digit - 'a' + 10
}

func isBase64(c byte) bool { return isDigit(c) || isLower(c|0x20) || c == '+' || c == '/' }

func isKey(c byte) bool { return isLower(c) || isDigit(c) || strings.IndexByte("_-.*", c) >= 0 }
