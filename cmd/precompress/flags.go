package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/bytesize"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// buildFlags are the flags of the commands, each command registering those
// that it heeds.
type buildFlags struct {
	options     precompress.Options
	shard       precompress.Shard
	cache       cacheFlags
	dryRun      bool
	failIfEmpty bool
	quiet       bool
	verbose     bool
	json        bool
	color       string
	review      review
}

// register adds the flags of commands that build, or say what a build would do.
func (f *buildFlags) register(fs *pflag.FlagSet) {
	f.registerSettings(fs)
	f.review.register(fs)
	f.registerOutput(fs)
}

// registerSettings adds the flags that decide what a tree should look like.
func (f *buildFlags) registerSettings(fs *pflag.FlagSet) {
	o := &f.options
	fs.SortFlags = false
	fs.StringArrayVarP(&o.Include, "include", "i", nil, "take only files that match `GLOB` (repeatable; ** crosses directories)")
	fs.StringArrayVarP(&o.Exclude, "exclude", "x", nil, "leave out files that match `GLOB` (repeatable; !GLOB takes in again; the last match wins)")
	fs.Var(parsedValue{"LIST", "br,zstd,gzip", func(s string) (err error) { o.Codings, err = parseCodings(s); return }}, "codings", "content codings to store")
	fs.Var(parsedValue{"LIST", "br=11,zstd=19,gzip=9", func(s string) (err error) { o.Levels, err = parseLevels(s, o.Levels); return }}, "level", "level per coding: br 0-11, zstd 1-22, gzip 1-13")
	fs.Var(sizeValue{&o.MinSize}, "min-size", "leave out files below this size")
	fs.Var(maxSizeValue(o), "max-size", "leave out files above this size")
	fs.Var(parsedValue{"BYTES|PERCENT", "the bytes of the Content-Encoding field", func(s string) (err error) { o.MinSaving, err = precompress.ParseSaving(s); return }}, "min-saving", "keep only variants that save at least this much")
	fs.BoolVar(&o.DropDominated, "drop-dominated", false, "drop a variant if another that at least as many clients accept is no larger")
	fs.BoolVar(&o.FollowSymlinks, "follow-symlinks", false, "take links for what they point to inside DIR (else they are skipped)")
	fs.VarP(parsedValue{"N", "one per core", func(s string) (err error) { o.Jobs, err = parseJobs(s); return }}, "jobs", "j", "work on this many files at a time")
	fs.Var(parsedValue{"SIZE", "2 GiB, exceeded by single large files", func(s string) (err error) { o.MaxMemory, err = parseLimit(s); return }}, "max-memory", "keep memory below this; leave out files that need more alone")
	f.registerPlaces(fs)
	fs.BoolVar(&o.OutOriginals, "out-originals", false, "with --out: put copies of the sources there too")
	f.registerDeltas(fs)
	f.cache.register(fs)
}

// validate refuses settings that a build of these trees would refuse, as far as
// that does not depend on what is in the trees.
func (f *buildFlags) validate(out *output, dirs []string) error {
	if err := out.configure(f); err != nil {
		return err
	}
	if err := f.cache.validate(f.cache.off); err != nil {
		return err
	}
	if err := validate(nil, f.options); err != nil {
		return err
	}
	return f.review.prepare(f, dirs)
}

// registerBuild adds the flags of a build alone.
func (f *buildFlags) registerBuild(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.options.Force, "force", "f", false, "encode everything anew and replace foreign siblings")
	fs.Var(parsedValue{"K/N", "", func(s string) (err error) { f.shard, err = parseShard(s); return }}, "shard", "encode part K of N into the cache and leave DIR alone; a run without --shard on any machine then finds all parts there; budgets and summaries are left to that")
	fs.BoolVar(&f.failIfEmpty, "fail-if-empty", false, "exit with 1 if a DIR holds nothing to compress")
	f.registerDryRun(fs)
}

func (f *buildFlags) registerDryRun(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.dryRun, "dry-run", "n", false, "say what would be done, write nothing")
}

// registerPlaces adds the flags of every command that takes directories.
func (f *buildFlags) registerPlaces(fs *pflag.FlagSet) {
	fs.SortFlags = false
	fs.Var(nameValue{"DIR", &f.options.Out}, "out", "keep variants and manifest in DIR, a tree apart, instead of next to the sources")
	fs.Var(nameValue{"FILE", &f.options.Manifest}, "manifest", "keep the manifest in FILE instead of "+manifest.Name+" in the tree")
}

