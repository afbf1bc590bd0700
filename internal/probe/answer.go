package probe

import (
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/precompress/precompress/manifest"
)

// Answer is the response to a request.
type Answer struct {
	Request Request
	Proto   string // "HTTP/1.1" or "HTTP/2.0"
	Status  int
	// Header has the fields that the checks read, each value cut to 1 KiB. A value
	// that was sent with every request, or a password, is replaced by [secret].
	Header http.Header
	// Coding is Content-Encoding in lower case, its members separated by ", "; "" is
	// identity. x-gzip is read as gzip (RFC 9110, section 8.4.1.3).
	Coding     string
	Length     int64   // Content-Length in bytes, -1 if there is none
	Content    Content // none for HEAD
	Provenance Provenance

	location []string // the Location field before redaction
	framing  wireFraming
}

// readAnswer reads a response with at most limit bytes of content.
func readAnswer(response *http.Response, request Request, limit int64) (*Answer, error) {
	a := &Answer{
		Request: request, Proto: response.Proto, Status: response.StatusCode,
		Header: response.Header, Length: response.ContentLength,
		Coding: contentEncoding(response.Header), Provenance: provenanceOf(response.Header),
	}
	if a.isBodiless() {
		return a, nil
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if int64(len(data)) > limit {
		a.Content = Content{Size: limit, TooLarge: true}
		return a, nil
	}
	a.Content = readContent(data, a.Coding, limit)
	a.Content.truncated = err
	return a, nil
}

// contentEncoding returns the Content-Encoding field as [Answer.Coding] has it.
func contentEncoding(h http.Header) string {
	all := members(h, "Content-Encoding")
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

// isBodiless reports whether an answer ends with its header, whatever its fields say
// (RFC 9112, section 6.3).
func (a *Answer) isBodiless() bool {
	return a.Request.Method == http.MethodHead || a.Status == http.StatusNotModified || a.Status == http.StatusNoContent
}

// isWhole reports whether the answer has a whole representation: 200, or 203, which
// replaces it where a proxy has changed the content (RFC 9110, section 15.3.4).
func (a *Answer) isWhole() bool {
	return a.Status == http.StatusOK || a.Status == http.StatusNonAuthoritativeInfo
}

// isComplete reports whether all of a whole representation was read.
func (a *Answer) isComplete() bool {
	return a.isWhole() && a.Content.truncated == nil && !a.Content.TooLarge
}

// isDecoded reports whether all of a whole representation was decoded.
func (a *Answer) isDecoded() bool { return a.isComplete() && a.Content.decoded.ok() }

// isUnread reports whether some of the content was not read or not decoded.
func (a *Answer) isUnread() bool { return !a.isComplete() || a.Content.decoded.tooLarge }

// isDelta reports whether the content is compressed with a dictionary.
func (a *Answer) isDelta() bool { return manifest.Coding(a.Coding).IsDelta() }

// lengthOnWire returns how many bytes come after the header, -1 if that is unknown.
func (a *Answer) lengthOnWire() int64 {
	switch {
	case a.isBodiless():
		return 0
	case a.Content.truncated != nil || a.Content.TooLarge:
		return -1
	}
	return a.Length
}

// value returns a field in one line.
func (a *Answer) value(name string) string { return fieldValue(a.Header, name) }

// varies reports whether Vary lists a field, or everything.
func (a *Answer) varies(name string) bool {
	return slices.ContainsFunc(members(a.Header, "Vary"), func(m string) bool { return m == "*" || m == strings.ToLower(name) })
}

// etag returns the entity tag, "" if there is no valid one.
func (a *Answer) etag() string {
	lines := a.Header.Values("Etag")
	if len(lines) != 1 || !isETag(lines[0]) {
		return ""
	}
	return lines[0]
}

// isETag reports whether s is an entity tag (RFC 9110, section 8.8.3).
func isETag(s string) bool {
	s = opaqueTag(s)
	if len(s) < 2 || len(s) > maxRetained || s[0] != '"' || s[len(s)-1] != '"' {
		return false
	}
	return !strings.ContainsFunc(s[1:len(s)-1], func(r rune) bool { return r < 0x21 || r == '"' || r == 0x7f })
}

// opaqueTag returns an entity tag without the prefix of a weak one, for the weak
// comparison (RFC 9110, section 8.8.3.2).
func opaqueTag(etag string) string { return strings.TrimPrefix(etag, "W/") }

func isWeak(etag string) bool { return strings.HasPrefix(etag, "W/") }

// retainedFields are the fields that a [Result] still has after the checks.
var retainedFields = strings.Fields("Age Cache-Control Content-Encoding Content-Length Content-Range Content-Type Date Etag Expires Last-Modified Location Use-As-Dictionary Vary")

// maxRetained is the most bytes of a field value in a [Result], and of an entity tag
// that is sent in a request.
const maxRetained = 1 << 10

// trim drops what only the checks need, so that many results take little memory.
func (a *Answer) trim() {
	a.Content.start, a.Content.decoded.again, a.location = nil, nil, nil
	retained := make(http.Header)
	for _, name := range retainedFields {
		for _, value := range a.Header[name] {
			retained.Add(name, strings.Clone(value[:min(len(value), maxRetained)]))
		}
	}
	a.Header = retained
}

// codingName names the coding for a message.
func (a *Answer) codingName() string { return shownOr(a.Coding, "identity") }

// codingNames lists the codings of answers for a message.
func codingNames(answers []*Answer) string {
	var names []string
	for _, a := range answers {
		if n := a.codingName(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return strings.Join(names, ", ")
}

// acceptEncodings lists the Accept-Encoding fields of the requests for a message.
func acceptEncodings(answers []*Answer) string {
	var all []string
	for _, a := range answers {
		accept := a.Request.AcceptEncoding
		if accept == "" {
			accept = "none"
		}
		if !slices.Contains(all, accept) {
			all = append(all, accept)
		}
	}
	return "Accept-Encoding " + strings.Join(all, " | ")
}
