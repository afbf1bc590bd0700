package main

import (
	"cmp"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/precompress/precompress/cmd/precompress/internal/config"
	"github.com/precompress/precompress/manifest"
)

func newConfigCommand(out *output) *cobra.Command {
	flags, which := &buildFlags{}, &configFlags{}
	cmd := &cobra.Command{
		Use:   "config [flags]",
		Short: "Print the settings in effect, and where each comes from",
		Long: `config prints the settings of a build with the same flags, and those of serve,
bench and probe, in the form of ` + config.Name + `, each with its origin: the
default, a line of the file, or a flag.

` + config.Name + ` in the working directory holds settings by the names of the
long flags, above the first section. Flags on the command line win. Names of
files and directories are relative to the working directory, as on the command
line. "dirs" are the directories to work on if the command line names none. A
[[files]] section changes "codings" and "level" of the files that match its
"glob", or leaves them out with "exclude = true"; later sections win. Settings
of serve, bench and probe go into sections of these names. Unless these say
otherwise, serve takes the build's fingerprint, and bench its choice of files.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			from := &flags.origins
			from.flags = cmd.Flags()
			if from.name, from.file, err = which.load(); err != nil {
				return err
			}
			return from.explain(printConfig(out, flags))
		},
	}
	all := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.registerAll(all)
	for key := range config.All(&config.Build{}) {
		cmd.Flags().AddFlag(all.Lookup(key))
	}
	cmd.Flags().SortFlags = false
	which.register(cmd.Flags())
	exitCodes(cmd, exitsConfig)
	return cmd
}

// printConfig applies the file to every command that reads it and prints the outcome,
// unless a build or serve would refuse it.
func printConfig(out *output, flags *buildFlags) error {
	from := &flags.origins
	file := &from.file
	rules := rulesOf(file, from.flags)
	for _, r := range rules {
		flags.options.Rules = append(flags.options.Rules, r.Rule)
	}
	if err := from.apply(&file.Build); err != nil {
		return err
	}
	sections, err := sectionsText(file)
	if err != nil {
		return err
	}
	if err := validateBuild(out, flags, file.Dirs.Texts); err != nil {
		return err
	}
	var b strings.Builder
	if from.name == "" {
		fmt.Fprintf(&b, "# no %s is read\n", config.Name)
	} else {
		fmt.Fprintf(&b, "# %s\n", printable(from.name))
	}
	if file.Dirs.IsSet() {
		fmt.Fprintf(&b, "dirs = %s  # %s\n", config.TOML(&file.Dirs, file.Dirs.Texts), file.Dirs.At)
	}
	from.write(&b, &file.Build)
	for _, r := range rules {
		r.write(&b)
	}
	b.WriteString(sections)
	if !utf8.ValidString(b.String()) {
		return usageErrorf("", "a setting is not UTF-8: a configuration file cannot hold it")
	}
	out.print(b.String()) // with --quiet and --json, too: those are settings like others here
	return nil
}

// sectionsText applies the file to the commands that have a section of their own.
func sectionsText(file *config.File) (string, error) {
	var b strings.Builder
	all := newAllFlags()
	for _, name := range config.Sections() {
		from, section := &origins{flags: all.sets[name]}, file.Of(name)
		err := from.apply(section)
		if name == "serve" && err == nil {
			err = pairedFiles(all.serve.cert, all.serve.key) // which serve refuses only once it runs
		}
		if err != nil {
			return "", from.explain(err)
		}
		fmt.Fprintf(&b, "\n[%s]\n", name)
		from.write(&b, section)
	}
	return b.String(), nil
}

// write writes a line per setting of a section, as a comment if it has no value.
func (o *origins) write(b *strings.Builder, section any) {
	for key, v := range config.All(section) {
		f := o.flags.Lookup(key)
		origin := "default"
		if at, inFile := o.inFile[key]; inFile {
			origin = at.String()
		} else if f.Changed {
			origin = "flag"
			if key == "level" && v.Get().IsSet() {
				origin = v.Get().At.String() + ", flag"
			}
		}
		if texts := effectiveTexts(f, v); texts != nil {
			fmt.Fprintf(b, "%s = %s  # %s\n", key, config.TOML(v, texts), origin)
		} else {
			fmt.Fprintf(b, "# %s: %s  # %s\n", key, cmp.Or(f.DefValue, "none"), origin)
		}
	}
}

// effectiveTexts returns the texts that a flag of this kind is set to or has by default,
// nil if there is no such text. It may set the flag to its default: nothing else may be
// done with it then.
func effectiveTexts(f *pflag.Flag, kind config.Value) []string {
	texts := textsOf(f)
	switch kind.(type) {
	case *config.Switch:
		return []string{f.Value.String()}
	case *config.Texts:
		return append([]string{}, texts...)
	case *config.Levels:
		levels, err := parseLevels(strings.Join(append([]string{f.DefValue}, texts...), ","), nil)
		if err != nil {
			return nil
		}
		return []string{levelsText(levels)}
	}
	// The help describes some defaults in words; those with a $ could pass for a name.
	if len(texts) == 0 && f.DefValue != "" && !strings.HasPrefix(f.DefValue, "$") && f.Value.Set(f.DefValue) == nil {
		return []string{f.DefValue}
	}
	return texts
}

// levelsText is the opposite of parseLevels.
func levelsText(levels map[manifest.Coding]int) string {
	var parts []string
	for _, c := range manifest.Codings() {
		if level, found := levels[c]; found {
			parts = append(parts, fmt.Sprintf("%s=%d", c, level))
		}
	}
	return strings.Join(parts, ",")
}

// write writes a [[files]] section with what is left of it.
func (r *fileRule) write(b *strings.Builder) {
	s := &r.section
	fmt.Fprintf(b, "\n[[files]]  # %s\nglob = %s\n", s.At, config.TOML(&s.Glob, s.Glob.Texts))
	if r.Codings != nil {
		fmt.Fprintf(b, "codings = %s\n", config.TOML(&s.Codings, s.Codings.Texts))
	}
	if len(r.Levels) > 0 {
		fmt.Fprintf(b, "level = %s\n", config.TOML(&s.Level, []string{levelsText(r.Levels)}))
	}
	if r.Exclude {
		b.WriteString("exclude = true\n")
	}
}

// validateBuild refuses settings that a build of these trees would refuse, as far as
// that does not depend on what is in the trees.
func validateBuild(out *output, f *buildFlags, dirs []string) error {
	if err := out.configure(&f.outputFlags); err != nil {
		return err
	}
	if err := f.cache.validate(&f.origins); err != nil {
		return err
	}
	if err := f.checkOptions(nil); err != nil {
		return err
	}
	_, err := newSizeReview(f, dirs)
	return err
}
