package probe

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"slices"

	"github.com/precompress/precompress/manifest"
)

// browserWithDictionary is the Accept-Encoding of a browser that has a dictionary.
const browserWithDictionary = "gzip, br, zstd, dcb, dcz"

// maxDictionaries is how many of the build's dictionaries are offered.
const maxDictionaries = 3

// dictionaries sends what clients with a dictionary send (RFC 9842), if an answer or the
// manifest shows that the server knows about dictionaries.
func (p *urlProbe) dictionaries(ctx context.Context) error {
	if !p.knowsDictionaries() {
		return nil
	}
	a, err := p.ask(ctx, get(browserWithDictionary))
	if err != nil {
		return err
	}
	p.checkFieldStatus(a, "Accept-Encoding with dcb and dcz")
	p.checked(deltaUnasked, deltaMismatch)
	if a.isDelta() {
		p.add(deltaUnasked, a.Coding, a, "a client that names no dictionary gets %s", a.Coding)
		p.deltas = append(p.deltas, a)
	}
	offered := []manifest.Dictionary{sha256.Sum256([]byte("a dictionary that nobody has"))}
	if rep := p.representation(""); rep != nil && rep.isComplete() && p.asset == nil {
		offered = append(offered, rep.Content.dictionary)
	}
	for _, d := range offered {
		if err := p.offerToAll(ctx, d); err != nil {
			return err
		}
	}
	if err := p.checkBuildDeltas(ctx); err != nil {
		return err
	}
	p.checkUse(p.deltas)
	p.checkDeltaTypes()
	p.checkDictionaryVary()
	p.checkSameCaching(p.deltas)
	if !p.found(etagShared, "") {
		p.checkSharedETags(slices.Concat(p.reps, p.deltas))
	}
	return nil
}

// knowsDictionaries reports whether the manifest or an answer has a sign of dictionaries.
func (p *urlProbe) knowsDictionaries() bool {
	if p.asset != nil && slices.ContainsFunc(p.asset.Deltas, manifest.Delta.Stored) {
		return true
	}
	return slices.ContainsFunc(p.full, func(a *Answer) bool {
		return len(a.Header.Values("Use-As-Dictionary")) > 0 || slices.Contains(members(a.Header, "Vary"), "available-dictionary")
	})
}

// offer sends a request of a client with a dictionary. If the answer is a delta, it must
// be for that dictionary.
func (p *urlProbe) offer(ctx context.Context, acceptEncoding string, d manifest.Dictionary) (*Answer, error) {
	r := get(acceptEncoding)
	r.AvailableDictionary = ":" + base64.StdEncoding.EncodeToString(d[:]) + ":"
	a, err := p.ask(ctx, r)
	if err != nil {
		return nil, err
	}
	p.checkFieldStatus(a, "Available-Dictionary and Accept-Encoding "+acceptEncoding)
	if !a.isWhole() || !a.isDelta() {
		return a, nil
	}
	p.deltas = append(p.deltas, a)
	c := deltaMismatch
	if a.Coding == string(manifest.DCZ) {
		c = c.citing("RFC 9842, section 5")
	}
	switch named := a.Content.delta; {
	case a.Content.truncated != nil:
		p.addIncomplete(a, "delta")
	case !a.isComplete():
	case !a.Content.hasDelta:
		p.addOnce(c, a.Coding, a, "the content does not start with the header of %s", a.Coding)
	case named != d:
		p.addOnce(c, a.Coding, a, "%s is made with dictionary %s, but the client has %s", a.Coding, named.Short(), d.Short())
	}
	return a, nil
}

// offerToAll offers a dictionary as a browser, and if the answer is a delta, as a client
// that accepts only the other delta coding.
func (p *urlProbe) offerToAll(ctx context.Context, d manifest.Dictionary) error {
	a, err := p.offer(ctx, browserWithDictionary, d)
	if err != nil || !a.isDelta() {
		return err
	}
	for _, c := range manifest.DeltaCodings() {
		if string(c) == a.Coding {
			continue
		}
		if _, err := p.offer(ctx, string(c), d); err != nil {
			return err
		}
	}
	return nil
}

// checkBuildDeltas requests the deltas that the build stored: as a browser, and those that
// browsers do not get as a client that accepts only their coding.
func (p *urlProbe) checkBuildDeltas(ctx context.Context) error {
	for i, d := range p.buildDictionaries() {
		if i == maxDictionaries {
			break
		}
		a, err := p.offer(ctx, browserWithDictionary, d)
		if err != nil {
			return err
		}
		if !a.isWhole() {
			continue // found by offer
		}
		p.checked(deltaMissing, deltaDiffers)
		if !a.isDelta() {
			p.add(deltaMissing, "", a, "a client with dictionary %s gets %s with %d bytes, though the build has a delta", d.Short(), a.codingName(), a.Content.Size)
			continue
		}
		p.checkBuildDelta(a, d)
		if err := p.checkOtherDeltas(ctx, d, a.Coding); err != nil {
			return err
		}
	}
	return nil
}

// checkOtherDeltas requests the deltas for a dictionary in other codings than one.
func (p *urlProbe) checkOtherDeltas(ctx context.Context, d manifest.Dictionary, except string) error {
	for _, delta := range p.asset.Deltas {
		coding := string(delta.Coding)
		if !delta.Stored() || delta.Dictionary != d || coding == except {
			continue
		}
		a, err := p.offer(ctx, coding, d)
		switch {
		case err != nil:
			return err
		case !a.isWhole(): // found by offer
		case a.Coding != coding:
			p.addOnce(deltaMissing, coding, a, "a client that accepts only %s and has dictionary %s gets %s with %d bytes, though the build has a delta",
				coding, d.Short(), a.codingName(), a.Content.Size)
		default:
			p.checkBuildDelta(a, d)
		}
	}
	return nil
}

// checkBuildDelta checks that a delta is the build's.
func (p *urlProbe) checkBuildDelta(a *Answer, d manifest.Dictionary) {
	if a.Provenance.Bytes != BuildDelta && a.isComplete() && a.Content.delta == d {
		p.addOnce(deltaDiffers, a.Coding, a, "the delta for dictionary %s is not the build's", d.Short())
	}
}

// buildDictionaries returns the dictionaries of the deltas that the build stored.
func (p *urlProbe) buildDictionaries() []manifest.Dictionary {
	if p.asset == nil {
		return nil
	}
	var all []manifest.Dictionary
	for _, d := range p.asset.Deltas {
		if d.Stored() && !slices.Contains(all, d.Dictionary) {
			all = append(all, d.Dictionary)
		}
	}
	return all
}

// checkDeltaTypes compares Content-Type of deltas with that of the representations.
func (p *urlProbe) checkDeltaTypes() {
	for _, group := range groupByType(p.deltas) {
		switch {
		case slices.ContainsFunc(p.reps, func(rep *Answer) bool { return isSameType(rep, group[0]) }):
		case group[0].value("Content-Type") == "":
			p.addTypeMissing(group)
		default:
			p.addTypeDiffers(group, groupByType(p.reps)[0])
		}
	}
}

// checkDictionaryVary checks Vary of all whole answers once a delta was seen.
func (p *urlProbe) checkDictionaryVary() {
	if len(p.deltas) == 0 {
		return
	}
	p.checked(dictionaryVary)
	for _, a := range slices.Concat(p.full, p.deltas) {
		if !a.varies("Available-Dictionary") || !a.varies("Accept-Encoding") {
			p.add(dictionaryVary, a.Coding, a, "Vary of an answer with %s is %s, though deltas are sent", a.codingName(), orAbsent(a.value("Vary")))
			return
		}
	}
}
