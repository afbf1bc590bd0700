package release

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Source is a file of the tree that becomes a part of a release in a store.
type Source struct {
	Path   string          // slash-separated, relative to the tree
	Size   int64           // in bytes
	Digest manifest.Digest // of its bytes; 0 if not known
	Open   func() (io.ReadCloser, error)
}

// Same reports whether a release of a store has these files, by their digests.
// Sources are in any order.
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

// storable returns the sources that a store can have, sorted by path: a name that
// is not UTF-8 can stand in no record, and in no URL pattern either.
func storable(sources []Source) []Source {
	list := slices.DeleteFunc(slices.Clone(sources), func(s Source) bool { return !fs.ValidPath(s.Path) })
	slices.SortFunc(list, func(a, b Source) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// Add makes the sources the newest release of the store. If the newest has the
// same contents already, nothing changes; if an older one has, that one becomes
// the newest. Sources whose path is not UTF-8 are left out; of those of more than
// [MaxFile] bytes the store has no content. name is what the release is called; it
// may be "" and need not be unique.
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

// has reports whether a release has these sources, and all contents are whole: they
// can be mended only as long as the sources are here.
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
	defer in.Close() // read-only: nothing can be lost
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

// errChanged is about a source that is not what it was when it was looked at.
var errChanged = errors.New("it was changed in the meantime; build again")

// addRecord stores a record with the highest number. An older one with the same
// contents does not count any more, and Keep removes it.
func (s *Store) addRecord(r *record) (changed bool, err error) {
	id := r.id()
	if len(s.releases) > 0 && s.releases[0].ID == id {
		return false, nil
	}
	list, err := s.numbers()
	if err != nil {
		return false, err
	}
	last := uint64(0)
	for _, n := range list {
		last = max(last, n.number)
	}
	if last >= maxNumber {
		return false, overLimit("it has no more numbers; remove the directory to start anew")
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

// numbers returns what the names of the records tell.
func (s *Store) numbers() ([]stored, error) {
	names, err := s.disk.names(releasesDir)
	if err != nil {
		return nil, err
	}
	var list []stored
	for _, name := range names {
		if number, id, ok := parseRecordName(name); ok {
			list = append(list, stored{number: number, id: id})
		}
	}
	return list, nil
}

// makeDirectory makes the directory of a store, open to its owner alone: whoever can
// write to it can put bytes into deltas.
func makeDirectory(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	return os.MkdirAll(dir, 0o700)
}
