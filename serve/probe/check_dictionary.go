package probe

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"slices"

	"github.com/precompress/precompress/manifest"
)

// deltaTaker is the Accept-Encoding of a browser that holds a dictionary.
const deltaTaker = "gzip, br, zstd, dcb, dcz"

// maxDeltas is how many of the build's dictionaries are asked with.
const maxDeltas = 3

// dictionaries asks as clients do that hold a dictionary (RFC 9842), if there is
// a sign that the server knows of them.
func (e *examination) dictionaries(ctx context.Context) error {
	if !e.knowsDictionaries() {
		return nil
	}
	a, err := e.ask(ctx, get(deltaTaker))
	if err != nil {
		return err
	}
	e.look(dictionaryNone, dictionaryOdd)
	if manifest.Coding(a.Coding).IsDelta() {
		e.find(dictionaryNone, a.Coding, []*Answer{a}, "%s is sent to a client that names no dictionary", a.Coding)
		e.deltas = append(e.deltas, a)
	}
	held := []manifest.Dictionary{sha256.Sum256([]byte("a dictionary that nobody has"))}
	if rep := e.rep(""); rep != nil && rep.complete() && e.asset == nil {
		held = append(held, rep.Content.dictionary) // of this very content
	}
	for _, d := range held {
		if _, err := e.askWith(ctx, d); err != nil {
			return err
		}
	}
	if err := e.checkDeltas(ctx); err != nil {
		return err
	}
	e.checkDictionaryVary()
	e.checkSameCaching(e.deltas)
	if !e.found(etagShared, "") {
		e.checkShared(append(slices.Clone(e.reps), e.deltas...))
	}
	return nil
}

// knowsDictionaries tells whether an answer, or the manifest, speaks of them.
func (e *examination) knowsDictionaries() bool {
	if e.asset != nil && slices.ContainsFunc(e.asset.Deltas, manifest.Delta.Stored) {
		return true
	}
	return slices.ContainsFunc(e.full, func(a *Answer) bool {
		return len(a.Header.Values("Use-As-Dictionary")) > 0 || slices.Contains(members(a.Header.Values("Vary")), "available-dictionary")
	})
}

// checkUse looks at Use-As-Dictionary.
func (e *examination) checkUse() {
	for _, a := range e.full {
		lines := a.Header.Values("Use-As-Dictionary")
		if len(lines) == 0 {
			continue
		}
		e.look(dictionaryUse, dictionaryAge)
		if err := checkUseAsDictionary(lines); err != nil && !e.found(dictionaryUse, "") {
			e.find(dictionaryUse, "", []*Answer{a}, "Use-As-Dictionary is %s: %s", shown(line(a.Header, "Use-As-Dictionary")), cause(err))
		}
		if lifetime(a.Header) == 0 && !e.found(dictionaryAge, "") {
			e.find(dictionaryAge, "", []*Answer{a}, "Use-As-Dictionary with Cache-Control %s", orNone(line(a.Header, "Cache-Control")))
		}
	}
}

// askWith asks as a client that holds a dictionary, and checks what a delta names.
func (e *examination) askWith(ctx context.Context, d manifest.Dictionary) (*Answer, error) {
	q := get(deltaTaker)
	q.AvailableDictionary = ":" + base64.StdEncoding.EncodeToString(d[:]) + ":"
	a, err := e.ask(ctx, q)
	if err != nil || !manifest.Coding(a.Coding).IsDelta() {
		return a, err
	}
	e.deltas = append(e.deltas, a)
	switch named := a.Content.delta; {
	case !a.complete():
	case named == manifest.Dictionary{}:
		e.once(dictionaryOdd, a, "the content does not start with the header of %s", a.Coding)
	case named != d:
		e.once(dictionaryOdd, a, "%s is made with dictionary %s, and the client holds %s", a.Coding, named.Short(), d.Short())
	}
	return a, nil
}

// checkDeltas asks for the deltas that the build has stored.
func (e *examination) checkDeltas(ctx context.Context) error {
	for i, d := range e.storedDictionaries() {
		if i == maxDeltas {
			break
		}
		a, err := e.askWith(ctx, d)
		if err != nil {
			return err
		}
		e.look(deltaMissing, deltaDiffers)
		switch {
		case !manifest.Coding(a.Coding).IsDelta():
			e.find(deltaMissing, "", []*Answer{a}, "a client that holds dictionary %s gets %s with %d bytes, and the build has a delta", d.Short(), codingName(a.Coding), a.Content.Size)
		case a.Layer.Bytes != BuildDelta && a.complete() && a.Content.delta == d:
			e.once(deltaDiffers, a, "the delta for dictionary %s is not the build's", d.Short())
		}
	}
	return nil
}

// storedDictionaries returns those that the build has deltas for.
func (e *examination) storedDictionaries() []manifest.Dictionary {
	var all []manifest.Dictionary
	if e.asset == nil {
		return nil
	}
	for _, d := range e.asset.Deltas {
		if d.Stored() && !slices.Contains(all, d.Dictionary) {
			all = append(all, d.Dictionary)
		}
	}
	return all
}

// checkDictionaryVary looks for Available-Dictionary in Vary, once a delta has been
// seen: on every answer for the URL.
func (e *examination) checkDictionaryVary() {
	if len(e.deltas) == 0 {
		return
	}
	e.look(dictionaryVary)
	for _, a := range append(slices.Clone(e.full), e.deltas...) {
		if !a.varies("Available-Dictionary") || !a.varies("Accept-Encoding") {
			e.find(dictionaryVary, a.Coding, []*Answer{a}, "Vary of an answer with %s is %s, though deltas are sent", codingName(a.Coding), orNone(line(a.Header, "Vary")))
			return
		}
	}
}
