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

	"github.com/precompress/precompress/cmd/precompress/internal/config"
	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// standardOutput stands for standard output in place of a file's name.
const standardOutput = "-"

// maxManifest is the size in bytes of the largest manifest that is read: one of half a
// million assets.
const maxManifest = 256 << 20

// readManifest reads the manifest that a flag names. advice says which to name.
func readManifest(flag, file, advice string) (*manifest.Manifest, error) {
	data, err := readRegular(file, maxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usageErrorf(flag, "--%s: there is no file %q: %s", flag, printable(file), advice)
	}
	if err != nil {
		return nil, usageErrorf(flag, "--%s: %s: %w: %s", flag, printable(file), err, advice)
	}
	m, err := manifest.Decode(data)
	if err != nil {
		return nil, usageErrorf(flag, "--%s: %q is no manifest: %w: %s", flag, printable(file), err, advice)
	}
	return m, nil
}

// readRegular returns the bytes of a regular file of at most limit. The error does not
// name the file.
func readRegular(name string, limit int64) ([]byte, error) {
	data, err := osfile.ReadFile(osfile.Paths{}, name, limit)
	if errors.Is(err, osfile.ErrTooLarge) {
		return nil, fmt.Errorf("%w: more than %s", err, size(limit))
	}
	return data, osfile.BareError(err)
}

// replaceFile gives a file new content, or creates it: readers find all of the old or
// all of the new. A symbolic link stays one, and its target is replaced. The file keeps
// its mode.
func replaceFile(name string, content []byte) error {
	var attributes *osfile.Attributes
	old, err := os.Stat(name)
	switch {
	case err == nil && !old.Mode().IsRegular():
		return osfile.ErrNotRegular
	case err == nil:
		attributes = &osfile.Attributes{Mode: old.Mode().Perm()}
	case !errors.Is(err, fs.ErrNotExist):
		return osfile.BareError(err) // a loop of links is no free name
	}
	return osfile.BareError(osfile.Write(osfile.Paths{}, osfile.RealPath(name), attributes, func(w io.Writer) error {
		_, err := w.Write(content)
		return err
	}))
}

