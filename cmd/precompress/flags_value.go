package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/cmd/precompress/internal/config"
	"github.com/precompress/precompress/internal/bytesize"
	"github.com/precompress/precompress/precompress"
)

// textFlag is the value of every flag that is no switch. It hands each text that it is
// set to on, and remembers it.
type textFlag struct {
	kind, initial string // for the help: what it takes, and the default
	set           func(string) error
	texts         []string
}

func (v *textFlag) String() string { return v.initial }
func (v *textFlag) Type() string   { return v.kind }

func (v *textFlag) Set(text string) error {
	err := v.set(text)
	if err == nil {
		v.texts = append(v.texts, text)
	}
	return err
}

// textsOf returns the texts that a flag was set to, nil for a switch.
func textsOf(f *pflag.Flag) []string {
	if v, ok := f.Value.(*textFlag); ok {
		return v.texts
	}
	return nil
}

// parsed is a flag whose last text counts.
func parsed[T any](to *T, kind, initial string, parse func(string) (T, error)) *textFlag {
	return &textFlag{kind: kind, initial: initial, set: func(text string) error {
		value, err := parse(text)
		if err == nil {
			*to = value
		}
		return err
	}}
}

// appended is a flag that may be given several times, each time with one value.
func appended[T any](to *[]T, kind string, parse func(string) (T, error)) *textFlag {
	return parsed(to, kind, "", func(text string) ([]T, error) {
		value, err := parse(text)
		return append(*to, value), err
	})
}

// named is a flag for the name of a file or the like; what it names is the default.
func named(to *string, kind string) *textFlag { return parsed(to, kind, *to, nonEmpty) }

// nonEmpty refuses an empty name, which may be an unset variable in a script.
func nonEmpty(name string) (string, error) {
	if name == "" {
		return "", errors.New("the name is empty")
	}
	return name, nil
}

// parseLimit reads a size that is an upper bound: zero would mean the default,
// and is refused.
func parseLimit(s string) (int64, error) {
	n, err := bytesize.Parse(s)
	if err == nil && n == 0 {
		err = fmt.Errorf("%q leaves no room for anything", s)
	}
	return n, err
}

// parseCount reads a whole number of at least 1.
func parseCount(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a whole number of at least 1", s)
	}
	return n, nil
}

// parseList reads a list with commas. What is in it twice counts once.
func parseList[T comparable](s string, parse func(string) (T, error)) ([]T, error) {
	list := []T{}
	for text := range strings.SplitSeq(s, ",") {
		element, err := parse(text)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(list, element) {
			list = append(list, element)
		}
	}
	return list, nil
}

// origins says where the values of a command's flags come from: the command line or
// the configuration file. It is known once the command runs.
type origins struct {
	flags  *pflag.FlagSet
	file   config.File
	name   string                     // of the file; "" if none is read
	inFile map[string]config.Position // of flags that only the file sets
}

// onCommandLine reports whether a flag is on the command line.
func (o *origins) onCommandLine(name string) bool {
	_, inFile := o.inFile[name]
	return o.flags.Changed(name) && !inFile
}

// explain adds to an error of usage the flags or the places in the file that it is
// about, unless the error names them.
func (o *origins) explain(err error) error {
	var option *precompress.OptionError
	var usage usageError
	var flags, places []string
	switch {
	case errors.As(err, &option):
		err, flags = option.Err, flagsOfOption(option.Field)
	case errors.As(err, &usage):
		flags = usage.flags
	default:
		return err
	}
	for _, name := range flags {
		if at, inFile := o.inFile[name]; inFile {
			places = append(places, fmt.Sprintf("%s is set in %s", name, at))
		} else if option != nil {
			places = append(places, "--"+name)
		}
	}
	if len(places) > 0 {
		err = fmt.Errorf("%w (%s)", err, strings.Join(places, ", "))
	}
	return asUsage(err)
}

// flagsOfOption returns the flag for a field of [precompress.Options], none if there is
// no such flag.
func flagsOfOption(field string) []string {
	flags := map[string]string{
		"Include": "include", "Exclude": "exclude", "Codings": "codings", "Levels": "level",
		"MinSize": "min-size", "MaxSize": "max-size", "MinSaving": "min-saving", "MaxMemory": "max-memory", "Jobs": "jobs",
		"Out": "out", "OutOriginals": "out-originals", "Manifest": "manifest", "Shard": "shard",
		"Previous": "previous", "Releases": "releases", "Keep": "keep", "Deltas": "deltas",
	}
	if name := flags[field]; name != "" {
		return []string{name}
	}
	return nil
}
