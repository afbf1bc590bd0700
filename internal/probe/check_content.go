package probe

import (
	"context"
	"slices"

	"github.com/precompress/precompress/manifest"
)

// checkContent compares the decoded content of all whole answers: with the build's
// source, or else with the first representation.
func (p *urlProbe) checkContent() {
	if !slices.ContainsFunc(p.full, (*Answer).isUnread) {
		p.checked(undecodable, window, undeclared, doubleCoding)
		if p.asset != nil {
			p.checked(stale, recompressed)
		} else {
			p.checked(contentDiffers)
		}
	}
	for _, a := range p.full {
		p.compareContent(a)
	}
}

// compareContent checks the content of one answer.
func (p *urlProbe) compareContent(a *Answer) {
	want, known := p.expectedContent()
	d := a.Content.decoded
	switch {
	case !a.isComplete():
	case a.Content.largeWindow:
		p.addWindow(a)
	case d.known && d.err != nil:
		p.addOnce(undecodable, a.Coding, a, "the content%s does not decode: %s", a.Request.conditions(), errorText(d.err))
	case p.isTooMuch(a):
		c := contentDiffers
		if p.asset != nil {
			c = stale
		}
		p.addOnce(c, a.Coding, a, "the content with %s decodes to more than %d bytes, not to %d", a.codingName(), p.client.opts.MaxBody, p.expectedSize())
	case !d.ok():
	case known && d.digest != want && (p.asset != nil || !p.changing):
		p.addOther(a, want)
	case a.Coding == "":
		p.checkDeclared(a)
	default:
		p.checkBuildVariant(a)
	}
}

// askAgain sends a condition, or a range. If the whole content is the answer, it is
// compared, too.
func (p *urlProbe) askAgain(ctx context.Context, r Request) (*Answer, error) {
	a, err := p.ask(ctx, r)
	if err != nil || !a.isWhole() || p.changing {
		return a, err
	}
	if a.Content.truncated != nil {
		p.addIncomplete(a, "content")
	}
	p.compareContent(a)
	return a, nil
}

// addIncomplete adds the finding that the content, or the delta, of an answer ends early.
func (p *urlProbe) addIncomplete(a *Answer, what string) {
	p.addOnce(incomplete, a.Coding, a, "the %s ends early, after %d bytes: %s", what, a.Content.Size, errorText(a.Content.truncated))
}

// addWindow adds the finding that a decoder needs more memory than browsers allow.
func (p *urlProbe) addWindow(a *Answer) {
	if a.Coding == string(manifest.Brotli) {
		p.addOnce(window.citing("RFC 7932, section 9.1"), a.Coding, a, "the content starts as large-window brotli, which is another format: windows of br have at most 16 MiB")
		return
	}
	p.addOnce(window, a.Coding, a, "the content needs a window of more than 8 MiB")
}

// expectedSize returns how many bytes all content should decode to, -1 if that is
// unknown.
func (p *urlProbe) expectedSize() int64 {
	if p.asset != nil {
		return p.asset.Size
	}
	if rep := first(p.reps, (*Answer).isDecoded); rep != nil && !p.changing {
		return rep.Content.decoded.size
	}
	return -1
}

// expectedContent returns the digest that all decoded content should have.
func (p *urlProbe) expectedContent() (digest manifest.Digest, known bool) {
	if p.asset != nil {
		return p.asset.Digest, true
	}
	if rep := first(p.reps, (*Answer).isDecoded); rep != nil { // identity comes first
		return rep.Content.decoded.digest, true
	}
	return 0, false
}

// isTooMuch reports whether the content decodes to more than may be decoded, and to more
// than it should. What the rest of it is does not matter.
func (p *urlProbe) isTooMuch(a *Answer) bool {
	size := p.expectedSize()
	return a.isComplete() && a.Content.decoded.tooLarge && size >= 0 && size <= p.client.opts.MaxBody
}

