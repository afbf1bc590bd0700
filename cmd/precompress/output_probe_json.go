package main

import (
	"net/http"
	"strings"

	"github.com/precompress/precompress/internal/probe"
)

// The form of what probe prints with --json; the README documents it.
type (
	jsonProbe struct {
		Version     int             `json:"version"`
		Command     string          `json:"command"`
		OK          bool            `json:"ok"`
		Interrupted bool            `json:"interrupted,omitempty"`
		Faults      int             `json:"faults"`
		URLs        []jsonProbedURL `json:"urls"`
	}
	jsonProbedURL struct {
		URL      string        `json:"url"`
		Final    string        `json:"final_url,omitempty"`
		Asset    *jsonPath     `json:"asset,omitempty"`
		Error    string        `json:"error,omitempty"`
		Answers  []jsonAnswer  `json:"answers"`
		Findings []jsonFinding `json:"findings"`
		Passed   []string      `json:"passed"`
	}
	jsonAnswer struct {
		Method        string    `json:"method"`
		Request       []string  `json:"request"`
		Protocol      string    `json:"protocol"`
		Status        int       `json:"status"`
		Coding        string    `json:"coding,omitempty"`
		ContentLength *int64    `json:"content_length,omitempty"`
		Bytes         int64     `json:"bytes"`
		Digest        string    `json:"xxh64,omitempty"`
		ETag          string    `json:"etag,omitempty"`
		Vary          string    `json:"vary,omitempty"`
		CacheControl  string    `json:"cache_control,omitempty"`
		ContentType   string    `json:"content_type,omitempty"`
		Layer         jsonLayer `json:"layer"`
	}
	jsonLayer struct {
		From   string   `json:"from,omitempty"`
		Bytes  string   `json:"bytes,omitempty"`
		Fields []string `json:"fields,omitempty"`
	}
	jsonFinding struct {
		Check     string         `json:"check"`
		Severity  probe.Severity `json:"severity"`
		Coding    string         `json:"coding,omitempty"`
		Message   string         `json:"message"`
		Reference string         `json:"reference,omitempty"`
		Advice    string         `json:"advice"`
		Seen      []string       `json:"seen,omitempty"`
	}
)

func (o *output) probedJSON(p probed) {
	faults, unanswered := p.count()
	document := jsonProbe{
		Version: 1, Command: "probe", OK: faults == 0 && unanswered == 0 && !p.interrupted,
		Interrupted: p.interrupted, Faults: faults, URLs: []jsonProbedURL{},
	}
	for _, r := range p.results {
		document.URLs = append(document.URLs, probedURL(r))
	}
	o.print(jsonText(document))
}

func probedURL(r *probe.Result) jsonProbedURL {
	j := jsonProbedURL{URL: r.URL, Answers: []jsonAnswer{}, Findings: []jsonFinding{}, Passed: []string{}}
	if r.Final != r.URL {
		j.Final = r.Final
	}
	if r.Asset != "" {
		path := jsonPath(r.Asset)
		j.Asset = &path
	}
	if r.Err != nil {
		j.Error = r.Err.Error()
	}
	for _, a := range r.Answers {
		j.Answers = append(j.Answers, answerJSON(a))
	}
	for _, f := range r.Findings {
		j.Findings = append(j.Findings, jsonFinding{f.Word, f.Severity, f.Coding, f.Message, f.Reference, f.Check.Advice, f.Seen})
	}
	for _, c := range r.Passed {
		j.Passed = append(j.Passed, c.Word)
	}
	return j
}

func answerJSON(a *probe.Answer) jsonAnswer {
	j := jsonAnswer{
		Method: a.Request.Method, Request: a.Request.Lines(), Protocol: a.Proto, Status: a.Status, Coding: a.Coding,
		Bytes: a.Content.Size, ETag: joinedField(a.Header, "Etag"), Vary: joinedField(a.Header, "Vary"),
		CacheControl: joinedField(a.Header, "Cache-Control"), ContentType: joinedField(a.Header, "Content-Type"),
		Layer: jsonLayer{a.Provenance.From, a.Provenance.Bytes, a.Provenance.Fields},
	}
	if a.Length >= 0 {
		j.ContentLength = &a.Length
	}
	if a.Content.Size > 0 && !a.Content.TooLarge {
		j.Digest = a.Content.Digest.String()
	}
	return j
}

func joinedField(h http.Header, name string) string { return strings.Join(h.Values(name), ", ") }
