// Package glob matches slash-separated paths of a tree with doublestar patterns.
//
// A pattern without a slash matches a name at any depth. One that matches a
// directory matches everything below it.
package glob

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Glob is one pattern.
type Glob struct {
	pattern  string
	baseName bool // match the last element only
}

// Compile returns the glob that pattern describes. A leading "./" or "/" and a trailing
// "/" have no meaning of their own. The error says how to write the pattern.
func Compile(pattern string) (Glob, error) {
	trimmed := strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	g := Glob{
		pattern:  strings.TrimPrefix(trimmed, "/"),
		baseName: !strings.Contains(trimmed, "/"),
	}
	if g.pattern == "" {
		return g, fmt.Errorf("the glob %q matches nothing: write * for every file", pattern)
	}
	if !doublestar.ValidatePattern(g.pattern) {
		return g, fmt.Errorf("the glob %q is malformed: close each [ and {, and write \\[ for the character itself", pattern)
	}
	return g, nil
}

// Match reports whether the glob matches name or a directory above it.
func (g Glob) Match(name string) bool {
	for name != "." {
		target := name
		if g.baseName {
			target = path.Base(name)
		}
		if doublestar.MatchUnvalidated(g.pattern, target) {
			return true
		}
		name = path.Dir(name)
	}
	return false
}

// List is globs in order. One with a leading "!" takes back what those before it
// match.
type List []item

type item struct {
	Glob
	negated bool
}

// NewList returns the list of the given patterns.
func NewList(patterns []string) (List, error) {
	var list List
	for _, pattern := range patterns {
		rest, negated := strings.CutPrefix(pattern, "!")
		g, err := Compile(rest)
		if err != nil {
			return nil, err
		}
		list = append(list, item{g, negated})
	}
	return list, nil
}

// Last reports whether any glob of the list matches name, and whether the last one
// that does has a leading "!".
func (l List) Last(name string) (negated, matched bool) {
	for _, g := range slices.Backward(l) {
		if g.Match(name) {
			return g.negated, true
		}
	}
	return false, false
}

// Match reports whether the last glob that matches name has no leading "!".
func (l List) Match(name string) bool {
	negated, matched := l.Last(name)
	return matched && !negated
}

// Negates reports whether any glob of the list has a leading "!", so that a file
// below a directory that matches need not match.
func (l List) Negates() bool {
	return slices.ContainsFunc(l, func(g item) bool { return g.negated })
}
