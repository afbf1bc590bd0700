package main

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/bench"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// benchFlags are the flags of bench.
type benchFlags struct {
	files    precompress.Options // which files of a directory
	codings  []manifest.Coding
	levels   []bench.Setting // in the order of the command line
	strict   bool            // levels stand there, not in the file of settings
	all      bool
	runs     int
	link     bench.Link
	samples  []string
	html     string
	csv      bool
	general  buildFlags // those that concern output
	settings []bench.Setting
	set      *pflag.FlagSet
}

// What runs and requests may be: enough for anyone, and times do not overflow.
const (
	maxRuns     = 10_000
	maxRequests = 1_000_000_000
)

func (f *benchFlags) register(fs *pflag.FlagSet) {
	f.set = fs
	fs.SortFlags = false
	f.runs, f.link = bench.DefaultRuns, bench.Link{Mbits: 100, Requests: 1}
	fs.Var(parsedValue{"LIST", "br,zstd,gzip", func(s string) (err error) { f.codings, err = parseBenchCodings(s); return }}, "codings", "content codings to measure, also deflate")
	fs.Var(parsedValue{"LEVELS", "br=1,4,5,9-11,zstd=1,3,9,19,gzip=1,6,9", func(s string) (err error) { f.levels, err = parseBenchLevels(s, f.levels); return }}, levelsKey, "levels to measure per coding; with this flag alone, no other codings")
	fs.BoolVar(&f.all, "all", false, "measure every level: br 0-11, zstd 1-22, gzip 1-13, deflate 1-9")
	fs.Var(parsedValue{"N", strconv.Itoa(f.runs), func(s string) (err error) { f.runs, err = parseWhole(s, maxRuns); return }}, "runs", "encode and decode everything this many times; medians count")
	fs.Var(parsedValue{"MBIT", "100", func(s string) (err error) { f.link.Mbits, err = parseLink(s); return }}, "link", "say what is gained on a link of this speed in Mbit/s")
	fs.Var(parsedValue{"N", "1", func(s string) (err error) { f.link.Requests, err = parseWhole(s, maxRequests); return }}, "requests", "spread the time of compression over this many requests")
	fs.Var(parsedValue{"LIST", "", func(s string) (err error) { f.samples, err = parseSamples(s, f.samples); return }}, "sample", "measure generated files too, or alone: json, json-base64, small, rfc (repeatable)")
	fs.StringArrayVarP(&f.files.Include, "include", "i", nil, "of a directory, take only files that match `GLOB` (repeatable; ** crosses directories)")
	fs.StringArrayVarP(&f.files.Exclude, "exclude", "x", nil, "of a directory, leave out files that match `GLOB` (repeatable; !GLOB takes in again; the last match wins)")
	fs.Var(sizeValue{&f.files.MinSize}, "min-size", "of a directory, leave out files below this size")
	fs.Var(maxSizeValue(&f.files), "max-size", "leave out files above this size; memory is about twice the largest, and up to 500 MB for encoders")
	fs.Var(nameValue{"FILE", &f.html}, "html", "write a page with charts to FILE, too")
	f.general.registerQuiet(fs)
	fs.BoolVar(&f.general.json, "json", false, "print one JSON object and nothing else on standard output")
	fs.BoolVar(&f.csv, "csv", false, "print comma-separated values and nothing else on standard output")
	f.general.registerColor(fs)
}

// validate refuses flags that contradict each other, and finds what they come to.
func (f *benchFlags) validate() (err error) {
	if f.general.json && f.csv {
		return usageError{errors.New("--json and --csv contradict each other: give one of them")}
	}
	if f.settings, err = f.chosen(); err != nil {
		return usageError{err}
	}
	return validate(nil, f.files)
}

// chosen returns what is to be measured.
func (f *benchFlags) chosen() ([]bench.Setting, error) {
	if f.all && f.levels != nil {
		return nil, errors.New("--all and --levels contradict each other: give one of them")
	}
	codings := f.codings
	switch {
	case codings == nil && f.all:
		codings = bench.Codings()
	case codings == nil && f.levels == nil:
		codings = manifest.Codings()
	}
	var named []manifest.Coding
	for _, s := range f.levels {
		if !slices.Contains(named, s.Coding) {
			named = append(named, s.Coding)
		}
		if f.strict && codings != nil && !slices.Contains(codings, s.Coding) {
			return nil, fmt.Errorf("--levels is about %s, which --codings leaves out: add it there, or leave it out here", s.Coding)
		}
	}
	if codings == nil {
		codings = named
	}
	var settings []bench.Setting
	for _, c := range codings {
		settings = append(settings, f.levelsOf(c)...)
	}
	return settings, nil
}

