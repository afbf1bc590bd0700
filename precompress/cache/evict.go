package cache

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/precompress/precompress/internal/osfile"
)

// tempAge is the age from which a temporary file is taken for one of a process
// that was killed: writing one takes moments.
const tempAge = time.Hour

// Pruned is what pruning removed and left.
type Pruned struct {
	Removed      int   // entries
	RemovedBytes int64 // of entries and files that killed processes left
	Entries      int   // that stay
	Bytes        int64 // of what stays
	Failed       int   // entries that should have been removed and could not
	Err          error // why the first of them could not
}

// policy says what is to be evicted.
type policy struct {
	limit  int64          // nothing is evicted for want of room up to this size,
	target int64          // and beyond it, until the cache is no larger than this
	oldest time.Time      // entries not used since are evicted in any case
	pinned func(Key) bool // are never evicted; nil: none
}

// evict walks through the directory and removes what the policy says, the least
// recently used first, and what killed processes left.
func (f *Directory) evict(ctx context.Context, p policy) (Pruned, error) {
	found, err := f.scan(ctx)
	if err != nil {
		return Pruned{}, err
	}
	result := Pruned{Entries: len(found.entries), Bytes: found.size}
	for _, temp := range found.temps {
		if f.now().Sub(temp.used) > tempAge {
			f.removeStored(temp, &result)
		}
	}
	slices.SortFunc(found.entries, func(a, b stored) int {
		return cmp.Or(a.used.Compare(b.used), bytes.Compare(a.key[:], b.key[:]))
	})
	crowded := result.Bytes > p.limit
	for _, e := range found.entries {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		if !e.used.Before(p.oldest) && (!crowded || result.Bytes <= p.target) {
			break // all others were used later
		}
		if (p.pinned == nil || !p.pinned(e.key)) && f.removeStored(e, &result) {
			result.Removed++
			result.Entries--
		}
	}
	return result, f.setGrowth(result.Bytes)
}

// removeStored removes a file that was found. One that another process removed
// meanwhile counts as well.
func (f *Directory) removeStored(s stored, result *Pruned) bool {
	if err := f.root.Remove(s.name); err != nil && !osfile.IsNotExist(err) {
		result.fail(osfile.BareError(err))
		return false
	}
	result.RemovedBytes += s.size
	result.Bytes -= s.size
	return true
}

// fail notes something that could not be removed.
func (p *Pruned) fail(err error) {
	if p.Failed++; p.Err == nil {
		p.Err = err
	}
}
