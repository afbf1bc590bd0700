package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// kept is a file or a directory that a command reads or keeps. No text for people may
// take its place or lie in it.
type kept struct {
	path  string // "" for none
	file  string // what it is if it is a file, "" if that cannot be
	files string // what those in it are if it is a directory
}

// keptByBuild returns what commands with the flags of a build read or keep.
func keptByBuild(flags *buildFlags, dirs []string, baseline string, set *pflag.FlagSet) []kept {
	const inTree = "assets and variants"
	var all []kept
	for _, dir := range dirs {
		all = append(all, kept{path: dir, files: inTree})
	}
	o := &flags.options
	all = append(all, kept{path: o.Out, files: inTree}, kept{path: o.Manifest, file: "a manifest"}, kept{path: baseline, file: "a manifest"})
	for _, path := range o.Previous {
		all = append(all, kept{path: path, file: "an earlier release", files: "those of an earlier release"})
	}
	all = append(all, kept{path: o.Releases, files: "those of earlier releases"})
	return append(all, keptAnyway(set, &flags.cache)...)
}

// keptAnyway returns what there is beside the trees that a command works on: files of
// settings, the one of the working directory even if this run heeds none, and the cache,
// even if this run has no use for it.
func keptAnyway(set *pflag.FlagSet, cache *cacheFlags) []kept {
	const settings = "a file of settings"
	all := []kept{{path: configName, file: settings}}
	if f := set.Lookup("config"); f != nil {
		all = append(all, kept{path: f.Value.String(), file: settings})
	}
	if dir, _, err := cache.cacheDir(); err == nil {
		all = append(all, kept{path: dir, files: "those of the cache"})
	}
	return all
}

// fitForText refuses a file that is not one to write text for people to: what is no
// regular file, and what the command reads or keeps.
func fitForText(file string, all []kept) error {
	name := precompress.PrintablePath(file)
	info, err := os.Stat(file)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w: name a file, or a name that is free", name, errNotRegular)
	case err != nil && !errors.Is(err, fs.ErrNotExist) && isLink(file):
		return fmt.Errorf("%s: %w: name a file, or a name that is free", name, withoutName(err))
	}
	for _, k := range all {
		if k.path == "" || !isInside(k.path, file) {
			continue
		}
		if at, err := os.Stat(k.path); k.file != "" && (err != nil || !at.IsDir()) {
			return fmt.Errorf("%s is %s: name another file", name, k.file)
		}
		return fmt.Errorf("%s lies in %s, whose files are %s: name a file outside", name, precompress.PrintablePath(k.path), k.files)
	}
	if what := ofOthers(file); what != "" {
		return fmt.Errorf("%s is %s: name another file", name, what)
	}
	return nil
}

// fitForPage refuses a file that no page may or can be written to, before there is work
// on what it is to show.
func fitForPage(file string, all []kept, set *pflag.FlagSet) error {
	for _, path := range []string{os.Getenv(summaryVariable), summaryInConfig(set)} {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			all = append(all, kept{path: path, file: "the file of summaries"})
		}
	}
	if err := fitForText(file, all); err != nil {
		return err
	}
	name := precompress.PrintablePath(file)
	directory, err := os.Stat(filepath.Dir(realPath(file)))
	if err == nil && !directory.IsDir() {
		err = fs.ErrNotExist
	}
	if err != nil {
		return fmt.Errorf("%s: there is no directory for it: check the name", name)
	}
	if err := canReplace(file); err != nil {
		return fmt.Errorf("%s: %w: name a file where you may write", name, err)
	}
	return nil
}

// ofOthers tells what a file is that runs in other directories or with other flags keep or
// read, "" for none of that: settings, a manifest, a variant.
func ofOthers(file string) string {
	for _, path := range []string{file, realPath(file)} {
		directory, base := filepath.Split(path)
		source, _, isVariant := manifest.SplitSuffix(base)
		if asset, _, _, isDelta := manifest.SplitDelta(base); isDelta {
			source, isVariant = asset, true
		}
		switch {
		case strings.EqualFold(base, configName):
			return "a file of settings"
		case strings.EqualFold(base, manifest.Name):
			return "a manifest"
		case isVariant && isRegular(directory+source):
			return "named as a variant of " + precompress.PrintablePath(source)
		}
	}
	if looksLikeManifest(file) {
		return "a manifest"
	}
	return ""
}

func isRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// looksLikeManifest reports whether a file starts as a manifest of any version does: an
// object that has a version and a list of assets. What cannot be read does not.
func looksLikeManifest(file string) bool {
	const enough = 4 << 10 // bytes
	f, err := openRegular(file, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, enough))
	next := func() json.Token { token, _ := d.Token(); return token } // nil at a fault
	if next() != json.Delim('{') {
		return false
	}
	key := next()
	if key == "version" {
		if _, isNumber := next().(float64); !isNumber {
			return false
		}
		key = next()
	}
	return key == "assets" && next() == json.Delim('[')
}

func isLink(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.Mode().Type() == fs.ModeSymlink
}

// isInside reports whether a path leads to a file or directory, or to something in the
// directory. Names that differ can be of the same: by links, or where case does not
// matter.
func isInside(directory, path string) bool {
	outer, err := os.Stat(directory)
	directory, path = realPath(directory), realPath(path)
	for {
		if path == directory {
			return true
		}
		if inner, innerErr := os.Stat(path); err == nil && innerErr == nil && os.SameFile(outer, inner) {
			return true
		}
		parent := filepath.Dir(path)
		if parent == path {
			return false
		}
		path = parent
	}
}

// realPath returns an absolute path with the links of its existing part resolved,
// and that of a link that leads nowhere yet: a file that is made through it is made
// there. The end of a loop of links is where it was entered.
func realPath(path string) string { return resolved(path, 255) }

func resolved(path string, links int) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	parent := filepath.Dir(abs)
	if parent == abs {
		return abs
	}
	parent = resolved(parent, links)
	abs = filepath.Join(parent, filepath.Base(abs))
	target, err := os.Readlink(abs)
	if err != nil || links == 0 {
		return abs
	}
	if !filepath.IsAbs(target) {
		target = filepath.Join(parent, target)
	}
	return resolved(target, links-1)
}
