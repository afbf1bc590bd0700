package probe

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// checkFraming looks at where content ends.
func (e *examination) checkFraming() {
	e.look(lengthMissing, incomplete, unchecked)
	var bare []*Answer
	for _, a := range e.full {
		switch c := a.Content; {
		case e.isTooMuch(a):
		case c.Cut != nil && !e.found(incomplete, a.Coding):
			e.find(incomplete, a.Coding, []*Answer{a}, "the content ends behind %d bytes, before its end: %s", c.Size, cause(c.Cut))
		case (c.TooLarge || c.Decoded.TooLarge) && !e.found(unchecked, a.Coding):
			e.find(unchecked, a.Coding, []*Answer{a}, "content was not checked: larger than %d bytes", e.asker.opts.MaxBody)
		case a.Length < 0 && c.Cut == nil && !c.TooLarge:
			bare = append(bare, a)
		}
	}
	if len(bare) > 0 {
		e.find(lengthMissing, bare[0].Coding, bare, "no Content-Length with %s", codingList(bare))
	}
}

// checkContent decodes what came in every coding and compares it: with the build's
// source, or else with what comes without a coding.
func (e *examination) checkContent() {
	want, known := e.content()
	if !slices.ContainsFunc(e.full, (*Answer).unread) {
		e.look(undecodable, window, undeclared, doubleCoding)
		if e.asset != nil {
			e.look(stale, recompressed)
		} else {
			e.look(differs)
		}
	}
	for _, a := range e.full {
		e.compareContent(a, want, known)
	}
}

// compareContent decodes the content of one answer and compares it.
func (e *examination) compareContent(a *Answer, want manifest.Digest, known bool) {
	d := a.Content.Decoded
	switch {
	case !a.complete():
	case a.Content.Form != nil:
		e.badWindow(a)
	case d.Known && d.Err != nil:
		e.once(undecodable, a, "the content%s does not decode: %s", a.Question.conditions(), cause(d.Err))
	case e.isTooMuch(a):
		e.tooMuch(a)
	case !d.ok():
	case known && d.Digest != want && (e.asset != nil || !e.changing):
		e.otherContent(a, want)
	case a.Coding == "":
		e.checkDeclared(a)
	default:
		e.checkVariant(a)
	}
}

// askAgain asks for what is known, on a condition or for a part of it. Where the
// whole comes, it is to be what came without.
func (e *examination) askAgain(ctx context.Context, q Question) (*Answer, error) {
	a, err := e.ask(ctx, q)
	if err != nil || !isWhole(a.Status) || e.changing {
		return a, err
	}
	if a.Content.Cut != nil {
		e.once(incomplete, a, "the content ends behind %d bytes, before its end: %s", a.Content.Size, cause(a.Content.Cut))
	}
	want, known := e.content()
	e.compareContent(a, want, known)
	return a, nil
}

// badWindow says that a decoder needs more memory than those of browsers have.
func (e *examination) badWindow(a *Answer) {
	if a.Coding == string(manifest.Brotli) {
		e.once(window.citing("RFC 7932, section 9.1"), a, "the content starts as large-window brotli, which is another format: windows of br have no more than 16 MiB")
		return
	}
	e.once(window, a, "the content needs a window of more than 8 MiB")
}

// size returns how large all decoded content is to be, -1 if it is not known.
func (e *examination) size() int64 {
	if e.asset != nil {
		return e.asset.Size
	}
	if want := slices.IndexFunc(e.reps, (*Answer).isDecoded); want >= 0 && !e.changing {
		return e.reps[want].Content.Decoded.Size
	}
	return -1
}

// isTooMuch reports whether content, as far as it was decoded, is more than it is to
// be. The rest of it does not matter.
func (e *examination) isTooMuch(a *Answer) bool {
	size := e.size()
	return a.complete() && a.Content.Decoded.TooLarge && size >= 0 && size <= e.asker.opts.MaxBody
}

func (e *examination) tooMuch(a *Answer) {
	c := differs
	if e.asset != nil {
		c = stale
	}
	e.once(c, a, "the content with %s decodes to more than %d bytes, not to %d", codingName(a.Coding), e.asker.opts.MaxBody, e.size())
}

