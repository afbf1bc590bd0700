package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
	"github.com/spf13/pflag"

	"github.com/precompress/precompress/precompress"
)

// configName is the configuration file that is looked for in the working directory.
const configName = "precompress.toml"

// Names in the file that are no flags of the build.
const (
	dirsKey      = "dirs"
	filesSection = "files"
	globKey      = "glob"
	excludeKey   = "exclude"
	benchSection = "bench"
)

// maxConfig is the largest file that is read, in bytes: a larger one is
// something else.
const maxConfig = 64 << 10

// configFile is what a configuration file says.
type configFile struct {
	name  string // as in messages, "" if there is no file
	top   []setting
	own   map[string][]setting // of the commands that have a section, by its name
	rules []fileRule
	dirs  []string

	dirsAt position
}

// setting is a flag's value in the file.
type setting struct {
	key   string
	texts []string // that set the flag
	at    position
}

// fileRule is a [[files]] section.
type fileRule struct {
	precompress.Rule
	at position
}

// configExists reports whether the working directory has a configuration file, or
// something by its name.
func configExists() bool {
	_, err := os.Lstat(configName)
	return !errors.Is(err, fs.ErrNotExist)
}

// readConfig returns the file's bytes. It does not wait for the writer of a
// FIFO.
func readConfig(name string) ([]byte, error) {
	fault := func(err error, advice string) error {
		return usageError{fmt.Errorf("%s: %w: %s", precompress.PrintablePath(name), err, advice)}
	}
	data, err := readRegular(name, maxConfig)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fault(errors.New("there is no such file of settings"), "check the name, or give --no-config")
	case errors.Is(err, errNotRegular):
		return nil, fault(err, "settings cannot be read from it: name a file with --config, or give --no-config")
	case errors.Is(err, errTooLarge):
		return nil, fault(err, "a file of settings is small: name another with --config, or give --no-config")
	case err != nil:
		return nil, fault(err, "make the file readable, name another with --config, or give --no-config")
	}
	return bytes.TrimPrefix(data, []byte("\ufeff")), nil
}

