package precompress

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"sync"

	"github.com/precompress/precompress/internal/release"
	"github.com/precompress/precompress/manifest"
)

// dictionary is a content of earlier releases, of which there is one value for
// each content.
type dictionary struct {
	sum  manifest.Dictionary
	size int64 // in bytes
	from *release.Release
	file release.File

	once    sync.Once
	because error // once done: why it cannot be read
}

// check returns nil if the dictionary can be read and has the SHA-256 that was
// recorded. What has been read to learn its SHA-256 is not read again.
func (d *dictionary) check(ctx context.Context) error {
	d.once.Do(func() {
		if d.file.SHA256 != [32]byte{} {
			d.because = d.from.Check(ctx, d.file)
		}
	})
	return d.because
}

// fault returns why a step cannot have its dictionary, which it needs to encode:
// better known before than halfway.
func (u *use) fault(ctx context.Context, s *Step) error {
	if s.Action != Encode {
		return nil
	}
	return u.check(ctx)
}

// addFault notes a fault of a release, the first one of it.
func addFault(faults map[string]error, release string, err error) map[string]error {
	if faults == nil {
		faults = make(map[string]error)
	}
	if faults[release] == nil {
		faults[release] = err
	}
	return faults
}

// read returns the dictionary's bytes, which have the SHA-256 that names it.
func (d *dictionary) read(ctx context.Context) ([]byte, error) {
	data, err := d.from.Read(ctx, d.file)
	if err == nil && sha256.Sum256(data) != d.sum {
		err = fmt.Errorf("earlier release %q: file %q: %w", d.from.Name, d.file.Path, release.ErrDamaged)
	}
	return data, err
}

// dictionaryName tells settings apart that differ in the dictionary.
func (s setting) dictionaryName() string {
	if s.dictionary == nil {
		return ""
	}
	return s.dictionary.sum.String()
}

// short returns the name of a delta's dictionary, "" for a variant.
func (s setting) short() string {
	if s.dictionary == nil {
		return ""
	}
	return s.dictionary.sum.Short()
}

// verify returns nil if what encoded holds in this setting decodes to src.
func (s setting) verify(ctx context.Context, encoded io.Reader, src []byte) error {
	if s.dictionary == nil {
		return verify(ctx, s.coding, encoded, src)
	}
	dictionary, err := s.dictionary.read(ctx)
	if err != nil {
		return err
	}
	return verifyDelta(ctx, s, dictionary, encoded, src)
}
