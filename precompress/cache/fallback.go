package cache

import (
	"context"
	"fmt"
)

// getShared returns a key's entry from the shared store. It is checked in every
// way before it is believed, and then kept in the folder.
func (c *Cache) getShared(ctx context.Context, key Key, valid func(Entry) error) (Entry, bool) {
	if c.shared == nil {
		return Entry{}, false
	}
	envelope, found := c.shared.get(ctx, key)
	if !found {
		return Entry{}, false
	}
	e, err := decodeEnvelope(key, envelope)
	if err == nil {
		err = valid(e)
	}
	if err != nil {
		if ctx.Err() == nil {
			c.sharedFault(key, err)
		}
		return Entry{}, false
	}
	c.putLocal(key, envelope)
	return e, true
}

// sharedFault remembers the first object that was not what it should be.
func (c *Cache) sharedFault(key Key, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.tampered == "" {
		c.tampered = fmt.Sprintf("%s: object %s is not used: %v", c.remote, key, err)
	}
}
