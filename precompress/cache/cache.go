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
	// MaxBytes is the size on disk that Close evicts the cache folder down to;
	// 0 means [DefaultMaxBytes]. An outcome of more than 1 GiB is never kept.
	MaxBytes int64
	// Remote is asked for what the cache folder does not have, and given what
	// is new; nil means none.
	Remote Remote
	// Mode is what may be done with Remote.
	Mode Mode
	// Complete has what is found in the folder alone stored in Remote too.
	Complete bool
}

// Cache is a cache folder with a store that several machines share behind it,
// either of which may be absent. Its methods may be called from several
// goroutines at a time, but for Close.
//
// Entries from the folder are believed as they are if they have their digest:
// they were decoded and compared with their source before they got there. So
// whoever can write to the folder can put bytes into a build.
type Cache struct {
	dir      string
	folder   *Folder // nil if there is none
	shared   *shared // nil if there is none
	maxBytes int64
	complete bool

	mu      sync.Mutex // guards what follows
	used    map[Key]struct{}
	written int64  // bytes on disk, since Open
	lost    int    // entries that were put and not stored in the folder
	large   int    // entries that were put and are kept nowhere
	full    bool   // nothing more can be stored in the folder
	fault   string // the first of the folder's; "" if there was none
}

// Open opens the cache in the folder dir, and makes the folder if it is
// missing; "" means none. The error says why the folder cannot be used and
// wraps [ErrNotCache] if it holds something else.
func Open(dir string, opts Options) (*Cache, error) {
	c := &Cache{dir: dir, maxBytes: opts.MaxBytes, complete: opts.Complete, used: make(map[Key]struct{})}
	if c.maxBytes == 0 {
		c.maxBytes = DefaultMaxBytes
	}
	if dir != "" {
		root, err := openFolder(dir, true)
		if err != nil {
			return nil, err
		}
		c.folder = newFolder(root)
	}
	if opts.Remote != nil {
		c.shared = newShared(opts.Remote, opts.Mode)
	}
	return c, nil
}

// Get returns the entry of a key: that in the folder, or else that in the
// shared store, which valid must have accepted.
func (c *Cache) Get(ctx context.Context, key Key, valid func(Entry) error) (Entry, bool) {
	if c.folder != nil {
		e, found, err := c.folder.get(key)
		if err != nil {
			c.folderFault("read an entry", err)
		}
		if found {
			c.use(key, 0)
			c.share(ctx, key, e)
			return e, true
		}
	}
	return c.getShared(ctx, key, valid)
}

// share stores an entry of the folder in the shared store if that is asked for
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
		c.folderFault("store an entry", err)
		return
	}
	c.putLocal(key, envelope)
	if c.shared != nil {
		c.shared.put(key, envelope)
	}
}

// putLocal stores an envelope in the folder.
func (c *Cache) putLocal(key Key, envelope []byte) {
	c.mu.Lock()
	skip := c.folder == nil || c.full
	if skip {
		c.lost++
	}
	c.mu.Unlock()
	if skip {
		return
	}
	if err := c.folder.put(key, envelope); err != nil {
		c.folderFault("store an entry", err)
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

// folderFault remembers the first fault of the folder. Where the disk is full,
// nothing more is tried to be stored.
func (c *Cache) folderFault(doing string, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.full = c.full || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
	if c.fault == "" {
		c.fault = fmt.Sprintf("cache folder %q: cannot %s: %v; going on without", c.dir, doing, osfile.BareError(err))
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

// Close waits until what was put is stored, evicts what the folder has above
// its limit and returns warnings for the user. Both end early if ctx does.
// Nothing that was read or stored since Open is evicted, even if that alone is
// more than the limit.
func (c *Cache) Close(ctx context.Context) []string {
	var warnings []string
	if c.shared != nil {
		warnings = c.shared.close(ctx)
	}
	if c.folder != nil {
		if err := c.makeRoom(ctx); err != nil && ctx.Err() == nil {
			c.folderFault("evict entries", err)
		}
		if c.written > 0 {
			if err := c.folder.remark(); err != nil && !osfile.IsNotExist(err) {
				c.folderFault("mark it as a cache", err)
			}
		}
		c.folder.Close() // a read-only handle: nothing can be lost
	}
	if c.fault != "" {
		warnings = append(warnings, c.fault)
	}
	return warnings
}

// Unstored returns how many of the entries that were put did not get into the
// folder, and how many not into the shared store, among them those that were to
// get there by Options.Complete. It is for after Close. Without a folder all count
// for it; without a store the folder's stand for it.
func (c *Cache) Unstored() (folder, shared int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	folder, shared = c.lost+c.large, c.lost+c.large
	if c.shared != nil {
		shared = c.shared.unstored() + c.large
	}
	return folder, shared
}

// makeRoom evicts if the folder seems to be above its limit, and then a tenth
// more than it must: the next walk through the folder shall not come with the
// next build.
func (c *Cache) makeRoom(ctx context.Context) error {
	estimate, known := c.folder.grow(c.written)
	if known && estimate <= c.maxBytes {
		return nil
	}
	if !known && c.written == 0 {
		return c.repairGrowth(ctx)
	}
	result, err := c.folder.evict(ctx, policy{
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
	if _, err := c.folder.root.Lstat(growthName); err != nil {
		return nil
	}
	found, err := c.folder.scan(ctx)
	if err == nil {
		c.folder.setGrowth(found.size)
	}
	return err
}
