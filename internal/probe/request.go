package probe

import (
	"net/http"
	"strings"
)

// Request is what distinguishes a request from the others for the same URL. An empty
// field is not sent.
type Request struct {
	Method              string // GET or HEAD
	AcceptEncoding      string
	Range               string
	IfRange             string
	IfNoneMatch         string
	IfModifiedSince     string
	AvailableDictionary string // RFC 9842, section 2.2
}

// get returns a request for the whole content.
func get(acceptEncoding string) Request {
	return Request{Method: http.MethodGet, AcceptEncoding: acceptEncoding}
}

// with returns the request as changed by change.
func (r Request) with(change func(*Request)) Request {
	change(&r)
	return r
}

// field is a field line of a request.
type field struct{ name, value string }

// fields returns the fields that are sent.
func (r Request) fields() []field {
	var sent []field
	for _, f := range []field{
		{"Accept-Encoding", r.AcceptEncoding}, {"Range", r.Range}, {"If-Range", r.IfRange}, {"If-None-Match", r.IfNoneMatch},
		{"If-Modified-Since", r.IfModifiedSince}, {"Available-Dictionary", r.AvailableDictionary},
	} {
		if f.value != "" {
			sent = append(sent, f)
		}
	}
	return sent
}

// Lines returns the field lines as they are sent.
func (r Request) Lines() []string {
	lines := []string{}
	for _, f := range r.fields() {
		lines = append(lines, f.name+": "+f.value)
	}
	return lines
}

// String describes the request in one line: the method unless it is GET, then the
// fields.
func (r Request) String() string {
	var parts []string
	if r.Method != http.MethodGet {
		parts = append(parts, r.Method)
	}
	if r.AcceptEncoding == "" {
		parts = append(parts, "no Accept-Encoding")
	}
	for _, f := range r.fields() {
		parts = append(parts, f.name+": "+shown(f.value))
	}
	return strings.Join(parts, "; ")
}

// conditions names the fields that make a request conditional or one for a range, for
// the middle of a message. It is "" if there are none.
func (r Request) conditions() string {
	var names []string
	for _, f := range r.fields() {
		if f.name != "Accept-Encoding" && f.name != "Available-Dictionary" {
			names = append(names, f.name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " in the answer to " + strings.Join(names, " and ")
}