// appendFile adds text to the end of a regular file, on a line of its own. The file is
// created if there is none.
func appendFile(name, text string) error {
	f, _, err := osfile.OpenRegular(osfile.Paths{}, name, os.O_WRONLY|os.O_CREATE|os.O_APPEND)
	if err != nil {
		return fmt.Errorf("%s: %w", printable(name), osfile.BareError(err))
	}
	if !endsLine(name) {
		text = "\n" + text
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// endsLine reports whether a file is empty or ends with the end of a line. Of one that
// may not be read, that is not known.
func endsLine(name string) bool {
	f, info, err := osfile.OpenRegular(osfile.Paths{}, name, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	if info.Size() == 0 {
		return true
	}
	last := make([]byte, 1)
	_, err = f.ReadAt(last, info.Size()-1)
	return err == nil && last[0] == '\n'
}

// reserved is a file or a directory that a command reads or keeps. No page and no
// summary may replace it, or be in it.
type reserved struct {
	path  string // "" for none
	file  string // what it is if it is a file, "" if that cannot be
	files string // what the files in it are if it is a directory
}

// reservedByBuild returns what commands with the flags of a build read or keep.
func reservedByBuild(flags *buildFlags, dirs []string, baseline string) []reserved {
	const inTree = "assets and variants"
	var all []reserved
	for _, dir := range dirs {
		all = append(all, reserved{path: dir, files: inTree})
	}
	o := &flags.options
	all = append(all, reserved{path: o.Out, files: inTree}, reserved{path: o.Manifest, file: "a manifest"}, reserved{path: baseline, file: "a manifest"})
	for _, path := range o.Previous {
		all = append(all, reserved{path: path, file: "an earlier release", files: "those of an earlier release"})
	}
	all = append(all, reserved{path: o.Releases, files: "those of earlier releases"})
	return append(all, reservedAlways(&flags.origins, &flags.cache)...)
}

// reservedAlways returns what is reserved whatever trees a command works on:
// configuration files, the one in the working directory even if this run ignores it,
// and the cache, even if this run does not use it.
func reservedAlways(from *origins, cache *cacheFlags) []reserved {
	const settings = "a configuration file"
	all := []reserved{{path: config.Name, file: settings}, {path: from.name, file: settings}}
	if dir, _, err := cache.cacheDir(); err == nil {
		all = append(all, reserved{path: dir, files: "those of the cache"})
	}
	return all
}

// refuseFile refuses a file that is not one to write text for people to: what is no
// regular file, and what is reserved.
func refuseFile(file string, all []reserved) error {
	info, err := os.Stat(file)
	if err == nil && !info.Mode().IsRegular() {
		err = osfile.ErrNotRegular
	} else if errors.Is(err, fs.ErrNotExist) || !isLink(file) {
		err = nil // what there is to say of it, writing says
	}
	if err != nil {
		return fmt.Errorf("%s: %w: name a file, or a name that is free", printable(file), osfile.BareError(err))
	}
	for _, r := range all {
		if r.path == "" || !isInside(r.path, file) {
			continue
		}
		if at, err := os.Stat(r.path); r.file != "" && (err != nil || !at.IsDir()) {
			return fmt.Errorf("%s is %s: name another file", printable(file), r.file)
		}
		return fmt.Errorf("%s is in %s, whose files are %s: name a file outside", printable(file), printable(r.path), r.files)
	}
	if what := purposeOf(file); what != "" {
		return fmt.Errorf("%s is %s: name another file", printable(file), what)
	}
	return nil
}

// refusePage refuses a file that no page may or can be written to, before there is work
// on what it is to show.
func refusePage(file string, all []reserved, from *origins) error {
	summaries := []string{os.Getenv(summaryVariable)}
	if s := &from.file.Summary; s.IsSet() && s.Texts[0] != noSummary {
		summaries = append(summaries, s.Texts[0])
	}
	for _, path := range summaries {
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			all = append(all, reserved{path: path, file: "the file of summaries"})
		}
	}
	err := refuseFile(file, all)
	if err == nil {
		directory, statErr := os.Stat(filepath.Dir(osfile.RealPath(file)))
		if statErr != nil || !directory.IsDir() {
			err = fmt.Errorf("%s: there is no directory for it: check the name", printable(file))
		} else if writeErr := osfile.CanWrite(osfile.Paths{}, osfile.RealPath(file)); writeErr != nil {
			err = fmt.Errorf("%s: %w: name a file where you may write", printable(file), osfile.BareError(writeErr))
		}
	}
	if err != nil {
		return usageErrorf("html", "--html: %w", err)
	}
	return nil
}

// purposeOf says what a file is that runs in other directories or with other flags keep
// or read, "" for none of that: a configuration file, a manifest, a variant.
func purposeOf(file string) string {
	for _, path := range []string{file, osfile.RealPath(file)} {
		directory, base := filepath.Split(path)
		source, _, isVariant := manifest.SplitSuffix(base)
		if asset, _, _, isDelta := manifest.SplitDelta(base); isDelta {
			source, isVariant = asset, true
		}
		info, err := os.Stat(directory + source)
		switch {
		case strings.EqualFold(base, config.Name):
			return "a configuration file"
		case strings.EqualFold(base, manifest.Name):
			return "a manifest"
		case isVariant && err == nil && info.Mode().IsRegular():
			return "named as a variant of " + printable(source)
		}
	}
	if looksLikeManifest(file) {
		return "a manifest"
	}
	return ""
}

// looksLikeManifest reports whether a file starts as a manifest of any version does: an
// object with a version and a list of assets. A file that cannot be read does not.
func looksLikeManifest(file string) bool {
	const enough = 4 << 10 // bytes
	f, _, err := osfile.OpenRegular(osfile.Paths{}, file, os.O_RDONLY)
	if err != nil {
		return false
	}
	defer f.Close()
	d := json.NewDecoder(io.LimitReader(f, enough))
	next := func() json.Token { token, _ := d.Token(); return token } // nil at an error
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

// isInside reports whether a path is that of a directory or file, or of something in
// the directory. Different names can mean the same file: through links, or where case
// does not matter.
func isInside(directory, path string) bool {
	outer, err := os.Stat(directory)
	directory, path = osfile.RealPath(directory), osfile.RealPath(path)
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
