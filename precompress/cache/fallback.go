package cache

import (
	"context"
	"errors"
)

// getShared returns a key's entry from the shared store. It is checked in every
// way before it is believed, and then kept in the directory.
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
			c.shared.rejected(kindOf(err))
		}
		return Entry{}, false
	}
	c.putLocal(key, envelope)
	return e, true
}

// What objects are that are not used. Which bytes are wrong differs from one to
// the next, and is of no use to anybody.
var (
	errDamagedObject = errors.New("an object is damaged")
	errOtherObject   = errors.New("an object is not what encoding its source leads to")
)

func kindOf(err error) error {
	if errors.Is(err, ErrDamaged) {
		return errDamagedObject
	}
	return errOtherObject
}