// registerOutput adds the flags that concern output.
func (f *buildFlags) registerOutput(fs *pflag.FlagSet) {
	f.registerQuiet(fs)
	fs.BoolVarP(&f.verbose, "verbose", "v", false, "print every file and coding with the reason")
	fs.BoolVar(&f.json, "json", false, "print one JSON object and nothing else on standard output")
	f.registerColor(fs)
}

func (f *buildFlags) registerQuiet(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.quiet, "quiet", "q", false, "print nothing but faults")
}

func (f *buildFlags) registerColor(fs *pflag.FlagSet) {
	fs.Var(parsedValue{"WHEN", "auto", func(s string) (err error) { f.color, err = parseColor(s); return }}, "color", "color the output: always, never, or auto: on a terminal without NO_COLOR")
}

// parsedValue is a flag that hands its text to parse. What it starts as is
// text for the help.
type parsedValue struct {
	kind, initial string
	parse         func(string) error
}

func (v parsedValue) String() string     { return v.initial }
func (v parsedValue) Set(s string) error { return v.parse(s) }
func (v parsedValue) Type() string       { return v.kind }

// nameValue is a flag for a file's name. An empty one, as of an unset variable
// in a script, is refused.
type nameValue struct {
	kind string
	name *string
}

func (v nameValue) String() string {
	if v.name == nil {
		return ""
	}
	return *v.name
}

func (v nameValue) Set(s string) error {
	if s == "" {
		return errors.New("the name is empty")
	}
	*v.name = s
	return nil
}

func (v nameValue) Type() string { return v.kind }

// sizeValue is a flag for a count of bytes.
type sizeValue struct{ bytes *int64 }

func (v sizeValue) String() string {
	if v.bytes == nil {
		return ""
	}
	return strconv.FormatInt(*v.bytes, 10)
}

func (v sizeValue) Set(s string) (err error) {
	*v.bytes, err = bytesize.Parse(s)
	return err
}

func (v sizeValue) Type() string { return "SIZE" }

func maxSizeValue(o *precompress.Options) pflag.Value {
	return parsedValue{"SIZE", "1GiB", func(s string) (err error) { o.MaxSize, err = parseLimit(s); return }}
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

func parseColor(s string) (string, error) {
	if !slices.Contains([]string{"auto", "always", "never"}, s) {
		return "", fmt.Errorf("%q is unknown: choose auto, always or never", s)
	}
	return s, nil
}

func parseJobs(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a whole number of at least 1", s)
	}
	return n, nil
}

// parseShard reads "2/4".
func parseShard(s string) (precompress.Shard, error) {
	k, n, _ := strings.Cut(s, "/")
	index, err := strconv.Atoi(k)
	count, err2 := strconv.Atoi(n)
	asWritten := strconv.Itoa(index) == k && strconv.Itoa(count) == n // no sign, no zeros
	if err != nil || err2 != nil || !asWritten || index < 1 || index > count {
		return precompress.Shard{}, fmt.Errorf("%q is not a part of several: write K/N, such as 2/4 for the second of four", s)
	}
	return precompress.Shard{Index: index, Count: count}, nil
}

func parseCodings(s string) ([]manifest.Coding, error) {
	codings := []manifest.Coding{}
	for name := range strings.SplitSeq(s, ",") {
		c, err := manifest.ParseCoding(name)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(codings, c) {
			codings = append(codings, c)
		}
	}
	return codings, nil
}

// parseLevels reads "br=11,gzip=9" into levels that may be set already.
func parseLevels(s string, levels map[manifest.Coding]int) (map[manifest.Coding]int, error) {
	if levels == nil {
		levels = make(map[manifest.Coding]int)
	}
	for part := range strings.SplitSeq(s, ",") {
		name, number, found := strings.Cut(part, "=")
		if !found {
			return nil, fmt.Errorf("%q is not a coding and its level: write it like br=11", part)
		}
		c, err := manifest.ParseCoding(name)
		if err != nil {
			return nil, err
		}
		level, err := strconv.Atoi(strings.TrimSpace(number))
		if err != nil {
			return nil, fmt.Errorf("level %q of %s is not a whole number: write it like %s=%d", number, c, c, precompress.DefaultLevel(c))
		}
		if low, high := precompress.LevelRange(c); level < low || level > high {
			return nil, fmt.Errorf("level %d of %s is out of range: choose from %d to %d", level, c, low, high)
		}
		levels[c] = level
	}
	return levels, nil
}
