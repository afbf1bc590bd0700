package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/bench"
	"github.com/precompress/precompress/internal/bytesize"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// What runs and requests may be: enough for anyone, and times do not overflow.
const (
	maxRuns     = 10_000
	maxRequests = 1_000_000_000
)

// benchFlags are the flags of bench.
type benchFlags struct {
	outputFlags
	files   precompress.Options // which files of a directory
	codings []manifest.Coding
	levels  []bench.Setting // in the order of the command line
	strict  bool            // a level of a coding that is not chosen is an error
	all     bool
	runs    int
	link    bench.Link
	samples []string
	html    string
	csv     bool
	origins origins
}

func (f *benchFlags) register(fs *pflag.FlagSet) {
	fs.SortFlags = false
	f.runs, f.link = bench.DefaultRuns, bench.Link{Mbits: 100, Requests: 1}
	count := func(most int) func(string) (int, error) {
		return func(s string) (int, error) { return parseUpTo(s, most) }
	}
	fs.Var(parsed(&f.codings, "LIST", "br,zstd,gzip", parseBenchCodings), "codings", "content codings to measure, also deflate")
	fs.Var(parsed(&f.levels, "LEVELS", "br=1,4,5,9-11,zstd=1,3,9,19,gzip=1,6,9", func(s string) ([]bench.Setting, error) { return parseBenchLevels(s, f.levels) }), "levels", "levels to measure per coding; with this flag alone, no other codings")
	fs.BoolVar(&f.all, "all", false, "measure every level: br 0-11, zstd 1-22, gzip 1-13, deflate 1-9")
	fs.Var(parsed(&f.runs, "N", strconv.Itoa(f.runs), count(maxRuns)), "runs", "encode and decode everything this many times; medians count")
	fs.Var(parsed(&f.link.Mbits, "MBIT", "100", parseLink), "link", "say what is gained on a link of this speed in Mbit/s")
	fs.Var(parsed(&f.link.Requests, "N", "1", count(maxRequests)), "requests", "spread the time of compression over this many requests")
	fs.Var(parsed(&f.samples, "LIST", "", func(s string) ([]string, error) { return parseSamples(s, f.samples) }), "sample", "measure generated files too, or alone: json, json-base64, small, rfc (repeatable)")
	fs.VarP(appended(&f.files.Include, "GLOB", parseGlob), "include", "i", "of a directory, take only files that match GLOB (repeatable; ** crosses directories)")
	fs.VarP(appended(&f.files.Exclude, "GLOB", parseExclusion), "exclude", "x", "of a directory, leave out files that match GLOB (repeatable; !GLOB takes in again; the last match wins)")
	fs.Var(parsed(&f.files.MinSize, "SIZE", "0", bytesize.Parse), "min-size", "of a directory, leave out files below this size")
	fs.Var(parsed(&f.files.MaxSize, "SIZE", "1GiB", parseLimit), "max-size", "leave out files above this size; memory is about twice the largest, and up to 500 MB for encoders")
	fs.Var(named(&f.html, "FILE"), "html", "write a page with charts to FILE, too")
	f.registerQuiet(fs)
	f.registerJSON(fs)
	fs.BoolVar(&f.csv, "csv", false, "print comma-separated values and nothing else on standard output")
	f.registerColor(fs)
}

// validate refuses flags that contradict each other, and returns what to measure.
func (f *benchFlags) validate() ([]bench.Setting, error) {
	if f.json && f.csv {
		return nil, contradiction("json", "csv")
	}
	f.strict = f.origins.onCommandLine("levels")
	settings, err := f.chosen(func(name string) string { return "--" + name })
	if err != nil {
		return nil, asUsage(err)
	}
	return settings, validate(nil, f.files)
}

// chosen returns what to measure. In its errors, name writes the name of a flag, or of
// the setting that stands for it.
func (f *benchFlags) chosen(name func(string) string) ([]bench.Setting, error) {
	if f.all && f.levels != nil {
		return nil, fmt.Errorf("%s and %s contradict each other: give one of them", name("all"), name("levels"))
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
			return nil, fmt.Errorf("%s is about %s, which %s leaves out: add it there, or leave it out here", name("levels"), s.Coding, name("codings"))
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
	return parseList(s, parseBenchCoding)
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

func parseUpTo(s string, most int) (int, error) {
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
	more, err := parseList(s, func(kind string) (string, error) {
		kind = strings.TrimSpace(kind)
		if !slices.Contains(bench.SampleKinds(), kind) {
			return "", fmt.Errorf("unknown sample %q: choose from %s", kind, strings.Join(bench.SampleKinds(), ", "))
		}
		return kind, nil
	})
	return append(kinds, slices.DeleteFunc(more, func(kind string) bool { return slices.Contains(kinds, kind) })...), err
}
