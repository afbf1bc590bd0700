package precompress

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/internal/glob"
	"github.com/precompress/precompress/manifest"
)

// Rule changes settings for the files that its globs match.
type Rule struct {
	// Globs are as in [Options.Include]. They are read in order; one with a leading "!"
	// takes back what those before it match.
	Globs []string
	// Codings lists the content codings to store; nil changes nothing.
	Codings []manifest.Coding
	// Levels overrides levels per coding; see [Options.Levels].
	Levels map[manifest.Coding]int
	// Exclude excludes the files, whatever other rules and [Options.Exclude] say.
	Exclude bool
}

// settings are how a source is encoded.
type settings struct {
	codings []manifest.Coding // in the order of [manifest.Codings]
	levels  map[manifest.Coding]int
}

// settings returns the settings of sources that no rule applies to.
func (o Options) settings() settings { return settings{o.Codings, o.Levels} }

// level returns the level for a coding. A delta has the level of the coding that its
// stream is in. Below level 3, brotli finds little in dictionaries.
func (s settings) level(c manifest.Coding) int {
	switch c {
	case manifest.DCB:
		return max(3, s.levels[manifest.Brotli])
	case manifest.DCZ:
		return s.levels[manifest.Zstd]
	}
	return s.levels[c]
}

// params returns how a source is encoded in a coding. dictionary is nil for a
// variant.
func (s settings) params(c manifest.Coding, dictionary codec.Dictionary) codec.Params {
	return codec.Params{Coding: c, Level: s.level(c), Dictionary: dictionary}
}

// variants returns how a source is encoded in each of its codings.
func (s settings) variants() []codec.Params {
	all := make([]codec.Params, len(s.codings))
	for i, c := range s.codings {
		all[i] = s.params(c, nil)
	}
	return all
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
	globs glob.List
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
	if out.globs, err = glob.NewList(r.Globs); err != nil {
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

// excludes reports whether a rule leaves out the file of this path.
func (s *ruleSet) excludes(name string) bool {
	return slices.ContainsFunc(s.rules, func(r rule) bool { return r.exclude && r.globs.Match(name) })
}

// prunes reports whether rules leave out all below the directory of this path.
func (s *ruleSet) prunes(name string) bool {
	return slices.ContainsFunc(s.rules, func(r rule) bool { return r.exclude && !r.globs.Negates() && r.globs.Match(name) })
}

// of returns the settings for the file of this path: each rule about it
// overrides those before.
func (s *ruleSet) of(name string) settings {
	out := s.base
	for _, r := range s.rules {
		if !r.exclude && r.globs.Match(name) {
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

const mebibyte = 1 << 20

// baseMemory is what a process needs in bytes besides the assets it works on.
const baseMemory = 32 * mebibyte

// minMemory is the lowest memory limit in bytes that small files can be built under,
// whatever rule applies to them.
func minMemory(rules *ruleSet) int64 { return baseMemory + rules.memoryNeed(64<<10) }

// memoryNeed returns the most that a source of the given size may take, whatever rule
// applies to it.
func (s *ruleSet) memoryNeed(size int64) int64 {
	need := codec.Memory(size, s.base.variants())
	for _, r := range s.rules {
		need = max(need, codec.Memory(size, s.base.with(r.settings).variants()))
	}
	return need
}
