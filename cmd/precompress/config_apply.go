package main

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/precompress/precompress/cmd/precompress/internal/config"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// maxConfig is the size in bytes of the largest configuration file that is read: a
// larger file is something else.
const maxConfig = 64 << 10

// configFlags say which configuration file a command reads.
type configFlags struct {
	file string
	none bool
}

func (f *configFlags) register(fs *pflag.FlagSet) {
	fs.Var(named(&f.file, "FILE"), "config", "take settings from FILE instead of "+config.Name+" in the working directory")
	fs.BoolVar(&f.none, "no-config", false, "take no settings from a file")
}

// load reads the file, if there is one.
func (f *configFlags) load() (name string, file config.File, err error) {
	if f.none && f.file != "" {
		return "", file, contradiction("config", "no-config")
	}
	name = f.file
	if _, err := os.Lstat(config.Name); name == "" && !f.none && !errors.Is(err, fs.ErrNotExist) {
		name = config.Name
	}
	if f.none || name == "" {
		return "", file, nil
	}
	data, err := readConfig(name)
	if err != nil {
		return "", file, err
	}
	file, err = parseConfig(name, data)
	return name, file, err
}

// readConfig returns the bytes of a configuration file.
func readConfig(name string) ([]byte, error) {
	data, err := readRegular(name, maxConfig)
	advice := "make the file readable, name another with --config, or give --no-config"
	switch {
	case err == nil:
		return bytes.TrimPrefix(data, []byte("\ufeff")), nil
	case errors.Is(err, fs.ErrNotExist):
		err, advice = errors.New("there is no such configuration file"), "check the name, or give --no-config"
	case errors.Is(err, osfile.ErrNotRegular):
		advice = "settings cannot be read from it: name a file with --config, or give --no-config"
	case errors.Is(err, osfile.ErrTooLarge):
		advice = "a configuration file is small: name another with --config, or give --no-config"
	}
	return nil, usageErrorf("", "%s: %w: %s", printable(name), err, advice)
}

// parseConfig reads a configuration file. All values are tried on flags that no command
// uses, so that a wrong value is an error whether this command needs it or not.
func parseConfig(name string, data []byte) (file config.File, err error) {
	trial := newAllFlags()
	err = config.Parse(name, data, &file, func(section, key, text string) error {
		fs := trial.sets[section]
		switch {
		case key == "dirs", section == "files" && key == "exclude":
			return nil
		case section == "files" && key == "glob":
			_, err := parseExclusion(text)
			return err
		case section == "files":
			fs = trial.sets[""]
		}
		return fs.Lookup(key).Value.Set(text)
	})
	if err == nil {
		err = checkConfig(&file, trial)
	}
	if err != nil {
		return file, asUsage(err)
	}
	return file, nil
}

// checkConfig refuses settings that are wrong together. Those of bench are checked here
// because flags on the command line could hide the error.
func checkConfig(file *config.File, trial *allFlags) error {
	if d := &file.Dirs; d.IsSet() && (len(d.Texts) == 0 || slices.Contains(d.Texts, "")) {
		return d.At.Errorf("dirs: a directory's name is missing: write . for the working directory, or leave dirs out")
	}
	b := &file.Bench
	last := slices.MaxFunc([]config.Position{b.Codings.At, b.Levels.At, b.All.At}, func(x, y config.Position) int { return x.Line - y.Line })
	trial.bench.strict = true
	if _, err := trial.bench.chosen(func(key string) string { return key }); err != nil {
		return last.Errorf("%w", err)
	}
	return nil
}

// useConfig makes a command take its settings from the configuration file, too. It is
// called after all flags are registered. When the command runs, from gets the origins of
// its flags, and rules, unless it is nil, the rules of the file.
func useConfig(cmd *cobra.Command, from *origins, rules *[]precompress.Rule) {
	flags := &configFlags{}
	flags.register(cmd.Flags())
	check, run := cmd.Args, cmd.RunE
	cmd.Args = cobra.ArbitraryArgs // checked below, with those of the file
	cmd.RunE = func(cmd *cobra.Command, args []string) (err error) {
		from.flags = cmd.Flags()
		if from.name, from.file, err = flags.load(); err != nil {
			return err
		}
		if rules != nil {
			for _, r := range rulesOf(&from.file, cmd.Flags()) {
				*rules = append(*rules, r.Rule)
			}
		}
		if err := from.apply(from.file.Of(cmd.Name())); err != nil {
			return err
		}
		if args, err = arguments(cmd, check, args, &from.file.Dirs); err != nil {
			return err
		}
		return from.explain(run(cmd, args))
	}
}

