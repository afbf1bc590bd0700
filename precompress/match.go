package precompress

import (
	"path"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/glob"
)

// matcher decides by name alone which files are candidates.
type matcher struct {
	include []glob.Glob
	exclude []exclusion
	// reincludes is set if any exclusion takes in again, so that an excluded
	// directory may still hold candidates.
	reincludes bool
}

type exclusion struct {
	glob.Glob
	reinclude bool
}

func newMatcher(include, exclude []string) (*matcher, error) {
	m := &matcher{}
	for _, pattern := range include {
		g, err := glob.Compile(pattern)
		if err != nil {
			return nil, invalid("Include", "%w", err)
		}
		m.include = append(m.include, g)
	}
	var err error
	if m.exclude, m.reincludes, err = newExclusions(exclude); err != nil {
		return nil, invalid("Exclude", "%w", err)
	}
	return m, nil
}

// newExclusions reads globs of which some start with "!".
func newExclusions(patterns []string) (list []exclusion, reincludes bool, err error) {
	for _, pattern := range patterns {
		rest, reinclude := strings.CutPrefix(pattern, "!")
		g, err := glob.Compile(rest)
		if err != nil {
			return nil, false, err
		}
		list = append(list, exclusion{g, reinclude})
		reincludes = reincludes || reinclude
	}
	return list, reincludes, nil
}

// file returns why the file of this path is no candidate, or "".
func (m *matcher) file(name string) Reason {
	if len(m.include) > 0 && !slices.ContainsFunc(m.include, func(g glob.Glob) bool { return g.Match(name) }) {
		return ReasonNotIncluded
	}
	reason := excludedByDefault(name)
	for _, x := range m.exclude {
		switch {
		case !x.Match(name):
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
	return hiddenName(name) || slices.ContainsFunc(m.exclude, func(x exclusion) bool { return x.Match(name) })
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
