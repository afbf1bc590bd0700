package release

import (
	"context"
	"fmt"
	"path"

	"github.com/precompress/precompress/internal/osfile"
)

// Keep removes all releases except the n newest, damaged records, contents that no
// release needs any more, and leftovers of interrupted runs. To have n releases before
// the one that was just added, keep n + 1.
func (s *Store) Keep(ctx context.Context, n int) error {
	if n < 0 {
		return s.fail(fmt.Errorf("%d releases cannot be kept", n))
	}
	return s.change(ctx, false, func() error {
		needed := make(map[string]bool)
		for _, r := range s.releases[:min(n, len(s.releases))] {
			needed[recordName(r.number, r.ID)] = true
			for _, f := range r.files {
				needed[contentName(f.SHA256)] = true
			}
		}
		if err := s.removeUnneeded(releasesDir, isRecordName, needed); err != nil {
			return err
		}
		if err := s.removeUnneeded(".", func(string) bool { return false }, nil); err != nil {
			return err
		}
		groups, err := s.disk.names(contentDir)
		if err != nil {
			return err
		}
		for _, group := range groups {
			if err := ctx.Err(); err != nil {
				return err
			}
			if len(group) != 2 || !osfile.IsLowerHex(group) {
				continue
			}
			if err := s.removeUnneeded(path.Join(contentDir, group), isContentName, needed); err != nil {
				return err
			}
		}
		return nil
	})
}

// removeUnneeded removes our files from a directory unless their paths are needed, and
// temporary files: nobody else writes while the store is locked.
func (s *Store) removeUnneeded(dir string, isOurs func(name string) bool, needed map[string]bool) error {
	names, err := s.disk.names(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		full := path.Join(dir, name)
		if !osfile.IsTempName(name) && (!isOurs(name) || needed[full]) {
			continue
		}
		if err := s.disk.Remove(full); err != nil {
			return err
		}
	}
	return nil
}
