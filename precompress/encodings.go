package precompress

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"runtime/debug"
	"sync"

	"github.com/precompress/precompress/internal/codec"
	"github.com/precompress/precompress/precompress/cache"
)

// encoding is the result of encoding a content. It depends on nothing but the
// content and the parameters.
type encoding struct {
	data           []byte // nil if incompressible, or from the cache and not smaller than the source
	size           int64  // of data, even if that is nil
	incompressible bool   // so the source was not encoded
	cached         bool   // another run encoded it
}

// encodingSet is what is known of the encodings of one content. It is handed on from
// one source to the next with the same bytes, for one goroutine at a time.
type encodingSet struct {
	sum    [sha256.Size]byte // of the content
	known  map[codec.Params]encoding
	missed map[codec.Params]bool // the cache does not have it
	// incompressible is nil until it was estimated.
	incompressible *bool
}

func newEncodingSet(sum [sha256.Size]byte) *encodingSet {
	return &encodingSet{sum: sum, known: make(map[codec.Params]encoding), missed: make(map[codec.Params]bool)}
}

// forget drops the encodings, but not what the cache does not have.
func (set *encodingSet) forget() { clear(set.known) }

// lacks reports whether any of the encodings is not known.
func (set *encodingSet) lacks(all []codec.Params) bool {
	for _, p := range all {
		if _, known := set.known[p]; !known {
			return true
		}
	}
	return false
}

// isIncompressible reports whether encoding src would save nothing. It cannot tell
// what a dictionary would save.
func (set *encodingSet) isIncompressible(p codec.Params, src []byte) (bool, error) {
	if p.Dictionary != nil {
		return false, nil
	}
	if set.incompressible == nil {
		found, err := codec.Incompressible(src)
		if err != nil {
			return false, err
		}
		set.incompressible = &found
	}
	return *set.incompressible, nil
}

// encodings encodes contents, or finds their encodings in the cache, in several
// goroutines at a time.
type encodings struct {
	opts     Options
	rules    *ruleSet
	versions codec.Versions
	memory   *memoryBudget
	encoder  *codec.Encoder
	// encode is encoder.Encode, unless a test replaces it.
	encode func(ctx context.Context, p codec.Params, src []byte) ([]byte, error)
	// validating limits how many entries of the cache are decoded at a time.
	validating chan struct{}
}

func newEncodings(t *Tree, memory *memoryBudget) *encodings {
	encoder := &codec.Encoder{}
	return &encodings{
		opts: t.opts, rules: t.selection.rules, versions: t.versions, memory: memory,
		encoder: encoder, encode: encoder.Encode,
		validating: make(chan struct{}, t.opts.Jobs),
	}
}

// get returns the encoding of a content: a known one, or a new one, which it puts
// into the cache.
func (e *encodings) get(ctx context.Context, set *encodingSet, p codec.Params, src []byte) (encoding, error) {
	if known, ok := set.known[p]; ok {
		return known, nil
	}
	var made encoding
	var err error
	if made.incompressible, err = set.isIncompressible(p, src); err != nil {
		return encoding{}, err
	}
	if !made.incompressible {
		if made.data, err = e.encode(ctx, p, src); err != nil {
			return encoding{}, err
		}
		made.size = int64(len(made.data))
		if e.isLarge(int64(len(src))) {
			e.freeMemory() // for the next coding
		}
	}
	set.known[p] = made
	if e.opts.Cache != nil {
		e.opts.Cache.Put(ctx, e.key(set.sum, p), entryOf(made, int64(len(src))))
	}
	return made, nil
}

// isLarge reports whether work on a source of this size may take most of the memory.
func (e *encodings) isLarge(size int64) bool {
	return baseMemory+e.rules.memoryNeed(size) > e.memory.limit/2
}

// freeMemory drops the working memory that encoders keep for other sources. With a
// limit by the user, it gives freed memory back to the system, too: the brotli encoder
// keeps its memory in pools, which two collections empty.
func (e *encodings) freeMemory() {
	e.encoder.Trim()
	if e.opts.MaxMemory != 0 {
		debug.FreeOSMemory()
		debug.FreeOSMemory()
	}
}

