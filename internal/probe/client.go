package probe

import (
	"context"
	"crypto/tls"
	"net/http"
	"net/http/httptrace"
	"net/url"

	"golang.org/x/time/rate"
)

// client sends requests. It is safe for concurrent use.
type client struct {
	transport *http.Transport
	limiter   *rate.Limiter
	opts      Options
	redactor  redactor // of the secrets of one URL
}

// newClient makes a client that opens a connection for each request: an error in the
// framing of one answer cannot spoil the next one.
func newClient(opts Options) *client {
	config := opts.TLS.Clone()
	if config == nil {
		config = &tls.Config{}
	}
	dialer := dialer{config.Clone(), opts.Timeout}
	return &client{
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

// forUser returns a client that shares the rate, and redacts the secrets of a URL.
func (c *client) forUser(user *url.Userinfo) *client {
	own := *c
	own.redactor = newRedactor(c.opts.Header, user)
	return &own
}

// send sends one request and reads the whole answer. The timeout starts once the rate
// allows the request, and ends with the last byte of the content.
func (c *client) send(ctx context.Context, target *url.URL, request Request) (*Answer, error) {
	if err := c.limiter.Wait(ctx); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.opts.Timeout)
	defer cancel()
	r, err := c.httpRequest(ctx, target, request)
	if err != nil {
		return nil, &RequestError{request, c.redactor.redactError(err)}
	}
	answer, err := c.exchange(r, request)
	if ctx.Err() != nil {
		err = ctx.Err() // whatever error it caused
	}
	if err != nil {
		return nil, &RequestError{request, c.redactor.redactError(err)}
	}
	return answer, nil
}

func (c *client) httpRequest(ctx context.Context, target *url.URL, request Request) (*http.Request, error) {
	r, err := http.NewRequestWithContext(ctx, request.Method, withoutUser(target), nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("User-Agent", c.opts.UserAgent)
	if u := target.User; u != nil {
		password, _ := u.Password()
		r.SetBasicAuth(u.Username(), password)
	}
	for name, values := range c.opts.Header {
		r.Header[name] = values
	}
	if host := c.opts.Header.Get("Host"); host != "" {
		r.Host = host
		delete(r.Header, "Host")
	}
	for _, f := range request.fields() {
		r.Header.Set(f.name, c.redactor.restore(f.value))
	}
	return r, nil
}

// exchange reads an answer, and what follows it where the connection shows that.
func (c *client) exchange(r *http.Request, request Request) (*Answer, error) {
	var conn *recordingConn // set before RoundTrip returns
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		if recording, ok := info.Conn.(*recordingConn); ok {
			recording.hold()
			conn = recording
		}
	}}
	response, err := c.transport.RoundTrip(r.WithContext(httptrace.WithClientTrace(r.Context(), trace)))
	if conn != nil {
		defer conn.release()
	}
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	location := response.Header["Location"]
	response.Header = c.redactor.redactHeader(response.Header)
	answer, err := readAnswer(response, request, c.opts.MaxBody)
	if err != nil {
		return nil, err
	}
	answer.location, answer.Content.truncated = location, c.redactor.redactError(answer.Content.truncated)
	if conn != nil {
		answer.framing = conn.inspect(answer.lengthOnWire())
	}
	return answer, nil
}

// RequestError is a request without an answer that could be read.
type RequestError struct {
	Request Request
	Err     error
}

func (e *RequestError) Error() string { return e.Request.String() + ": " + errorText(e.Err) }

func (e *RequestError) Unwrap() error { return e.Err }
