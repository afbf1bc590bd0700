package probe

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// examination is what is known of one URL so far.
type examination struct {
	asker  *asker
	at     *url.URL // where redirects have led to
	asset  *manifest.Asset
	result *Result
	looked map[string]Check
	full   []*Answer // to GET without conditions that have status 200
	reps   []*Answer // of full the first of each coding: the representations
	deltas []*Answer // with dcb or dcz
	// changing tells that the content is another one with each request.
	changing bool
	anyTag   bool // an ETag that never was got a 304
}

// examine asks everything about one URL, step by step, since a step asks with what
// the one before has brought.
func examine(ctx context.Context, asker *asker, t Target) *Result {
	e := &examination{
		asker: asker.keeping(t.URL.User), at: t.URL, asset: t.Asset,
		result: &Result{URL: bare(t.URL)},
		looked: make(map[string]Check),
	}
	if t.Asset != nil {
		e.result.Asset = t.Asset.Path
	}
	steps := []func(context.Context) error{
		e.negotiate, e.heads, e.unlessChanging(e.conditions), e.unlessChanging(e.dates), e.unlessChanging(e.ranges), e.dictionaries,
	}
	for _, step := range steps {
		before := maps.Clone(e.looked)
		err := step(ctx)
		if err == nil {
			continue
		}
		e.looked = before // the step has not seen all that it looks at
		if err != errNothingThere {
			e.result.Err = err
		}
		break
	}
	e.checkFrames()
	e.finish()
	return e.result
}

// finish sorts what was found, and lets go of what was only kept to look at it.
func (e *examination) finish() {
	r := e.result
	for _, a := range r.Answers {
		a.forget()
	}
	if r.Final = bare(e.at); r.Final != r.URL {
		r.Final = e.hidden(e.at)
	}
	slices.SortFunc(r.Findings, compareFindings)
	for _, f := range r.Findings {
		delete(e.looked, f.Word)
	}
	for _, c := range e.looked {
		r.Passed = append(r.Passed, c)
	}
	slices.SortFunc(r.Passed, func(a, b Check) int { return strings.Compare(a.Word, b.Word) })
}

// hidden returns a URL for people that a server has a hand in.
func (e *examination) hidden(u *url.URL) string { return e.asker.secrets.hide(bare(u)) }

// ask sends a request and keeps the answer. The error is errNothingThere if the
// server does not take any more of them, or if the answer is malformed: there is a
// finding that says so.
func (e *examination) ask(ctx context.Context, q Question) (*Answer, error) {
	a, err := e.send(ctx, q)
	if err != nil {
		return nil, err
	}
	if err := e.checkServed(ctx, a); err != nil {
		return nil, err
	}
	return a, nil
}

// send is ask for whatever status.
func (e *examination) send(ctx context.Context, q Question) (*Answer, error) {
	a, err := e.asker.ask(ctx, e.at, q)
	e.look(malformed)
	if c, text, found := malformation(err); found {
		e.find(c, "", []*Answer{{Question: q}}, "%s (request %d: %s)", text, len(e.result.Answers)+1, q)
		return nil, errNothingThere
	}
	if err != nil {
		return nil, err
	}
	a.Layer.Bytes = bytesOf(a, e.asset)
	e.result.Answers = append(e.result.Answers, a)
	return a, nil
}

// look marks checks as done.
func (e *examination) look(checks ...Check) {
	for _, c := range checks {
		e.looked[c.Word] = c
	}
}

// find adds a finding about answers in some coding.
func (e *examination) find(c Check, coding string, seen []*Answer, format string, args ...any) {
	f := Finding{URL: e.result.URL, Check: c, Coding: coding, Text: fmt.Sprintf(format, args...)}
	for _, a := range seen {
		f.Asked = append(f.Asked, a.Question.String())
	}
	e.result.Findings = append(e.result.Findings, f)
}

// found reports whether there is a finding of a check, in the coding or any.
func (e *examination) found(c Check, coding string) bool {
	return slices.ContainsFunc(e.result.Findings, func(f Finding) bool { return f.Word == c.Word && f.Coding == coding })
}

// rep returns the representation in a coding, nil if there is none.
func (e *examination) rep(coding string) *Answer {
	for _, a := range e.reps {
		if a.Coding == coding {
			return a
		}
	}
	return nil
}

// answerTo returns the full answer to an Accept-Encoding, nil if there is none.
func (e *examination) answerTo(acceptEncoding string) *Answer {
	for _, a := range e.full {
		if a.Question.AcceptEncoding == acceptEncoding {
			return a
		}
	}
	return nil
}

// stored returns the build's variant in a coding.
func (e *examination) stored(c manifest.Coding) (manifest.Variant, bool) {
	if e.asset == nil {
		return manifest.Variant{}, false
	}
	v, ok := e.asset.Variant(c)
	return v, ok && v.Stored()
}

// name is the last element of the path that was asked for, decoded.
func (e *examination) name() string {
	if e.asset != nil {
		return path.Base(e.asset.Path)
	}
	if strings.HasSuffix(e.at.Path, "/") {
		return ""
	}
	return path.Base(e.at.Path)
}

// accepts lists what answers are to, for people.
func accepts(answers []*Answer) string {
	var all []string
	for _, a := range answers {
		q := a.Question.AcceptEncoding
		if q == "" {
			q = "none"
		}
		if !slices.Contains(all, q) {
			all = append(all, q)
		}
	}
	return "Accept-Encoding " + strings.Join(all, " | ")
}

func get(acceptEncoding string) Question {
	return Question{Method: http.MethodGet, AcceptEncoding: acceptEncoding}
}
