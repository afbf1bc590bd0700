package probe

import (
	"errors"
	"fmt"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// maxID is the longest id of a dictionary, in bytes (RFC 9842, section 2.1.3).
const maxID = 1024

// use is what a Use-As-Dictionary field says.
type use struct{ match, id string }

// parseUse reads a Use-As-Dictionary field: a dictionary of a structured field (RFC
// 9651, section 4.2.2) with a string "match", and perhaps strings "id" and
// "match-dest" and a token "type" (RFC 9842, section 2.1). Other members are
// allowed.
func parseUse(lines []string) (use, error) {
	p := useParser{strings.Trim(strings.Join(lines, ", "), " ")}
	values, err := p.members()
	if err != nil {
		return use{}, err
	}
	match, found := values["match"]
	switch {
	case !found:
		return use{}, errors.New("match is missing")
	case match.kind != '"':
		return use{}, errors.New("match is not a string")
	}
	id, found := values["id"]
	if found && (id.kind != '"' || len(id.text) > maxID) {
		return use{}, fmt.Errorf("id is not a string of at most %d characters", maxID)
	}
	if kind, found := values["type"]; found && (kind.kind != 't' || kind.text != "raw") {
		return use{}, errors.New("type is not raw, and there is no other")
	}
	if dest, found := values["match-dest"]; found && dest.kind != '(' {
		return use{}, errors.New("match-dest is not a list in parentheses")
	}
	return use{match.text, id.text}, manifest.CheckMatch(match.text)
}

// useValue is the value of a member.
type useValue struct {
	kind byte // '"' a string, 't' a token, '(' a list, '?' anything else
	text string
}

type useParser struct{ rest string }

var errUse = errors.New("it is not a dictionary of a structured field (RFC 9651)")

func (p *useParser) members() (map[string]useValue, error) {
	values := make(map[string]useValue)
	for p.rest != "" {
		key := p.take(func(c byte) bool {
			return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("_-.*", c) >= 0
		})
		if key == "" {
			return nil, errUse
		}
		value := useValue{kind: '?'} // true
		if p.skip('=') {
			var err error
			if value, err = p.value(); err != nil {
				return nil, err
			}
		}
		if err := p.parameters(); err != nil {
			return nil, err
		}
		values[key] = value
		p.space()
		if p.rest == "" {
			break
		}
		if !p.skip(',') {
			return nil, errUse
		}
		p.space()
		if p.rest == "" {
			return nil, errUse // a comma at the end
		}
	}
	return values, nil
}

// value reads an item or an inner list.
func (p *useParser) value() (useValue, error) {
	if !p.skip('(') {
		return p.item()
	}
	for {
		p.space()
		if p.skip(')') {
			return useValue{kind: '('}, nil
		}
		if _, err := p.item(); err != nil {
			return useValue{}, err
		}
		if err := p.parameters(); err != nil {
			return useValue{}, err
		}
	}
}

// item reads a string, a token, or something else that is not looked at further.
func (p *useParser) item() (useValue, error) {
	if p.rest == "" {
		return useValue{}, errUse
	}
	if p.rest[0] == '"' {
		return p.quoted()
	}
	letter := p.rest[0]|0x20 >= 'a' && p.rest[0]|0x20 <= 'z' || p.rest[0] == '*'
	text := p.take(func(c byte) bool { return c > ' ' && c <= '~' && strings.IndexByte(`,;()"`, c) < 0 })
	switch {
	case text == "":
		return useValue{}, errUse
	case letter:
		return useValue{'t', text}, nil
	}
	return useValue{'?', text}, nil
}

// quoted reads a string (RFC 9651, section 4.2.5).
func (p *useParser) quoted() (useValue, error) {
	p.skip('"')
	var text strings.Builder
	for p.rest != "" {
		c := p.rest[0]
		p.rest = p.rest[1:]
		switch {
		case c == '"':
			return useValue{'"', text.String()}, nil
		case c == '\\':
			if p.rest == "" || p.rest[0] != '"' && p.rest[0] != '\\' {
				return useValue{}, errUse
			}
			c = p.rest[0]
			p.rest = p.rest[1:]
		case c < ' ' || c > '~':
			return useValue{}, errUse
		}
		text.WriteByte(c)
	}
	return useValue{}, errUse
}

// parameters reads and ignores parameters.
func (p *useParser) parameters() error {
	for p.skip(';') {
		p.take(func(c byte) bool { return c == ' ' })
		if p.take(func(c byte) bool { return c > ' ' && c <= '~' && strings.IndexByte(`=,;()"`, c) < 0 }) == "" {
			return errUse
		}
		if p.skip('=') {
			if _, err := p.item(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *useParser) take(in func(byte) bool) string {
	n := 0
	for n < len(p.rest) && in(p.rest[n]) {
		n++
	}
	taken := p.rest[:n]
	p.rest = p.rest[n:]
	return taken
}

func (p *useParser) space() { p.take(func(c byte) bool { return c == ' ' || c == '\t' }) }

func (p *useParser) skip(c byte) bool {
	if p.rest == "" || p.rest[0] != c {
		return false
	}
	p.rest = p.rest[1:]
	return true
}
