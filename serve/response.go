package serve

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// answer is the response to a request with a selected representation.
type answer struct {
	w         http.ResponseWriter
	r         *http.Request
	selection                                         // by value, so that it need not be allocated
	change    func(http.Header, *http.Request, Asset) // Options.Header
}

// send evaluates the conditions and the ranges of the request, in the order of RFC
// 9110, section 13.2.2, and sends the response. The status is 200, or 404 for the
// NotFound page.
func (a *answer) send(status int) Event {
	if status != http.StatusOK {
		return a.sendAll(status) // conditions and ranges are about a 200
	}
	switch status = conditions(a.r.Header, a.rep.etag, a.rep.modTime); status {
	case http.StatusNotModified:
		setFields(a.w.Header(), a.rep.notModified)
		a.hook()
		a.w.WriteHeader(status)
		return Event{Asset: a.resolved.asset.Path, Status: status}
	case http.StatusPreconditionFailed:
		return a.refuse(status)
	}
	lines := a.r.Header["Range"]
	if len(lines) == 0 || a.r.Method != http.MethodGet || !a.ranged() || !rangeApplies(a.r.Header, a.rep.etag) {
		return a.sendAll(http.StatusOK)
	}
	ranges, verdict := parseRange(lines, a.rep.size)
	switch {
	case verdict == rangeUnsatisfiable:
		a.w.Header()["Content-Range"] = []string{fmt.Sprintf("bytes */%d", a.rep.size)}
		return a.refuse(http.StatusRequestedRangeNotSatisfiable)
	case verdict == rangeIgnored, len(ranges) > 1 && a.rep.coding != "":
		// With multipart/byteranges, a Content-Encoding might be taken for the
		// parts' or for the whole's.
		return a.sendAll(http.StatusOK)
	case len(ranges) == 1:
		return a.sendRange(ranges[0])
	}
	return a.sendRanges(ranges)
}

// sendAll sends the whole content.
func (a *answer) sendAll(status int) Event {
	header := a.w.Header()
	setFields(header, a.rep.headers)
	if status == http.StatusNotFound {
		// These are about the page's own name.
		header["Cache-Control"] = []string{cacheValidated}
		delete(header, "Etag")
		delete(header, "Last-Modified")
		delete(header, "Accept-Ranges")
	}
	if a.resolved.use != nil && status == http.StatusOK {
		header["Use-As-Dictionary"] = a.resolved.use.field(a.r)
	}
	a.hook()
	a.w.WriteHeader(status)
	e := Event{Asset: a.resolved.asset.Path, Coding: a.rep.coding, Status: status}
	if a.r.Method != http.MethodHead {
		e.Bytes, e.Err = a.writeJoined(a.w, a.r, a.all())
	}
	return e
}

// sendRange sends one part (RFC 9110, section 15.3.7.1). Offsets count bytes of
// the representation, in its coding.
func (a *answer) sendRange(part byteRange) Event {
	header := a.w.Header()
	setFields(header, a.rep.headers)
	header["Content-Length"] = []string{strconv.FormatInt(part.length, 10)}
	header["Content-Range"] = []string{contentRange(part, a.rep.size)}
	a.hook()
	a.w.WriteHeader(http.StatusPartialContent)
	e := Event{Asset: a.resolved.asset.Path, Coding: a.rep.coding, Status: http.StatusPartialContent}
	e.Bytes, e.Err = a.writeJoined(a.w, a.r, part)
	return e
}