// lookUp asks the cache for the encodings that are not known yet, all at the same
// time if that shortens the wait for a network.
func (e *encodings) lookUp(ctx context.Context, set *encodingSet, src []byte, all []codec.Params) {
	if e.opts.Cache == nil || e.opts.Force {
		return
	}
	var asked []codec.Params // decided before any answer changes the set
	for _, p := range all {
		if _, known := set.known[p]; !known && !set.missed[p] {
			asked = append(asked, p)
		}
	}
	var mu sync.Mutex // guards set
	var group sync.WaitGroup
	for _, p := range asked {
		ask := func() {
			found, hit := e.fromCache(ctx, set.sum, p, src)
			mu.Lock()
			defer mu.Unlock()
			if hit {
				set.known[p] = found
			} else {
				set.missed[p] = true
			}
		}
		if waitsForNetwork := e.opts.Cache.Parallel() > e.opts.Jobs; waitsForNetwork {
			group.Go(ask)
		} else {
			ask()
		}
	}
	group.Wait()
}

// fromCache returns the cache's encoding of a source. An entry that cannot be used,
// for whatever reason, is a miss.
func (e *encodings) fromCache(ctx context.Context, sum [sha256.Size]byte, p codec.Params, src []byte) (encoding, bool) {
	valid := func(entry cache.Entry) error {
		select {
		case e.validating <- struct{}{}:
			defer func() { <-e.validating }()
		case <-ctx.Done():
			return ctx.Err()
		}
		return validateEntry(ctx, entry, p, src)
	}
	entry, found := e.opts.Cache.Get(ctx, e.key(sum, p), valid)
	if !found || checkSizes(entry, p, int64(len(src))) != nil {
		return encoding{}, false
	}
	return encoding{data: entry.Data, size: entry.Size, incompressible: entry.Incompressible, cached: true}, true
}

// key returns the name of an encoding's entry in the cache.
func (e *encodings) key(sum [sha256.Size]byte, p codec.Params) cache.Key {
	subject := cache.Subject{Source: sum, Coding: p.Coding, Level: p.Level, Encoder: e.versions.At(p.Coding, p.Level)}
	if p.Dictionary != nil {
		dictionary := p.Dictionary.Sum()
		subject.Dictionary = dictionary[:]
	}
	return subject.Key()
}

// entryOf returns the cache's entry of an encoding. source is the size of the source
// in bytes: of an encoding that is not smaller, only the size is kept.
func entryOf(e encoding, source int64) cache.Entry {
	entry := cache.Entry{Size: e.size, Data: e.data, Incompressible: e.incompressible}
	if entry.Size >= source {
		entry.Data = nil
	}
	return entry
}

// validateEntry returns nil if an entry that anyone may have written is right for
// src, as far as that can be checked without encoding it.
func validateEntry(ctx context.Context, entry cache.Entry, p codec.Params, src []byte) error {
	if err := checkSizes(entry, p, int64(len(src))); err != nil {
		return err
	}
	switch {
	case entry.Incompressible:
		incompressible, err := codec.Incompressible(src)
		if err == nil && !incompressible {
			err = errImplausible
		}
		return err
	case len(entry.Data) == 0:
		return nil // no variant: at worst it costs bytes, but it sends none
	}
	if err := codec.CheckFraming(p, entry.Data, len(src)); err != nil {
		return err
	}
	return codec.Verify(ctx, p, bytes.NewReader(entry.Data), src)
}

// checkSizes refuses an entry that cannot be the encoding of a source of this size.
// One that has no bytes although they would be fewer than the source's is refused,
// too: weighing it could ask for them.
func checkSizes(entry cache.Entry, p codec.Params, source int64) error {
	ok := false
	switch {
	case entry.Incompressible:
		ok = entry.Data == nil && entry.Size == 0 && p.Dictionary == nil
	case len(entry.Data) == 0:
		ok = entry.Size >= source
	default:
		ok = entry.Size == int64(len(entry.Data)) && entry.Size < source
	}
	if !ok {
		return errImplausible
	}
	return nil
}

var errImplausible = errors.New("encoding the source cannot have this result")