// addOther adds the finding that the content is not as expected.
func (p *urlProbe) addOther(a *Answer, want manifest.Digest) {
	d := a.Content.decoded
	again, isNested := d.decodesAgain(want)
	switch {
	case isNested && a.Coding == "":
		p.addUndeclared(a, again)
	case isNested:
		p.addOnce(doubleCoding, a.Coding, a, "the decoded content is compressed once more, with %s", again)
	case p.asset != nil && p.isPageInPlace(a):
		p.addOnce(stale, a.Coding, a, "the answer is a page of %d bytes (Content-Type %s) in place of the file, which may be missing on the server",
			d.size, shown(a.value("Content-Type")))
	case p.asset != nil:
		p.addOnce(stale, a.Coding, a, "the content is not that of the build: it has %d bytes with XXH64 %s, not %d with %s",
			d.size, d.digest, p.asset.Size, p.asset.Digest)
	default:
		p.addOnce(contentDiffers, a.Coding, a, "the content with %s (%d bytes decoded)%s is not that of the answer to %s",
			a.codingName(), d.size, a.Request.conditions(), acceptEncodings(p.reps[:1]))
	}
}

// addUndeclared adds the finding that Content-Encoding is missing.
func (p *urlProbe) addUndeclared(a *Answer, c manifest.Coding) {
	p.addOnce(undeclared, a.Coding, a, "the content is %s, but there is no Content-Encoding that says so", c)
}

// checkBuildVariant compares content that decodes as it should with the build's variant.
func (p *urlProbe) checkBuildVariant(a *Answer) {
	v, ok := p.variant(manifest.Coding(a.Coding))
	if ok && v.Digest != a.Content.Digest {
		p.addOnce(recompressed, a.Coding, a, "the content is not the build's variant: it has %d bytes, not %d", a.Content.Size, v.Size)
	}
}

// checkDeclared finds compressed content without a Content-Encoding. Formats that are
// compressed themselves need none (RFC 9110, section 8.4): it is missing only if the type
// says something else, or if there is no type and the name does.
func (p *urlProbe) checkDeclared(a *Answer) {
	if p.asset != nil || hasExtension(p.fileName(), archiveExtensions) {
		return
	}
	media := a.mediaType()
	isVague := media == "" || media == "application/octet-stream"
	isNamed := hasExtension(p.fileName(), strictExtensions) || hasExtension(p.fileName(), assetExtensions)
	if !isUncompressedType(media) && !(isVague && isNamed) {
		return
	}
	for _, n := range a.Content.decoded.again {
		if n.coding != manifest.Brotli { // br has no signature
			p.addUndeclared(a, n.coding)
		}
	}
}

// checkChanging finds content that is different with each request, as that of pages with
// a counter or a nonce: it cannot be compared. Content that differs by coding only may be
// a stale variant; in that case, the first request is sent again.
func (p *urlProbe) checkChanging(ctx context.Context) error {
	p.checked(contentVaries)
	var plain []*Answer // to clients that accept only identity
	for _, a := range p.full {
		if n, _ := negotiationOf(a.Request.AcceptEncoding); a.Coding == "" && a.isDecoded() && len(n.takes) == 0 {
			plain = append(plain, a)
		}
	}
	for _, a := range plain {
		if isOtherContent(plain[0], a) {
			p.markChanging(plain[0], a)
			return nil
		}
	}
	rep := first(p.reps, (*Answer).isDecoded)
	if rep == nil || !slices.ContainsFunc(p.full, func(a *Answer) bool { return a.isDecoded() && isOtherContent(rep, a) }) {
		return nil
	}
	again, err := p.ask(ctx, rep.Request)
	if err == nil && again.Coding == rep.Coding && again.isDecoded() && isOtherContent(rep, again) {
		p.markChanging(rep, again)
	}
	return err
}

// markChanging records that two answers to equal requests differ. With a manifest, the
// finding is that one of them is not the build's, which says more.
func (p *urlProbe) markChanging(a, b *Answer) {
	p.changing = true
	if tag := a.etag(); tag != "" && tag == b.etag() && !isWeak(tag) {
		p.addOnce(etagShared, a.Coding, a, "ETag %s stands for different bytes of %s, from request to request", shown(tag), a.codingName())
	}
	if x, y := a.Content.decoded, b.Content.decoded; p.asset == nil {
		p.addAll(contentVaries, a.Coding, []*Answer{a, b}, "the content changes from request to request: XXH64 %s with %d bytes, then %s with %d (%s)",
			x.digest, x.size, y.digest, y.size, a.codingName())
	}
}

// isOtherContent reports whether decoded contents differ, and not only because one lacks
// its Content-Encoding.
func isOtherContent(a, b *Answer) bool {
	x, y := a.Content.decoded, b.Content.decoded
	isCompressed := func(d decoded, of manifest.Digest) bool { _, is := d.decodesAgain(of); return is }
	return x.digest != y.digest && !isCompressed(x, y.digest) && !isCompressed(y, x.digest)
}
