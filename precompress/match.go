package precompress

import (
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// matcher decides by name alone which files are candidates.
type matcher struct {
	include []glob
	exclude []exclusion
	// reincludes is set if any exclusion takes in again, so that an excluded
	// directory may still hold candidates.
	reincludes bool
}

type exclusion struct {
	glob
	reinclude bool
}

// glob is one pattern; see [Options.Include] for what it matches.
type glob struct {
	pattern  string
	baseName bool // match the last element only
}

func newMatcher(include, exclude []string) (*matcher, error) {
	m := &matcher{}
	for _, pattern := range include {
		g, err := newGlob(pattern)
		if err != nil {
			return nil, err
		}
		m.include = append(m.include, g)
	}
	var err error
	m.exclude, m.reincludes, err = newExclusions(exclude)
	return m, err
}

// newExclusions reads globs of which some start with "!".
func newExclusions(patterns []string) (list []exclusion, reincludes bool, err error) {
	for _, pattern := range patterns {
		rest, reinclude := strings.CutPrefix(pattern, "!")
		g, err := newGlob(rest)
		if err != nil {
			return nil, false, err
		}
		list = append(list, exclusion{g, reinclude})
		reincludes = reincludes || reinclude
	}
	return list, reincludes, nil
}

func newGlob(pattern string) (glob, error) {
	trimmed := strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
	g := glob{
		pattern:  strings.TrimPrefix(trimmed, "/"),
		baseName: !strings.Contains(trimmed, "/"),
	}
	if g.pattern == "" {
		return g, invalid("the glob %q matches nothing: write * for every file", pattern)
	}
	if !doublestar.ValidatePattern(g.pattern) {
		return g, invalid("the glob %q is malformed: close each [ and {, and write \\[ for the character itself", pattern)
	}
	return g, nil
}

// match reports whether the pattern matches name or a directory above it.
func (g glob) match(name string) bool {
	for name != "." {
		target := name
		if g.baseName {
			target = path.Base(name)
		}
		if doublestar.MatchUnvalidated(g.pattern, target) {
			return true
		}
		name = path.Dir(name)
	}
	return false
}

// file returns why the file of this path is no candidate, or "".
func (m *matcher) file(name string) Reason {
	if len(m.include) > 0 && !slices.ContainsFunc(m.include, func(g glob) bool { return g.match(name) }) {
		return ReasonNotIncluded
	}
	reason := excludedByDefault(name)
	for _, x := range m.exclude {
		switch {
		case !x.match(name):
		case x.reinclude:
			reason = ""
		default:
			reason = ReasonExcluded
		}
	}
	return reason
}

// prunes reports whether nothing below the directory of this path can be a
// candidate.
func (m *matcher) prunes(name string) bool {
	if m.reincludes {
		return false
	}
	return hiddenName(name) || slices.ContainsFunc(m.exclude, func(x exclusion) bool { return x.match(name) })
}

func excludedByDefault(name string) Reason {
	switch {
	case hiddenName(name):
		return ReasonHidden
	case compressedType(name):
		return ReasonCompressedType
	}
	return ""
}

// hiddenName reports whether an element of the path starts with a dot.
// .well-known (RFC 8615) is meant to be served.
func hiddenName(name string) bool {
	for element := range strings.SplitSeq(name, "/") {
		if strings.HasPrefix(element, ".") && element != ".well-known" {
			return true
		}
	}
	return false
}

// compressedType tells by extension whether a file's format is compressed
// already, so that the codings would find nothing.
func compressedType(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".br", ".zst", ".gz", ".tgz", ".tzst", ".bz2", ".tbz2", ".xz", ".txz", ".lz", ".lz4", ".lzma", ".zip", ".7z", ".rar", ".z", ".dcb", ".dcz",
		".jar", ".war", ".apk", ".ipa", ".crx", ".xpi", ".whl", ".deb", ".rpm", ".dmg", ".cab", ".nupkg",
		".docx", ".xlsx", ".pptx", ".odt", ".ods", ".odp", ".epub",
		".png", ".apng", ".jpg", ".jpeg", ".jfif", ".jp2", ".jxl", ".gif", ".webp", ".avif", ".heic", ".heif", ".svgz",
		".woff", ".woff2",
		".mp3", ".m4a", ".aac", ".ogg", ".oga", ".opus", ".flac", ".weba",
		".mp4", ".m4v", ".webm", ".mkv", ".mov", ".avi", ".ogv", ".mpg", ".mpeg", ".wmv", ".flv", ".3gp":
		return true
	}
	return false
}
