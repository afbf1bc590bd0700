package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/precompress/precompress/cmd/precompress/internal/config"
)

// TestConfigFaults: what is wrong with a file is told with its place, and
// where it can be, what to do.
func TestConfigFaults(t *testing.T) {
	for text, want := range map[string]string{
		// Keys.
		"exlude = []":                        `1:1: unknown key "exlude": did you mean "exclude"?`,
		"\n\n  min_size = 1":                 `3:3: unknown key "min_size": did you mean "min-size"?`,
		"[[file]]\nglob = 'a'":               `1:3: unknown key "file": did you mean "files"?`,
		"nothing-like-it = 1":                `1:1: unknown key "nothing-like-it": precompress config prints those that there are`,
		`"" = 1`:                             `1:1: unknown key "": precompress config`,
		`"\u001b[31m" = 1`:                   `1:1: unknown key "\x1b[31m": precompress config`,
		"force = true":                       `1:1: "force" is about one run: give it on the command line`,
		"dry-run = true":                     `1:1: "dry-run" is about one run`,
		"shard = '1/2'":                      `1:1: "shard" is about one run`,
		"config = 'x'":                       `1:1: "config" is about one run`,
		"help = true":                        `1:1: "help" is about one run`,
		"addr = ':1'":                        `1:1: "addr" is a setting of serve: write it below [serve]`,
		"[serve]\njobs = 1":                  `2:1: "jobs" is not a setting of this section: write it above the first section`,
		"[serve]\ndirs = 'a'":                `2:1: "dirs" is not a setting of this section`,
		"[serve]\nadr = ':1'":                `2:1: unknown key "adr": did you mean "addr"?`,
		"[[files]]\nglob = 'a'\nmin-size= 1": `3:1: "min-size" is not a setting of this section`,
		"[[files]]\nglobs = 'a'":             `2:1: unknown key "globs": did you mean "glob"?`,
		"jobs = 1\nzzzzz = 1\nyyyyy = 1":     `2:1: unknown key "zzzzz"`,
		"serve = { adr = ':1' }":             `1:1: unknown key "adr"`,
		// Types.
		"jobs = true":                        `1:1: jobs: takes a value, not true or false`,
		"quiet = 'yes'":                      `1:1: quiet: takes true or false, without quotes`,
		"quiet = 1":                          `1:1: quiet: takes true or false`,
		"out = true":                         `1:1: out: takes a value, not true or false`,
		"out = 5":                            `1:1: out: takes a text: put it in quotes`,
		"out = ['a', 'b']":                   `1:1: out: takes one value, not a list`,
		"out = { a = 1 }":                    `1:1: out: takes a value, not a table`,
		"include = 5":                        `1:1: include: takes a text`,
		"include = ['a', 5]":                 `1:1: include: takes a list of texts: put each in quotes`,
		"codings = []":                       `1:1: codings: the list is empty`,
		"jobs = 1.5":                         `1:1: jobs: "1.5" is not a whole number of at least 1`,
		"jobs = 2.0":                         `1:1: jobs: "2.0" is not a whole number of at least 1`,
		"[bench]\nrequests = 2.0":            `2:1: requests: "2.0" is not a whole number from 1 to 1000000000`,
		"[bench]\nall=true\nlevels=\"br=1\"": `3:1: all and levels contradict each other: give one of them`,
		"[bench]\nlevels=\"br=1\"\ncodings=[\"gzip\"]": `3:1: levels is about br, which codings leaves out: add it there, or leave it out here`,
		"min-size = 1.5":                `1:1: min-size: takes a whole number of bytes, or a size in quotes such as "1.5MB"`,
		"min-saving = 2.5":              `1:1: min-saving: takes a whole number of bytes, or a text in quotes such as "2.5%"`,
		"cache-dir = 5":                 `1:1: cache-dir: takes a text: put it in quotes`,
		"out = 2026-01-01":              `1:1: out: takes a text: put it in quotes`,
		"jobs = 2026-01-01":             `1:1: jobs: takes a whole number of at least 1`,
		"level = {}":                    `1:1: level: the table is empty`,
		"[level]\nbr = 'best'":          `1:2: level: the level of "br" is not a whole number: write it like br = 11`,
		"dirs = [1]":                    `1:1: dirs: takes a list of texts`,
		"dirs = []":                     `1:1: dirs: a directory's name is missing`,
		"dirs = ['a', '']":              `1:1: dirs: a directory's name is missing`,
		"serve = 1":                     `1:1: serve: is a section: write it as [serve]`,
		"files = 1":                     `1:1: files: is a list of sections: write each as [[files]]`,
		"[files]\nglob = 'a'":           `1:2: files: is a list of sections`,
		"files = ['a']":                 `1:1: files: is a list of sections`,
		"[[files]]\nexclude = 'x'":      `2:1: exclude: takes true or false`,
		"[[files]]\nglob = 1":           `2:1: glob: takes a text: put it in quotes`,
		"[[files]]\ncodings = ['lzma']": `2:1: codings: unknown coding "lzma": choose from br, zstd, gzip`,
		// Sections.
		"[[files]]\nglob = 'a'\nexclude = true\n[[files]]\nexclude = true": `4:3: files: the section has no glob: name the files that it applies to`,
		"[[files]]\nglob = '[a'\nexclude = true":                           `2:1: glob: the glob "[a" is malformed`,
		"[[files]]\nglob = 'a'":                                            `1:3: files: the section changes nothing: give codings or level, or exclude = true`,
		"[[files]]\nglob = 'a'\ncodings='br'\nexclude = true":              `4:1: exclude: files that are left out have no codings and no level`,
		// Values, whether a command uses them or not.
		"level = { br = 99 }":      `1:1: level: level 99 of br is out of range: choose from 0 to 11`,
		"codings = ['x']":          `1:1: codings: unknown coding "x"`,
		"jobs = 0":                 `1:1: jobs: "0" is not a whole number of at least 1`,
		"color = 'red'":            `1:1: color: "red" is unknown`,
		"budget = ['a=1', 'b']":    `1:1: budget: the budget "b": there is no limit`,
		"include = ['a', '[a']":    `1:1: include: the glob "[a" is malformed`,
		"exclude = '[a'":           `1:1: exclude: the glob "[a" is malformed`,
		"cache = 'x'":              `1:1: cache: `,
		"max-size = 0":             `1:1: max-size: "0" leaves no room`,
		"min-size = '9EB'":         `1:1: min-size: "9EB" is too large`,
		"out = ''":                 `1:1: out: the name is empty`,
		"[serve]\naddr = 'here'":   `2:1: addr: address here: missing port in address: write it like localhost:8080`,
		"[serve]\naddr = 'a:'":     `2:1: addr: address a:: "" is no port`,
		"[serve]\naddr = ':70000'": `2:1: addr: address :70000: "70000" is no port`,
		"[[files]]\nglob = 'a'\n[files.level]\nbr = 12": `3:8: level: level 12 of br is out of range: choose from 0 to 11`,
		"files = [{ glob = 'a', codings = 'x' }]":       `1:1: codings: unknown coding "x"`,
		// Syntax.
		"jobs = 1\njobs = 2":               `2:1: key jobs is already defined`,
		"jobs =":                           `1:`,
		"\"\\u001b\" = 1\n\"\\u001b\" = 2": `2:1: `,
		"jobs = 99999999999999999999":      `1:8: decimal number is too large`,
		"out = '\xff'":                     `1:8: invalid UTF-8`,
		"\x00":                             `1:1: `,
		"[level]\n[level]":                 `2:`,
		strings.Repeat("x=", 1) + "[[[[":   `1:`,
	} {
		_, err := parseConfig("a b.toml", []byte(text))
		var usage usageError
		if err == nil || !strings.HasPrefix(err.Error(), "a b.toml:"+want) || !errors.As(err, &usage) || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q:\n got %v\nwant %s", text, err, want)
		}
	}
}

