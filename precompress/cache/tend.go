package cache

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/precompress/precompress/internal/osfile"
)

// Info is what a cache directory holds.
type Info struct {
	Entries int
	Bytes   int64 // on disk, each file in whole blocks of 4 KiB
	// Leftover counts the files that processes which were killed left, and
	// those being written at the moment.
	Leftover       int
	Oldest, Newest time.Time // last uses of entries, exact to an hour; zero without entries
}

// Info walks through the directory and counts.
func (f *Directory) Info(ctx context.Context) (Info, error) {
	found, err := f.scan(ctx)
	info := Info{Entries: len(found.entries), Bytes: found.size, Leftover: len(found.temps)}
	for i, e := range found.entries {
		if i == 0 || e.used.Before(info.Oldest) {
			info.Oldest = e.used
		}
		if i == 0 || e.used.After(info.Newest) {
			info.Newest = e.used
		}
	}
	return info, err
}

// Prune removes the least recently used entries until the directory takes no more
// than maxBytes, all that were not used for unusedFor (0: however long), and
// what killed processes left.
func (f *Directory) Prune(ctx context.Context, maxBytes int64, unusedFor time.Duration) (Pruned, error) {
	p := policy{limit: maxBytes, target: maxBytes}
	if unusedFor > 0 {
		p.oldest = f.now().Add(-unusedFor)
	}
	return f.evict(ctx, p)
}

// Clear removes all entries and temporary files, and the directories that are
// empty then. The directory stays a cache. Files that are not ours stay; what has the
// name of an entry and cannot be removed safely counts as failed.
func (f *Directory) Clear(ctx context.Context) (Pruned, error) {
	found, err := f.scan(ctx)
	if err != nil {
		return Pruned{}, err
	}
	result := Pruned{Entries: len(found.entries), Bytes: found.size}
	for _, e := range found.entries {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		if f.removeStored(e, &result) {
			result.Removed++
			result.Entries--
		}
	}
	for _, temp := range found.temps {
		f.removeStored(temp, &result)
	}
	for _, name := range found.misplaced {
		if err := f.removeMisplaced(name); err != nil {
			result.fail(fmt.Errorf("%s: %w", name, err))
		}
	}
	for _, shard := range found.shards {
		f.root.Remove(shard) // fails, as it should, unless it is empty
	}
	return result, f.setGrowth(result.Bytes)
}

// removeMisplaced removes what stands in the place of something of ours, if
// nothing can be lost by that: links and empty directories.
func (f *Directory) removeMisplaced(name string) error {
	info, err := f.root.Lstat(name)
	if osfile.IsNotExist(err) {
		return nil
	}
	if err == nil && (info.IsDir() || info.Mode()&fs.ModeSymlink != 0) && f.root.Remove(name) == nil {
		return nil
	}
	return errMisplaced
}

var errMisplaced = errors.New("it is not ours: move it away by hand")

// Damage is an entry that is not what was stored.
type Damage struct {
	Name    string // the file's path in the cache directory
	Err     error  // what is wrong
	Removed bool
}

// Verified is what verifying found.
type Verified struct {
	Entries int   // that are whole
	Bytes   int64 // of those, on disk
	Damaged []Damage
}

// Verify reads all entries and removes those that are damaged; they would be
// misses. An entry that cannot be read counts as damaged and stays, as does what
// stands in the place of one and is no link and no empty directory.
func (f *Directory) Verify(ctx context.Context) (Verified, error) {
	var v Verified
	found, err := f.scan(ctx)
	if err != nil {
		return v, err
	}
	for _, e := range found.entries {
		if err := ctx.Err(); err != nil {
			return v, err
		}
		_, _, err := f.read(e.key)
		switch {
		case err == nil:
			v.Entries++
			v.Bytes += e.size
		case osfile.IsNotExist(err):
			// Another process evicted it.
		case f.isDamage(e.name, err):
			if removeErr := f.root.Remove(e.name); removeErr != nil && !osfile.IsNotExist(removeErr) {
				err = fmt.Errorf("%w, and cannot be removed: %w", err, osfile.BareError(removeErr))
				v.Damaged = append(v.Damaged, Damage{e.name, err, false})
				continue
			}
			v.Damaged = append(v.Damaged, Damage{e.name, osfile.BareError(err), true})
		default:
			v.Damaged = append(v.Damaged, Damage{e.name, osfile.BareError(err), false})
		}
	}
	for _, name := range found.misplaced {
		err := fmt.Errorf("%w: something else stands in its place", ErrDamaged)
		if removeErr := f.removeMisplaced(name); removeErr != nil {
			v.Damaged = append(v.Damaged, Damage{name, fmt.Errorf("%w, and %w", err, removeErr), false})
			continue
		}
		v.Damaged = append(v.Damaged, Damage{name, err, true})
	}
	slices.SortFunc(v.Damaged, func(a, b Damage) int { return strings.Compare(a.Name, b.Name) })
	return v, nil
}