// content returns the digest that all decoded content is to have.
func (e *examination) content() (manifest.Digest, bool) {
	if e.asset != nil {
		return e.asset.Digest, true
	}
	for _, rep := range e.reps { // that without a coding is the first
		if rep.complete() && rep.Content.Decoded.ok() {
			return rep.Content.Decoded.Digest, true
		}
	}
	return 0, false
}

// otherContent says in what way content is not what it should be.
func (e *examination) otherContent(a *Answer, want manifest.Digest) {
	again, twice := a.Content.Decoded.decodesAgain(want)
	switch {
	case twice && a.Coding == "":
		e.once(undeclared, a, "the content is %s, and no Content-Encoding says so", again)
	case twice:
		e.once(doubleCoding, a, "what the content decodes to is %s once more", again)
	case e.asset != nil && e.isPageInPlace(a):
		e.once(stale, a, "a page of %d bytes came (Content-Type %s) in place of the file, which may be missing on the server",
			a.Content.Decoded.Size, shown(line(a.Header, "Content-Type")))
	case e.asset != nil:
		e.once(stale, a, "the content is not that of the build: %d bytes of XXH64 %s, not %d of %s",
			a.Content.Decoded.Size, a.Content.Decoded.Digest, e.asset.Size, e.asset.Digest)
	default:
		e.once(differs, a, "the content with %s (%d bytes decoded)%s is not that of the answer to %s",
			codingName(a.Coding), a.Content.Decoded.Size, a.Question.conditions(), accepts(e.reps[:1]))
	}
}

// checkVariant compares content that decodes as it should with the build's
// variant.
func (e *examination) checkVariant(a *Answer) {
	v, ok := e.stored(manifest.Coding(a.Coding))
	if ok && v.Digest != a.Content.Digest {
		e.once(recompressed, a, "the content is not the build's variant: %d bytes, not %d", a.Content.Size, v.Size)
	}
}

// once adds a finding about an answer's coding, unless there is one.
func (e *examination) once(c Check, a *Answer, format string, args ...any) {
	if !e.found(c, a.Coding) {
		e.find(c, a.Coding, []*Answer{a}, format, args...)
	}
}

// heads asks for the header of each representation and compares it.
func (e *examination) heads(ctx context.Context) error {
	for _, rep := range e.reps {
		a, err := e.ask(ctx, rep.Question.with(func(q *Question) { q.Method = http.MethodHead }))
		if err != nil {
			return err
		}
		e.look(head, headOmits, headLength)
		if a.Status != rep.Status {
			e.once(head, a, "HEAD is answered with %d, GET with %d", a.Status, rep.Status)
			continue
		}
		e.compareHead(rep, a)
		if !e.changing && a.Length >= 0 && rep.complete() && a.Coding == rep.Coding && a.Length != rep.Content.Size {
			e.find(headLength, rep.Coding, []*Answer{a}, "Content-Length of HEAD is %d, the content of GET has %d bytes", a.Length, rep.Content.Size)
		}
	}
	return nil
}

// compareHead compares the fields of an answer to HEAD with those to GET. It may
// lack some (RFC 9110, section 9.3.2), but not have others.
func (e *examination) compareHead(rep, a *Answer) {
	var others, omitted []string
	for _, name := range []string{"Content-Encoding", "Content-Type", "Etag", "Vary"} {
		x, y := line(rep.Header, name), line(a.Header, name)
		if name == "Etag" {
			name = "ETag"
		}
		switch {
		case x == y, name == "ETag" && e.changing, name == "Vary" && a.varies("Accept-Encoding"), name == "Content-Type" && sameType(rep, a):
		case y == "":
			omitted = append(omitted, name)
		default:
			others = append(others, name+" is "+shown(y)+", not "+orNone(x))
		}
	}
	if len(others) > 0 {
		e.find(head, rep.Coding, []*Answer{a}, "HEAD differs from GET: %s", strings.Join(others, ", "))
	}
	if len(omitted) > 0 {
		e.find(headOmits, rep.Coding, []*Answer{a}, "HEAD lacks what GET has: %s", strings.Join(omitted, ", "))
	}
}

func orNone(value string) string {
	if value == "" {
		return "absent"
	}
	return shown(value)
}
