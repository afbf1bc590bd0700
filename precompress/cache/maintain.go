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

// Info describes what a cache directory holds.
type Info struct {
	Entries int
	Bytes   int64 // size on disk, each file in whole blocks of 4 KiB
	// Leftover is the number of temporary files: of processes that were killed, and of
	// those that are writing at the moment.
	Leftover       int
	Oldest, Newest time.Time // last uses of entries, exact to an hour; zero without entries
}

// Info lists the directory. Nothing is written.
func (d *Directory) Info(ctx context.Context) (Info, error) {
	found, err := d.walk(ctx)
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

// Prune removes the least recently used entries until the directory takes at most
// maxBytes on disk, all entries that have not been used for unusedFor (0: however
// long), and leftovers of killed processes.
func (d *Directory) Prune(ctx context.Context, maxBytes int64, unusedFor time.Duration) (Pruned, error) {
	p := evictionPolicy{limit: maxBytes, target: maxBytes}
	if unusedFor > 0 {
		p.oldest = d.now().Add(-unusedFor)
	}
	return d.evict(ctx, p)
}

// Clear removes all entries, temporary files and directories that are empty then. The
// directory stays a cache. Files that are not ours stay; what has the name of an entry
// and cannot be removed safely counts as failed.
func (d *Directory) Clear(ctx context.Context) (Pruned, error) {
	found, err := d.walk(ctx)
	if err != nil {
		return Pruned{}, err
	}
	result := Pruned{Entries: len(found.entries), Bytes: found.size}
	for _, e := range found.entries {
		if err := ctx.Err(); err != nil {
			return result, err
		}
		d.removeEntry(e, &result)
	}
	for _, temp := range found.temps {
		d.remove(temp, &result)
	}
	for _, name := range found.misplaced {
		if err := d.removeMisplaced(name); err != nil {
			result.fail(fmt.Errorf("%s: %w", name, err))
		}
	}
	for _, group := range found.groups {
		d.root.Remove(group) // fails, as it should, unless it is empty
	}
	return result, d.setSize(result.Bytes)
}

// removeMisplaced removes something that is in the place of an entry or a group, if
// nothing can be lost by that: a link or an empty directory.
func (d *Directory) removeMisplaced(name string) error {
	info, err := d.root.Lstat(name)
	if osfile.IsNotExist(err) {
		return nil
	}
	if err == nil && (info.IsDir() || info.Mode()&fs.ModeSymlink != 0) && d.root.Remove(name) == nil {
		return nil
	}
	return errors.New("it is not ours: move it away by hand")
}

// Damage is an entry that is not what was stored.
type Damage struct {
	Name    string // path of its file in the cache directory
	Err     error  // what is wrong with it
	Removed bool   // reports whether it was removed
}

// Verified is what [Directory.Verify] found.
type Verified struct {
	Entries int      // that are intact
	Bytes   int64    // size of those on disk
	Damaged []Damage // sorted by name
}

// Verify reads all entries and removes those that are damaged, which would be misses.
// An entry that cannot be read counts as damaged and stays. So does anything else in
// the place of an entry, unless it is a link or an empty directory.
func (d *Directory) Verify(ctx context.Context) (Verified, error) {
	var v Verified
	found, err := d.walk(ctx)
	if err != nil {
		return v, err
	}
	for _, e := range found.entries {
		if err := ctx.Err(); err != nil {
			return v, err
		}
		_, _, err := d.read(e.key)
		switch {
		case err == nil:
			v.Entries++
			v.Bytes += e.size
		case !osfile.IsNotExist(err): // else another process evicted it
			v.Damaged = append(v.Damaged, d.handleDamage(e.name, err))
		}
	}
	for _, name := range found.misplaced {
		damage := Damage{Name: name, Err: damaged("something else is in its place"), Removed: true}
		if err := d.removeMisplaced(name); err != nil {
			damage.Err, damage.Removed = fmt.Errorf("%w, and %w", damage.Err, err), false
		}
		v.Damaged = append(v.Damaged, damage)
	}
	slices.SortFunc(v.Damaged, func(a, b Damage) int { return strings.Compare(a.Name, b.Name) })
	return v, nil
}

// handleDamage removes an entry that failed to be read with this error, unless the
// failure is the system's.
func (d *Directory) handleDamage(name string, err error) Damage {
	if !d.isDamage(name, err) {
		return Damage{name, osfile.BareError(err), false}
	}
	if removeErr := d.root.Remove(name); removeErr != nil && !osfile.IsNotExist(removeErr) {
		return Damage{name, fmt.Errorf("%w, and it cannot be removed: %w", err, osfile.BareError(removeErr)), false}
	}
	return Damage{name, osfile.BareError(err), true}
}
