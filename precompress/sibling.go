package precompress

import (
	"context"
	"io/fs"
	"os"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// sibling is what stands under a variant's name.
type sibling struct {
	exists  bool
	regular bool
	info    fs.FileInfo
	digest  manifest.Digest // of a regular one
	form    error           // why no client could decode it, as far as that was looked at
}

// matches reports whether the sibling is the file that was recorded.
func (s sibling) matches(v manifest.Variant) bool {
	return s.regular && s.info.Size() == v.Size && s.digest == v.Digest && v.Omitted == ""
}

// holds reports whether the file has the content of the task's source.
func (s sibling) holds(t *Task) bool {
	return s.regular && s.info.Size() == t.Size && s.digest == t.Digest
}

// observe looks at what stands under a name in the directory of variants.
func (t *planner) observe(ctx context.Context, variants *os.Root, name string) (sibling, error) {
	sib, err := lookUp(variants, name)
	if err != nil || !sib.regular {
		return sib, err
	}
	digest, read, err := t.hasher.file(ctx, variants, name)
	return sib.read(digest, read, err)
}

// observeVariant looks at what stands under the name of a source's variant.
func (t *planner) observeVariant(ctx context.Context, variants *os.Root, source string, c manifest.Coding) (sibling, error) {
	name := source + c.Suffix()
	sib, err := lookUp(variants, name)
	if err != nil || !sib.regular {
		return sib, err
	}
	digest, read, form, err := t.hasher.variant(ctx, variants, name, c)
	sib.form = form
	return sib.read(digest, read, err)
}

// lookUp tells what stands under a name, without reading it.
func lookUp(variants *os.Root, name string) (sibling, error) {
	if variants == nil {
		return sibling{}, nil
	}
	info, err := variants.Lstat(name)
	if osfile.IsNotExist(err) {
		return sibling{}, nil
	}
	return sibling{exists: true, regular: err == nil && info.Mode().IsRegular(), info: info}, err
}

// read returns the sibling with what reading it told.
func (s sibling) read(digest manifest.Digest, info fs.FileInfo, err error) (sibling, error) {
	if err != nil {
		s.regular = false
		return s, err
	}
	s.digest, s.info = digest, info
	return s, nil
}
