package precompress

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"sync"

	"github.com/precompress/precompress/manifest"
	"github.com/precompress/precompress/precompress/cache"
)

// setting is how a source is encoded.
type setting struct {
	coding     manifest.Coding
	level      int
	dictionary *dictionary // nil for a variant
}

// encoding is what encoding a content came to. Unlike an outcome it depends on
// nothing but the content and its setting.
type encoding struct {
	data   []byte // nil if the probe spared it, or it comes from the cache and is not smaller than its source
	size   int64  // that data has or would have
	probed bool   // nothing to be gained, nothing encoded
	cached bool   // not made by this run
}

// content is the bytes of a source, by their digest, and what is known of their
// encodings. It is handed from one source to the next of the same bytes. All but
// lookUp is for one goroutine at a time.
type content struct {
	sum    [sha256.Size]byte
	known  map[setting]encoding
	missed map[setting]bool // the cache was asked, and has none
	// incompressible is what the probe found, nil before it was asked.
	incompressible *bool
}

func newContent(sum [sha256.Size]byte) *content {
	return &content{sum: sum, known: make(map[setting]encoding), missed: make(map[setting]bool)}
}

// forget lets go of the encodings' bytes. What the cache lacks it need not be
// asked again.
func (c *content) forget() { clear(c.known) }

// lacks reports whether any of the settings' encodings is not known.
func (c *content) lacks(settings []setting) bool {
	for _, s := range settings {
		if _, known := c.known[s]; !known {
			return true
		}
	}
	return false
}

// lookUp asks the cache for the settings' encodings that are not known yet, all
// at a time where that shortens the wait for a network.
func (r *run) lookUp(ctx context.Context, c *content, src []byte, settings []setting) {
	if r.opts.Cache == nil || r.opts.Force {
		return
	}
	// Chosen before any answer comes in.
	var asked []setting
	for _, s := range settings {
		if _, known := c.known[s]; !known && !c.missed[s] {
			asked = append(asked, s)
		}
	}
	var mu sync.Mutex // guards c
	var group sync.WaitGroup
	for _, s := range asked {
		ask := func() {
			found, hit := r.fromCache(ctx, c.sum, s, src)
			mu.Lock()
			defer mu.Unlock()
			if hit {
				c.known[s] = found
			} else {
				c.missed[s] = true
			}
		}
		if r.waitsForNetwork() {
			group.Go(ask)
		} else {
			ask()
		}
	}
	group.Wait()
}

// waitsForNetwork reports whether lookups wait for something else than this
// machine's processors.
func (r *run) waitsForNetwork() bool { return r.opts.Cache.Parallel() > r.opts.Jobs }

// fromCache returns the encoding that the cache has of a source. An entry that
// is not to be used, whatever the reason, is a miss.
func (r *run) fromCache(ctx context.Context, sum [sha256.Size]byte, s setting, src []byte) (encoding, bool) {
	valid := func(e cache.Entry) error {
		// As many at a time as there are processors to decode, and memory for.
		select {
		case r.checking <- struct{}{}:
			defer func() { <-r.checking }()
		case <-ctx.Done():
			return ctx.Err()
		}
		return validEntry(ctx, e, s, src)
	}
	e, found := r.opts.Cache.Get(ctx, r.key(sum, s), valid)
	if !found || plausible(e, s, int64(len(src))) != nil {
		return encoding{}, false
	}
	return encoding{data: e.Data, size: e.Size, probed: e.Incompressible, cached: true}, true
}

// key names the entry of a content's encoding.
func (r *run) key(sum [sha256.Size]byte, s setting) cache.Key {
	subject := cache.Subject{Source: sum, Coding: s.coding, Level: s.level, Encoder: r.encoderID(s.coding, s.level)}
	if s.dictionary != nil {
		subject.Dictionary = s.dictionary.sum[:]
	}
	return subject.Key()
}

// validEntry returns nil if an entry that anyone may have written is right for
// src, as far as that can be told without encoding it.
func validEntry(ctx context.Context, e cache.Entry, s setting, src []byte) error {
	if err := plausible(e, s, int64(len(src))); err != nil {
		return err
	}
	switch {
	case e.Incompressible:
		probed, err := incompressible(src)
		if err == nil && !probed {
			err = errImplausible
		}
		return err
	case len(e.Data) == 0:
		return nil // no variant: costs bytes, but sends none
	}
	if err := checkFraming(s, e.Data, len(src)); err != nil {
		return err
	}
	return s.verify(ctx, bytes.NewReader(e.Data), src)
}

// plausible refuses entries that no encoding of a source of this size leads to.
// One that names no bytes although they would be fewer than the source's is
// among them: weighing it could ask for them.
func plausible(e cache.Entry, s setting, source int64) error {
	ok := false
	switch {
	case e.Incompressible:
		ok = e.Data == nil && e.Size == 0 && s.dictionary == nil
	case len(e.Data) == 0:
		ok = e.Size >= source
	default:
		ok = e.Size == int64(len(e.Data)) && e.Size < source
	}
	if !ok {
		return errImplausible
	}
	return nil
}

var errImplausible = errors.New("not what encoding the source leads to")

// encoding returns a content's encoding in the given setting: a known one, else
// a new one, which the cache is told of.
func (r *run) encoding(ctx context.Context, c *content, s setting, src []byte) (encoding, error) {
	if e, known := c.known[s]; known {
		return e, nil
	}
	var e encoding
	var err error
	if e.probed, err = c.probe(s, src); err != nil {
		return encoding{}, err
	}
	if !e.probed {
		if e.data, err = r.encode(ctx, s, src); err != nil {
			return encoding{}, err
		}
		e.size = int64(len(e.data))
		if r.isLarge(int64(len(src))) {
			r.makeRoom() // for the next coding
		}
	}
	c.known[s] = e
	r.keepInCache(ctx, c, s, e, int64(len(src)))
	return e, nil
}

// probe reports whether encoding src is spared: nothing is to be gained. What a
// dictionary gains the probe does not see.
func (c *content) probe(s setting, src []byte) (bool, error) {
	if s.dictionary != nil {
		return false, nil
	}
	if c.incompressible == nil {
		found, err := incompressible(src)
		if err != nil {
			return false, err
		}
		c.incompressible = &found
	}
	return *c.incompressible, nil
}

// keepInCache tells the cache of an encoding.
func (r *run) keepInCache(ctx context.Context, c *content, s setting, e encoding, source int64) {
	if r.opts.Cache == nil {
		return
	}
	entry := cache.Entry{Size: e.size, Data: e.data, Incompressible: e.probed}
	if entry.Size >= source {
		entry.Data = nil
	}
	r.opts.Cache.Put(ctx, r.key(c.sum, s), entry)
}
