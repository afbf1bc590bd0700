package precompress

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// Rule changes settings for the files that its globs match.
type Rule struct {
	// Globs are as in [Options.Include]. They are read in order, and one with
	// a leading "!" takes out again what those before it match.
	Globs []string
	// Codings lists the content codings to store; nil changes nothing.
	Codings []manifest.Coding
	// Levels overrides levels per coding; see [Options.Levels].
	Levels map[manifest.Coding]int
	// Exclude leaves the files out, whatever other rules and
	// [Options.Exclude] say.
	Exclude bool
}

// settings are how a source is encoded.
type settings struct {
	codings []manifest.Coding // in the order of [manifest.Codings]
	levels  map[manifest.Coding]int
}

// settings returns those of sources that no rule is about.
func (o Options) settings() settings { return settings{o.Codings, o.Levels} }

// level returns the level for a coding. A delta is encoded at that of the coding
// that its stream is in; brotli finds little in dictionaries below level 3.
func (s settings) level(c manifest.Coding) int {
	switch c {
	case manifest.DCB:
		return max(3, s.levels[manifest.Brotli])
	case manifest.DCZ:
		return s.levels[manifest.Zstd]
	}
	return s.levels[c]
}

func (s settings) longestSuffix() (n int) {
	for _, c := range s.codings {
		n = max(n, len(c.Suffix()))
	}
	return n
}

// ruleSet is [Options.Rules], checked, on top of the other options.
type ruleSet struct {
	base  settings
	rules []rule
}

type rule struct {
	globs   []exclusion // those that reinclude take out of the rule
	narrows bool        // any of the globs does
	settings
	exclude bool
}

// newRuleSet checks the rules of options that have their defaults.
func newRuleSet(o Options) (*ruleSet, error) {
	set := &ruleSet{base: o.settings()}
	for i, r := range o.Rules {
		checked, field, err := newRule(r)
		if err != nil {
			return nil, invalid(fmt.Sprintf("Rules[%d].%s", i, field), "%w", err)
		}
		set.rules = append(set.rules, checked)
	}
	return set, nil
}

// newRule checks one rule. An error comes with the name of the field it is about.
func newRule(r Rule) (out rule, field string, err error) {
	if len(r.Globs) == 0 {
		return out, "Globs", errors.New("a rule has no glob: name the files that it applies to")
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%w: in the rule for %s", err, quotedList(r.Globs))
		}
	}()
	out = rule{settings: settings{levels: r.Levels}, exclude: r.Exclude}
	if out.globs, out.narrows, err = newExclusions(r.Globs); err != nil {
		return out, "Globs", err
	}
	if r.Codings != nil {
		if out.codings, err = orderedCodings(r.Codings); err != nil {
			return out, "Codings", err
		}
	}
	changes := r.Codings != nil || len(r.Levels) > 0
	switch {
	case r.Exclude && changes:
		return out, "Exclude", errors.New("files that are left out have no codings or levels: leave these out, or do not exclude the files")
	case !r.Exclude && !changes:
		return out, "Exclude", errors.New("it changes nothing: give codings or levels, or exclude the files")
	}
	return out, "Levels", checkLevels(r.Levels)
}

func quotedList(texts []string) string {
	quoted := make([]string, len(texts))
	for i, s := range texts {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	return strings.Join(quoted, ", ")
}

// match reports whether the rule is about the file of this path.
func (r rule) match(name string) bool {
	matched := false
	for _, g := range r.globs {
		if matched == g.reinclude && g.Match(name) {
			matched = !g.reinclude
		}
	}
	return matched
}

// excludes reports whether a rule leaves out the file of this path.
func (s *ruleSet) excludes(name string) bool {
	return slices.ContainsFunc(s.rules, func(r rule) bool { return r.exclude && r.match(name) })
}

// prunes reports whether rules leave out all below the directory of this path.
func (s *ruleSet) prunes(name string) bool {
	return slices.ContainsFunc(s.rules, func(r rule) bool { return r.exclude && !r.narrows && r.match(name) })
}

// of returns the settings for the file of this path: each rule about it
// overrides those before.
func (s *ruleSet) of(name string) settings {
	out := s.base
	for _, r := range s.rules {
		if !r.exclude && r.match(name) {
			out = out.with(r.settings)
		}
	}
	return out
}

// with returns the settings with those that a rule names in place of theirs.
func (s settings) with(changed settings) settings {
	if changed.codings != nil {
		s.codings = changed.codings
	}
	if len(changed.levels) > 0 {
		s.levels = maps.Clone(s.levels)
		maps.Copy(s.levels, changed.levels)
	}
	return s
}