// TestConfigSettings: the forms that a setting may have.
func TestConfigSettings(t *testing.T) {
	for text, want := range map[string][]string{
		"jobs = 3":                        {"jobs", "3"},
		"jobs = '3'":                      {"jobs", "3"},
		"min-size = '10kB'":               {"min-size", "10kB"},
		"codings = ['br', 'gzip']":        {"codings", "br,gzip"},
		"codings = 'br,gzip'":             {"codings", "br,gzip"},
		"level = { gzip = 9, br = 11 }":   {"level", "br=11,gzip=9"},
		"level = 'br=5'":                  {"level", "br=5"},
		"level.br = 5\nlevel.gzip = 6":    {"level", "br=5,gzip=6"},
		"[level]\nbr = 5":                 {"level", "br=5"},
		"include = 'a'":                   {"include", "a"},
		"include = ['a', 'b,c']":          {"include", "a", "b,c"},
		"include = []":                    {"include"},
		"quiet = false":                   {"quiet", "false"},
		"\ufeffquiet = true # of Windows": {"quiet", "true"},
	} {
		file := filepath.Join(t.TempDir(), "x")
		makeFiles(t, filepath.Dir(file), map[string]string{"x": text})
		data, err := readConfig(file)
		if err != nil {
			t.Fatal(err)
		}
		c, err := parseConfig("x", data)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for key, v := range config.All(&c.Build) {
			if v.Get().IsSet() {
				got = append(append(got, key), v.Get().Texts...)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", text, diff)
		}
	}
}

// TestConfigComplete: every flag of a command that reads the file is a setting of its
// own, or is about one run; and every setting is a flag.
func TestConfigComplete(t *testing.T) {
	perRun := []string{"force", "dry-run", "shard", "config", "no-config", "help", "html", "csv", "sample"}
	root := newRootCommand(&output{})
	for _, cmd := range append([]*cobra.Command{root}, root.Commands()...) {
		if cmd.Flags().Lookup("config") == nil {
			continue
		}
		settings := maps.Collect(config.All((&config.File{}).Of(cmd.Name())))
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			if _, found := settings[f.Name]; found == slices.Contains(perRun, f.Name) {
				t.Errorf("%s: --%s: a setting: %t", cmd.Name(), f.Name, found)
			}
		})
		for key := range settings {
			if cmd.Flags().Lookup(key) == nil && slices.Contains(append(config.Sections(), root.Name(), "config"), cmd.Name()) {
				t.Errorf("%s: %s is no flag", cmd.Name(), key)
			}
		}
	}
}

