package release

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/precompress/precompress/manifest"
)

// cleanEntry returns the path that the name of an archive's entry stands for,
// "." for the directory of all. A name that could lead anywhere else, on any system,
// is refused.
func cleanEntry(name string) (string, error) {
	fault := ""
	switch {
	case name == "":
		fault = "it has no name"
	case len(name) > maxName:
		fault = fmt.Sprintf("its name has over %d bytes", maxName)
	case strings.ContainsRune(name, 0):
		fault = "its name has a NUL byte"
	case strings.ContainsRune(name, '\\'):
		fault = "its name has a backslash"
	case strings.HasPrefix(name, "/"):
		fault = "its name is an absolute path"
	case hasDrive(name):
		fault = "its name starts with a drive"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			fault = `its name has ".."`
		}
	}
	if fault != "" {
		return "", fmt.Errorf("%w: %s; make the archive anew from the release's directory", ErrUnsafe, fault)
	}
	return path.Clean(name), nil
}

// hasDrive reports whether Windows takes a part of the path for a drive: "c:x".
func hasDrive(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if len(part) >= 2 && part[1] == ':' && isLetter(part[0]) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isHidden reports whether a file is out of the way of all builds: a part of its
// path starts with a dot, and is not the directory of RFC 8615. A name that is not
// UTF-8 is as far: no URL pattern can tell of it.
func isHidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") && part != ".well-known" {
			return true
		}
	}
	return !utf8.ValidString(name)
}

// isOurs reports whether a build left the file: the manifest, or a variant or a
// delta next to its source. exists tells which files there are.
func isOurs(name string, exists func(string) bool) bool {
	if path.Base(name) == manifest.Name {
		return true
	}
	if source, _, ok := manifest.SplitSuffix(name); ok && exists(source) {
		return true
	}
	asset, _, _, ok := manifest.SplitDelta(name)
	return ok && exists(asset)
}

// displayName returns the base name of a path as it may stand in a manifest.
func displayName(name string) string {
	name = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f || r == utf8.RuneError {
			return '_'
		}
		return r
	}, name)
	for len(name) > maxReleaseName {
		_, size := utf8.DecodeLastRuneInString(name)
		name = name[:len(name)-size]
	}
	return name
}

// maxReleaseName is the largest length of a release's name in bytes.
const maxReleaseName = 255
