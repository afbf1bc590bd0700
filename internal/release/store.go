package release

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/precompress/precompress/internal/osfile"
	"github.com/precompress/precompress/manifest"
)

// Store is a directory with the sources of earlier releases. Several processes may use
// one at a time. Its methods may be called from one goroutine, those of its releases
// from many. A change takes effect as a whole or not at all, however the process ends.
type Store struct {
	dir      string
	disk     *disk // nil while there is no directory
	releases []*Release
	damaged  []error
	before   func(op, name string) error // see disk
}

// OpenStore opens the store in the directory dir. Nothing is written: if the directory
// is missing or empty, the store has no releases, and [Store.Add] makes it. The error
// wraps [ErrNotStore] if the directory holds something else, [ErrNotDirectory] if it is
// not a directory, and [ErrVersion] if a later version of this package wrote it.
func OpenStore(dir string) (*Store, error) {
	s := &Store{dir: dir}
	if err := s.open(); err != nil {
		s.Close() // the error to report is the other one
		return nil, s.fail(err)
	}
	return s, nil
}

// open opens the directory if there is one, and reads its records.
func (s *Store) open() (err error) {
	if s.disk == nil {
		if s.disk, err = openDisk(s.dir); err != nil || s.disk == nil {
			return err
		}
	}
	s.disk.before = s.before
	marked, err := s.disk.isMarked()
	if err != nil {
		return err
	}
	s.releases, s.damaged = nil, nil
	if !marked {
		return nil
	}
	list, err := s.records()
	for _, r := range list {
		s.releases = append(s.releases, s.release(r))
	}
	return err
}

func (s *Store) fail(err error) error {
	return fmt.Errorf("store of releases %q: %w", s.dir, osfile.BareError(err))
}

// Releases returns the releases, newest first, as they were when the store was
// opened or last changed by this Store. Closing them is not needed.
func (s *Store) Releases() []*Release { return slices.Clone(s.releases) }

// Damaged returns an error for each damaged record, for warnings. Their releases are left
// out, and Keep removes the records.
func (s *Store) Damaged() []error { return slices.Clone(s.damaged) }

// Close closes the store. Its releases cannot be read after that.
func (s *Store) Close() error {
	if s.disk == nil {
		return nil
	}
	return s.disk.Close()
}

// records reads the records, newest first. Those that are damaged are left out and added
// to s.damaged. Of two with the same contents, the older one does not count.
func (s *Store) records() ([]storedRecord, error) {
	names, err := s.disk.names(releasesDir)
	if err != nil {
		return nil, err
	}
	var list []storedRecord
	for _, name := range names {
		number, id, ok := parseRecordName(name)
		if !ok {
			continue
		}
		r, err := s.record(number, id)
		switch {
		case osfile.IsNotExist(err): // another process removed it
		case errors.Is(err, ErrDamaged):
			s.damaged = append(s.damaged, s.fail(fmt.Errorf("release %q is left out: %w", name, err)))
		case err != nil:
			return nil, fmt.Errorf("release %q: %w", name, osfile.BareError(err))
		default:
			list = append(list, storedRecord{number, id, r})
		}
	}
	slices.SortFunc(list, newestFirst)
	seen := make(map[string]bool)
	return slices.DeleteFunc(list, func(r storedRecord) bool {
		again := seen[r.id]
		seen[r.id] = true
		return again
	}), nil
}

func (s *Store) record(number uint64, id string) (*record, error) {
	data, err := s.disk.read(recordName(number, id), maxRecord)
	if errors.Is(err, osfile.ErrNotRegular) {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	if err != nil {
		return nil, err
	}
	r, err := decodeRecord(data)
	if err == nil && r.id() != id {
		err = fmt.Errorf("%w: it is not what its name says", ErrDamaged)
	}
	return r, err
}

// release returns the release of a record.
func (s *Store) release(from storedRecord) *Release {
	r := &Release{
		Name: from.Name, ID: from.id, number: from.number, from: contents{s.disk},
		files:   make([]File, len(from.Files)),
		digests: make([]manifest.Digest, len(from.Files)),
	}
	if r.Name == "" {
		r.Name = r.ID
	}
	for i, f := range from.Files {
		r.files[i] = File{Path: f.Path, Size: f.Size, SHA256: f.SHA256}
		r.digests[i] = f.Digest
	}
	return r
}

// contents are the bytes in a store.
type contents struct{ *disk }

func (c contents) open(f File) (io.ReadCloser, error) {
	in, err := osfile.OpenUnlinked(c, contentName(f.SHA256))
	if osfile.IsNotExist(err) || errors.Is(err, osfile.ErrNotRegular) {
		return nil, fmt.Errorf("%w: its content is missing from the store", ErrDamaged)
	}
	if err != nil {
		return nil, err
	}
	return in, nil
}

func (contents) close() error { return nil } // the store's

// change runs a function that changes the store, while no other process does. A store
// that is missing is made with create; without create, the function does not run.
func (s *Store) change(ctx context.Context, create bool, f func() error) (err error) {
	if create {
		if err := makeDirectory(s.dir); err != nil {
			return s.fail(err)
		}
	} else if s.disk == nil {
		return nil
	}
	unlock, err := lock(ctx, s.dir)
	if err != nil {
		return s.fail(err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	err = s.open()
	if err == nil && create {
		err = s.disk.mark()
	}
	if err == nil {
		err = f()
	}
	if err == nil {
		err = s.open()
	}
	if err != nil {
		return s.fail(err)
	}
	return nil
}
