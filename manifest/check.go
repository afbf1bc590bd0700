package manifest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/precompress/precompress/internal/urlpattern"
)

// ValidPath reports whether a manifest may hold the path: it is relative,
// separated by single slashes, and has neither "." nor ".." elements nor NUL
// bytes. Unlike [io/fs.ValidPath] it allows bytes that are not UTF-8.
func ValidPath(path string) bool {
	for element := range strings.SplitSeq(path, "/") {
		if element == "" || element == "." || element == ".." || strings.ContainsRune(element, 0) {
			return false
		}
	}
	return true
}

// normalize sorts m and checks it. The error names the asset that is not valid.
func (m *Manifest) normalize() error {
	slices.SortFunc(m.Assets, func(a, b Asset) int { return strings.Compare(a.Path, b.Path) })
	for i := range m.Assets {
		a := &m.Assets[i]
		if i > 0 && m.Assets[i-1].Path == a.Path {
			return fmt.Errorf("asset %q is listed twice", a.Path)
		}
		if err := a.normalize(); err != nil {
			return fmt.Errorf("asset %q: %w", a.Path, err)
		}
	}
	return nil
}

func (a *Asset) normalize() error {
	if !ValidPath(a.Path) {
		return errors.New("the path is not relative to the tree's root and inside it")
	}
	if err := checkSize(a.Size); err != nil {
		return err
	}
	order := Codings()
	slices.SortFunc(a.Variants, func(x, y Variant) int {
		return cmp.Compare(slices.Index(order, x.Coding), slices.Index(order, y.Coding))
	})
	for i, v := range a.Variants {
		if v.Coding.Suffix() == "" {
			return fmt.Errorf("unknown coding %q", v.Coding)
		}
		if i > 0 && a.Variants[i-1].Coding == v.Coding {
			return fmt.Errorf("coding %s is listed twice", v.Coding)
		}
		if err := v.check(); err != nil {
			return fmt.Errorf("%s: %w", v.Coding, err)
		}
	}
	return cmp.Or(a.checkDictionary(), a.normalizeDeltas())
}

// check checks what variants and deltas have in common.
func (v Variant) check() error {
	switch {
	case v.Stale && v.Omitted != "":
		return errors.New("both stale and omitted")
	case !slices.Contains([]Omission{"", Larger, Incompressible, Dominated}, v.Omitted):
		return fmt.Errorf("unknown omission %q", v.Omitted)
	}
	return checkSize(v.Size)
}

func checkSize(n int64) error {
	switch {
	case n < 0:
		return fmt.Errorf("size %d is negative", n)
	case n > MaxSize:
		return fmt.Errorf("size %d is over 1 TiB", n)
	}
	return nil
}

// maxDictionaryID is the largest size of a dictionary's ID, in bytes (RFC 9842,
// section 2.1.3).
const maxDictionaryID = 1024

// checkDictionary checks the pattern and the ID. An ID is what a string in a
// structured field can hold (RFC 9651, section 3.3.3).
func (a *Asset) checkDictionary() error {
	id := a.DictionaryID
	if a.Match != "" {
		if err := urlpattern.Check(a.Match); err != nil {
			return err
		}
	}
	switch {
	case len(id) > maxDictionaryID:
		return fmt.Errorf("the dictionary ID is longer than %d characters", maxDictionaryID)
	case strings.ContainsFunc(id, func(r rune) bool { return r < ' ' || r > '~' }):
		return fmt.Errorf("dictionary ID %q: only printable ASCII can be sent", id)
	case id != "" && a.Match == "":
		return errors.New("a dictionary ID without a match pattern")
	}
	return nil
}

// normalizeDeltas sorts the deltas and checks them. No two may have the same file
// name, even if their dictionaries differ.
func (a *Asset) normalizeDeltas() error {
	slices.SortFunc(a.Deltas, func(x, y Delta) int {
		return cmp.Or(bytes.Compare(x.Dictionary[:shortBytes], y.Dictionary[:shortBytes]), cmp.Compare(x.Coding, y.Coding))
	})
	for i, d := range a.Deltas {
		if err := d.check(); err != nil {
			return fmt.Errorf("delta %s %s: %w", d.Coding, d.Dictionary.Short(), err)
		}
		if i > 0 && a.Deltas[i-1].Name("") == d.Name("") {
			return fmt.Errorf("delta %s %s: listed twice", d.Coding, d.Dictionary.Short())
		}
	}
	return nil
}

func (d Delta) check() error {
	switch {
	case !d.Coding.IsDelta():
		return fmt.Errorf("unknown coding %q", d.Coding)
	case d.Dictionary == Dictionary{}:
		return errors.New("no dictionary")
	case !utf8.ValidString(d.Release):
		return fmt.Errorf("release %q is not UTF-8", d.Release)
	}
	return cmp.Or(checkSize(d.DictionarySize), d.Variant.check())
}
