package release

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Source is a file of a tree that becomes part of a release in a store.
type Source struct {
	Path   string          // slash-separated, relative to the tree
	Size   int64           // in bytes
	Digest manifest.Digest // of its bytes; 0 if unknown
	Open   func() (io.ReadCloser, error)
}

// Same reports whether a release of a store has exactly these files, by their digests.
// The sources may have any order.
func (r *Release) Same(sources []Source) bool {
	sources = storable(sources)
	if len(sources) != len(r.files) || len(r.digests) != len(r.files) {
		return false
	}
	for i, s := range sources {
		f := r.files[i]
		if s.Path != f.Path || s.Size != f.Size || s.Digest != r.digests[i] || s.Digest == 0 {
			return false
		}
	}
	return true
}

// storable returns the sources that a store can have, sorted by path: neither a record
// nor a URL pattern can have a name that is not UTF-8.
func storable(sources []Source) []Source {
	list := slices.DeleteFunc(slices.Clone(sources), func(s Source) bool { return !fs.ValidPath(s.Path) })
	slices.SortFunc(list, func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// Add makes the sources the newest release of the store. If the newest release has the
// same contents already, nothing changes; if an older one has, that one becomes the
// newest. Sources whose path is not UTF-8 are left out. Of sources of more than [MaxFile]
// bytes, the content is not stored. name is the name of the release; it may be "" and
// need not be unique.
func (s *Store) Add(ctx context.Context, name string, sources []Source) (changed bool, err error) {
	if err := checkName(name); err != nil {
		return false, s.fail(err)
	}
	err = s.change(ctx, true, func() error {
		sources := storable(sources)
		if len(s.releases) > 0 && s.has(ctx, s.releases[0], sources) {
			return nil
		}
		r := &record{Version: recordVersion, Name: name, Files: []recordFile{}}
		for i, source := range sources {
			if i > 0 && sources[i-1].Path == source.Path {
				return fmt.Errorf("file %q is given twice", source.Path)
			}
			f, err := s.addContent(ctx, source)
			if err != nil {
				return fmt.Errorf("file %q: %w", source.Path, osfile.BareError(err))
			}
			r.Files = append(r.Files, f)
		}
		changed, err = s.addRecord(r)
		return err
	})
	return changed, err
}

// has reports whether a release has these sources, and all its contents are intact:
// they can only be repaired while the sources are at hand.
func (s *Store) has(ctx context.Context, r *Release, sources []Source) bool {
	if !r.Same(sources) {
		return false
	}
	for _, f := range r.files {
		if f.Size <= MaxFile && r.Check(ctx, f) != nil {
			return false
		}
	}
	return true
}

// addContent stores the bytes of one source, if they are not there.
func (s *Store) addContent(ctx context.Context, source Source) (recordFile, error) {
	in, err := source.Open()
	if err != nil {
		return recordFile{}, err
	}
	defer in.Close() // opened for reading: no write can fail
	f := recordFile{Path: source.Path, Size: source.Size, Digest: source.Digest}
	if source.Size > MaxFile {
		hash := sha256.New()
		n, err := io.Copy(hash, osfile.ContextReader{Ctx: ctx, Reader: in})
		if err == nil && n != source.Size {
			err = errChanged
		}
		f.SHA256 = manifest.Dictionary(hash.Sum(nil))
		return f, err
	}
	data, err := readAll(osfile.ContextReader{Ctx: ctx, Reader: in}, source.Size)
	if err != nil {
		return recordFile{}, err
	}
	f.SHA256, f.Digest = sha256.Sum256(data), manifest.Sum(data)
	if source.Digest != 0 && source.Digest != f.Digest {
		return recordFile{}, errChanged
	}
	name := contentName(f.SHA256)
	if old, err := s.disk.read(name, source.Size); err == nil && bytes.Equal(old, data) {
		return f, nil
	}
	return f, s.disk.write(name, data)
}

// errChanged: a source is not what it was when the tree was read.
var errChanged = errors.New("it was changed in the meantime; build again")

// addRecord stores a record with the highest number. An older record with the same
// contents no longer counts, and Keep removes it.
func (s *Store) addRecord(r *record) (changed bool, err error) {
	id := r.id()
	if len(s.releases) > 0 && s.releases[0].ID == id {
		return false, nil
	}
	names, err := s.disk.names(releasesDir)
	if err != nil {
		return false, err
	}
	last := uint64(0)
	for _, name := range names {
		number, _, _ := parseRecordName(name)
		last = max(last, number)
	}
	if last >= maxNumber {
		return false, overLimit("it has no more numbers; remove the directory to start again")
	}
	data, err := r.encode()
	if err != nil {
		return false, err
	}
	if len(data) > maxRecord {
		return false, overLimit("the record of the release has over %d bytes", maxRecord)
	}
	err = s.disk.write(recordName(last+1, id), data)
	return err == nil, err
}
