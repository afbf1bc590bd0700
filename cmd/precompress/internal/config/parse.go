package config

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/pelletier/go-toml/v2"

	"github.com/precompress/precompress/precompress"
)

// Parse reads a file's bytes into a [*File], or a struct like it. name is the file's,
// for messages. try returns what is wrong with a text of a section's setting; the
// section is "" for those of builds, and "files" for those of a rule. An error says
// where in the file it is, the first one if there are several.
func Parse(name string, data []byte, into any, try func(section, key, text string) error) error {
	p := &parser{name: precompress.PrintablePath(name), top: reflect.ValueOf(into).Elem(), try: try}
	var content map[string]any
	if err := toml.Unmarshal(data, &content); err != nil {
		var place *toml.DecodeError
		if !errors.As(err, &place) {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		line, column := place.Position()
		return Position{p.name, line, column}.Errorf("%s", precompress.PrintablePath(strings.TrimPrefix(err.Error(), "toml: ")))
	}
	p.at = keyPositions(p.name, data)
	return p.section("", "", p.top, content, Position{p.name, 1, 1})
}

type parser struct {
	name string
	top  reflect.Value       // the struct to read into
	at   map[string]Position // of keys, by their path
	try  func(section, key, text string) error
}

// section reads a table into a struct. prefix is the path of what is in it, and at
// its position.
func (p *parser) section(name, prefix string, into reflect.Value, table map[string]any, at Position) error {
	known := maps.Collect(fields(into))
	for _, key := range p.inOrder(table, prefix, at) {
		at, path := p.at[prefix+key], prefix+key
		var err error
		switch field := known[key].(type) {
		case nil:
			err = at.Errorf("%w", p.unknown(key, slices.Collect(maps.Keys(known))))
		case Value:
			err = p.setting(name, key, field, table[key], at)
		case *[]Rule:
			err = p.rules(path, field, table[key], at)
		default:
			inner, ok := table[key].(map[string]any)
			if !ok {
				return at.Errorf("%s: is a section: write it as [%s]", key, key)
			}
			err = p.section(key, path+".", reflect.ValueOf(field).Elem(), inner, at)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// inOrder returns a table's keys as they stand in the file. Those of an inline table
// stand where that does.
func (p *parser) inOrder(table map[string]any, prefix string, place Position) []string {
	for key := range table {
		if _, found := p.at[prefix+key]; !found {
			p.at[prefix+key] = place
		}
	}
	return slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		x, y := p.at[prefix+a], p.at[prefix+b]
		return cmp.Or(x.Line-y.Line, x.Column-y.Column, strings.Compare(a, b))
	})
}

func (p *parser) setting(section, key string, to Value, value any, at Position) error {
	texts, err := read(to, value)
	for _, text := range texts {
		if err == nil {
			err = p.try(section, key, text)
		}
	}
	if err != nil {
		return at.Errorf("%s: %w", key, err)
	}
	*to.Get() = Setting{texts, at}
	return nil
}

// rules reads the [[files]] sections.
func (p *parser) rules(path string, to *[]Rule, value any, at Position) error {
	list, ok := value.([]any)
	for i, element := range list {
		table, isTable := element.(map[string]any)
		if !isTable {
			ok = false
			break
		}
		prefix := fmt.Sprintf("%s.%d", path, i)
		rule := Rule{At: at} // an inline table has the position of its list
		if place, found := p.at[prefix]; found {
			rule.At = place
		}
		if err := p.section(path, prefix+".", reflect.ValueOf(&rule).Elem(), table, rule.At); err != nil {
			return err
		}
		if err := rule.check(); err != nil {
			return err
		}
		*to = append(*to, rule)
	}
	if !ok {
		return at.Errorf("files: is a list of sections: write each as [[files]]")
	}
	return nil
}

// check refuses a section whose keys do not go together.
func (r *Rule) check() error {
	changes, excludes := r.Codings.IsSet() || r.Level.IsSet(), r.Excludes()
	switch {
	case len(r.Glob.Texts) == 0:
		return r.At.Errorf("files: the section has no glob: name the files that it applies to")
	case excludes && changes:
		return r.Exclude.At.Errorf("exclude: files that are left out have no codings and no level: remove these keys or this one from the section")
	case !excludes && !changes:
		return r.At.Errorf("files: the section changes nothing: give codings or level, or exclude = true")
	}
	return nil
}

// Excludes reports whether the rule leaves its files out.
func (r *Rule) Excludes() bool { return slices.Equal(r.Exclude.Texts, []string{"true"}) }

// perRun are flags that no file sets: they are about one run.
func perRun() []string {
	return []string{"force", "dry-run", "shard", "config", "no-config", "help", "html", "csv", "sample"}
}

// unknown returns an error about a key that its section does not have, with what may
// be meant.
func (p *parser) unknown(key string, known []string) error {
	if slices.Contains(perRun(), key) {
		return fmt.Errorf("%q is about one run: give it on the command line", key)
	}
	for name, field := range fields(p.top) {
		section := reflect.ValueOf(field).Elem()
		if _, isValue := field.(Value); isValue {
			if name == key { // those above the first section come first
				return fmt.Errorf("%q is not a setting of this section: write it above the first section", key)
			}
		} else if section.Kind() == reflect.Struct && maps.Collect(fields(section))[key] != nil {
			return fmt.Errorf("%q is a setting of %s: write it below [%s]", key, name, name)
		}
	}
	if near := nearest(key, known); near != "" {
		return fmt.Errorf("unknown key %q: did you mean %q?", key, near)
	}
	return fmt.Errorf("unknown key %q: precompress config prints those that there are", key)
}

// nearest returns the name that text may be a slip of, "" if none is near: at most
// one change in three letters.
func nearest(text string, names []string) string {
	best, least := "", len(text)/3+1
	for _, name := range slices.Sorted(slices.Values(names)) {
		if d := levenshtein.ComputeDistance(text, name); d < least {
			best, least = name, d
		}
	}
	return best
}