// levelsOf returns the settings of one coding, in order of levels.
func (f *benchFlags) levelsOf(c manifest.Coding) []bench.Setting {
	named := slices.DeleteFunc(slices.Clone(f.levels), func(s bench.Setting) bool { return s.Coding != c })
	slices.SortFunc(named, func(a, b bench.Setting) int { return cmp.Compare(a.Level, b.Level) })
	switch {
	case len(named) > 0:
		return slices.Compact(named)
	case f.all:
		return bench.All(c)
	}
	return bench.Defaults(c)
}

// parseBenchCoding is [manifest.ParseCoding] for deflate, too.
func parseBenchCoding(s string) (manifest.Coding, error) {
	if strings.EqualFold(strings.TrimSpace(s), string(bench.Deflate)) {
		return bench.Deflate, nil
	}
	c, err := manifest.ParseCoding(s)
	if err != nil {
		err = fmt.Errorf("%w, %s", err, bench.Deflate)
	}
	return c, err
}

func parseBenchCodings(s string) ([]manifest.Coding, error) {
	codings := []manifest.Coding{}
	for name := range strings.SplitSeq(s, ",") {
		c, err := parseBenchCoding(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(codings, c) {
			codings = append(codings, c)
		}
	}
	return codings, nil
}

// parseBenchLevels reads "br=1-11,zstd=1,3,19", and adds it to what was read before:
// levels and ranges of them, each for the coding named last.
func parseBenchLevels(s string, settings []bench.Setting) ([]bench.Setting, error) {
	var coding manifest.Coding
	for part := range strings.SplitSeq(s, ",") {
		levels := part
		if name, rest, found := strings.Cut(part, "="); found {
			var err error
			if coding, err = parseBenchCoding(name); err != nil {
				return nil, err
			}
			levels = rest
		}
		if coding == "" {
			return nil, fmt.Errorf("%q is not a coding and its levels: write it like br=1-11,zstd=1,3,19", part)
		}
		low, high, err := parseRange(coding, levels)
		if err != nil {
			return nil, err
		}
		for level := low; level <= high; level++ {
			settings = append(settings, bench.Setting{Coding: coding, Level: level})
		}
	}
	return settings, nil
}

// parseRange reads a level, or two with a hyphen between them.
func parseRange(c manifest.Coding, s string) (low, high int, err error) {
	lowest, highest := bench.LevelRange(c)
	first, last, isRange := strings.Cut(strings.TrimSpace(s), "-")
	if !isRange {
		last = first
	}
	low, err = strconv.Atoi(first)
	if err == nil {
		high, err = strconv.Atoi(last)
	}
	switch {
	case err != nil:
		return 0, 0, fmt.Errorf("%q is neither a level of %s nor a range: write it like %s=%d or %s=%d-%d", s, c, c, highest, c, lowest, highest)
	case low < lowest, high > highest:
		return 0, 0, fmt.Errorf("level %s of %s is out of range: choose from %d to %d", s, c, lowest, highest)
	case low > high:
		return 0, 0, fmt.Errorf("the range %s of %s holds no level: write the lower one first", s, c)
	}
	return low, high, nil
}

func parseWhole(s string, most int) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 || n > most {
		return 0, fmt.Errorf("%q is not a whole number from 1 to %d", s, most)
	}
	return n, nil
}

// parseLink reads the speed of a link, between that of a bad modem and more than any
// has.
func parseLink(s string) (float64, error) {
	mbits, err := strconv.ParseFloat(s, 64)
	if err != nil || !(mbits >= 0.001 && mbits <= 1_000_000) { // NaN is neither
		return 0, fmt.Errorf("%q is not a speed in Mbit/s from 0.001 to 1000000, such as 100", s)
	}
	return mbits, nil
}

// parseSamples adds to the kinds of samples that were read before.
func parseSamples(s string, kinds []string) ([]string, error) {
	for kind := range strings.SplitSeq(s, ",") {
		kind = strings.TrimSpace(kind)
		if !slices.Contains(bench.SampleKinds(), kind) {
			return nil, fmt.Errorf("unknown sample %q: choose from %s", kind, strings.Join(bench.SampleKinds(), ", "))
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds, nil
}
