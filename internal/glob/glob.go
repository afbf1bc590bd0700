// Package glob matches slash-separated paths against doublestar globs.
package glob

import (
	"fmt"
	"path"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Glob is one pattern. One without a slash matches a name at any depth, and one
// that matches a directory matches everything below it.
type Glob struct {
	pattern  string
	baseName bool // match the last element only
}

// Compile reads a pattern. A leading "./" or "/" and a trailing slash mean nothing.
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

// Match reports whether the pattern matches name or a directory above it.
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
