package precompress

import (
	"context"
	"io/fs"
	"os"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// sibling is the file that has the name of a variant, a delta or a copy of a source.
type sibling struct {
	exists  bool
	regular bool
	info    fs.FileInfo
	digest  manifest.Digest // of a regular file
	format  error           // why no client could decode it, as far as that was checked
}

// matches reports whether the sibling is the file that was recorded.
func (s sibling) matches(v manifest.Variant) bool {
	return s.has(v.Size, v.Digest) && v.Omitted == ""
}

// has reports whether the sibling is a file of this size in bytes and this digest.
func (s sibling) has(size int64, digest manifest.Digest) bool {
	return s.regular && s.info.Size() == size && s.digest == digest
}

// observe looks at the file of that name. variants is nil if there is no directory
// for it yet.
func (h *hasher) observe(ctx context.Context, variants *os.Root, name string) (sibling, error) {
	sib, err := stat(variants, name)
	if err != nil || !sib.regular {
		return sib, err
	}
	digest, info, err := h.file(ctx, variants, name)
	return sib.read(digest, info, err)
}

// observeVariant is observe for a variant of the given source. It checks the
// format, too.
func (h *hasher) observeVariant(ctx context.Context, variants *os.Root, source string, c manifest.Coding) (sibling, error) {
	name := source + c.Suffix()
	sib, err := stat(variants, name)
	if err != nil || !sib.regular {
		return sib, err
	}
	digest, info, format, err := h.variant(ctx, variants, name, c)
	sib.format = format
	return sib.read(digest, info, err)
}

// stat looks at a sibling without reading it.
func stat(variants *os.Root, name string) (sibling, error) {
	if variants == nil {
		return sibling{}, nil
	}
	info, err := variants.Lstat(name)
	if osfile.IsNotExist(err) {
		return sibling{}, nil
	}
	return sibling{exists: true, regular: err == nil && info.Mode().IsRegular(), info: info}, err
}

// read returns the sibling with the result of reading it.
func (s sibling) read(digest manifest.Digest, info fs.FileInfo, err error) (sibling, error) {
	if err != nil {
		s.regular = false
		return s, err
	}
	s.digest, s.info = digest, info
	return s, nil
}
