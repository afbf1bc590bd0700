package probe

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// urlProbe is the probe of one URL: its answers and findings so far. The checks are its
// methods. It sends one request at a time.
type urlProbe struct {
	client *client
	url    *url.URL // the target's, or where redirects ended
	asset  *manifest.Asset
	result *Result
	done   map[string]Check // the checks made so far, by word

	full              []*Answer // whole answers to GET without conditions
	reps              []*Answer // the representations: the first of full in each coding
	deltas            []*Answer // answers in dcb or dcz
	changing          bool      // each request gets other content
	unknownTagMatched bool      // an ETag that the URL never had got 304
}

func newURLProbe(c *client, t Target) *urlProbe {
	p := &urlProbe{
		client: c.forUser(t.URL.User), url: t.URL, asset: t.Asset,
		result: &Result{URL: withoutUser(t.URL)},
		done:   make(map[string]Check),
	}
	if t.Asset != nil {
		p.result.Asset = t.Asset.Path
	}
	return p
}

// checked marks checks as made.
func (p *urlProbe) checked(checks ...Check) {
	for _, c := range checks {
		p.done[c.Word] = c
	}
}

// addAll adds a finding about answers.
func (p *urlProbe) addAll(c Check, coding string, seen []*Answer, format string, args ...any) {
	f := Finding{URL: p.result.URL, Check: c, Coding: coding, Message: fmt.Sprintf(format, args...)}
	for _, a := range seen {
		f.Seen = append(f.Seen, a.Request.String())
	}
	p.result.Findings = append(p.result.Findings, f)
}

// add adds a finding about an answer.
func (p *urlProbe) add(c Check, coding string, a *Answer, format string, args ...any) {
	p.addAll(c, coding, []*Answer{a}, format, args...)
}

// addOnce adds a finding unless the check has one for the coding.
func (p *urlProbe) addOnce(c Check, coding string, a *Answer, format string, args ...any) {
	if !p.found(c, coding) {
		p.add(c, coding, a, format, args...)
	}
}

// found reports whether a check has a finding for a coding.
func (p *urlProbe) found(c Check, coding string) bool {
	return slices.ContainsFunc(p.result.Findings, func(f Finding) bool { return f.Word == c.Word && f.Coding == coding })
}

// finish completes the result.
func (p *urlProbe) finish() *Result {
	r := p.result
	for _, a := range r.Answers {
		a.trim()
	}
	if r.Final = withoutUser(p.url); r.Final != r.URL {
		r.Final = p.redacted(p.url)
	}
	slices.SortFunc(r.Findings, compareFindings)
	for _, f := range r.Findings {
		delete(p.done, f.Word)
	}
	for _, c := range p.done {
		r.Passed = append(r.Passed, c)
	}
	slices.SortFunc(r.Passed, func(a, b Check) int { return strings.Compare(a.Word, b.Word) })
	return r
}

// redacted returns a URL that the server chose, for messages.
func (p *urlProbe) redacted(u *url.URL) string { return p.client.redactor.redact(withoutUser(u)) }

// representation returns the one in a coding, nil if there is none.
func (p *urlProbe) representation(coding string) *Answer {
	return first(p.reps, func(a *Answer) bool { return a.Coding == coding })
}

// answerTo returns the whole answer to an Accept-Encoding, nil if there is none.
func (p *urlProbe) answerTo(acceptEncoding string) *Answer {
	return first(p.full, func(a *Answer) bool { return a.Request.AcceptEncoding == acceptEncoding })
}

// first returns the first answer with a property, nil if there is none.
func first(answers []*Answer, is func(*Answer) bool) *Answer {
	if i := slices.IndexFunc(answers, is); i >= 0 {
		return answers[i]
	}
	return nil
}

// variant returns the variant that the build stored in a coding.
func (p *urlProbe) variant(c manifest.Coding) (manifest.Variant, bool) {
	if p.asset == nil {
		return manifest.Variant{}, false
	}
	v, ok := p.asset.Variant(c)
	return v, ok && v.Stored()
}

// fileName is the last element of the asset's path, or of the URL's path, decoded.
func (p *urlProbe) fileName() string {
	if p.asset != nil {
		return path.Base(p.asset.Path)
	}
	if strings.HasSuffix(p.url.Path, "/") {
		return ""
	}
	return path.Base(p.url.Path)
}
