package manifest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// CheckMatch returns an error unless pattern can be the match value of a
// Use-As-Dictionary field (RFC 9842, section 2.1.1): a URL pattern for a path
// on the same origin, such as "/assets/app-*.js", or "app-*.js" next to the
// dictionary's own URL, without regular expressions.
//
// It follows the syntax of the URL Pattern standard for paths. What would start
// a scheme, a host, a query or a fragment is refused; so are characters that no
// URL holds, which have to be percent-encoded, and names of groups that are not
// ASCII. The literal characters :?+*(){}\ need a backslash.
func CheckMatch(pattern string) error {
	p := matchParser{text: pattern}
	if err := p.parse(); err != nil {
		return fmt.Errorf("match pattern %q: %w", pattern, err)
	}
	return nil
}

// QuoteMatch returns the pattern that stands for the given text of a URL's path
// and nothing else. The text is percent-encoded already, as in a URL.
func QuoteMatch(path string) string {
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

// spelledTwice are the characters that some pages write as they are in a URL's path
// and others percent-encode: browsers leave both as they find them.
const spelledTwice = "!$&'()*+,:;=@[]|"

// MatchName returns the pattern for a file's name, or a part of one, that pages ask
// for in more than one spelling: "*" stands in place of the characters that may be
// percent-encoded and need not be, []()!$&'*+,:;=@|, one for several in a row. So
// "[id](1).js" gives "*id*1*.js", which "%5Bid%5D(1).js" matches, too, and so does
// "xidx1x.js". Everything else stands for itself, as of [QuoteMatch].
func MatchName(name string) string {
	var b strings.Builder
	wild := false
	for _, r := range name {
		was := wild
		wild = strings.ContainsRune(spelledTwice, r)
		switch {
		case !wild:
			b.WriteString(QuoteMatch(string(r)))
		case !was: // "**" would be another pattern
			b.WriteByte('*')
		}
	}
	return b.String()
}

// maxMatch is the longest pattern, in bytes. A longer one is nothing that a
// server should send with every answer.
const maxMatch = 1024

// matchParser reads a pattern from left to right.
type matchParser struct {
	text  string
	at    int
	names []string
}

func (p *matchParser) parse() error {
	switch {
	case p.text == "":
		return errors.New("it is empty")
	case len(p.text) > maxMatch:
		return fmt.Errorf("it is longer than %d characters", maxMatch)
	case strings.HasPrefix(p.text, "//"):
		return errors.New("it would name another host")
	}
	for p.at < len(p.text) {
		if p.text[p.at] == '{' {
			if err := p.group(); err != nil {
				return err
			}
			continue
		}
		if err := p.part(false); err != nil {
			return err
		}
	}
	return nil
}

// group reads "{", text with at most one wildcard or name, "}" and a modifier.
func (p *matchParser) group() error {
	p.at++
	wildcards := 0
	for p.at < len(p.text) && p.text[p.at] != '}' {
		switch p.text[p.at] {
		case '{':
			return errors.New("a group in a group")
		case '*', ':':
			wildcards++
		}
		if err := p.part(true); err != nil {
			return err
		}
	}
	if p.at == len(p.text) {
		return errors.New("a group is not closed")
	}
	if wildcards > 1 {
		return errors.New("more than one wildcard in a group")
	}
	p.at++
	p.modifier()
	return nil
}

// part reads a wildcard, a name, or a character.
func (p *matchParser) part(inGroup bool) error {
	c := p.text[p.at]
	p.at++
	switch {
	case c == '*':
		p.wildcardEnd(inGroup)
	case c == ':':
		if err := p.name(); err != nil {
			return err
		}
		p.wildcardEnd(inGroup)
	case c == '\\':
		return p.escaped(inGroup)
	case strings.IndexByte("(}?+#", c) >= 0:
		return fmt.Errorf("%q is not allowed here", c)
	case !urlByte(c):
		return fmt.Errorf("%q has to be percent-encoded", c)
	}
	return nil
}

// wildcardEnd reads the modifier of a wildcard; in a group, the group has it.
func (p *matchParser) wildcardEnd(inGroup bool) {
	if !inGroup {
		p.modifier()
	}
}

func (p *matchParser) modifier() {
	if p.at < len(p.text) && strings.IndexByte("?+*", p.text[p.at]) >= 0 {
		p.at++
	}
}

// name reads the name of a group, which must not be used twice.
func (p *matchParser) name() error {
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

// escaped reads what is behind a backslash. Outside of a group the standard
// takes even an escaped colon, question mark or number sign for the end of a
// scheme, a path, or a query.
func (p *matchParser) escaped(inGroup bool) error {
	if p.at == len(p.text) {
		return errors.New("nothing behind the backslash")
	}
	c := p.text[p.at]
	p.at++
	switch {
	case c == '#', c == '?', c == ':' && !inGroup:
		return fmt.Errorf("%q is not allowed here", "\\"+string(rune(c)))
	case !urlByte(c) && strings.IndexByte(`{}\`, c) < 0:
		return fmt.Errorf("%q has to be percent-encoded", c)
	}
	return nil
}

// urlByte reports whether a URL's path can hold the byte as it is.
func urlByte(c byte) bool { return c > ' ' && c <= '~' && strings.IndexByte("\"<>^`{}\\", c) < 0 }
