package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// configFlags tell which configuration file a command heeds.
type configFlags struct {
	file string
	none bool
}

func (f *configFlags) register(fs *pflag.FlagSet) {
	fs.Var(nameValue{"FILE", &f.file}, "config", "take settings from FILE instead of "+configName+" in the working directory")
	fs.BoolVar(&f.none, "no-config", false, "take no settings from a file")
}

// load returns what the file says, nothing if there is none.
func (f *configFlags) load(root *cobra.Command) (*configFile, error) {
	if f.none && f.file != "" {
		return nil, usageError{errors.New("--config and --no-config contradict each other: give one of them")}
	}
	name := f.file
	if f.none || name == "" && !configExists() {
		return &configFile{}, nil
	}
	if name == "" {
		name = configName
	}
	data, err := readConfig(name)
	if err != nil {
		return nil, err
	}
	return parseConfig(name, data, knownFlags(root))
}

// heedConfig has a command take its settings from the configuration file too.
// It comes after all flags are registered. rules is where those of the file's
// [[files]] go, nil if the command has no use for them.
func heedConfig(cmd *cobra.Command, rules *[]precompress.Rule) {
	recordTexts(cmd.Flags())
	flags := &configFlags{}
	flags.register(cmd.Flags())
	check, run := cmd.Args, cmd.RunE
	cmd.Args = cobra.ArbitraryArgs // checked below, with those of the file
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		file, err := flags.load(cmd.Root())
		if err != nil {
			return err
		}
		file.noteSummary(cmd.Flags())
		if rules != nil {
			for _, r := range file.rulesUnder(cmd.Flags()) {
				*rules = append(*rules, r.Rule)
			}
		}
		if err := file.apply(cmd.Flags(), file.section(cmd)); err != nil {
			return err
		}
		if args, err = file.arguments(cmd, check, args); err != nil {
			return err
		}
		return withOrigin(cmd.Flags(), run(cmd, args))
	}
}

// arguments returns those of the command line, or the directories of the file if it has
// none and the command wants some. check tells which the command takes.
func (c *configFile) arguments(cmd *cobra.Command, check cobra.PositionalArgs, args []string) ([]string, error) {
	err := check(cmd, args)
	if err == nil || len(args) > 0 || len(c.dirs) == 0 {
		return args, err
	}
	switch unfit := check(cmd, c.dirs); {
	case unfit == nil:
		return c.dirs, nil
	case errors.Is(unfit, errOneDirectory):
		return nil, c.fault(c.dirsAt, "%s takes %w, and dirs has %d: name the one on the command line", cmd.Name(), errOneDirectory, len(c.dirs))
	}
	return nil, err
}

// withOrigin adds to a fault of usage where the settings that it names stand, if
// that is in the file.
func withOrigin(fs *pflag.FlagSet, err error) error {
	var usage usageError
	if !errors.As(err, &usage) && !errors.Is(err, precompress.ErrInvalidOptions) {
		return err
	}
	text := settingsInWords.Replace(err.Error())
	var places []string
	fs.VisitAll(func(f *pflag.Flag) {
		named := regexp.MustCompile("--" + regexp.QuoteMeta(f.Name) + `($|[^-\w])`)
		if isFromFile(f) && named.MatchString(text) {
			places = append(places, f.Name+" is set in "+f.Annotations[fromFile][0])
		}
	})
	if places == nil {
		return err
	}
	return fmt.Errorf("%w (%s)", err, strings.Join(places, ", "))
}

// commandSection is a section of the file that has a command's own settings.
type commandSection struct {
	name string // the command's too
	// shared are the build's settings that the command takes, unless its section
	// has them: what is true of a tree does not change from one to the other.
	shared []string
}

func commandSections() []commandSection {
	return []commandSection{
		{"serve", []string{fingerprintKey}},
		{benchSection, []string{"include", excludeKey, "min-size", "max-size"}},
		{"probe", nil},
	}
}

func sectionOf(cmd *cobra.Command) (commandSection, bool) {
	sections := commandSections()
	at := slices.IndexFunc(sections, func(s commandSection) bool { return s.name == cmd.Name() })
	if at < 0 {
		return commandSection{}, false
	}
	return sections[at], true
}

// known are the settings that there are: those of the file's top level, and those
// of the commands that have a section, by its name.
type known struct {
	top map[string]*pflag.Flag
	own map[string]map[string]*pflag.Flag
}

// knownFlags finds the flags of all commands that heed the file, so that one
// file serves them all.
func knownFlags(root *cobra.Command) known {
	k := known{make(map[string]*pflag.Flag), make(map[string]map[string]*pflag.Flag)}
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd.Flags().Lookup("config") == nil {
			continue
		}
		flags := k.top
		if s, found := sectionOf(cmd); found {
			flags = make(map[string]*pflag.Flag)
			k.own[s.name] = flags
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if !onCommandLineOnly(f.Name) {
				flags[f.Name] = f
			}
		})
	}
	return k
}

