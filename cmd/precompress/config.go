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
	fs.Var(nameValue{"FILE", &f.file}, "config", "take settings from FILE instead of "+configName+" in the working folder")
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
		if rules != nil {
			for _, r := range file.rulesUnder(cmd.Flags()) {
				*rules = append(*rules, r.Rule)
			}
		}
		if err := file.apply(cmd.Flags(), file.section(cmd)); err != nil {
			return err
		}
		if len(args) == 0 && len(file.dirs) > 0 && check(cmd, args) != nil && check(cmd, file.dirs) == nil {
			args = file.dirs
		}
		if err := check(cmd, args); err != nil {
			return err
		}
		return withOrigin(cmd.Flags(), run(cmd, args))
	}
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

// known are the settings that there are, by section.
type known struct{ top, serve map[string]*pflag.Flag }

// knownFlags finds the flags of all commands that heed the file, so that one
// file serves them all.
func knownFlags(root *cobra.Command) known {
	k := known{make(map[string]*pflag.Flag), make(map[string]*pflag.Flag)}
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd.Flags().Lookup("config") == nil {
			continue
		}
		flags := k.top
		if cmd.Name() == serveSection {
			flags = k.serve
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
	return slices.Contains([]string{"force", "dry-run", "shard", "html", "config", "no-config", "help"}, name)
}

// section returns the settings that a command takes. What a fingerprint is does
// not change between the build and serve: unless its section has one, serve takes
// that of the build.
func (c *configFile) section(cmd *cobra.Command) []setting {
	if cmd.Name() != serveSection {
		return c.top
	}
	isFingerprint := func(s setting) bool { return s.key == fingerprintKey }
	if at := slices.IndexFunc(c.top, isFingerprint); at >= 0 && !slices.ContainsFunc(c.serve, isFingerprint) {
		return append(slices.Clone(c.serve), c.top[at])
	}
	return c.serve
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

// settingsInWords finds the flags of options that the library has other words for.
var settingsInWords = strings.NewReplacer("the memory limit", "--max-memory", "the manifest", "--manifest", "for the output", "--out")

// fromFile is the annotation of flags that only the file sets; it says where.
const fromFile = "file of settings"

func isFromFile(f *pflag.Flag) bool { return f.Annotations[fromFile] != nil }

// onCommandLine tells whether a flag stands on the command line, not in the file
// of settings alone.
func onCommandLine(fs *pflag.FlagSet, name string) bool {
	f := fs.Lookup(name)
	return f.Changed && !isFromFile(f)
}

// overridden tells whether a command line that was parsed and nothing else
// leaves no room for a setting of the file.
func overridden(fs *pflag.FlagSet, key string) bool {
	opposite := map[string]string{"quiet": "verbose", "verbose": "quiet"}[key]
	return fs.Changed(key) && key != levelKey || opposite != "" && fs.Changed(opposite)
}

// rulesUnder returns the file's rules under a command line that was parsed and
// nothing else: codings and levels that it names hold for every file.
func (c *configFile) rulesUnder(fs *pflag.FlagSet) []fileRule {
	var rules []fileRule
	given, _ := parseLevels(strings.Join(textsOf(fs.Lookup(levelKey)), ","), nil)
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
in the form of ` + configName + `, each with where it comes from: the default,
a line of the file, or a flag.

` + configName + ` in the working folder holds settings by the names of the long
flags, written above the first section. Flags on the command line win. Names of
files and folders are relative to the working folder, as on the command line.
"dirs" are the folders to work on if the command line names none. A [[files]]
section changes "codings" and "level" of the files that match its "glob", or
leaves them out with "exclude = true"; later sections win. The settings of serve
stand in a [serve] section; it takes the build's fingerprint if that has none.`,
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
	serving, _, err := cmd.Root().Find([]string{serveSection})
	if err != nil {
		return err
	}
	topOrigins, err := file.applied(cmd.Flags(), file.top)
	if err != nil {
		return err
	}
	serveOrigins, err := file.applied(serving.Flags(), file.section(serving))
	if err != nil {
		return err
	}
	for _, r := range page.rules {
		options.options.Rules = append(options.options.Rules, r.Rule)
	}
	if err := options.validate(out, file.dirs); err != nil {
		return err
	}
	certificate, key := serving.Flags().Lookup("tls-cert").Value.String(), serving.Flags().Lookup("tls-key").Value.String()
	if err := pairedFiles(certificate, key); err != nil {
		return withOrigin(serving.Flags(), err)
	}
	page.top, page.serve = effectiveOf(cmd.Flags(), topOrigins), effectiveOf(serving.Flags(), serveOrigins)
	text, err := page.text()
	if err != nil {
		return usageError{err}
	}
	out.configuration(text)
	return nil
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
