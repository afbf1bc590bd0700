package probe

import (
	"io"
	"net/http"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// Answer is what came for a question.
type Answer struct {
	Question Question
	Proto    string // HTTP/1.1, HTTP/2.0
	Status   int
	// Header has the fields that are looked at, and of their values no more than 1
	// KiB each. Where one repeats the value of a field that was sent for all requests,
	// or a password, it has [secret] in place of it.
	Header http.Header
	// Coding is the Content-Encoding field in lower case, its members split by
	// ", "; "" for none. x-gzip is gzip (RFC 9110, section 8.4.1.3).
	Coding string
	// Length is the Content-Length, -1 if there is none.
	Length  int64
	Content Content // of GET
	Layer   Layer

	location []string // as it came
	frame    frame
}

func readAnswer(response *http.Response, q Question, limit int64) (*Answer, error) {
	a := &Answer{
		Question: q, Proto: response.Proto, Status: response.StatusCode,
		Header: response.Header, Length: response.ContentLength,
	}
	a.Coding = coding(response.Header)
	a.Layer = layerOf(response.Header)
	if a.bodiless() {
		return a, nil
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if int64(len(data)) > limit {
		a.Content = Content{Size: limit, TooLarge: true}
		return a, nil
	}
	a.Content = look(data, a.Coding, limit)
	a.Content.Cut = err
	return a, nil
}

// bodiless reports whether an answer ends with its header, whatever that says (RFC
// 9112, section 6.3).
func (a *Answer) bodiless() bool {
	return a.Question.Method == http.MethodHead || a.Status == http.StatusNotModified || a.Status == http.StatusNoContent
}

// coding returns what the Content-Encoding field says.
func coding(h http.Header) string {
	all := members(h.Values("Content-Encoding"))
	for i, c := range all {
		if c == "x-gzip" {
			all[i] = string(manifest.Gzip)
		}
	}
	if len(all) == 1 && all[0] == "identity" {
		return ""
	}
	return strings.Join(all, ", ")
}

// keptFields are those that a Result still has when all was looked at.
var keptFields = strings.Fields("Age Cache-Control Content-Encoding Content-Length Content-Range Content-Type Date Etag Expires Last-Modified Location Use-As-Dictionary Vary")

// maxKept is how much of a field is kept, and the longest entity tag that is asked
// with, in bytes.
const maxKept = 1 << 10

// forget drops what no result needs, so that many results take little memory.
func (a *Answer) forget() {
	a.Content.start, a.Content.Decoded.again, a.location = nil, nil, nil
	kept := make(http.Header)
	for _, name := range keptFields {
		for _, value := range a.Header[name] {
			kept.Add(name, strings.Clone(value[:min(len(value), maxKept)]))
		}
	}
	a.Header = kept
}

// codingName names a coding for people.
func codingName(c string) string {
	if c == "" {
		return "identity"
	}
	return shown(c)
}

// varies reports whether Vary lists a field, or everything.
func (a *Answer) varies(name string) bool {
	for _, m := range members(a.Header.Values("Vary")) {
		if m == "*" || m == strings.ToLower(name) {
			return true
		}
	}
	return false
}

// etag returns the entity tag, "" if there is none that can be used.
func (a *Answer) etag() string {
	lines := a.Header.Values("Etag")
	if len(lines) != 1 || !isETag(lines[0]) {
		return ""
	}
	return lines[0]
}

// isETag reports whether s is an entity tag (RFC 9110, section 8.8.3).
func isETag(s string) bool {
	s = opaque(s)
	if len(s) < 2 || len(s) > maxKept || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	return !strings.ContainsFunc(s[1:len(s)-1], func(r rune) bool { return r < 0x21 || r == '"' || r == 0x7f })
}

// opaque returns an entity tag without the mark of a weak one, for the weak
// comparison (RFC 9110, section 8.8.3.2).
func opaque(etag string) string { return strings.TrimPrefix(etag, "W/") }

// complete reports whether the content is there as it was sent.
func (a *Answer) complete() bool {
	return isWhole(a.Status) && a.Content.Cut == nil && !a.Content.TooLarge
}

// unread reports whether there was no looking at all of the content.
func (a *Answer) unread() bool { return !a.complete() || a.Content.Decoded.TooLarge }
