package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"

	"github.com/spf13/pflag"

	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// noDeltas stands for no coding of deltas.
const noDeltas = "none"

// registerReleases adds the flags that name earlier releases. note says how the
// command uses them.
func registerReleases(fs *pflag.FlagSet, o *precompress.Options, note string) {
	fs.Var(appended(&o.Previous, "PATH", nonEmpty), "previous", "make deltas for visitors of the earlier release in PATH, a directory or a .tar, .tar.gz, .tgz, .tar.zst or .zip (repeatable, the newest first)"+note)
	fs.Var(named(&o.Releases, "STORE"), "releases", "make deltas to the releases in the directory STORE, where a build then keeps this one"+note)
}

// registerDeltas adds the other flags for deltas.
func registerDeltas(fs *pflag.FlagSet, o *precompress.Options) {
	registerReleases(fs, o, "")
	fs.Var(parsed(&o.Keep, "N", strconv.Itoa(precompress.DefaultKeep), parseCount), "keep", "keep this many earlier releases in STORE, besides this one")
	fs.Var(parsed(&o.Deltas, "LIST", "dcb,dcz", parseDeltas), "deltas", "codings of deltas to store, "+noDeltas+" for no deltas")
	fs.Var(parsed(&o.Fingerprint, "REGEXP", "", manifest.NewFingerprint), "fingerprint", "what REGEXP matches in a file's name, or its group, changes with the content (default: what build tools put there)")
}

// parseDeltas reads "dcb,dcz". The list that none stands for is empty, not nil.
func parseDeltas(s string) ([]manifest.Coding, error) {
	if s == noDeltas {
		return []manifest.Coding{}, nil
	}
	return parseList(s, func(name string) (manifest.Coding, error) {
		c := manifest.Coding(name)
		switch {
		case name == noDeltas:
			return "", fmt.Errorf("%s stands alone: give it without other codings", noDeltas)
		case !c.IsDelta():
			return "", fmt.Errorf("unknown coding %q of deltas: choose from dcb, dcz, or %s", name, noDeltas)
		}
		return c, nil
	})
}

// checkReleases refuses flags that would have no effect, and names that cannot be right.
// The default of --keep may be given, as the command config prints it.
func checkReleases(o *precompress.Options) error {
	if o.Keep != 0 && o.Keep != precompress.DefaultKeep && o.Releases == "" {
		return usageErrorf("keep", "--keep is about a store of releases: name its directory with --releases STORE")
	}
	for _, path := range o.Previous {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return usageErrorf("previous", "--previous: there is no directory or archive %q: check the name, or leave the flag out until there is one", path)
		}
		switch err := release.CheckPath(path); {
		case errors.Is(err, release.ErrIsStore):
			return usageErrorf("previous", "--previous: %w: give it with --releases", err)
		case errors.Is(err, release.ErrFormat):
			return usageErrorf("previous", "--previous: %w", err)
		}
	}
	if o.Releases == "" {
		return nil
	}
	store, err := release.OpenStore(o.Releases)
	switch {
	case errors.Is(err, release.ErrNotStore), errors.Is(err, release.ErrNotDirectory), errors.Is(err, release.ErrVersion):
		return usageErrorf("releases", "--releases: %w", err)
	case err != nil:
		return nil // a build says so for its tree
	}
	return store.Close()
}
