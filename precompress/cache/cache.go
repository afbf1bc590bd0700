package cache

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"syscall"

	"github.com/precompress/precompress/internal/osfile"
)

// DefaultMaxBytes is the default of Options.MaxBytes: 2 GiB.
const DefaultMaxBytes int64 = 2 << 30

// Options are the settings of a cache. The zero value means the defaults.
type Options struct {
	// MaxBytes is the size on disk, in bytes, that [Cache.Close] shrinks the directory
	// to; 0 means [DefaultMaxBytes]. A result of more than 1 GiB is never kept.
	MaxBytes int64
	// Remote is a store that several machines share. What the directory lacks is
	// looked up there, and what is new is stored there. nil means none.
	Remote Remote
	// Mode is what may be done with Remote.
	Mode Mode
	// Complete also stores what is found in the directory in Remote, where that lacks
	// it: for machines that each encode a part of a tree for others.
	Complete bool
}

// Cache is a directory with a shared store behind it, either of which may be absent.
// It implements precompress.Cache. Its methods may be called from several goroutines
// at a time, except Close.
//
// Entries of the directory are trusted if their digest is right: they were decoded and
// compared with their source before they were stored. So whoever can write to the
// directory can put bytes into a build. Entries of the shared store are not trusted.
type Cache struct {
	dir       string
	directory *Directory   // nil if there is none
	shared    *sharedStore // nil if there is none
	maxBytes  int64
	complete  bool

	mu       sync.Mutex // guards what follows
	used     map[Key]struct{}
	written  int64  // bytes on disk, since Open
	unstored int    // entries that were put and not stored in the directory
	tooLarge int    // entries that were put and are kept nowhere
	full     bool   // nothing more can be stored in the directory
	warning  string // about the first failure of the directory; "" if there was none
}

// Open opens the cache in the directory dir, and makes the directory if it is missing;
// "" means none. The error says why the directory cannot be used. It wraps
// [ErrNotCache] if the directory holds something else, and [ErrNotDirectory] if it is
// not a directory.
func Open(dir string, opts Options) (*Cache, error) {
	c := &Cache{dir: dir, maxBytes: opts.MaxBytes, complete: opts.Complete, used: make(map[Key]struct{})}
	if c.maxBytes == 0 {
		c.maxBytes = DefaultMaxBytes
	}
	if dir != "" {
		directory, err := openDirectory(dir, true)
		if err != nil {
			return nil, err
		}
		c.directory = directory
	}
	if opts.Remote != nil {
		c.shared = newShared(opts.Remote, opts.Mode, defaultLimits())
	}
	return c, nil
}

// Get returns the entry of a key: that of the directory, or else that of the shared
// store, if valid returns nil for it. There are no errors: what cannot be read is not
// found, and Close returns a warning.
func (c *Cache) Get(ctx context.Context, key Key, valid func(Entry) error) (Entry, bool) {
	if c.directory != nil {
		e, found, err := c.directory.get(key)
		if err != nil {
			c.warn("read an entry", err)
		}
		if found {
			c.use(key, 0)
			if c.shared != nil && c.complete {
				c.copyToShared(ctx, key, e)
			}
			return e, true
		}
	}
	if c.shared != nil {
		return c.getShared(ctx, key, valid)
	}
	return Entry{}, false
}

// copyToShared stores an entry of the directory in the shared store if that lacks it.
func (c *Cache) copyToShared(ctx context.Context, key Key, e Entry) {
	if object, found := c.shared.get(ctx, key); found {
		if _, err := decodeEntry(key, object); err == nil {
			return
		}
	}
	if form, err := encodeEntry(key, e); err == nil { // always: it was decoded just now
		c.shared.put(key, form)
	}
}

// What is wrong with objects of a shared store. Which bytes are wrong differs from one
// to the next, and helps nobody.
var (
	errDamagedObject = errors.New("an object is damaged")
	errWrongObject   = errors.New("an object is not the result of encoding its source")
)

