package release

import (
	"context"
	"errors"
)

// Store is a folder that holds the sources of the releases before this one.
type Store struct {
	dir      string
	releases []*Release
	damaged  []error
}

// OpenStore opens the store in the folder dir. Nothing is written: where the
// folder is missing or empty, the store has no releases and Add makes it. The
// error wraps [ErrNotStore] if the folder holds something else.
func OpenStore(dir string) (*Store, error) { return nil, errors.ErrUnsupported }

// Releases returns the releases, newest first, as they were when the store was
// opened or this Store last changed it.
func (s *Store) Releases() []*Release { return s.releases }

// Damaged returns what was found wrong with the store's records, for warnings.
// A release whose record is damaged is left out.
func (s *Store) Damaged() []error { return s.damaged }

// Add makes the sources the newest release. If the newest has the same contents,
// nothing changes; if an older one has, it becomes the newest. name may be "".
func (s *Store) Add(ctx context.Context, name string, sources []Source) (changed bool, err error) {
	return false, errors.ErrUnsupported
}

// Keep drops all but the n newest releases, and contents that no other needs.
func (s *Store) Keep(ctx context.Context, n int) error { return errors.ErrUnsupported }

// Close lets go of the folder; releases of the store cannot be read after it.
func (s *Store) Close() error { return nil }
