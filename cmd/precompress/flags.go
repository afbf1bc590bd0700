package main

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/budget"
	"github.com/precompress/precompress/internal/bytesize"
	"github.com/precompress/precompress/internal/glob"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// buildFlags are the flags of builds and of the commands that inspect one. Each command
// registers those that it uses.
type buildFlags struct {
	outputFlags
	options     precompress.Options
	shard       precompress.Shard
	cache       cacheFlags
	sizes       sizeFlags
	dryRun      bool
	failIfEmpty bool
	origins     origins
}

// register adds the flags of commands that build, or say what a build would do.
func (f *buildFlags) register(fs *pflag.FlagSet) {
	f.registerSettings(fs)
	f.sizes.register(fs)
	f.outputFlags.register(fs)
}

// registerAll adds all flags of a build.
func (f *buildFlags) registerAll(fs *pflag.FlagSet) {
	f.register(fs)
	fs.BoolVarP(&f.options.Force, "force", "f", false, "encode everything again, and replace variants that precompress did not write")
	fs.Var(parsed(&f.shard, "K/N", "", parseShard), "shard", "encode part K of N into the cache and leave DIR alone; a run without --shard on any machine then finds all parts there; budgets and summaries are left to that run")
	fs.BoolVar(&f.failIfEmpty, "fail-if-empty", false, "exit with 1 if a DIR holds nothing to compress")
	f.registerDryRun(fs)
}

// registerSettings adds the flags that decide what a tree should look like.
func (f *buildFlags) registerSettings(fs *pflag.FlagSet) {
	o := &f.options
	fs.SortFlags = false
	fs.VarP(appended(&o.Include, "GLOB", parseGlob), "include", "i", "take only files that match GLOB (repeatable; ** crosses directories)")
	fs.VarP(appended(&o.Exclude, "GLOB", parseExclusion), "exclude", "x", "leave out files that match GLOB (repeatable; !GLOB takes in again; the last match wins)")
	fs.Var(parsed(&o.Codings, "LIST", "br,zstd,gzip", parseCodings), "codings", "content codings to store")
	fs.Var(parsed(&o.Levels, "LIST", "br=11,zstd=19,gzip=9", func(s string) (map[manifest.Coding]int, error) { return parseLevels(s, o.Levels) }), "level", "level per coding: br 0-11, zstd 1-22, gzip 1-13")
	fs.Var(parsed(&o.MinSize, "SIZE", "0", bytesize.Parse), "min-size", "leave out files below this size")
	fs.Var(parsed(&o.MaxSize, "SIZE", "1GiB", parseLimit), "max-size", "leave out files above this size")
	fs.Var(parsed(&o.MinSaving, "BYTES|PERCENT", "the bytes of the Content-Encoding field", precompress.ParseSaving), "min-saving", "keep only variants that save at least this much")
	fs.BoolVar(&o.DropDominated, "drop-dominated", false, "drop a variant if another that at least as many clients accept is no larger")
	fs.BoolVar(&o.FollowSymlinks, "follow-symlinks", false, "follow links to what is inside DIR (otherwise links are skipped)")
	fs.VarP(parsed(&o.Jobs, "N", "one per core", parseCount), "jobs", "j", "work on this many files at a time")
	fs.Var(parsed(&o.MaxMemory, "SIZE", "2 GiB, exceeded by single large files", parseLimit), "max-memory", "keep memory below this; leave out files that need more on their own")
	f.registerPlaces(fs)
	fs.BoolVar(&o.OutOriginals, "out-originals", false, "with --out: copy the sources there, too")
	registerDeltas(fs, o)
	f.cache.register(fs)
}

// registerPlaces adds the flags of every command that takes directories.
func (f *buildFlags) registerPlaces(fs *pflag.FlagSet) {
	fs.SortFlags = false
	fs.Var(named(&f.options.Out, "DIR"), "out", "keep variants and manifest in DIR, a separate tree, instead of next to the sources")
	fs.Var(named(&f.options.Manifest, "FILE"), "manifest", "keep the manifest in FILE instead of "+manifest.Name+" in the tree")
}

func (f *buildFlags) registerDryRun(fs *pflag.FlagSet) {
	fs.BoolVarP(&f.dryRun, "dry-run", "n", false, "say what would be done, write nothing")
}

// check refuses options that a build of these trees would refuse, before the first
// tree is touched.
func (f *buildFlags) check(dirs []string) error {
	if err := f.checkOptions(dirs); err != nil {
		return err
	}
	return checkReleases(&f.options)
}

// checkOptions is check without a look at the releases.
func (f *buildFlags) checkOptions(dirs []string) error {
	if f.options.OutOriginals && f.options.Out == "" {
		return usageErrorf("out-originals", "--out-originals needs a separate directory: name it with --out")
	}
	return validate(dirs, f.options)
}

// parseGlob checks a glob, which the library compiles.
func parseGlob(s string) (string, error) {
	_, err := glob.Compile(s)
	return s, err
}

// parseExclusion is parseGlob for globs that may have a ! in front.
func parseExclusion(s string) (string, error) {
	_, err := glob.Compile(strings.TrimPrefix(s, "!"))
	return s, err
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

func parseCodings(s string) ([]manifest.Coding, error) { return parseList(s, manifest.ParseCoding) }

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

// summaryVariable names the file that a step of GitHub Actions may append Markdown to.
const summaryVariable = "GITHUB_STEP_SUMMARY"

// noSummary stands for no summary, whatever the environment says.
const noSummary = "none"

// sizeFlags are the flags of build and check for what they do with sizes.
type sizeFlags struct {
	summary  string // the file, "" if none is named
	baseline string
	budgets  []budget.Budget
}

func (f *sizeFlags) register(fs *pflag.FlagSet) {
	fs.Var(appended(&f.budgets, "BUDGET", budget.Parse), "budget", "exit with 3 if files are over this: GLOB=SIZE[:CODING][:total] (repeatable), as in 'assets/*.js=170kB:br'")
	fs.Var(parsed(&f.summary, "FILE", "$"+summaryVariable, nonEmpty), "summary", "append a summary in Markdown to FILE; none for no summary")
	fs.Var(named(&f.baseline, "FILE"), "baseline", "compare with this manifest of an earlier build instead of the one in the tree")
}

// isShard reports whether a build is to make one of several parts.
func (f *buildFlags) isShard() bool { return f.shard != (precompress.Shard{}) }
