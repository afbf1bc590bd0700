package config

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Setting is the value of a setting in the file.
type Setting struct {
	Texts []string // to set the flag to, one after the other
	At    Position // of the key; zero if the file does not have it
}

// The kinds of settings, by what they are in a file.
type (
	// Switch is true or false.
	Switch struct{ Setting }
	// Text is a string. A number is refused: it would be taken for a name.
	Text struct{ Setting }
	// Word is a string, or a number that stands for itself.
	Word struct{ Setting }
	// Count is a whole number.
	Count struct{ Setting }
	// Number is a number, whole or not.
	Number struct{ Setting }
	// Size is a whole number of bytes, or a string such as "1.5MB".
	Size struct{ Setting }
	// Saving is a whole number of bytes, or a string such as "2.5%".
	Saving struct{ Setting }
	// List is a list of strings without commas, or one string with commas between.
	List struct{ Setting }
	// Texts are a list of strings, or one string.
	Texts struct{ Setting }
	// Levels are a table of whole numbers by coding, or a string such as "br=11,gzip=9".
	Levels struct{ Setting }
)

// Value is a pointer to a setting of one of these kinds.
type Value interface{ Get() *Setting }

// Get returns the setting itself.
func (s *Setting) Get() *Setting { return s }

// IsSet reports whether the file has the setting.
func (s *Setting) IsSet() bool { return s.At.Line > 0 }

func (s *Setting) inherit(from Setting) {
	if !s.IsSet() {
		*s = from
	}
}

// read returns the texts that set the flag of this kind to a value of the file.
func read(kind Value, value any) ([]string, error) {
	_, isSwitch := kind.(*Switch)
	switch v := value.(type) {
	case bool:
		if !isSwitch {
			return nil, errors.New("takes a value, not true or false")
		}
		return []string{strconv.FormatBool(v)}, nil
	case string:
		if !isSwitch {
			return []string{v}, nil
		}
	case []any:
		return readList(kind, v)
	case map[string]any:
		return readTable(kind, v)
	}
	switch kind := kind.(type) {
	case *Switch:
		return nil, errors.New("takes true or false, without quotes")
	case *Text, *Texts:
		return nil, errors.New(wanted(kind))
	}
	switch v := value.(type) {
	case int64:
		return []string{strconv.FormatInt(v, 10)}, nil
	case float64:
		text := strconv.FormatFloat(v, 'f', -1, 64)
		switch kind.(type) {
		case *Number:
			return []string{text}, nil
		case *Count: // which the flag refuses, as it is written
			if v == math.Trunc(v) {
				text += ".0"
			}
			return []string{text}, nil
		}
	}
	return nil, errors.New(wanted(kind))
}

// wanted says what a setting takes.
func wanted(kind Value) string {
	switch kind.(type) {
	case *Count:
		return "takes a whole number of at least 1"
	case *Size:
		return `takes a whole number of bytes, or a size in quotes such as "1.5MB"`
	case *Saving:
		return `takes a whole number of bytes, or a text in quotes such as "2.5%"`
	}
	return "takes a text: put it in quotes"
}

func readList(kind Value, list []any) ([]string, error) {
	_, isList := kind.(*List)
	if _, isTexts := kind.(*Texts); !isList && !isTexts {
		return nil, errors.New("takes one value, not a list")
	}
	texts := make([]string, 0, len(list))
	for _, element := range list {
		text, ok := element.(string)
		if !ok {
			return nil, errors.New("takes a list of texts: put each in quotes")
		}
		texts = append(texts, text)
	}
	switch {
	case !isList:
		return texts, nil
	case len(texts) == 0:
		return nil, errors.New("the list is empty")
	}
	return []string{strings.Join(texts, ",")}, nil
}

func readTable(kind Value, table map[string]any) ([]string, error) {
	if _, ok := kind.(*Levels); !ok {
		return nil, errors.New("takes a value, not a table")
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(table)) {
		n, ok := table[name].(int64)
		if !ok {
			return nil, fmt.Errorf("the level of %q is not a whole number: write it like br = 11", name)
		}
		parts = append(parts, fmt.Sprintf("%s=%d", name, n))
	}
	if len(parts) == 0 {
		return nil, errors.New("the table is empty")
	}
	return []string{strings.Join(parts, ",")}, nil
}

// TOML formats the texts that a flag of this kind is set to as a value of the file.
// What is not UTF-8 stays as it is: no file can have it.
func TOML(kind Value, texts []string) string {
	if _, ok := kind.(*Texts); ok {
		return quoteAll(texts)
	}
	text := texts[len(texts)-1]
	switch kind.(type) {
	case *Switch:
		return text
	case *List:
		return quoteAll(strings.Split(text, ","))
	case *Levels:
		var parts []string
		for part := range strings.SplitSeq(text, ",") {
			coding, level, _ := strings.Cut(part, "=")
			parts = append(parts, coding+" = "+level)
		}
		return "{ " + strings.Join(parts, ", ") + " }"
	case *Text:
		return quote(text)
	}
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && strconv.FormatInt(n, 10) == text {
		return text
	}
	return quote(text)
}

func quoteAll(texts []string) string {
	quoted := make([]string, len(texts))
	for i, text := range texts {
		quoted[i] = quote(text)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

// quote writes a text as a basic string of TOML. What a terminal could take for a
// command is escaped.
func quote(s string) string {
	if !utf8.ValidString(s) {
		return s
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