// onCommandLineOnly tells of flags that are about one run.
func onCommandLineOnly(name string) bool {
	return slices.Contains([]string{"force", "dry-run", "shard", "config", "no-config", "help", "html", "csv", "sample"}, name)
}

// section returns the settings that a command takes.
func (c *configFile) section(cmd *cobra.Command) []setting {
	section, found := sectionOf(cmd)
	if !found {
		return c.top
	}
	settings := slices.Clone(c.own[section.name])
	for _, s := range c.top {
		own := slices.ContainsFunc(settings, func(o setting) bool { return o.key == s.key })
		if !own && slices.Contains(section.shared, s.key) {
			settings = append(settings, s)
		}
	}
	return settings
}

// apply sets the flags that the settings name and that the command line does
// not. Levels are set coding by coding.
func (c *configFile) apply(fs *pflag.FlagSet, settings []setting) error {
	settings = slices.DeleteFunc(slices.Clone(settings), func(s setting) bool { return overridden(fs, s.key) })
	for _, s := range settings {
		f := fs.Lookup(s.key)
		if f == nil {
			continue
		}
		given := slices.Clone(textsOf(f))
		for _, text := range append(s.texts, given...) {
			if err := fs.Set(s.key, text); err != nil {
				var value *pflag.InvalidValueError
				if errors.As(err, &value) {
					err = value.Unwrap()
				}
				return c.fault(s.at, "%s: %w", s.key, err)
			}
		}
		if len(given) == 0 {
			f.Annotations = map[string][]string{fromFile: {c.origin(s.at)}}
		}
	}
	return nil
}

// summaryOfFile is the annotation of the flag "config" that has the file of summaries
// that the settings name, for commands that write none.
const summaryOfFile = "summary"

func (c *configFile) noteSummary(fs *pflag.FlagSet) {
	for _, s := range c.top {
		if s.key == "summary" {
			fs.Lookup("config").Annotations = map[string][]string{summaryOfFile: s.texts}
		}
	}
}

// summaryInConfig returns the file of summaries that the settings name, "" for none.
func summaryInConfig(fs *pflag.FlagSet) string {
	f := fs.Lookup("config")
	if f == nil || len(f.Annotations[summaryOfFile]) == 0 || f.Annotations[summaryOfFile][0] == noSummary {
		return ""
	}
	return f.Annotations[summaryOfFile][0]
}

// settingsInWords finds the flags of options that the library has other words for.
var settingsInWords = strings.NewReplacer("the memory limit", "--max-memory", "the manifest", "--manifest", "for the output", "--out")

// fromFile is the annotation of flags that only the file sets; it says where.
const fromFile = "file of settings"

func isFromFile(f *pflag.Flag) bool { return f.Annotations[fromFile] != nil }

// onCommandLine reports whether a flag stands on the command line, not in the file
// of settings alone.
func onCommandLine(fs *pflag.FlagSet, name string) bool {
	f := fs.Lookup(name)
	return f.Changed && !isFromFile(f)
}

// overridden reports whether a command line that was parsed and nothing else
// leaves no room for a setting of the file.
func overridden(fs *pflag.FlagSet, key string) bool {
	opposites := map[string]string{
		"quiet": "verbose", "verbose": "quiet", "json": "csv",
		levelsKey: "all", "all": levelsKey, codingsKey: levelsKey, // of bench
	}
	opposite := opposites[key]
	return fs.Changed(key) && key != levelKey || opposite != "" && fs.Changed(opposite)
}

// rulesUnder returns the file's rules under a command line that was parsed and
// nothing else: codings and levels that it names hold for every file.
func (c *configFile) rulesUnder(fs *pflag.FlagSet) []fileRule {
	var rules []fileRule
	var given map[manifest.Coding]int
	if f := fs.Lookup(levelKey); f != nil {
		given, _ = parseLevels(strings.Join(textsOf(f), ","), nil)
	}
	for _, r := range c.rules {
		rule := r
		if fs.Changed(codingsKey) {
			rule.Codings = nil
		}
		rule.Levels = maps.Clone(rule.Levels)
		maps.DeleteFunc(rule.Levels, func(c manifest.Coding, _ int) bool { _, found := given[c]; return found })
		if rule.Exclude || rule.Codings != nil || len(rule.Levels) > 0 {
			rules = append(rules, rule)
		}
	}
	return rules
}

