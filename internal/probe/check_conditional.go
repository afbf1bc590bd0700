package probe

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// unknownTag is an entity tag that no answer has.
const unknownTag = `"precompress-probe-knows-no-such-tag"`

// conditions requests each representation with its own ETag, which 304 answers, and with
// that of another one, which it does not.
func (p *urlProbe) conditions(ctx context.Context) error {
	p.checked(unmodifiedWrong)
	for i, rep := range p.reps {
		unmodified, err := p.checkUnmodified(ctx, rep)
		if err != nil {
			return err
		}
		if b := p.answerTo(browser); unmodified && b != nil && b.Coding == rep.Coding {
			if err := p.checkMatchForms(ctx, rep); err != nil {
				return err
			}
		}
		other := p.reps[(i+1)%len(p.reps)]
		tag := other.etag()
		if tag == "" || opaqueTag(tag) == opaqueTag(rep.etag()) || rep.Content.Digest == other.Content.Digest {
			continue // shared tags have a finding of their own
		}
		if err := p.checkModified(ctx, rep, tag, other); err != nil {
			return err
		}
	}
	return p.checkModified(ctx, p.reps[0], unknownTag, nil)
}

// checkUnmodified requests a representation that the client already has.
func (p *urlProbe) checkUnmodified(ctx context.Context, rep *Answer) (unmodified bool, err error) {
	if rep.etag() == "" {
		return false, nil
	}
	a, err := p.askAgain(ctx, rep.Request.with(func(r *Request) { r.IfNoneMatch = rep.etag() }))
	if err != nil {
		return false, err
	}
	p.checked(unmodifiedMissing)
	if a.Status != http.StatusNotModified {
		p.checkFieldStatus(a, "If-None-Match with its own ETag")
		if a.isWhole() {
			p.add(unmodifiedMissing, rep.Coding, a, "the answer to the ETag of %s is %d, not 304", rep.codingName(), a.Status)
		}
		return false, nil
	}
	p.checkUnmodifiedFields(rep, a)
	p.checkUpdate(rep, a)
	return true, nil
}

// checkMatchForms sends the other forms in which clients and proxies name an ETag: weak, in
// a list, and as * (RFC 9110, section 13.1.2).
func (p *urlProbe) checkMatchForms(ctx context.Context, rep *Answer) error {
	forms := []struct{ value, text string }{
		{"W/" + opaqueTag(rep.etag()), "If-None-Match with the weak form of the ETag"},
		{unknownTag + ", " + rep.etag(), "If-None-Match with a list"},
		{"*", "If-None-Match: *"},
	}
	for _, f := range forms {
		if f.value == rep.etag() {
			continue // the ETag is weak
		}
		a, err := p.askAgain(ctx, rep.Request.with(func(r *Request) { r.IfNoneMatch = f.value }))
		if err != nil {
			return err
		}
		if a.isWhole() {
			p.add(unmodifiedMissing, rep.Coding, a, "the answer to %s is %d, not 304", f.text, a.Status)
		} else if a.Status != http.StatusNotModified {
			p.checkFieldStatus(a, f.text)
		}
	}
	return nil
}

// checkModified requests a representation with the ETag of another one, nil for one that
// the URL never had.
func (p *urlProbe) checkModified(ctx context.Context, rep *Answer, tag string, other *Answer) error {
	a, err := p.askAgain(ctx, rep.Request.with(func(r *Request) { r.IfNoneMatch = tag }))
	if err != nil {
		return err
	}
	whose := "an ETag that the URL never had"
	if other != nil {
		whose = "the ETag of " + other.codingName()
	}
	switch {
	case a.Status != http.StatusNotModified:
		p.checkFieldStatus(a, "If-None-Match with "+whose)
	case other != nil && a.etag() == tag && acceptable(other.Coding, rep.Request.AcceptEncoding):
		// The server may choose the other representation for this request, and says so:
		// the client uses what it has of it (RFC 9111, section 4.3.3).
	default:
		p.unknownTagMatched = p.unknownTagMatched || other == nil
		p.add(unmodifiedWrong, rep.Coding, a, "the answer to %s is 304, though %s would be sent", whose, rep.codingName())
	}
	return nil
}