// parseConfig reads a file of settings, of which known are those that there are.
func parseConfig(name string, data []byte, known known) (*configFile, error) {
	c := &configFile{name: precompress.PrintablePath(name), own: make(map[string][]setting)}
	var content map[string]any
	if err := toml.Unmarshal(data, &content); err != nil {
		var place *toml.DecodeError
		if !errors.As(err, &place) {
			return nil, usageError{fmt.Errorf("%s: %w", c.name, err)}
		}
		line, column := place.Position()
		return nil, c.fault(position{line, column}, "%s", precompress.PrintablePath(strings.TrimPrefix(err.Error(), "toml: ")))
	}
	p := &configParser{configFile: c, known: known, trial: knownFlags(newRootCommand(&output{})), at: keyPositions(data)}
	for _, key := range p.inOrder(content, "", position{1, 1}) {
		if err := p.key(key, p.at[key], content[key]); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// fault returns an error about a place in the file.
func (c *configFile) fault(at position, format string, args ...any) error {
	return usageError{fmt.Errorf("%s:%d:%d: %w", c.name, at.line, at.column, fmt.Errorf(format, args...))}
}

// origin names a line of the file.
func (c *configFile) origin(at position) string { return fmt.Sprintf("%s:%d", c.name, at.line) }

// configParser takes a file's content apart.
type configParser struct {
	*configFile
	known known
	trial known               // flags that no command uses, to try values on
	at    map[string]position // of keys, by their path
}

// inOrder returns a table's keys as they stand in the file, so that the first
// fault is the one that is told. Those of an inline table stand where that does.
func (p *configParser) inOrder(table map[string]any, prefix string, place position) []string {
	for key := range table {
		if _, found := p.at[prefix+key]; !found {
			p.at[prefix+key] = place
		}
	}
	return slices.SortedFunc(maps.Keys(table), func(a, b string) int {
		x, y := p.at[prefix+a], p.at[prefix+b]
		return cmp.Or(x.line-y.line, x.column-y.column, strings.Compare(a, b))
	})
}

// key reads one key of the file's top level.
func (p *configParser) key(key string, at position, value any) (err error) {
	switch key {
	case dirsKey:
		p.dirs, err = p.texts(key, at, value)
		p.dirsAt = at
		if err == nil && (len(p.dirs) == 0 || slices.Contains(p.dirs, "")) {
			err = p.fault(at, "dirs: a directory's name is missing: write . for the working directory, or leave dirs out")
		}
		return err
	case filesSection:
		return p.files(at, value)
	}
	if p.known.own[key] != nil {
		return p.section(key, at, value)
	}
	f := p.known.top[key]
	if f == nil {
		return p.unknown(key, at, slices.Collect(maps.Keys(p.known.top)), []string{dirsKey, filesSection}, slices.Collect(maps.Keys(p.known.own)))
	}
	s, err := p.setting(f, p.trial.top[key], at, value)
	p.top = append(p.top, s)
	return err
}

// setting reads the value of a flag and tries it on another of its kind, nil if
// there is none.
func (p *configParser) setting(f, trial *pflag.Flag, at position, value any) (setting, error) {
	texts, err := flagTexts(f, value)
	if err != nil {
		return setting{}, p.fault(at, "%s: %w", f.Name, err)
	}
	// Whether a command uses the value or not: it is wrong here and now.
	for _, text := range texts {
		if trial == nil {
			break
		}
		if err := trial.Value.Set(text); err != nil {
			return setting{}, p.fault(at, "%s: %w", f.Name, err)
		}
	}
	globs := precompress.Options{}
	switch f.Name {
	case "include":
		globs.Include = texts
	case "exclude":
		globs.Exclude = texts
	}
	if err := precompress.Validate(nil, globs); err != nil {
		return setting{}, p.fault(at, "%s: %s", f.Name, bareText(err))
	}
	return setting{f.Name, texts, at}, nil
}

// unknown returns the fault of a key that its section does not have, with what
// may be meant.
func (p *configParser) unknown(key string, at position, names ...[]string) error {
	switch {
	case onCommandLineOnly(key):
		return p.fault(at, "%q is about one run: give it on the command line", key)
	case p.known.top[key] != nil || key == dirsKey:
		return p.fault(at, "%q is not a setting of this section: write it above the first section", key)
	}
	for _, s := range commandSections() {
		if p.known.own[s.name][key] != nil {
			return p.fault(at, "%q is a setting of %s: write it below [%s]", key, s.name, s.name)
		}
	}
	if near := nearest(key, slices.Concat(names...)); near != "" {
		return p.fault(at, "unknown key %q: did you mean %q?", key, near)
	}
	return p.fault(at, "unknown key %q: precompress config prints those that there are", key)
}

// section reads the section of a command.
func (p *configParser) section(name string, at position, value any) error {
	table, ok := value.(map[string]any)
	if !ok {
		return p.fault(at, "%s: is a section: write it as [%s]", name, name)
	}
	for _, key := range p.inOrder(table, name+".", at) {
		at := p.at[name+"."+key]
		f := p.known.own[name][key]
		if f == nil {
			return p.unknown(key, at, slices.Collect(maps.Keys(p.known.own[name])))
		}
		s, err := p.setting(f, p.trial.own[name][key], at, table[key])
		if err != nil {
			return err
		}
		p.own[name] = append(p.own[name], s)
	}
	if name == benchSection {
		return p.wholeBench()
	}
	return nil
}

// wholeBench refuses a section of bench whose settings contradict each other. Flags on
// the command line would win over one of them, so that it would never be told.
func (p *configParser) wholeBench() error {
	flags := &benchFlags{strict: true}
	fs := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.register(fs)
	var last setting
	for _, s := range p.own[benchSection] {
		for _, text := range s.texts {
			if err := fs.Set(s.key, text); err != nil {
				return p.fault(s.at, "%s: %w", s.key, err)
			}
		}
		if slices.Contains([]string{codingsKey, levelsKey, "all"}, s.key) {
			last = s
		}
	}
	if _, err := flags.chosen(); err != nil {
		return p.fault(last.at, "%s", strings.ReplaceAll(err.Error(), "--", "")) // settings have no hyphens in front
	}
	return nil
}

func (p *configParser) files(at position, value any) error {
	list, ok := value.([]any)
	for i, element := range list {
		table, isTable := element.(map[string]any)
		if !isTable {
			ok = false
			break
		}
		prefix := fmt.Sprintf("%s.%d", filesSection, i)
		place, found := p.at[prefix]
		if !found {
			place = at // an inline table
		}
		if err := p.rule(prefix+".", place, table); err != nil {
			return err
		}
	}
	if !ok {
		return p.fault(at, "files: is a list of sections: write each as [[files]]")
	}
	return nil
}

// rule reads a [[files]] section.
func (p *configParser) rule(prefix string, place position, table map[string]any) error {
	rule := fileRule{at: place}
	for _, key := range p.inOrder(table, prefix, place) {
		if err := p.ruleKey(&rule.Rule, key, p.at[prefix+key], table[key]); err != nil {
			return err
		}
	}
	if err := p.wholeRule(rule, p.at[prefix+globKey], p.at[prefix+excludeKey]); err != nil {
		return err
	}
	p.rules = append(p.rules, rule)
	return nil
}

// wholeRule refuses a section whose keys, which stand at these places, do not go
// together.
func (p *configParser) wholeRule(rule fileRule, globs, exclude position) error {
	changes := rule.Codings != nil || len(rule.Levels) > 0
	switch {
	case len(rule.Globs) == 0:
		return p.fault(rule.at, "files: the section has no glob: name the files that it is about")
	case rule.Exclude && changes:
		return p.fault(exclude, "exclude: files that are left out have no codings and no level: remove these keys or this one from the section")
	case !rule.Exclude && !changes:
		return p.fault(rule.at, "files: the section changes nothing: give codings or level, or exclude = true")
	}
	if err := precompress.Validate(nil, precompress.Options{Exclude: rule.Globs}); err != nil {
		return p.fault(globs, "glob: %s", bareText(err))
	}
	if err := precompress.Validate(nil, precompress.Options{Rules: []precompress.Rule{rule.Rule}}); err != nil {
		return p.fault(rule.at, "files: %s", bareText(err))
	}
	return nil
}

func (p *configParser) ruleKey(rule *precompress.Rule, key string, at position, value any) (err error) {
	switch key {
	case globKey:
		rule.Globs, err = p.texts(key, at, value)
		return err
	case excludeKey:
		exclude, ok := value.(bool)
		if !ok {
			return p.fault(at, "exclude: takes true or false, without quotes")
		}
		rule.Exclude = exclude
		return nil
	case codingsKey, levelKey:
		s, err := p.setting(p.known.top[key], p.trial.top[key], at, value)
		if err != nil {
			return err
		}
		if key == codingsKey {
			rule.Codings, err = parseCodings(s.texts[0])
		} else {
			rule.Levels, err = parseLevels(s.texts[0], nil)
		}
		if err != nil {
			return p.fault(at, "%s: %w", key, err)
		}
		return nil
	}
	return p.unknown(key, at, []string{globKey, codingsKey, levelKey, excludeKey})
}

// texts reads a text or a list of them.
func (p *configParser) texts(key string, at position, value any) ([]string, error) {
	list, ok := value.([]any)
	if !ok {
		list = []any{value}
	}
	texts := make([]string, 0, len(list))
	for _, element := range list {
		text, ok := element.(string)
		if !ok {
			return nil, p.fault(at, "%s: takes a list of texts: put each in quotes", key)
		}
		texts = append(texts, text)
	}
	return texts, nil
}
