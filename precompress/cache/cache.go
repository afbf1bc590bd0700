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

// Options are the settings of a cache. The zero value means the defaults.
type Options struct {
	// MaxBytes is the size on disk that Close evicts the cache directory down to;
	// 0 means [DefaultMaxBytes]. An outcome of more than 1 GiB is never kept.
	MaxBytes int64
	// Remote is asked for what the cache directory does not have, and given what
	// is new; nil means none.
	Remote Remote
	// Mode is what may be done with Remote.
	Mode Mode
	// Complete has what is found in the directory alone stored in Remote too.
	Complete bool
}

// Cache is a cache directory with a store that several machines share behind it,
// either of which may be absent. Its methods may be called from several
// goroutines at a time, but for Close.
//
// Entries from the directory are believed as they are if they have their digest:
// they were decoded and compared with their source before they got there. So
// whoever can write to the directory can put bytes into a build.
type Cache struct {
	dir       string
	directory *Directory // nil if there is none
	shared    *shared    // nil if there is none
	maxBytes  int64
	complete  bool

	mu      sync.Mutex // guards what follows
	used    map[Key]struct{}
	written int64  // bytes on disk, since Open
	lost    int    // entries that were put and not stored in the directory
	large   int    // entries that were put and are kept nowhere
	full    bool   // nothing more can be stored in the directory
	fault   string // the first of the directory's; "" if there was none
}

// Open opens the cache in the directory dir, and makes the directory if it is
// missing; "" means none. The error says why the directory cannot be used and
// wraps [ErrNotCache] if it holds something else.
func Open(dir string, opts Options) (*Cache, error) {
	c := &Cache{dir: dir, maxBytes: opts.MaxBytes, complete: opts.Complete, used: make(map[Key]struct{})}
	if c.maxBytes == 0 {
		c.maxBytes = DefaultMaxBytes
	}
	if dir != "" {
		root, err := openDirectory(dir, true)
		if err != nil {
			return nil, err
		}
		c.directory = newDirectory(root)
	}
	if opts.Remote != nil {
		c.shared = newShared(opts.Remote, opts.Mode)
	}
	return c, nil
}

// Get returns the entry of a key: that in the directory, or else that in the
// shared store, which valid must have accepted.
func (c *Cache) Get(ctx context.Context, key Key, valid func(Entry) error) (Entry, bool) {
	if c.directory != nil {
		e, found, err := c.directory.get(key)
		if err != nil {
			c.directoryFault("read an entry", err)
		}
		if found {
			c.use(key, 0)
			c.share(ctx, key, e)
			return e, true
		}
	}
	return c.getShared(ctx, key, valid)
}

// share stores an entry of the directory in the shared store if that is asked for
// and the store does not have it.
func (c *Cache) share(ctx context.Context, key Key, e Entry) {
	if c.shared == nil || !c.complete {
		return
	}
	if object, found := c.shared.get(ctx, key); found {
		if _, err := decodeEnvelope(key, object); err == nil {
			return
		}
	}
	envelope, err := encodeEnvelope(key, e)
	if err != nil {
		return // not reached: it was decoded just now
	}
	c.shared.put(key, envelope)
}

// Put stores an entry. Storing it in the shared store may go on after the
// return.
func (c *Cache) Put(_ context.Context, key Key, e Entry) {
	if len(e.Data) > maxPayload { // see Options.MaxBytes
		c.mu.Lock()
		defer c.mu.Unlock()
		c.large++
		return
	}
	envelope, err := encodeEnvelope(key, e)
	if err != nil {
		c.directoryFault("store an entry", err)
		return
	}
	c.putLocal(key, envelope)
	if c.shared != nil {
		c.shared.put(key, envelope)
	}
}

// putLocal stores an envelope in the directory.
func (c *Cache) putLocal(key Key, envelope []byte) {
	c.mu.Lock()
	skip := c.directory == nil || c.full
	if skip {
		c.lost++
	}
	c.mu.Unlock()
	if skip {
		return
	}
	if err := c.directory.put(key, envelope); err != nil {
		c.directoryFault("store an entry", err)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.lost++
		return
	}
	c.use(key, diskSize(int64(len(envelope))))
}

// use keeps an entry from being evicted by Close, and counts what it added.
func (c *Cache) use(key Key, added int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.used[key] = struct{}{}
	c.written += added
}

func (c *Cache) isUsed(key Key) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, found := c.used[key]
	return found
}

// directoryFault remembers the first fault of the directory. Where the disk is full,
// nothing more is tried to be stored.
func (c *Cache) directoryFault(doing string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.full = c.full || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
	if c.fault == "" {
		c.fault = fmt.Sprintf("cache directory %q: cannot %s: %v; going on without", c.dir, doing, osfile.BareError(err))
	}
}

// Parallel returns how many lookups at a time make sense.
func (c *Cache) Parallel() int {
	local := runtime.GOMAXPROCS(0)
	if c.shared != nil {
		return max(local, c.shared.parallel())
	}
	return local
}

// Close waits until what was put is stored, evicts what the directory has above
// its limit and returns warnings for the user. Both end early if ctx does.
// Nothing that was read or stored since Open is evicted, even if that alone is
// more than the limit.
func (c *Cache) Close(ctx context.Context) []string {
	var warnings []string
	if c.shared != nil {
		warnings = c.shared.close(ctx)
	}
	if c.directory != nil {
		if err := c.makeRoom(ctx); err != nil && ctx.Err() == nil {
			c.directoryFault("evict entries", err)
		}
		if c.written > 0 {
			if err := c.directory.remark(); err != nil && !osfile.IsNotExist(err) {
				c.directoryFault("mark it as a cache", err)
			}
		}
		c.directory.Close() // a read-only handle: nothing can be lost
	}
	if c.fault != "" {
		warnings = append(warnings, c.fault)
	}
	return warnings
}

// Unstored returns how many of the entries that were put did not get into the
// directory, and how many not into the shared store, among them those that were to
// get there by Options.Complete. It is for after Close. Without a directory all count
// for it; without a store the directory's stand for it.
func (c *Cache) Unstored() (directory, shared int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	directory, shared = c.lost+c.large, c.lost+c.large
	if c.shared != nil {
		shared = c.shared.unstored() + c.large
	}
	return directory, shared
}

// makeRoom evicts if the directory seems to be above its limit, and then a tenth
// more than it must: the next walk through the directory shall not come with the
// next build.
func (c *Cache) makeRoom(ctx context.Context) error {
	estimate, known := c.directory.grow(c.written)
	if known && estimate <= c.maxBytes {
		return nil
	}
	if !known && c.written == 0 {
		return c.repairGrowth(ctx)
	}
	result, err := c.directory.evict(ctx, policy{
		limit:  c.maxBytes,
		target: c.maxBytes - c.maxBytes/10,
		pinned: c.isUsed,
	})
	if result.Err != nil {
		return result.Err
	}
	return err
}

// repairGrowth makes an estimate that cannot be used anew. Where there is none,
// the next build that stores something will make one, and where it cannot be
// written, that is no fault of a build that stored nothing.
func (c *Cache) repairGrowth(ctx context.Context) error {
	if _, err := c.directory.root.Lstat(growthName); err != nil {
		return nil
	}
	found, err := c.directory.scan(ctx)
	if err == nil {
		c.directory.setGrowth(found.size)
	}
	return err
}