// sendRanges sends several parts (RFC 9110, sections 14.6 and 15.3.7.2).
func (a *answer) sendRanges(parts []byteRange) Event {
	boundary := rand.Text()
	end := "\r\n--" + boundary + "--\r\n"
	length := int64(len(end))
	heads := make([]string, len(parts))
	for i, part := range parts {
		heads[i] = fmt.Sprintf("\r\n--%s\r\nContent-Type: %s\r\nContent-Range: %s\r\n\r\n",
			boundary, a.resolved.asset.ContentType, contentRange(part, a.rep.size))
		length += int64(len(heads[i])) + part.length
	}
	header := a.w.Header()
	setFields(header, a.rep.headers)
	header["Content-Type"] = []string{"multipart/byteranges; boundary=" + boundary}
	header["Content-Length"] = []string{strconv.FormatInt(length, 10)}
	a.hook()
	a.w.WriteHeader(http.StatusPartialContent)
	e := Event{Asset: a.resolved.asset.Path, Status: http.StatusPartialContent}
	write := func(text string) {
		if e.Err == nil {
			var n int
			n, e.Err = a.w.Write([]byte(text))
			e.Bytes += int64(n)
		}
	}
	for i, part := range parts {
		write(heads[i])
		if e.Err == nil {
			var n int64
			n, e.Err = a.writeRange(a.w, part)
			e.Bytes += n
		}
	}
	write(end)
	return e
}

func contentRange(part byteRange, size int64) string {
	return fmt.Sprintf("bytes %d-%d/%d", part.start, part.start+part.length-1, size)
}

// hook calls Options.Header.
func (a *answer) hook() {
	if a.change != nil {
		a.change(a.w.Header(), a.r, a.resolved.asset)
	}
}

// refuse sends a 412 or 416. Its body is no representation of the asset, so that it
// has only Vary of the asset's header fields (RFC 9110, section 12.5.5).
func (a *answer) refuse(status int) Event {
	for _, f := range a.rep.notModified {
		if f.name == "Vary" {
			addVary(a.w.Header(), f.value[0])
		}
	}
	a.hook()
	return fail(a.w, a.r, status, Event{Asset: a.resolved.asset.Path})
}

// isRead reports whether the method is one that assets support.
func isRead(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// notAllowed answers a method that assets do not support (RFC 9110, section 15.5.6).
func notAllowed(w http.ResponseWriter, r *http.Request, e Event) Event {
	w.Header()["Allow"] = []string{"GET, HEAD"}
	return fail(w, r, http.StatusMethodNotAllowed, e)
}

// fail sends a response without any content of the tree: a line of text.
func fail(w http.ResponseWriter, r *http.Request, status int, e Event) Event {
	body := http.StatusText(status) + "\n"
	header := w.Header()
	// A middleware may have set these for the content.
	for _, name := range []string{"Content-Encoding", "Etag", "Last-Modified", "Accept-Ranges"} {
		delete(header, name)
	}
	header["Content-Type"] = []string{textType}
	header["Content-Length"] = []string{strconv.Itoa(len(body))}
	header["Cache-Control"] = []string{cacheValidated}
	header["X-Content-Type-Options"] = []string{"nosniff"}
	w.WriteHeader(status)
	e.Status = status
	if r.Method == http.MethodHead {
		return e
	}
	n, err := w.Write([]byte(body))
	e.Bytes = int64(n)
	if e.Err == nil {
		e.Err = err
	}
	return e
}

// setFields sets prepared fields, and adds to a Vary that is there.
func setFields(h http.Header, fields []field) {
	for _, f := range fields {
		if f.name == "Vary" && len(h["Vary"]) > 0 {
			addVary(h, f.value[0])
			continue
		}
		h[f.name] = f.value
	}
}

// addVary adds those of a list of field names to Vary that it lacks (RFC 9110, section
// 12.5.5).
func addVary(h http.Header, names string) {
	missing := ""
	for name := range strings.SplitSeq(names, ", ") {
		switch {
		case varies(h["Vary"], name):
		case missing == "":
			missing = name
		default:
			missing += ", " + name
		}
	}
	if missing != "" {
		h["Vary"] = append(h["Vary"], missing)
	}
}

// varies reports whether the lines of a Vary field list the name.
func varies(lines []string, name string) bool {
	for _, line := range lines {
		for member := range strings.SplitSeq(line, ",") {
			if m := trimSpace(member); m == "*" || strings.EqualFold(m, name) {
				return true
			}
		}
	}
	return false
}
