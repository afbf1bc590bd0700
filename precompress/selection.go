package precompress

import (
	"path"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/glob"
)

// selection decides by name alone which files are candidates.
type selection struct {
	include []glob.Glob
	exclude glob.List
	rules   *ruleSet
}

// newSelection reads the globs and rules of options that have their defaults.
func newSelection(o Options) (*selection, error) {
	s := &selection{}
	for _, pattern := range o.Include {
		g, err := glob.Compile(pattern)
		if err != nil {
			return nil, invalid("Include", "%w", err)
		}
		s.include = append(s.include, g)
	}
	var err error
	if s.exclude, err = glob.NewList(o.Exclude); err != nil {
		return nil, invalid("Exclude", "%w", err)
	}
	s.rules, err = newRuleSet(o)
	return s, err
}

// reason returns why the file of this path is no candidate, "" if it is one.
func (s *selection) reason(name string) Reason {
	if len(s.include) > 0 && !slices.ContainsFunc(s.include, func(g glob.Glob) bool { return g.Match(name) }) {
		return ReasonNotIncluded
	}
	reason := excludedByDefault(name)
	if negated, matched := s.exclude.Last(name); matched {
		reason = ReasonExcluded
		if negated {
			reason = ""
		}
	}
	if reason == "" && s.rules.excludes(name) {
		return ReasonExcluded
	}
	return reason
}

// prunes reports whether nothing below the directory of this path can be a
// candidate.
func (s *selection) prunes(name string) bool {
	if s.rules.prunes(name) {
		return true
	}
	return !s.exclude.Negates() && (hiddenName(name) || s.exclude.Match(name))
}

// excludedByDefault returns why a file is excluded unless an option includes it
// again.
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

// compressedType reports whether a file's format, by its extension, is compressed
// already, so that encoding it saves nothing.
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