// arguments returns those of the command line, or the directories of the file if there
// are none and the command needs some. check checks what the command takes.
func arguments(cmd *cobra.Command, check cobra.PositionalArgs, args []string, dirs *config.Texts) ([]string, error) {
	err := check(cmd, args)
	if err == nil || len(args) > 0 || !dirs.IsSet() {
		return args, err
	}
	switch unfit := check(cmd, dirs.Texts); {
	case unfit == nil:
		return dirs.Texts, nil
	case errors.Is(unfit, errOneDirectory):
		return nil, asUsage(dirs.At.Errorf("%s takes %w, and dirs has %d: name the one on the command line", cmd.Name(), errOneDirectory, len(dirs.Texts)))
	}
	return nil, err
}

// apply sets the flags for the settings of a section, unless the command line does.
// Levels are set coding by coding.
func (o *origins) apply(section any) error {
	var keys []string // before the flags change
	for key, v := range config.All(section) {
		if v.Get().IsSet() && o.flags.Lookup(key) != nil && !o.overridden(key) {
			keys = append(keys, key)
		}
	}
	o.inFile = make(map[string]config.Position)
	for key, v := range config.All(section) {
		if !slices.Contains(keys, key) {
			continue
		}
		given := slices.Clone(textsOf(o.flags.Lookup(key)))
		for _, text := range slices.Concat(v.Get().Texts, given) {
			if err := o.flags.Set(key, text); err != nil {
				return asUsage(v.Get().At.Errorf("%s: %w", key, err))
			}
		}
		if len(given) == 0 {
			o.inFile[key] = v.Get().At
		}
	}
	return nil
}

// overridden reports whether the command line leaves no room for a setting of the
// file.
func (o *origins) overridden(key string) bool {
	opposites := map[string]string{
		"quiet": "verbose", "verbose": "quiet", "json": "csv",
		"levels": "all", "all": "levels", "codings": "levels", // of bench
	}
	return o.flags.Changed(key) && key != "level" || o.flags.Changed(opposites[key])
}

// fileRule is a [[files]] section.
type fileRule struct {
	precompress.Rule
	section config.Rule
}

// rulesOf returns the file's rules. Codings and levels that the command line names
// hold for every file.
func rulesOf(file *config.File, fs *pflag.FlagSet) []fileRule {
	var rules []fileRule
	var given map[manifest.Coding]int
	if f := fs.Lookup("level"); f != nil && f.Changed {
		given, _ = parseLevels(strings.Join(textsOf(f), ","), nil) // parsed before
	}
	for _, section := range file.Files {
		r := fileRule{precompress.Rule{Globs: section.Glob.Texts, Exclude: section.Excludes()}, section}
		if section.Codings.IsSet() && !fs.Changed("codings") {
			r.Codings, _ = parseCodings(section.Codings.Texts[0]) // tried before
		}
		if section.Level.IsSet() {
			r.Levels, _ = parseLevels(section.Level.Texts[0], nil) // tried before
			for c := range given {
				delete(r.Levels, c)
			}
		}
		if r.Exclude || r.Codings != nil || len(r.Levels) > 0 {
			rules = append(rules, r)
		}
	}
	return rules
}

// allFlags are the flags of every command that can have settings, by the name of the
// section; "" for builds.
type allFlags struct {
	build buildFlags
	serve serveFlags
	bench benchFlags
	probe probeFlags
	sets  map[string]*pflag.FlagSet
}

func newAllFlags() *allFlags {
	all := &allFlags{sets: make(map[string]*pflag.FlagSet)}
	for name, register := range map[string]func(*pflag.FlagSet){
		"": all.build.registerAll, "serve": all.serve.register, "bench": all.bench.register, "probe": all.probe.register,
	} {
		all.sets[name] = pflag.NewFlagSet(name, pflag.ContinueOnError)
		register(all.sets[name])
	}
	return all
}
