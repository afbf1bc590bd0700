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

// conditions asks with the ETag of each representation: for the same, which is to
// be answered with 304, and for another one, which is not.
func (e *examination) conditions(ctx context.Context) error {
	e.look(unmodifiedWrong)
	for i, rep := range e.reps {
		ok, err := e.checkUnmodified(ctx, rep)
		if err != nil {
			return err
		}
		if b := e.answerTo(browser); ok && b != nil && b.Coding == rep.Coding {
			if err := e.checkForms(ctx, rep); err != nil {
				return err
			}
		}
		other := e.reps[(i+1)%len(e.reps)]
		tag := other.etag()
		if tag == "" || opaque(tag) == opaque(rep.etag()) || rep.Content.Digest == other.Content.Digest {
			continue // a shared tag is told of elsewhere
		}
		if err := e.checkModified(ctx, rep, tag, other); err != nil {
			return err
		}
	}
	return e.checkModified(ctx, e.reps[0], unknownTag, nil)
}

// checkUnmodified asks for what the client has already.
func (e *examination) checkUnmodified(ctx context.Context, rep *Answer) (ok bool, err error) {
	if rep.etag() == "" {
		return false, nil
	}
	a, err := e.askAgain(ctx, rep.Question.with(func(q *Question) { q.IfNoneMatch = rep.etag() }))
	if err != nil {
		return false, err
	}
	e.look(unmodified)
	if a.Status != http.StatusNotModified {
		if e.checkOddStatus(a, "If-None-Match with its own ETag"); isWhole(a.Status) {
			e.find(unmodified, rep.Coding, []*Answer{a}, "%d for the ETag of %s, not 304", a.Status, codingName(rep.Coding))
		}
		return false, nil
	}
	e.checkBare(rep, a)
	e.checkUpdate(rep, a)
	return true, nil
}

// checkForms asks in the other ways that clients and proxies have to name the tag
// (RFC 9110, section 13.1.2): compared weakly, in a list, and as any.
func (e *examination) checkForms(ctx context.Context, rep *Answer) error {
	forms := []struct{ value, text string }{
		{"W/" + opaque(rep.etag()), "If-None-Match with the weak form of the ETag"},
		{unknownTag + ", " + rep.etag(), "If-None-Match with a list"},
		{"*", "If-None-Match: *"},
	}
	for _, f := range forms {
		if f.value == rep.etag() {
			continue // it is weak
		}
		a, err := e.askAgain(ctx, rep.Question.with(func(q *Question) { q.IfNoneMatch = f.value }))
		if err != nil {
			return err
		}
		switch {
		case a.Status == http.StatusNotModified:
		case !isWhole(a.Status):
			e.checkOddStatus(a, f.text)
		default:
			e.find(unmodified, rep.Coding, []*Answer{a}, "%d for %s, not 304", a.Status, f.text)
		}
	}
	return nil
}

// checkModified asks with the tag of another representation, nil for one that
// never was.
func (e *examination) checkModified(ctx context.Context, rep *Answer, tag string, other *Answer) error {
	a, err := e.askAgain(ctx, rep.Question.with(func(q *Question) { q.IfNoneMatch = tag }))
	if err != nil {
		return err
	}
	whose := "an ETag that it never had"
	if other != nil {
		whose = "the ETag of " + codingName(other.Coding)
	}
	switch {
	case a.Status != http.StatusNotModified:
		e.checkOddStatus(a, "If-None-Match with "+whose)
	case other != nil && a.etag() == tag && acceptable(other.Coding, rep.Question.AcceptEncoding):
		// The server may choose that representation for this request, and says that it
		// does: the client uses what it has of it (RFC 9111, section 4.3.3).
	default:
		e.anyTag = e.anyTag || other == nil
		e.find(unmodifiedWrong, rep.Coding, []*Answer{a}, "304 for %s, where the answer would be %s", whose, codingName(rep.Coding))
	}
	return nil
}

// acceptable reports whether an Accept-Encoding that is asked with takes a coding, or
// the content without one.
func acceptable(coding, acceptEncoding string) bool {
	for _, n := range negotiations {
		if n.accept == acceptEncoding {
			return slices.Contains(n.takes, coding) || coding == "" && !slices.Contains(n.refuses, "identity")
		}
	}
	return true // without the field, everything is
}

// checkOddStatus looks for failures over conditions: such requests come from every
// visitor that returns. A 304 is for others to judge where it may come.
func (e *examination) checkOddStatus(a *Answer, whose string) {
	if !isWhole(a.Status) && !e.found(status, "") {
		c := statusCheck(a.Status).advising("answer 200 with the whole content, as if the field was not there, where a condition does not hold or a dictionary is of no use, and 304 where the client has the content")
		e.find(c, "", []*Answer{a}, "the answer to %s is %s", whose, codeText(a.Status))
	}
}

