package probe

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
)

// errStop ends the probe of a URL after a finding that says why.
var errStop = errors.New("nothing more to request")

// ask sends a request and keeps its answer. The error is errStop if the answer is
// malformed, or if the server refuses further requests.
func (p *urlProbe) ask(ctx context.Context, r Request) (*Answer, error) {
	a, err := p.askAnyway(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := p.checkRefusal(ctx, a); err != nil {
		return nil, err
	}
	return a, nil
}

// askAnyway is ask for a server that may refuse.
func (p *urlProbe) askAnyway(ctx context.Context, r Request) (*Answer, error) {
	a, err := p.client.send(ctx, p.url, r)
	p.checked(malformed)
	if c, text, found := malformation(err); found {
		p.add(c, "", &Answer{Request: r}, "%s (request %d: %s)", text, len(p.result.Answers)+1, r)
		return nil, errStop
	}
	if err != nil {
		return nil, err
	}
	if p.asset != nil && a.isComplete() && r.Method == http.MethodGet {
		a.Provenance.Bytes = bytesOf(a.Content, a.Coding, p.asset)
	}
	p.result.Answers = append(p.result.Answers, a)
	return a, nil
}

// brokenPrefix starts the transport's error about an answer over HTTP/1.1 that it cannot
// read, be it malformed or cut off.
const brokenPrefix = "net/http: HTTP/1.x transport connection broken: "

// malformation returns how an answer is malformed, by the error of its request.
func malformation(err error) (c Check, text string, found bool) {
	var network net.Error
	var request *RequestError
	if !errors.As(err, &request) || errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.Canceled) {
		return Check{}, "", false
	}
	text, found = strings.CutPrefix(request.Err.Error(), brokenPrefix)
	if !found || strings.Contains(text, "headers exceeded") { // too long is not malformed
		return Check{}, "", false
	}
	if coding, found := strings.CutPrefix(text, "unsupported transfer encoding: "); found {
		return malformed.citing("RFC 9112, section 7.4"), "Transfer-Encoding " + printable(coding, 3*maxShown) + " was not requested", true
	}
	return malformed, "the answer is not valid HTTP/1.1: " + printable(strings.TrimPrefix(text, "net/http: "), 3*maxShown), true
}

// checkRefusal stops at the answer of a server that refuses further requests: 429, 503,
// or any other 5xx that it also gives to the first request, which it answered before.
// Findings about such answers would not be about the file.
func (p *urlProbe) checkRefusal(ctx context.Context, a *Answer) error {
	switch answered := p.result.Answers[0].Status < 500; {
	case a.Status == http.StatusTooManyRequests, a.Status == http.StatusServiceUnavailable:
	case a.Status >= 500 && answered:
		again, err := p.askAnyway(ctx, get(""))
		if err != nil {
			return err
		}
		if again.Status < 500 && again.Status != http.StatusTooManyRequests {
			return nil // only this request fails
		}
		a = again
	default:
		return nil
	}
	p.checked(status)
	text := fmt.Sprintf("the answer is %d", a.Status)
	if after := a.value("Retry-After"); after != "" {
		text += " with Retry-After: " + shown(after)
	}
	p.add(statusCheck(a.Status), "", a, "%s (request %d: %s)", text, len(p.result.Answers), a.Request)
	return errStop
}
