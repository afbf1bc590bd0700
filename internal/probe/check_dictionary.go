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
	e.checkOddStatus(a, "Accept-Encoding with dcb and dcz")
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
		if err := e.askHolding(ctx, d); err != nil {
			return err
		}
	}
	if err := e.checkDeltas(ctx); err != nil {
		return err
	}
	e.checkUse(e.deltas)
	e.checkDeltaTypes()
	e.checkDictionaryVary()
	e.checkSameCaching(e.deltas)
	if !e.found(etagShared, "") {
		e.checkShared(append(slices.Clone(e.reps), e.deltas...))
	}
	return nil
}

// knowsDictionaries reports whether an answer, or the manifest, speaks of them.
func (e *examination) knowsDictionaries() bool {
	if e.asset != nil && slices.ContainsFunc(e.asset.Deltas, manifest.Delta.Stored) {
		return true
	}
	return slices.ContainsFunc(e.full, func(a *Answer) bool {
		return len(a.Header.Values("Use-As-Dictionary")) > 0 || slices.Contains(members(a.Header.Values("Vary")), "available-dictionary")
	})
}

// askWith asks as a client that holds a dictionary, and checks what a delta names.
func (e *examination) askWith(ctx context.Context, acceptEncoding string, d manifest.Dictionary) (*Answer, error) {
	q := get(acceptEncoding)
	q.AvailableDictionary = ":" + base64.StdEncoding.EncodeToString(d[:]) + ":"
	a, err := e.ask(ctx, q)
	if err != nil {
		return nil, err
	}
	e.checkOddStatus(a, "Available-Dictionary and Accept-Encoding "+acceptEncoding)
	if !isWhole(a.Status) || !manifest.Coding(a.Coding).IsDelta() {
		return a, nil
	}
	e.deltas = append(e.deltas, a)
	odd := dictionaryOdd
	if a.Coding == string(manifest.DCZ) {
		odd = odd.citing("RFC 9842, section 5")
	}
	switch named := a.Content.delta; {
	case a.Content.Cut != nil:
		e.once(incomplete, a, "the delta ends behind %d bytes, before its end: %s", a.Content.Size, cause(a.Content.Cut))
	case !a.complete():
	case !a.Content.hasDelta:
		e.once(odd, a, "the content does not start with the header of %s", a.Coding)
	case named != d:
		e.once(odd, a, "%s is made with dictionary %s, and the client holds %s", a.Coding, named.Short(), d.Short())
	}
	return a, nil
}

// askHolding asks as a browser that holds a dictionary, and if a delta comes, as a
// client that takes only the other kind.
func (e *examination) askHolding(ctx context.Context, d manifest.Dictionary) error {
	a, err := e.askWith(ctx, deltaTaker, d)
	if err != nil || !manifest.Coding(a.Coding).IsDelta() {
		return err
	}
	for _, c := range manifest.DeltaCodings() {
		if string(c) == a.Coding {
			continue
		}
		if _, err := e.askWith(ctx, string(c), d); err != nil {
			return err
		}
	}
	return nil
}

// checkDeltas asks for the deltas that the build has stored.
func (e *examination) checkDeltas(ctx context.Context) error {
	for i, d := range e.storedDictionaries() {
		if i == maxDeltas {
			break
		}
		a, err := e.askWith(ctx, deltaTaker, d)
		if err != nil {
			return err
		}
		if !isWhole(a.Status) {
			continue // told of
		}
		e.look(deltaMissing, deltaDiffers)
		if !manifest.Coding(a.Coding).IsDelta() {
			e.find(deltaMissing, "", []*Answer{a}, "a client that holds dictionary %s gets %s with %d bytes, and the build has a delta", d.Short(), codingName(a.Coding), a.Content.Size)
			continue
		}
		e.checkDelta(a, d)
		if err := e.checkOtherDeltas(ctx, d, a.Coding); err != nil {
			return err
		}
	}
	return nil
}

// checkOtherDeltas asks for the deltas with a dictionary that browsers do not get,
// as clients that take nothing else.
func (e *examination) checkOtherDeltas(ctx context.Context, d manifest.Dictionary, got string) error {
	for _, delta := range e.asset.Deltas {
		if !delta.Stored() || delta.Dictionary != d || string(delta.Coding) == got {
			continue
		}
		a, err := e.askWith(ctx, string(delta.Coding), d)
		if err != nil {
			return err
		}
		if !isWhole(a.Status) {
			continue // told of
		}
		if a.Coding != string(delta.Coding) {
			if !e.found(deltaMissing, string(delta.Coding)) {
				e.find(deltaMissing, string(delta.Coding), []*Answer{a}, "a client that takes %s alone and holds dictionary %s gets %s with %d bytes, and the build has a delta",
					delta.Coding, d.Short(), codingName(a.Coding), a.Content.Size)
			}
			continue
		}
		e.checkDelta(a, d)
	}
	return nil
}

// checkDelta compares a delta with the build's.
func (e *examination) checkDelta(a *Answer, d manifest.Dictionary) {
	if a.Layer.Bytes != BuildDelta && a.complete() && a.Content.delta == d {
		e.once(deltaDiffers, a, "the delta for dictionary %s is not the build's", d.Short())
	}
}

// checkDeltaTypes compares Content-Type of deltas with that of what they decode to.
func (e *examination) checkDeltaTypes() {
	for _, seen := range groupTypes(e.deltas) {
		if slices.ContainsFunc(e.reps, func(rep *Answer) bool { return sameType(rep, seen[0]) }) {
			continue
		}
		if line(seen[0].Header, "Content-Type") == "" {
			e.find(typeMissing, seen[0].Coding, seen, "no Content-Type (with %s)", codingList(seen))
			continue
		}
		e.otherType(seen, groupTypes(e.reps)[0])
	}
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
