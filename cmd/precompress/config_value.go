package main

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// Settings whose form in a file is not told by their flag's type alone.
const (
	codingsKey     = "codings"
	fingerprintKey = "fingerprint" // serve takes that of the build
	levelKey       = "level"       // a table, of which flags replace single entries
	levelsKey      = "levels"      // what bench measures
)

// recordedValue is a flag that remembers the texts it was set to.
type recordedValue struct {
	pflag.Value
	texts []string
}

func (v *recordedValue) Set(text string) error {
	err := v.Value.Set(text)
	if err == nil {
		v.texts = append(v.texts, text)
	}
	return err
}

// recordTexts has those flags remember their texts whose value cannot be asked
// for them.
func recordTexts(fs *pflag.FlagSet) {
	fs.VisitAll(func(f *pflag.Flag) {
		_, isSlice := f.Value.(pflag.SliceValue)
		if !isSlice && !isSwitch(f) {
			f.Value = &recordedValue{Value: f.Value}
		}
	})
}

// textsOf returns the texts that a flag was set to, as far as they are
// remembered.
func textsOf(f *pflag.Flag) []string {
	if f == nil {
		return nil
	}
	if v, ok := f.Value.(*recordedValue); ok {
		return v.texts
	}
	return nil
}

func isSwitch(f *pflag.Flag) bool { return f.Value.Type() == "bool" }

// isList tells of flags that take a list in one text, separated by commas.
func isList(f *pflag.Flag) bool { return f.Value.Type() == "LIST" }

// isRepeatable tells of flags that take one element of a list at a time.
func isRepeatable(f *pflag.Flag) bool {
	_, isSlice := f.Value.(pflag.SliceValue)
	return isSlice || strings.Contains(f.Usage, "(repeatable")
}

// isName tells of flags that would take a number for a name.
func isName(f *pflag.Flag) bool {
	if v, ok := f.Value.(*recordedValue); ok {
		return slices.Contains([]string{"DIR", "FILE", "URL", "HOST:PORT", "string"}, v.Type())
	}
	return isRepeatable(f)
}

// isFraction tells of flags that take a number that need not be whole.
func isFraction(f *pflag.Flag) bool {
	return slices.Contains([]string{"MBIT", "RATE"}, f.Value.Type())
}

// flagTexts returns the texts that set a flag to a value of a TOML file.
func flagTexts(f *pflag.Flag, value any) ([]string, error) {
	if _, isBool := value.(bool); isBool != isSwitch(f) {
		if isBool {
			return nil, errors.New("takes a value, not true or false")
		}
		return nil, errors.New("takes true or false, without quotes")
	}
	switch v := value.(type) {
	case bool:
		return []string{strconv.FormatBool(v)}, nil
	case string:
		return []string{v}, nil
	case int64:
		if !isName(f) {
			return []string{strconv.FormatInt(v, 10)}, nil
		}
		return nil, errors.New("takes a text: put it in quotes")
	case float64:
		if f.Value.Type() == "N" { // which is about to say what it takes
			return []string{withPoint(v)}, nil
		}
		if isFraction(f) {
			return []string{strconv.FormatFloat(v, 'f', -1, 64)}, nil
		}
		return nil, errors.New(wanted(f))
	case []any:
		return listTexts(f, v)
	case map[string]any:
		return tableTexts(f, v)
	}
	return nil, errors.New(wanted(f))
}

// withPoint writes a number with the point that a file has in it.
func withPoint(v float64) string {
	text := strconv.FormatFloat(v, 'f', -1, 64)
	if v == math.Trunc(v) {
		text += ".0"
	}
	return text
}

// wanted says what a flag takes that a fraction or a time is given.
func wanted(f *pflag.Flag) string {
	switch f.Value.Type() {
	case "N":
		return "takes a whole number of at least 1"
	case "SIZE":
		return `takes a whole number of bytes, or a size in quotes such as "1.5MB"`
	case "BYTES|PERCENT":
		return `takes a whole number of bytes, or a text in quotes such as "2.5%"`
	}
	return "takes a text: put it in quotes"
}

func listTexts(f *pflag.Flag, values []any) ([]string, error) {
	if !isList(f) && !isRepeatable(f) {
		return nil, errors.New("takes one value, not a list")
	}
	texts := make([]string, 0, len(values))
	for _, v := range values {
		text, ok := v.(string)
		if !ok {
			return nil, errors.New("takes a list of texts: put each in quotes")
		}
		texts = append(texts, text)
	}
	switch {
	case !isList(f):
		return texts, nil
	case len(texts) == 0:
		return nil, errors.New("the list is empty")
	}
	return []string{strings.Join(texts, ",")}, nil
}

func tableTexts(f *pflag.Flag, table map[string]any) ([]string, error) {
	if f.Name != levelKey {
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

// isWords reports whether a default stands in the help in words: what the
// environment says.
func isWords(initial string) bool { return strings.HasPrefix(initial, "$") }

// flagValue returns what a flag is set to in the form that a file has it, nil
// if that cannot be written: its default is none, or is words.
func flagValue(f *pflag.Flag) any {
	if isSwitch(f) {
		return f.Value.String() == "true"
	}
	if slice, ok := f.Value.(pflag.SliceValue); ok {
		return slice.GetSlice()
	}
	texts := textsOf(f)
	if isRepeatable(f) {
		return append([]string{}, texts...)
	}
	if f.Name == levelKey {
		all, err := parseLevels(strings.Join(append([]string{f.DefValue}, texts...), ","), nil)
		if err != nil {
			return nil
		}
		return levels(all)
	}
	if len(texts) == 0 {
		// The default, if the flag understands what the help says of it.
		if f.DefValue == "" || isWords(f.DefValue) || f.Value.Set(f.DefValue) != nil {
			return nil
		}
		texts = []string{f.DefValue}
	}
	text := texts[len(texts)-1]
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && !isName(f) && strconv.FormatInt(n, 10) == text {
		return n
	}
	if isList(f) {
		return strings.Split(text, ",")
	}
	return text
}
