package probe

import (
	"context"
	"net/http"
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
		if err := e.checkUnmodified(ctx, rep); err != nil {
			return err
		}
		other := e.reps[(i+1)%len(e.reps)]
		tag := other.etag()
		if tag == "" || opaque(tag) == opaque(rep.etag()) || rep.Content.Digest == other.Content.Digest {
			continue // a shared tag is told of elsewhere
		}
		err := e.checkModified(ctx, rep, tag, "the ETag of "+codingName(other.Coding))
		if err != nil {
			return err
		}
	}
	return e.checkModified(ctx, e.reps[0], unknownTag, "an ETag that it never had")
}

// checkUnmodified asks for what the client has already.
func (e *examination) checkUnmodified(ctx context.Context, rep *Answer) error {
	if rep.etag() == "" {
		return nil
	}
	a, err := e.ask(ctx, rep.Question.with(func(q *Question) { q.IfNoneMatch = rep.etag() }))
	if err != nil {
		return err
	}
	e.look(unmodified)
	if a.Status != http.StatusNotModified {
		e.find(unmodified, rep.Coding, []*Answer{a}, "%d for the ETag of %s, not 304", a.Status, codingName(rep.Coding))
		return nil
	}
	e.checkBare(unmodifiedBare, rep, a)
	return nil
}

// checkModified asks with the tag of something else.
func (e *examination) checkModified(ctx context.Context, rep *Answer, tag, whose string) error {
	a, err := e.ask(ctx, rep.Question.with(func(q *Question) { q.IfNoneMatch = tag }))
	if err != nil {
		return err
	}
	if a.Status == http.StatusNotModified {
		e.find(unmodifiedWrong, rep.Coding, []*Answer{a}, "304 for %s, where the answer would be %s", whose, codingName(rep.Coding))
	}
	return nil
}

// checkBare compares the fields that an answer without the whole content has to
// have as the whole one does.
func (e *examination) checkBare(c Check, rep, a *Answer) {
	e.look(c)
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
	if len(lacks) > 0 && !e.found(c, rep.Coding) {
		e.find(c, rep.Coding, []*Answer{a}, "%d with %s: %s", a.Status, codingName(rep.Coding), strings.Join(lacks, ", "))
	}
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
		return e.ask(ctx, rep.Question.with(func(q *Question) { q.IfModifiedSince = t.UTC().Format(http.TimeFormat) }))
	}
	a, err := since(modified)
	if err != nil {
		return err
	}
	e.look(modifiedSince)
	if a.Status == http.StatusNotModified {
		e.checkBare(unmodifiedBare, rep, a)
	} else {
		e.find(modifiedSince, rep.Coding, []*Answer{a}, "%d for the Last-Modified of the answer, not 304", a.Status)
	}
	a, err = since(modified.Add(-24 * time.Hour))
	if err != nil {
		return err
	}
	if a.Status == http.StatusNotModified {
		e.find(unmodifiedWrong, rep.Coding, []*Answer{a}, "304 for a date one day before Last-Modified")
	}
	return nil
}
