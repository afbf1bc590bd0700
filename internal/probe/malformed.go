package probe

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
)

// brokenPrefix is how the transport begins the error about an answer over HTTP/1.1
// that it cannot go on with, be it for its form or for the connection.
const brokenPrefix = "net/http: HTTP/1.x transport connection broken: "

// malformation returns what is wrong with the form of an answer, for the error of a
// request that had one.
func malformation(err error) (c Check, text string, found bool) {
	var network net.Error
	var asked *RequestError
	if !errors.As(err, &asked) || errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.Canceled) {
		return Check{}, "", false
	}
	text, found = strings.CutPrefix(asked.Err.Error(), brokenPrefix)
	if !found || strings.Contains(text, "headers exceeded") { // what is too long may be well-formed
		return Check{}, "", false
	}
	if coding, found := strings.CutPrefix(text, "unsupported transfer encoding: "); found {
		return malformed.citing("RFC 9112, section 7.4"), "Transfer-Encoding " + printable(coding) + " was not asked for", true
	}
	return malformed, "the answer breaks the form of HTTP/1.1: " + printable(strings.TrimPrefix(text, "net/http: ")), true
}
