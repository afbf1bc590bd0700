package release

import (
	"context"
	"fmt"
	"path"

	"github.com/precompress/precompress/internal/osfile"
)

// Keep drops all releases but the n newest, records that are damaged, contents
// that no release needs any more, and what interrupted runs left. To have n
// releases before the one that was just added, keep n + 1.
func (s *Store) Keep(ctx context.Context, n int) error {
	if n < 0 {
		return s.fail(fmt.Errorf("%d releases cannot be kept", n))
	}
	return s.change(ctx, false, func() error {
		kept := s.releases[:min(n, len(s.releases))]
		if err := s.dropRecords(kept); err != nil {
			return err
		}
		needed := make(map[string]bool)
		for _, r := range kept {
			for _, f := range r.files {
				needed[contentName(f.SHA256)] = true
			}
		}
		return s.dropContents(ctx, needed)
	})
}

// dropRecords removes all records but the newest ones of these releases.
func (s *Store) dropRecords(kept []*Release) error {
	newest := make(map[string]uint64)
	for _, r := range kept {
		newest[r.ID] = r.number
	}
	list, err := s.numbers()
	if err != nil {
		return err
	}
	for _, n := range list {
		if number, found := newest[n.id]; found && number == n.number {
			continue
		}
		if err := s.disk.remove(recordName(n.number, n.id)); err != nil {
			return err
		}
	}
	if err := s.dropTemps("."); err != nil {
		return err
	}
	return s.dropTemps(releasesDir)
}

// dropTemps removes what interrupted runs left in a directory. Nobody else writes
// while the store is locked.
func (s *Store) dropTemps(dir string) error {
	names, err := s.disk.names(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		if osfile.IsTempName(name) {
			if err := s.disk.remove(path.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropContents removes all contents that are not needed.
func (s *Store) dropContents(ctx context.Context, needed map[string]bool) error {
	shards, err := s.disk.names(contentDir)
	if err != nil {
		return err
	}
	for _, shard := range shards {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(shard) != 2 || !isLowerHex(shard) {
			continue
		}
		if err := s.dropShard(path.Join(contentDir, shard), needed); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) dropShard(dir string, needed map[string]bool) error {
	names, err := s.disk.names(dir)
	if err != nil {
		return err
	}
	for _, name := range names {
		full := path.Join(dir, name)
		isContent := len(name) == 64 && isLowerHex(name) && !needed[full]
		if !isContent && !osfile.IsTempName(name) {
			continue
		}
		if err := s.disk.remove(full); err != nil {
			return err
		}
	}
	return nil
}
