package probe

import (
	"context"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// checkChanging looks for content that is another one with each request, as that of
// pages with a counter or a nonce. Of those, nothing can be compared. What differs
// with the coding only may be a stale variant: there, the first question is asked
// again.
func (e *examination) checkChanging(ctx context.Context) error {
	e.look(varies)
	var plain []*Answer // to clients that take nothing else
	for _, a := range e.full {
		if a.Coding == "" && a.isDecoded() && len(takenBy(a.Question)) == 0 {
			plain = append(plain, a)
		}
	}
	for _, a := range plain {
		if isOther(plain[0], a) {
			e.changes(plain[0], a)
			return nil
		}
	}
	want := slices.IndexFunc(e.reps, (*Answer).isDecoded)
	if want < 0 || !slices.ContainsFunc(e.full, func(a *Answer) bool { return a.isDecoded() && isOther(e.reps[want], a) }) {
		return nil
	}
	again, err := e.ask(ctx, e.reps[want].Question)
	if err == nil && again.Coding == e.reps[want].Coding && again.isDecoded() && isOther(e.reps[want], again) {
		e.changes(e.reps[want], again)
	}
	return err
}

// changes marks content as another one with each request. With a manifest it is
// found that one of the two is not the build's, which says more.
func (e *examination) changes(a, b *Answer) {
	e.changing = true
	if tag := a.etag(); tag != "" && tag == b.etag() && !strings.HasPrefix(tag, "W/") {
		e.once(etagShared, a, "ETag %s stands for different bytes of %s, from request to request", shown(tag), codingName(a.Coding))
	}
	if e.asset == nil {
		e.find(varies, a.Coding, []*Answer{a, b}, "the content changes from request to request: XXH64 %s with %d bytes, and %s with %d (%s)",
			a.Content.Decoded.Digest, a.Content.Decoded.Size, b.Content.Decoded.Digest, b.Content.Decoded.Size, codingName(a.Coding))
	}
}

// isDecoded reports whether all of the content was decoded.
func (a *Answer) isDecoded() bool { return a.complete() && a.Content.Decoded.ok() }

// isOther reports whether contents differ once they are decoded, and not because a
// Content-Encoding is missing from one.
func isOther(a, b *Answer) bool {
	x, y := a.Content.Decoded, b.Content.Decoded
	isCoded := func(d Decoded, of manifest.Digest) bool { _, is := d.decodesAgain(of); return is }
	return x.Digest != y.Digest && !isCoded(x, y.Digest) && !isCoded(y, x.Digest)
}

// takenBy returns the codings that a client takes.
func takenBy(q Question) []string {
	for _, n := range negotiations {
		if n.accept == q.AcceptEncoding {
			return n.takes
		}
	}
	return nil
}

// unlessChanging leaves a step out that compares what content that changes has not.
func (e *examination) unlessChanging(step func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		if e.changing {
			return nil
		}
		return step(ctx)
	}
}
