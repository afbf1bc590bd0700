package bench

import (
	"fmt"
	"slices"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress"
)

// Setting is a content coding and a level.
type Setting struct {
	Coding manifest.Coding
	Level  int
}

// Codings returns the codings that can be measured: those that variants are stored in,
// and [Deflate].
func Codings() []manifest.Coding { return append(manifest.Codings(), Deflate) }

// LevelRange returns the lowest and the highest level of a coding, both 0 if the coding
// is unknown. See [precompress.LevelRange].
func LevelRange(c manifest.Coding) (low, high int) {
	if c == Deflate {
		return 1, 9
	}
	return precompress.LevelRange(c)
}

// Defaults returns a few levels of a coding, from fast to small: those in common use for
// compressing each response, and for compressing once.
func Defaults(c manifest.Coding) []Setting {
	switch c {
	case manifest.Brotli:
		return levels(c, 1, 4, 5, 9, 10, 11)
	case manifest.Zstd:
		return levels(c, 1, 3, 9, 19)
	case manifest.Gzip, Deflate:
		return levels(c, 1, 6, 9)
	}
	return nil
}

// All returns every level of a coding.
func All(c manifest.Coding) []Setting {
	low, high := LevelRange(c)
	var all []Setting
	for level := low; level <= high; level++ {
		all = append(all, Setting{c, level})
	}
	return all
}

func levels(c manifest.Coding, levels ...int) []Setting {
	var settings []Setting
	for _, level := range levels {
		settings = append(settings, Setting{c, level})
	}
	return settings
}

// defaultSettings are measured if no others are named.
func defaultSettings() []Setting {
	var settings []Setting
	for _, c := range manifest.Codings() {
		settings = append(settings, Defaults(c)...)
	}
	return settings
}

// check returns an error that wraps [precompress.ErrInvalidOptions] if there is no such
// coding or level.
func (s Setting) check() error {
	low, high := LevelRange(s.Coding)
	switch {
	case !slices.Contains(Codings(), s.Coding):
		return fmt.Errorf("%w: unknown coding %q", precompress.ErrInvalidOptions, s.Coding)
	case s.Level < low || s.Level > high:
		return fmt.Errorf("%w: level %d of %s is out of range: choose from %d to %d", precompress.ErrInvalidOptions, s.Level, s.Coding, low, high)
	}
	return nil
}