func newConfigCommand(out *output, build *cobra.Command, options *buildFlags) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "config [flags]",
		Short: "Print the settings that hold here, and where each comes from",
		Long: `config prints the settings of a build with the same flags, and those of serve,
bench and probe, in the form of ` + configName + `, each with where it comes
from: the default, a line of the file, or a flag.

` + configName + ` in the working directory holds settings by the names of the long
flags, written above the first section. Flags on the command line win. Names of
files and directories are relative to the working directory, as on the command line.
"dirs" are the directories to work on if the command line names none. A [[files]]
section changes "codings" and "level" of the files that match its "glob", or
leaves them out with "exclude = true"; later sections win. The settings of
serve, bench and probe stand in sections of these names. Where they say nothing
of it, serve takes the build's fingerprint, and bench its choice of files.`,
		Args: noArgs,
	}
	flags := &configFlags{}
	build.Flags().VisitAll(func(f *pflag.Flag) {
		if !onCommandLineOnly(f.Name) {
			cmd.Flags().AddFlag(f) // build's own: one command runs at a time
		}
	})
	cmd.Flags().SortFlags = false
	flags.register(cmd.Flags())
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		file, err := flags.load(cmd.Root())
		if err != nil {
			return err
		}
		return withOrigin(cmd.Flags(), printConfig(out, cmd, file, options))
	}
	exitCodes(cmd, exitsConfig)
	return cmd
}

// printConfig applies the file to every command that heeds it and prints what
// comes of that, unless a build or serve would refuse it.
func printConfig(out *output, cmd *cobra.Command, file *configFile, options *buildFlags) error {
	page := configPage{file: file, rules: file.rulesUnder(cmd.Flags())}
	topOrigins, err := file.applied(cmd.Flags(), file.top)
	if err != nil {
		return err
	}
	sections, err := file.effectiveSections(cmd.Root())
	if err != nil {
		return err
	}
	for _, r := range page.rules {
		options.options.Rules = append(options.options.Rules, r.Rule)
	}
	if err := options.validate(out, file.dirs); err != nil {
		return err
	}
	page.top, page.sections = effectiveOf(cmd.Flags(), topOrigins), sections
	text, err := page.text()
	if err != nil {
		return usageError{err}
	}
	out.configuration(text)
	return nil
}

// effectiveSection is the section of a command as it holds.
type effectiveSection struct {
	name     string
	settings []effective
}

// effectiveSections applies the file to the commands that have a section in it.
func (c *configFile) effectiveSections(root *cobra.Command) ([]effectiveSection, error) {
	var sections []effectiveSection
	for _, section := range commandSections() {
		cmd, _, err := root.Find([]string{section.name})
		if err != nil {
			return nil, err
		}
		origins, err := c.applied(cmd.Flags(), c.section(cmd))
		if err != nil {
			return nil, err
		}
		if err := checkSection(cmd.Flags()); err != nil {
			return nil, withOrigin(cmd.Flags(), err)
		}
		sections = append(sections, effectiveSection{section.name, effectiveOf(cmd.Flags(), origins)})
	}
	return sections, nil
}

// checkSection refuses settings that a command refuses only once it runs.
func checkSection(fs *pflag.FlagSet) error {
	certificate, key := fs.Lookup("tls-cert"), fs.Lookup("tls-key")
	if certificate == nil || key == nil {
		return nil
	}
	return pairedFiles(certificate.Value.String(), key.Value.String())
}

// effective is a setting as it holds.
type effective struct {
	key    string
	value  any    // bool, int64, string, []string or levels; nil if the default has no such form
	words  string // what the help says of the default
	origin string // for people
}

// levels is a setting with a value per coding.
type levels map[manifest.Coding]int

// applied applies settings and returns where each flag's value comes from.
func (c *configFile) applied(fs *pflag.FlagSet, settings []setting) (map[string]string, error) {
	origins := make(map[string]string)
	for _, s := range settings {
		if !overridden(fs, s.key) {
			origins[s.key] = c.origin(s.at)
		}
	}
	fs.VisitAll(func(f *pflag.Flag) {
		switch from, inFile := origins[f.Name]; {
		case f.Changed && inFile && f.Name == levelKey:
			origins[f.Name] = from + ", flag"
		case f.Changed:
			origins[f.Name] = "flag"
		case !inFile:
			origins[f.Name] = "default"
		}
	})
	return origins, c.apply(fs, settings)
}

// effectiveOf returns what holds, in the flags' order. It may set flags to their
// defaults: nothing else is to be done with them then.
func effectiveOf(fs *pflag.FlagSet, origins map[string]string) []effective {
	var list []effective
	fs.VisitAll(func(f *pflag.Flag) {
		if !onCommandLineOnly(f.Name) {
			list = append(list, effective{f.Name, flagValue(f), f.DefValue, origins[f.Name]})
		}
	})
	return list
}