// checkUpdate looks at fields of a 304 that caches would put in place of those that
// they have (RFC 9111, section 3.2), and that are not those of the 200.
func (e *examination) checkUpdate(rep, a *Answer) {
	var wrong []string
	c := unmodifiedBare
	if value := line(a.Header, "Content-Length"); value != "" && rep.complete() {
		if n, err := number(value); err != nil || n != rep.Content.Size {
			wrong = append(wrong, fmt.Sprintf("Content-Length is %s, not %d", shown(value), rep.Content.Size))
			c = c.citing("RFC 9110, section 8.6")
		}
	}
	if value := line(a.Header, "Content-Encoding"); value != "" && a.Coding != rep.Coding {
		wrong = append(wrong, "Content-Encoding is "+shown(value)+", not "+orNone(rep.Coding))
	}
	if line(rep.Header, "Expires") != "" && line(a.Header, "Expires") == "" {
		wrong = append(wrong, "Expires is absent")
	}
	if value := line(a.Header, "Cache-Control"); value != "" && !sameCacheControl(rep.Header, a.Header) {
		wrong = append(wrong, "Cache-Control is "+shown(value)+", not "+orNone(line(rep.Header, "Cache-Control")))
	}
	for _, m := range members(rep.Header.Values("Vary")) {
		if m != "accept-encoding" && m != "*" && !a.varies(m) {
			wrong = append(wrong, "Vary lacks "+shown(m))
		}
	}
	if slices.Contains(members(a.Header.Values("Vary")), "*") && !slices.Contains(members(rep.Header.Values("Vary")), "*") {
		wrong = append(wrong, "Vary is "+shown(line(a.Header, "Vary"))+", not "+orNone(line(rep.Header, "Vary")))
	}
	if len(wrong) > 0 && !e.found(unmodifiedBare, rep.Coding) {
		if len(wrong) > 1 {
			c = unmodifiedBare // of all of them
		}
		e.find(c, rep.Coding, []*Answer{a}, "304 with %s: %s", codingName(rep.Coding), strings.Join(wrong, ", "))
	}
}

// checkBare compares the fields that a 304 has to have as the whole answer does.
func (e *examination) checkBare(rep, a *Answer) {
	e.look(unmodifiedBare)
	if lacks := bareFields(rep, a); len(lacks) > 0 && !e.found(unmodifiedBare, rep.Coding) {
		e.find(unmodifiedBare, rep.Coding, []*Answer{a}, "%d with %s: %s", a.Status, codingName(rep.Coding), strings.Join(lacks, ", "))
	}
}

// bareFields says in which fields an answer without the whole content is not as the
// whole one, where it has to be.
func bareFields(rep, a *Answer) []string {
	var lacks []string
	if rep.etag() != "" && opaque(a.etag()) != opaque(rep.etag()) {
		lacks = append(lacks, "ETag is "+orNone(line(a.Header, "Etag"))+", not "+shown(rep.etag()))
	}
	if rep.varies("Accept-Encoding") && !a.varies("Accept-Encoding") {
		lacks = append(lacks, "Vary is "+orNone(line(a.Header, "Vary"))+", not "+shown(line(rep.Header, "Vary")))
	}
	if rep.Header.Get("Cache-Control") != "" && a.Header.Get("Cache-Control") == "" {
		lacks = append(lacks, "Cache-Control is absent")
	}
	return lacks
}

// dates asks with Last-Modified, and with a date before it.
func (e *examination) dates(ctx context.Context) error {
	rep := e.answerTo(browser)
	if rep == nil {
		return nil
	}
	modified, err := http.ParseTime(rep.Header.Get("Last-Modified"))
	if err != nil {
		return nil
	}
	since := func(t time.Time) (*Answer, error) {
		return e.askAgain(ctx, rep.Question.with(func(q *Question) { q.IfModifiedSince = t.UTC().Format(http.TimeFormat) }))
	}
	a, err := since(modified)
	if err != nil {
		return err
	}
	e.look(modifiedSince)
	switch {
	case a.Status == http.StatusNotModified:
		e.checkBare(rep, a)
	case !isWhole(a.Status):
		e.checkOddStatus(a, "If-Modified-Since with its Last-Modified")
	default:
		e.find(modifiedSince, rep.Coding, []*Answer{a}, "%d for the Last-Modified of the answer, not 304", a.Status)
	}
	a, err = since(modified.Add(-24 * time.Hour))
	if err != nil {
		return err
	}
	if a.Status == http.StatusNotModified {
		e.find(unmodifiedWrong, rep.Coding, []*Answer{a}, "304 for a date one day before Last-Modified")
	} else {
		e.checkOddStatus(a, "an earlier If-Modified-Since")
	}
	return e.checkPrecedence(ctx, rep, modified)
}

// checkPrecedence asks with a foreign ETag and the present date: files that change
// within a second, or get dates of their own, have the same date (RFC 9110, section
// 13.1.3).
func (e *examination) checkPrecedence(ctx context.Context, rep *Answer, modified time.Time) error {
	if e.anyTag {
		return nil // told of already
	}
	a, err := e.askAgain(ctx, rep.Question.with(func(q *Question) {
		q.IfNoneMatch, q.IfModifiedSince = unknownTag, modified.UTC().Format(http.TimeFormat)
	}))
	if err != nil {
		return err
	}
	if a.Status == http.StatusNotModified {
		e.find(unmodifiedWrong, rep.Coding, []*Answer{a}, "304 for an ETag that it never had, with the Last-Modified: the date is to be ignored then")
	} else {
		e.checkOddStatus(a, "If-None-Match with an ETag that it never had, and the Last-Modified,")
	}
	return nil
}
