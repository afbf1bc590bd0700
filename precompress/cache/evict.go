package cache

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/precompress/precompress/internal/osfile"
)

// tempAge is the age from which a temporary file is taken for one that a killed
// process left: writing one takes moments.
const tempAge = time.Hour

// Pruned is what was removed from a cache directory, and what is left. All sizes are
// on disk: each file in whole blocks of 4 KiB.
type Pruned struct {
	Removed      int   // entries that were removed
	RemovedBytes int64 // size of those and of removed leftovers of killed processes
	Entries      int   // entries that are left
	Bytes        int64 // size of what is left
	Failed       int   // entries that should have been removed and could not be
	Err          error // why the first of those could not
}

// evictionPolicy decides which entries are evicted.
type evictionPolicy struct {
	limit  int64          // bytes above which entries are evicted,
	target int64          // until the cache has no more bytes than this
	oldest time.Time      // entries not used since are evicted in any case
	pinned func(Key) bool // reports which are never evicted; nil: none
}

// evict removes the entries that the policy does not keep, the least recently used
// first, and leftovers of killed processes.
func (d *Directory) evict(ctx context.Context, p evictionPolicy) (Pruned, error) {
	found, err := d.walk(ctx)
	if err != nil {
		return Pruned{}, err
	}
	result := Pruned{Entries: len(found.entries), Bytes: found.size}
	for _, temp := range found.temps {
		if d.now().Sub(temp.used) > tempAge {
			d.remove(temp, &result)
		}
	}
	slices.SortFunc(found.entries, func(a, b storedFile) int {
		return cmp.Or(a.used.Compare(b.used), bytes.Compare(a.key[:], b.key[:]))
	})
	overLimit := result.Bytes > p.limit
	for _, e := range found.entries {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		if !e.used.Before(p.oldest) && (!overLimit || result.Bytes <= p.target) {
			break // all others were used later
		}
		if p.pinned == nil || !p.pinned(e.key) {
			d.removeEntry(e, &result)
		}
	}
	return result, d.setSize(result.Bytes)
}

func (d *Directory) removeEntry(e storedFile, result *Pruned) {
	if d.remove(e, result) {
		result.Removed++
		result.Entries--
	}
}

// remove removes a file that the walk found. One that another process has removed
// meanwhile counts as well.
func (d *Directory) remove(f storedFile, result *Pruned) bool {
	if err := d.root.Remove(f.name); err != nil && !osfile.IsNotExist(err) {
		result.fail(osfile.BareError(err))
		return false
	}
	result.RemovedBytes += f.size
	result.Bytes -= f.size
	return true
}

// fail counts something that could not be removed.
func (p *Pruned) fail(err error) {
	if p.Failed++; p.Err == nil {
		p.Err = err
	}
}
