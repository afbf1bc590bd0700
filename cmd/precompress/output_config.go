package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/precompress/precompress/manifest"
)

// configuration prints the settings, with --quiet and --json too: those are
// settings like others here.
func (o *output) configuration(text string) { o.print(text) }

// configPage is what the command config prints: a configuration file with
// comments.
type configPage struct {
	file     *configFile
	top      []effective
	rules    []fileRule
	sections []effectiveSection
}

// text returns the page. It fails if a setting cannot stand in a file.
func (p *configPage) text() (string, error) {
	var b strings.Builder
	if p.file.name == "" {
		fmt.Fprintf(&b, "# no %s is read\n", configName)
	} else {
		fmt.Fprintf(&b, "# %s\n", p.file.name)
	}
	if len(p.file.dirs) > 0 {
		fmt.Fprintf(&b, "%s = %s  # %s\n", dirsKey, tomlValue(p.file.dirs), p.file.origin(p.file.dirsAt))
	}
	writeSettings(&b, p.top)
	for _, r := range p.rules {
		fmt.Fprintf(&b, "\n[[%s]]  # %s\n", filesSection, p.file.origin(r.at))
		writeRule(&b, r)
	}
	for _, s := range p.sections {
		fmt.Fprintf(&b, "\n[%s]\n", s.name)
		writeSettings(&b, s.settings)
	}
	if !utf8.ValidString(b.String()) {
		return "", errors.New("a setting is not UTF-8: a file of settings cannot hold it")
	}
	return b.String(), nil
}

// writeSettings writes a line per setting, as a comment if it has no value.
func writeSettings(b *strings.Builder, settings []effective) {
	for _, s := range settings {
		if s.value == nil {
			fmt.Fprintf(b, "# %s: %s  # %s\n", s.key, cmp.Or(s.words, "none"), s.origin)
		} else {
			fmt.Fprintf(b, "%s = %s  # %s\n", s.key, tomlValue(s.value), s.origin)
		}
	}
}

func writeRule(b *strings.Builder, r fileRule) {
	fmt.Fprintf(b, "%s = %s\n", globKey, tomlValue(r.Globs))
	if r.Codings != nil {
		names := make([]string, 0, len(r.Codings))
		for _, c := range r.Codings {
			names = append(names, string(c))
		}
		fmt.Fprintf(b, "%s = %s\n", codingsKey, tomlValue(names))
	}
	if len(r.Levels) > 0 {
		fmt.Fprintf(b, "%s = %s\n", levelKey, tomlValue(levels(r.Levels)))
	}
	if r.Exclude {
		fmt.Fprintf(b, "%s = true\n", excludeKey)
	}
}

// tomlValue formats a value as TOML has it, in one line.
func tomlValue(value any) string {
	var parts []string
	switch v := value.(type) {
	case string:
		return tomlString(v)
	case []string:
		for _, s := range v {
			parts = append(parts, tomlString(s))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case levels:
		for _, c := range manifest.Codings() {
			if level, found := v[c]; found {
				parts = append(parts, fmt.Sprintf("%s = %d", c, level))
			}
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	}
	return fmt.Sprint(value) // a number, true or false
}

// tomlString quotes a text as a basic string. What a terminal could take for a
// command is escaped.
func tomlString(s string) string {
	if !utf8.ValidString(s) {
		return s // the page as a whole is refused
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
