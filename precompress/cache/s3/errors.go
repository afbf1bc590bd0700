package s3

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"regexp"
	"strings"
	"syscall"

	"github.com/minio/minio-go/v7"

	"github.com/precompress/precompress/precompress/cache"
)

// requestError is why a request failed, in words of our own: what a store, a proxy or
// the client says may hold secrets, or be anything.
type requestError struct {
	text string
	kind error // for errors.Is
}

func (e *requestError) Error() string { return e.text }
func (e *requestError) Unwrap() error { return e.kind }

var errTooLarge = &requestError{text: "an object is too large to be an entry"}

// word matches what a code or the name of a region looks like.
var word = regexp.MustCompile(`^[A-Za-z0-9.-]{1,40}$`)

// aboutCredentials matches the codes of stores for credentials that they do not know, or
// do not accept any more.
var aboutCredentials = regexp.MustCompile(`User|Account|Access.?Key|Token|Credential|Signature`)

// explain turns an error of the client into a [requestError]. The context is that of
// the request.
func (s *Store) explain(ctx context.Context, err error) error {
	var response minio.ErrorResponse
	var known *requestError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &known):
		return known
	case errors.Is(context.Cause(ctx), errSlow), isTimeout(err):
		return &requestError{errSlow.Error(), errSlow}
	case ctx.Err() != nil:
		return &requestError{"it takes too long", ctx.Err()}
	case errors.As(err, &response) && response.StatusCode != 0:
		return s.explainResponse(response)
	}
	return explainNetwork(err)
}

func isTimeout(err error) bool {
	var timeout net.Error
	return errors.As(err, &timeout) && timeout.Timeout()
}

// explainResponse says what a response without success means.
func (s *Store) explainResponse(r minio.ErrorResponse) error {
	text := fmt.Sprintf("%d %s", r.StatusCode, http.StatusText(r.StatusCode))
	if word.MatchString(r.Code) {
		text = fmt.Sprintf("%d %s", r.StatusCode, r.Code)
	}
	switch {
	case r.Code == minio.NoSuchKey:
		return fs.ErrNotExist
	case r.Code == minio.NoSuchBucket:
		return &requestError{text + ": there is no such bucket at this endpoint", cache.ErrUnusable}
	case r.StatusCode == http.StatusMovedPermanently || r.StatusCode == http.StatusTemporaryRedirect ||
		r.Code == minio.AuthorizationHeaderMalformed || r.Code == minio.InvalidRegion:
		text += ": the bucket is in another region"
		if word.MatchString(r.Region) {
			text += ", " + r.Region
		}
		return &requestError{text + ": set AWS_REGION or ?region=", cache.ErrUnusable}
	case r.StatusCode/100 == 3:
		return &requestError{text + ": check the endpoint", nil}
	case s.creds.absent() != "" && (r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusUnauthorized):
		return &requestError{text + ": " + s.creds.absent(), cache.ErrDenied}
	case r.Code == minio.AccessDenied && r.StatusCode == http.StatusForbidden:
		return &requestError{text + ": these credentials may not do this (s3:GetObject and s3:ListBucket to read, s3:PutObject to write)", cache.ErrDenied}
	case r.Code == minio.RequestTimeTooSkewed:
		return &requestError{text + ": set this machine's clock", cache.ErrUnusable}
	case r.StatusCode == http.StatusForbidden || r.StatusCode == http.StatusUnauthorized,
		r.StatusCode < http.StatusInternalServerError && aboutCredentials.MatchString(r.Code):
		return &requestError{text + ": check the credentials", cache.ErrUnusable}
	}
	return &requestError{text, nil}
}

// explainNetwork says why there was no complete response.
func explainNetwork(err error) error {
	var (
		name        *net.DNSError
		certificate *tls.CertificateVerificationError
		authority   x509.UnknownAuthorityError
	)
	switch {
	case errors.As(err, &name):
		return &requestError{"its host is not found: check the endpoint", err}
	case errors.Is(err, syscall.ECONNREFUSED):
		return &requestError{"connection refused: check the endpoint", err}
	case errors.As(err, &certificate), errors.As(err, &authority):
		return &requestError{"its certificate is not trusted", cache.ErrUnusable}
	case strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return &requestError{"it does not speak TLS: write the endpoint with http://", cache.ErrUnusable}
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return &requestError{"the connection broke", err}
	}
	return explainOther(err)
}

// explainOther says what is wrong with a response or with the way to the store, as far
// as the client's text shows: that text itself may quote what was sent.
func explainOther(err error) error {
	var number syscall.Errno
	if errors.As(err, &number) {
		return &requestError{number.Error(), err}
	}
	for _, known := range []struct{ part, text string }{
		{"tls: ", "TLS fails: check the endpoint"},
		{"x509: ", "its certificate is not valid for this host: check the endpoint"},
		{"malformed HTTP", "it does not speak HTTP: check the endpoint"},
		{"headers exceeded", "the header of its response is too large"},
		{"time format is invalid", "its response lacks the header fields of an object: check the endpoint"},
		{"proxyconnect", "the proxy does not let it through"},
	} {
		if strings.Contains(err.Error(), known.part) {
			return &requestError{known.text, err}
		}
	}
	return &requestError{"its response is not that of an S3 store: check the endpoint", err}
}
