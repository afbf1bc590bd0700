// Package urlpattern checks and writes URL patterns for the match value of a
// Use-As-Dictionary field (RFC 9842, section 2.1.1; the URL Pattern standard).
package urlpattern

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Check returns an error unless pattern is a URL pattern for a path on the same
// origin, such as "/assets/app-*.js" or, relative to the dictionary's own URL,
// "app-*.js", without regular expressions.
//
// It follows the URL Pattern standard's syntax for paths. It refuses what would
// start a scheme, a host, a query or a fragment, characters that must be
// percent-encoded in a URL, and names of groups that are not ASCII. The literal
// characters :?+*(){}\ need a backslash.
func Check(pattern string) error {
	p := parser{text: pattern}
	if err := p.parse(); err != nil {
		return fmt.Errorf("match pattern %q: %w", pattern, err)
	}
	return nil
}

// Quote returns the pattern that matches only the given text of a URL's path. The
// text is percent-encoded, as in a URL.
func Quote(path string) string {
	var b strings.Builder
	for _, r := range path {
		switch {
		case r == ':': // \: alone would end a scheme
			b.WriteString(`{\:}`)
			continue
		case strings.ContainsRune(`?+*(){}\`, r):
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

// spelledTwice are the characters that some pages percent-encode in a URL's path
// and others do not. Browsers keep either spelling.
const spelledTwice = "!$&'()*+,:;=@[]|"

// QuoteName is [Quote] for the name of a file, or a part of one, that pages may
// spell in more than one way: it puts "*" in place of one or more characters that
// may but need not be percent-encoded, []()!$&'*+,:;=@|. For "[id](1).js" it
// returns "*id*1*.js", which also matches "%5Bid%5D(1).js", and "xidx1x.js".
func QuoteName(name string) string {
	var b strings.Builder
	wild := false
	for _, r := range name {
		was := wild
		wild = strings.ContainsRune(spelledTwice, r)
		switch {
		case !wild:
			b.WriteString(Quote(string(r)))
		case !was: // "**" would be another pattern
			b.WriteByte('*')
		}
	}
	return b.String()
}

// maxPattern is the longest pattern, in bytes: a server sends it with every
// response.
const maxPattern = 1024

// parser reads a pattern from left to right.
type parser struct {
	text      string
	at        int
	names     []string
	inGroup   bool // between "{" and "}"
	wildcards int  // in the group; names count
}

func (p *parser) parse() error {
	switch {
	case p.text == "":
		return errors.New("it is empty")
	case len(p.text) > maxPattern:
		return fmt.Errorf("it is longer than %d characters", maxPattern)
	case strings.HasPrefix(p.text, "//"):
		return errors.New("it would name another host")
	}
	for p.at < len(p.text) {
		if err := p.part(); err != nil {
			return err
		}
	}
	if p.inGroup {
		return errors.New("a group is not closed")
	}
	return nil
}

// part reads a wildcard, a name, a character, or the start or end of a group. A
// modifier may follow a group, and a wildcard or name outside of one.
func (p *parser) part() (err error) {
	c := p.text[p.at]
	p.at++
	switch {
	case c == '{' && p.inGroup:
		return errors.New("a group in a group")
	case c == '{':
		p.inGroup, p.wildcards = true, 0
	case c == '}' && p.inGroup && p.wildcards > 1:
		return errors.New("more than one wildcard in a group")
	case c == '}' && p.inGroup:
		p.inGroup = false
		p.modifier()
	case c == '*' || c == ':':
		p.wildcards++
		if c == ':' {
			err = p.name()
		}
		if !p.inGroup {
			p.modifier()
		}
	case c == '\\':
		return p.escaped()
	case strings.IndexByte("(}?+#", c) >= 0:
		return fmt.Errorf("%q is not allowed here", c)
	case !urlByte(c):
		return fmt.Errorf("%q has to be percent-encoded", c)
	}
	return err
}

func (p *parser) modifier() {
	if p.at < len(p.text) && strings.IndexByte("?+*", p.text[p.at]) >= 0 {
		p.at++
	}
}

// name reads the name of a group, which must not be used twice.
func (p *parser) name() error {
	start := p.at
	for p.at < len(p.text) && nameByte(p.text[p.at], p.at == start) {
		p.at++
	}
	name := p.text[start:p.at]
	switch {
	case name == "":
		return errors.New("a colon without a name")
	case slices.Contains(p.names, name):
		return fmt.Errorf("the name %s is used twice", name)
	}
	p.names = append(p.names, name)
	return nil
}

func nameByte(c byte, first bool) bool {
	letter := c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c == '$'
	return letter || !first && c >= '0' && c <= '9'
}

// escaped reads the character behind a backslash. Outside of a group, the
// standard takes even an escaped colon, question mark or number sign for the end
// of a scheme, a path, or a query.
func (p *parser) escaped() error {
	if p.at == len(p.text) {
		return errors.New("nothing after the backslash")
	}
	c := p.text[p.at]
	p.at++
	switch {
	case c == '#', c == '?', c == ':' && !p.inGroup:
		return fmt.Errorf("%q is not allowed here", "\\"+string(rune(c)))
	case !urlByte(c) && strings.IndexByte(`{}\`, c) < 0:
		return fmt.Errorf("%q has to be percent-encoded", c)
	}
	return nil
}

// urlByte reports whether a URL's path can hold the byte as it is.
func urlByte(c byte) bool { return c > ' ' && c <= '~' && strings.IndexByte("\"<>^`{}\\", c) < 0 }
