package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// noDeltas stands for no coding of deltas.
const noDeltas = "none"

// registerReleases adds the flags that say where earlier releases are. note is
// about their use to the command.
func (f *buildFlags) registerReleases(fs *pflag.FlagSet, note string) {
	o := &f.options
	fs.Var(parsedListValue{"PATH", func(s string) error { return addPrevious(o, s) }}, "previous", "make deltas for visitors of the earlier release in PATH, a directory or a .tar, .tar.gz, .tgz, .tar.zst or .zip (repeatable, the newest first)"+note)
	fs.Var(nameValue{"STORE", &o.Releases}, "releases", "make deltas to the releases in the directory STORE, where a build then keeps this one"+note)
}

// registerDeltas adds the other flags that concern deltas.
func (f *buildFlags) registerDeltas(fs *pflag.FlagSet) {
	o := &f.options
	f.registerReleases(fs, "")
	fs.Var(parsedValue{"N", strconv.Itoa(precompress.DefaultKeep), func(s string) (err error) { o.Keep, err = parseKeep(s); return }}, "keep", "keep this many earlier releases in STORE, besides this one")
	fs.Var(parsedValue{"LIST", "dcb,dcz", func(s string) (err error) { o.Deltas, err = parseDeltas(s); return }}, "deltas", "codings of deltas to store, "+noDeltas+" for no deltas")
	fs.Var(fingerprintValue(&o.Fingerprint), "fingerprint", "what REGEXP matches in a file's name, or its group, changes with the content (else what build tools put there)")
}

func fingerprintValue(f *manifest.Fingerprint) pflag.Value {
	return parsedValue{"REGEXP", "", func(s string) (err error) { *f, err = manifest.NewFingerprint(s); return }}
}

func addPrevious(o *precompress.Options, path string) error {
	if path == "" {
		return errors.New("the name is empty")
	}
	o.Previous = append(o.Previous, path)
	return nil
}

func parseKeep(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a whole number of at least 1", s)
	}
	return n, nil
}

// parseDeltas reads "dcb,dcz". The list that none stands for is empty, not nil.
func parseDeltas(s string) ([]manifest.Coding, error) {
	codings := []manifest.Coding{}
	if s == noDeltas {
		return codings, nil
	}
	for name := range strings.SplitSeq(s, ",") {
		c := manifest.Coding(name)
		if name == noDeltas {
			return nil, fmt.Errorf("%s stands alone: give it without other codings", noDeltas)
		}
		if !c.IsDelta() {
			return nil, fmt.Errorf("unknown coding %q of deltas: choose from dcb, dcz, or %s", name, noDeltas)
		}
		if !slices.Contains(codings, c) {
			codings = append(codings, c)
		}
	}
	return codings, nil
}

// checkReleases refuses flags that would have no effect, and names that cannot be
// meant. The default of --keep may be spelled out, as the command config does.
func checkReleases(o *precompress.Options) error {
	if o.Keep != 0 && o.Keep != precompress.DefaultKeep && o.Releases == "" {
		return usageError{errors.New("--keep is about a store of releases: name its directory with --releases STORE")}
	}
	for _, path := range o.Previous {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return usageError{fmt.Errorf("--previous: there is no directory or archive %q: check the name, or leave the flag out until there is one", path)}
		}
		if err := release.CheckPath(path); errors.Is(err, release.ErrFormat) {
			return usageError{fmt.Errorf("--previous: %w", err)}
		}
	}
	if o.Releases == "" {
		return nil
	}
	store, err := release.OpenStore(o.Releases)
	switch {
	case errors.Is(err, release.ErrNotStore), errors.Is(err, release.ErrNotDirectory), errors.Is(err, release.ErrVersion):
		return usageError{fmt.Errorf("--releases: %w", err)}
	case err != nil:
		return nil // a build says so for its tree
	}
	return store.Close()
}
