package release

import (
	"fmt"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/precompress/precompress/manifest"
)

// cleanEntry returns the path of an archive's entry by its name; "." is the directory
// that everything is in. A name that could be a path outside, on any system, is refused.
func cleanEntry(name string) (string, error) {
	reason := ""
	switch {
	case name == "":
		reason = "it has no name"
	case len(name) > maxName:
		reason = fmt.Sprintf("its name has over %d bytes", maxName)
	case strings.ContainsRune(name, 0):
		reason = "its name has a NUL byte"
	case strings.ContainsRune(name, '\\'):
		reason = "its name has a backslash"
	case strings.HasPrefix(name, "/"):
		reason = "its name is an absolute path"
	case hasDrive(name):
		reason = "its name starts with a drive"
	}
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			reason = `its name has ".."`
		}
	}
	if reason != "" {
		return "", fmt.Errorf("%w: %s; create the archive again from the release's directory", errUnsafe, reason)
	}
	return path.Clean(name), nil
}

// hasDrive reports whether a part of the path is a drive on Windows, as in "c:x".
func hasDrive(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if len(part) >= 2 && part[1] == ':' && isLetter(part[0]) {
			return true
		}
	}
	return false
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// isHidden reports whether no build touches a file: a part of its path starts with a dot
// and is not the directory of RFC 8615, or it is not UTF-8, so that no URL pattern can
// match it.
func isHidden(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(part, ".") && part != ".well-known" {
			return true
		}
	}
	return !utf8.ValidString(name)
}

// isOurs reports whether a build left the file: the manifest, or a variant or a
// delta next to its source. exists reports whether there is a file.
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

// displayName returns a base name with only what a manifest may have.
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