// checkUpdate compares the fields of a 304 that caches update with those of the 200 (RFC
// 9111, section 3.2).
func (p *urlProbe) checkUpdate(rep, a *Answer) {
	var wrong []string
	c := unmodifiedFields
	if value := a.value("Content-Length"); value != "" && rep.isComplete() {
		if n, err := parseNumber(value); err != nil || n != rep.Content.Size {
			wrong = append(wrong, fmt.Sprintf("Content-Length is %s, not %d", shown(value), rep.Content.Size))
			c = c.citing("RFC 9110, section 8.6")
		}
	}
	if value := a.value("Content-Encoding"); value != "" && a.Coding != rep.Coding {
		wrong = append(wrong, "Content-Encoding is "+shown(value)+", not "+orAbsent(rep.Coding))
	}
	if rep.value("Expires") != "" && a.value("Expires") == "" {
		wrong = append(wrong, "Expires is absent")
	}
	if a.value("Cache-Control") != "" && !isSameCaching(rep, a) {
		wrong = append(wrong, isNot(rep, a, "Cache-Control"))
	}
	for _, m := range members(rep.Header, "Vary") {
		if m != "accept-encoding" && m != "*" && !a.varies(m) {
			wrong = append(wrong, "Vary lacks "+shown(m))
		}
	}
	if slices.Contains(members(a.Header, "Vary"), "*") && !slices.Contains(members(rep.Header, "Vary"), "*") {
		wrong = append(wrong, isNot(rep, a, "Vary"))
	}
	if len(wrong) > 1 {
		c = unmodifiedFields // the reference for all of them
	}
	if len(wrong) > 0 {
		p.addOnce(c, rep.Coding, a, "304 for %s: %s", rep.codingName(), strings.Join(wrong, ", "))
	}
}

// checkUnmodifiedFields checks the fields that a 304 must have.
func (p *urlProbe) checkUnmodifiedFields(rep, a *Answer) {
	p.checked(unmodifiedFields)
	if wrong := wrongFields(rep, a); len(wrong) > 0 {
		p.addOnce(unmodifiedFields, rep.Coding, a, "%d for %s: %s", a.Status, rep.codingName(), strings.Join(wrong, ", "))
	}
}

// wrongFields says which fields of a 304 or 206 are not those of the 200, as they must be.
func wrongFields(rep, a *Answer) []string {
	var wrong []string
	if rep.etag() != "" && opaqueTag(a.etag()) != opaqueTag(rep.etag()) {
		wrong = append(wrong, isNot(rep, a, "ETag"))
	}
	if rep.varies("Accept-Encoding") && !a.varies("Accept-Encoding") {
		wrong = append(wrong, isNot(rep, a, "Vary"))
	}
	if rep.Header.Get("Cache-Control") != "" && a.Header.Get("Cache-Control") == "" {
		wrong = append(wrong, "Cache-Control is absent")
	}
	return wrong
}

// isNot says that a field of an answer is not that of the representation.
func isNot(rep, a *Answer, name string) string {
	return name + " is " + orAbsent(a.value(name)) + ", not " + orAbsent(rep.value(name))
}

// dates requests what browsers get with its Last-Modified, and with an earlier date.
func (p *urlProbe) dates(ctx context.Context) error {
	rep := p.answerTo(browser)
	if rep == nil {
		return nil
	}
	modified, err := http.ParseTime(rep.Header.Get("Last-Modified"))
	if err != nil {
		return nil
	}
	since := func(t time.Time, match string) (*Answer, error) {
		return p.askAgain(ctx, rep.Request.with(func(r *Request) {
			r.IfModifiedSince, r.IfNoneMatch = t.UTC().Format(http.TimeFormat), match
		}))
	}
	a, err := since(modified, "")
	if err != nil {
		return err
	}
	p.checked(modifiedSince)
	switch {
	case a.Status == http.StatusNotModified:
		p.checkUnmodifiedFields(rep, a)
	case a.isWhole():
		p.add(modifiedSince, rep.Coding, a, "the answer to its Last-Modified is %d, not 304", a.Status)
	default:
		p.checkFieldStatus(a, "If-Modified-Since with its Last-Modified")
	}
	if a, err = since(modified.Add(-24*time.Hour), ""); err != nil {
		return err
	}
	p.checkDateMismatch(rep, a, "a date one day before Last-Modified is 304", "an earlier If-Modified-Since")
	if p.unknownTagMatched {
		return nil // the finding below would repeat it
	}
	// Files that change within a second, or whose dates are set, have the same date: with
	// If-None-Match, it must be ignored (RFC 9110, section 13.1.3).
	if a, err = since(modified, unknownTag); err != nil {
		return err
	}
	p.checkDateMismatch(rep, a, "an ETag that the URL never had is 304 if it comes with Last-Modified: with If-None-Match, the date must be ignored",
		"If-None-Match with an ETag that the URL never had, and Last-Modified,")
	return nil
}

// checkDateMismatch checks the answer to a condition with a date that does not hold.
func (p *urlProbe) checkDateMismatch(rep, a *Answer, unmodified, request string) {
	if a.Status == http.StatusNotModified {
		p.add(unmodifiedWrong, rep.Coding, a, "the answer to %s", unmodified)
	} else {
		p.checkFieldStatus(a, request)
	}
}
