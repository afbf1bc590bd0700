package probe

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"

	"golang.org/x/time/rate"
)

// Question is a request, as far as it differs from the others for the same URL.
// An empty field is not sent.
type Question struct {
	Method              string // GET or HEAD
	AcceptEncoding      string
	Range               string
	IfRange             string
	IfNoneMatch         string
	IfModifiedSince     string
	AvailableDictionary string
}

// field is a line of a header.
type field struct{ name, value string }

func (q Question) fields() []field {
	all := []field{
		{"Accept-Encoding", q.AcceptEncoding}, {"Range", q.Range}, {"If-Range", q.IfRange}, {"If-None-Match", q.IfNoneMatch},
		{"If-Modified-Since", q.IfModifiedSince}, {"Available-Dictionary", q.AvailableDictionary},
	}
	var sent []field
	for _, f := range all {
		if f.value != "" {
			sent = append(sent, f)
		}
	}
	return sent
}

// String returns the question in one line: the method if it is not GET, then the
// fields.
func (q Question) String() string {
	var parts []string
	if q.Method != http.MethodGet {
		parts = append(parts, q.Method)
	}
	if q.AcceptEncoding == "" {
		parts = append(parts, "no Accept-Encoding")
	}
	for _, f := range q.fields() {
		parts = append(parts, f.name+": "+shown(f.value))
	}
	return strings.Join(parts, "; ")
}

// conditions names the fields that make a request conditional or one for a part, for
// the middle of a sentence; "" if there are none.
func (q Question) conditions() string {
	var names []string
	for _, f := range q.fields() {
		if f.name != "Accept-Encoding" && f.name != "Available-Dictionary" {
			names = append(names, f.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " that comes for " + strings.Join(names, " and ")
}

// Lines returns the fields as they are sent.
func (q Question) Lines() []string {
	lines := []string{}
	for _, f := range q.fields() {
		lines = append(lines, f.name+": "+f.value)
	}
	return lines
}

// with returns the question that f changes.
func (q Question) with(f func(*Question)) Question {
	f(&q)
	return q
}

// maxHeader is the most that the header of an answer may have, in bytes.
const maxHeader = 64 << 10

// asker sends requests. It is safe for concurrent use.
type asker struct {
	transport *http.Transport
	limiter   *rate.Limiter
	opts      Options
	secrets   secrets // of the URL that is asked for
}

// keeping returns an asker that shares the rate, and keeps the secrets of a URL.
func (a *asker) keeping(user *url.Userinfo) *asker {
	own := *a
	own.secrets = newSecrets(a.opts.Header, user)
	return &own
}

// newAsker makes a connection for each request: what is wrong with the framing of
// one answer cannot pass for the next.
func newAsker(opts Options) *asker {
	config := opts.TLS.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	dialer := dialer{config.Clone(), opts.Timeout}
	return &asker{
		transport: &http.Transport{
			DialContext:            dialer.dial,
			DialTLSContext:         dialer.dialTLS,
			Proxy:                  http.ProxyFromEnvironment,
			TLSClientConfig:        config,
			ForceAttemptHTTP2:      true,
			DisableCompression:     true, // it would send an Accept-Encoding of its own
			DisableKeepAlives:      true,
			MaxResponseHeaderBytes: maxHeader,
		},
		limiter: rate.NewLimiter(rate.Limit(opts.Rate), 1),
		opts:    opts,
	}
}

// ask sends one request and reads the answer in full. The timeout is about all of
// it, from the connection to the last byte of the content, and begins when the
// rate lets the request go.
func (a *asker) ask(ctx context.Context, target *url.URL, q Question) (*Answer, error) {
	if err := a.limiter.Wait(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, a.opts.Timeout)
	defer cancel()
	r, err := a.request(ctx, target, q)
	if err != nil {
		return nil, &RequestError{q, a.secrets.hideError(err)}
	}
	answer, err := a.exchange(r, q)
	if ctx.Err() != nil {
		err = ctx.Err() // whatever it looked like
	}
	if err != nil {
		return nil, &RequestError{q, a.secrets.hideError(err)}
	}
	return answer, nil
}

// exchange reads an answer and, where the connection shows it, what is behind it.
func (a *asker) exchange(r *http.Request, q Question) (*Answer, error) {
	var wire *tap // set before RoundTrip returns
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if t, ok := info.Conn.(*tap); ok {
			t.hold()
			wire = t
		}
	}}
	response, err := a.transport.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
	if wire != nil {
		defer wire.end()
	}
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	location := response.Header["Location"]
	response.Header = a.secrets.hideHeader(response.Header)
	answer, err := readAnswer(response, q, a.opts.MaxBody)
	if err != nil {
		return nil, err
	}
	answer.location, answer.Content.Cut = location, a.secrets.hideError(answer.Content.Cut)
	if wire != nil {
		answer.frame = wire.look(answer)
	}
	return answer, nil
}

func (a *asker) request(ctx context.Context, target *url.URL, q Question) (*http.Request, error) {
	bare := *target
	bare.User = nil
	r, err := http.NewRequestWithContext(ctx, q.Method, bare.String(), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", a.opts.UserAgent)
	if u := target.User; u != nil {
		password, _ := u.Password()
		r.SetBasicAuth(u.Username(), password)
	}
	for name, values := range a.opts.Header {
		r.Header[name] = values
	}
	if host := a.opts.Header.Get("Host"); host != "" {
		r.Host = host
		delete(r.Header, "Host")
	}
	for _, f := range q.fields() {
		r.Header.Set(f.name, a.secrets.reveal(f.value))
	}
	return r, nil
}

// RequestError is a request without an answer that could be looked at.
type RequestError struct {
	Question Question
	Err      error
}

func (e *RequestError) Error() string { return e.Question.String() + ": " + cause(e.Err) }

func (e *RequestError) Unwrap() error { return e.Err }