// TestConfigPrecedence: what the command line says of a setting is all that counts, be
// it repeatable or not, and what the file says is set otherwise.
func TestConfigPrecedence(t *testing.T) {
	newCommand := func() (cmd *cobra.Command, got *[]string) {
		got = new([]string)
		cmd = &cobra.Command{Use: "new", Args: noArgs, RunE: func(*cobra.Command, []string) error { return nil }}
		add := func(s string) error { *got = append(*got, s); return nil }
		cmd.Flags().Var(&textFlag{kind: "GLOB=SIZE", set: add}, "budget", "at most this (repeatable)")
		cmd.Flags().Var(&textFlag{kind: "MODE", initial: "readwrite", set: add}, "cache-mode", "how")
		useConfig(cmd, &origins{}, nil)
		return cmd, got
	}
	const text = "budget = ['*.js=1kB', 'total=2']\ncache-mode = 'read'\n"
	file := filepath.Join(t.TempDir(), "file.toml")
	makeFiles(t, filepath.Dir(file), map[string]string{"file.toml": text})
	cmd, got := newCommand()
	cmd.SetArgs([]string{"--config", file, "--cache-mode=write"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"write", "*.js=1kB", "total=2"}, *got); diff != "" {
		t.Errorf("set (-want +got):\n%s", diff)
	}
	for _, args := range [][]string{{"--budget", "a=1"}, {"--budget", "a=1", "--budget", "b=2"}} {
		cmd, got := newCommand()
		cmd.SetArgs(append([]string{"--config", file, "--cache-mode=write"}, args...))
		if err := cmd.Execute(); err != nil || len(*got) != 1+len(args)/2 {
			t.Errorf("%q: got %q: %v", args, *got, err)
		}
	}
}

// TestConfigNotUTF8: a setting that no file can hold is not printed as one.
func TestConfigNotUTF8(t *testing.T) {
	var stdout, stderr bytes.Buffer
	code := run(t.Context(), []string{"config", "--no-config", "-x", "a\xff"}, &stdout, &stderr)
	if code != exitUsage || stdout.Len() > 0 || !strings.Contains(stderr.String(), "not UTF-8") {
		t.Errorf("exit code %d: %q %q", code, stdout.String(), stderr.String())
	}
}

// TestConfigHostile: no file takes long or much memory, whatever it holds.
func TestConfigHostile(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"huge":        strings.Repeat("# nothing\n", 10000),
		"nested":      "include = " + strings.Repeat("[", maxConfig-100),
		"closed":      "include = " + strings.Repeat("[", maxConfig/3) + strings.Repeat("]", maxConfig/3),
		"dotted":      strings.Repeat("a.", maxConfig/2-10) + "a = 1",
		"tables":      "include = " + strings.Repeat("{a=", maxConfig/4-10) + "1" + strings.Repeat("}", maxConfig/4-10),
		"sections":    strings.Repeat("[[files]]\n", maxConfig/10),
		"binary":      string(bytes.Repeat([]byte{0, 0xff, 0x1b, '\n'}, 1000)),
		"unended":     "out = '''" + strings.Repeat("\n", 1000),
		"wide":        "[level]\n" + strings.Repeat("x", maxConfig/2) + " = 1",
		"not a level": "level = " + strings.Repeat("9", 1000),
	} {
		makeFiles(t, dir, map[string]string{name: text})
		var stdout, stderr bytes.Buffer
		code := run(t.Context(), []string{"--config", filepath.Join(dir, name), dir}, &stdout, &stderr)
		if code != exitUsage || stdout.Len() > 0 || strings.Count(stderr.String(), "\n") != 1 || strings.ContainsAny(stderr.String(), "\x00\x1b") {
			t.Errorf("%s: exit code %d: %.300s", name, code, stderr.String())
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "precompress-manifest.json")); err == nil {
		t.Error("a build was done")
	}
	if _, err := readConfig(filepath.Join(dir, "huge")); err == nil || !strings.Contains(err.Error(), "more than 66 kB") {
		t.Errorf("a huge file: %v", err)
	}
}

// FuzzConfig: no configuration file makes parsing panic, and every fault has a
// place and is printable.
func FuzzConfig(f *testing.F) {
	f.Add("jobs = 1\n[[files]]\nglob = ['a', '!b']\nlevel.br = 3\n[files.x]\n[serve]\naddr = 'x'\n")
	f.Add("files = [{ glob = 'a', exclude = true }, 1]\nserve.addr = 'x'\n\"\\u001b\" = 1")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		_, err := parseConfig("f", []byte(text))
		if err == nil {
			return
		}
		var line, column int
		if _, scan := fmt.Sscanf(err.Error(), "f:%d:%d: ", &line, &column); scan != nil || line < 1 || column < 1 || strings.Contains(err.Error(), "\x1b") {
			t.Errorf("%q: %v", text, err)
		}
	})
}