// getShared returns a key's entry of the shared store, after all checks, and stores it
// in the directory.
func (c *Cache) getShared(ctx context.Context, key Key, valid func(Entry) error) (Entry, bool) {
	form, found := c.shared.get(ctx, key)
	if !found {
		return Entry{}, false
	}
	e, err := decodeEntry(key, form)
	kind := errDamagedObject
	if err == nil {
		kind = errWrongObject
		err = valid(e)
	}
	if err != nil {
		if ctx.Err() == nil {
			c.shared.reject(kind)
		}
		return Entry{}, false
	}
	c.putLocal(key, form)
	return e, true
}

// Put stores an entry. Storing it in the shared store may go on after Put returns.
// There are no errors: Close returns warnings, and Unstored counts.
func (c *Cache) Put(_ context.Context, key Key, e Entry) {
	if len(e.Data) > maxPayload { // see Options.MaxBytes
		c.count(&c.tooLarge)
		return
	}
	form, err := encodeEntry(key, e)
	if err != nil {
		c.warn("store an entry", err)
		return
	}
	c.putLocal(key, form)
	if c.shared != nil {
		c.shared.put(key, form)
	}
}

// putLocal stores the form of an entry in the directory.
func (c *Cache) putLocal(key Key, form []byte) {
	c.mu.Lock()
	skip := c.directory == nil || c.full
	c.mu.Unlock()
	if !skip {
		err := c.directory.put(key, form)
		if err == nil {
			c.use(key, diskSize(int64(len(form))))
			return
		}
		c.warn("store an entry", err)
	}
	c.count(&c.unstored)
}

func (c *Cache) count(n *int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	*n++
}

// use keeps an entry from being evicted by Close, and adds to what was written.
func (c *Cache) use(key Key, written int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[key] = struct{}{}
	c.written += written
}

func (c *Cache) isUsed(key Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, found := c.used[key]
	return found
}

// warn keeps a warning about the first failure of the directory. Once the disk is
// full, nothing more is stored.
func (c *Cache) warn(doing string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.full = c.full || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
	if c.warning == "" {
		c.warning = fmt.Sprintf("cache directory %q: cannot %s: %v; going on without it", c.dir, doing, osfile.BareError(err))
	}
}

// Parallel returns the number of lookups at a time that are worthwhile: more than one
// per processor if they wait for a network.
func (c *Cache) Parallel() int {
	local := runtime.GOMAXPROCS(0)
	if c.shared != nil {
		return max(local, c.shared.parallel())
	}
	return local
}

// Close waits until what was put is stored, shrinks the directory to its limit and
// returns warnings for the user. Waiting and shrinking end early when ctx is done.
// Nothing that was read or stored since Open is evicted, even if that alone is more
// than the limit.
func (c *Cache) Close(ctx context.Context) (warnings []string) {
	if c.shared != nil {
		warnings = c.shared.close(ctx)
	}
	if c.directory != nil {
		if err := c.shrink(ctx); err != nil && ctx.Err() == nil {
			c.warn("evict entries", err)
		}
		if c.written > 0 {
			if err := c.directory.restoreMarker(); err != nil && !osfile.IsNotExist(err) {
				c.warn("mark it as a cache", err)
			}
		}
		c.directory.Close() // opened for reading: no write can fail
	}
	if c.warning != "" {
		warnings = append(warnings, c.warning)
	}
	return warnings
}

// Unstored returns the number of entries that were put and did not get into the
// directory, and that of those that did not get into the shared store, including what
// Options.Complete should have stored there. Call it after Close. Without a directory,
// the first number counts all entries that were put; without a shared store, both
// numbers are that of the directory.
func (c *Cache) Unstored() (directory, shared int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	directory, shared = c.unstored+c.tooLarge, c.unstored+c.tooLarge
	if c.shared != nil {
		shared = c.shared.unstored() + c.tooLarge
	}
	return directory, shared
}

// shrink evicts entries if the directory seems to be above its limit, and then a tenth
// more than necessary, so that the next build need not walk through the directory
// again.
func (c *Cache) shrink(ctx context.Context) error {
	estimate, known := c.directory.estimateSize(c.written)
	if known && estimate <= c.maxBytes {
		return nil
	}
	if !known && c.written == 0 {
		return c.directory.repairEstimate(ctx)
	}
	result, err := c.directory.evict(ctx, evictionPolicy{
		limit:  c.maxBytes,
		target: c.maxBytes - c.maxBytes/10,
		pinned: c.isUsed,
	})
	if result.Err != nil {
		return result.Err
	}
	return err
}
