package config

import (
	"bytes"
	"fmt"

	"github.com/pelletier/go-toml/v2/unstable"
)

// Position is a place in a file. Line and Column count from 1.
type Position struct {
	File         string // printable
	Line, Column int
}

// String returns the file and the line, such as "precompress.toml:3".
func (p Position) String() string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

// Errorf returns an error about the place.
func (p Position) Errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d:%d: %w", p.File, p.Line, p.Column, fmt.Errorf(format, args...))
}

// maxSection is the longest path of a section that keys are noted of, in bytes.
const maxSection = 64

// positions finds out where the keys of a file stand.
type positions struct {
	file     string
	parser   unstable.Parser
	found    map[string]Position // of keys, by their path
	sections int                 // [[files]] so far

	// The place reached by counting lines: keys come in order.
	line, lineStart int
}

// keyPositions returns where the keys of a valid file stand first. Paths have a
// dot between their elements, and the index behind the name of [[files]].
// Elements behind the third and keys below a long name are left out: no setting
// is there, and together they could be much longer than the file.
func keyPositions(file string, data []byte) map[string]Position {
	p := &positions{file: file, found: make(map[string]Position), line: 1}
	p.parser.Reset(data)
	section := ""
	for p.parser.NextExpression() {
		switch e := p.parser.Expression(); e.Kind {
		case unstable.KeyValue:
			if len(section) <= maxSection {
				p.key(e, section)
			}
		case unstable.Table, unstable.ArrayTable:
			section = p.key(e, "")
		}
	}
	return p.found
}

// key notes the elements of a key below a section and returns the path of what
// is below it.
func (p *positions) key(e *unstable.Node, section string) string {
	path := section
	keys := e.Key()
	for depth := 0; depth < 3 && keys.Next(); depth++ {
		at := p.at(int(keys.Node().Raw.Offset))
		path += string(keys.Node().Data)
		p.note(path, at)
		if path == "files" && e.Kind != unstable.KeyValue {
			if e.Kind == unstable.ArrayTable && keys.IsLast() {
				p.sections++
			}
			path += fmt.Sprintf(".%d", p.sections-1)
			p.note(path, at)
		}
		path += "."
	}
	return path
}

func (p *positions) note(path string, at Position) {
	if _, known := p.found[path]; !known {
		p.found[path] = at
	}
}

// at returns the position of an offset that is not before the last one's.
func (p *positions) at(offset int) Position {
	before := p.parser.Data()[p.lineStart:offset]
	p.line += bytes.Count(before, []byte("\n"))
	p.lineStart += bytes.LastIndexByte(before, '\n') + 1
	return Position{p.file, p.line, offset - p.lineStart + 1}
}
