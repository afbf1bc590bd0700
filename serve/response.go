package serve

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// answer sends a chosen representation: conditions, then ranges, then the
// content (RFC 9110, section 13.2.2).
func (h *Handler) answer(w http.ResponseWriter, r *http.Request, s *selection, status int) Event {
	if status != http.StatusOK {
		return h.send(w, r, s, status) // conditions and ranges are about a 200
	}
	switch status = conditions(r.Header, s.rep.etag, s.rep.modTime); status {
	case http.StatusNotModified:
		setFields(w.Header(), s.rep.notModified)
		h.hook(w, r, s)
		w.WriteHeader(status)
		return Event{Asset: s.resolved.asset.Path, Status: status}
	case http.StatusPreconditionFailed:
		return h.refuse(w, r, s, status)
	}
	lines := r.Header["Range"]
	if len(lines) == 0 || r.Method != http.MethodGet || !s.ranged() || !rangeApplies(r.Header, s.rep.etag) {
		return h.send(w, r, s, http.StatusOK)
	}
	ranges, verdict := parseRange(lines, s.rep.size)
	switch {
	case verdict == rangeUnsatisfiable:
		w.Header()["Content-Range"] = []string{fmt.Sprintf("bytes */%d", s.rep.size)}
		return h.refuse(w, r, s, http.StatusRequestedRangeNotSatisfiable)
	case verdict == rangeIgnored, len(ranges) > 1 && s.rep.coding != "":
		// Whether a Content-Encoding beside multipart/byteranges is about the
		// parts or the whole is for nobody to guess.
		return h.send(w, r, s, http.StatusOK)
	case len(ranges) == 1:
		return h.sendRange(w, r, s, ranges[0])
	}
	return h.sendRanges(w, r, s, ranges)
}

// send sends the whole content.
func (h *Handler) send(w http.ResponseWriter, r *http.Request, s *selection, status int) Event {
	header := w.Header()
	setFields(header, s.rep.headers)
	if status == http.StatusNotFound {
		// These are about the page's own name.
		header["Cache-Control"] = []string{cacheValidated}
		delete(header, "Etag")
		delete(header, "Last-Modified")
		delete(header, "Accept-Ranges")
	}
	if s.resolved.use != nil && status == http.StatusOK {
		header["Use-As-Dictionary"] = s.resolved.use.field(r)
	}
	h.hook(w, r, s)
	w.WriteHeader(status)
	e := Event{Asset: s.resolved.asset.Path, Coding: s.rep.coding, Status: status}
	if r.Method != http.MethodHead {
		e.Bytes, e.Err = s.writeJoined(w, r, s.all())
	}
	return e
}

// sendRange sends one part (RFC 9110, section 15.3.7.1). Offsets count bytes of
// the representation, in its coding.
func (h *Handler) sendRange(w http.ResponseWriter, r *http.Request, s *selection, part byteRange) Event {
	header := w.Header()
	setFields(header, s.rep.headers)
	header["Content-Length"] = []string{strconv.FormatInt(part.length, 10)}
	header["Content-Range"] = []string{contentRange(part, s.rep.size)}
	h.hook(w, r, s)
	w.WriteHeader(http.StatusPartialContent)
	e := Event{Asset: s.resolved.asset.Path, Coding: s.rep.coding, Status: http.StatusPartialContent}
	e.Bytes, e.Err = s.writeJoined(w, r, part)
	return e
}

// sendRanges sends several parts (RFC 9110, sections 14.6 and 15.3.7.2).
func (h *Handler) sendRanges(w http.ResponseWriter, r *http.Request, s *selection, parts []byteRange) Event {
	boundary := rand.Text()
	end := "\r\n--" + boundary + "--\r\n"
	length := int64(len(end))
	heads := make([]string, len(parts))
	for i, part := range parts {
		heads[i] = fmt.Sprintf("\r\n--%s\r\nContent-Type: %s\r\nContent-Range: %s\r\n\r\n",
			boundary, s.resolved.asset.ContentType, contentRange(part, s.rep.size))
		length += int64(len(heads[i])) + part.length
	}
	header := w.Header()
	setFields(header, s.rep.headers)
	header["Content-Type"] = []string{"multipart/byteranges; boundary=" + boundary}
	header["Content-Length"] = []string{strconv.FormatInt(length, 10)}
	h.hook(w, r, s)
	w.WriteHeader(http.StatusPartialContent)
	e := Event{Asset: s.resolved.asset.Path, Status: http.StatusPartialContent}
	for i, part := range parts {
		n, err := w.Write([]byte(heads[i]))
		e.Bytes += int64(n)
		if err == nil {
			var written int64
			written, err = s.writeRange(w, part)
			e.Bytes += written
		}
		if err != nil {
			e.Err = err
			return e
		}
	}
	n, err := w.Write([]byte(end))
	e.Bytes, e.Err = e.Bytes+int64(n), err
	return e
}

func contentRange(part byteRange, size int64) string {
	return fmt.Sprintf("bytes %d-%d/%d", part.start, part.start+part.length-1, size)
}

// hook lets the caller add to the header.
func (h *Handler) hook(w http.ResponseWriter, r *http.Request, s *selection) {
	if h.opts.Header != nil {
		h.opts.Header(w.Header(), r, s.resolved.asset)
	}
}

// refuse answers 412 or 416. The body is no representation of the asset, so
// nothing of that goes into the header but what a cache needs (section 12.5.5).
func (h *Handler) refuse(w http.ResponseWriter, r *http.Request, s *selection, status int) Event {
	for _, f := range s.rep.notModified {
		if f.name == "Vary" {
			addVary(w.Header(), f.value[0])
		}
	}
	h.hook(w, r, s)
	return fail(w, r, status, Event{Asset: s.resolved.asset.Path})
}

// fail sends an answer that is not about any content: a line of text.
func fail(w http.ResponseWriter, r *http.Request, status int, e Event) Event {
	body := http.StatusText(status) + "\n"
	header := w.Header()
	// Something around this handler may have meant these for the content.
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

// setFields sets prepared fields. What stands in Vary already is kept.
func setFields(h http.Header, fields []field) {
	for _, f := range fields {
		if f.name == "Vary" && len(h["Vary"]) > 0 {
			addVary(h, f.value[0])
			continue
		}
		h[f.name] = f.value
	}
}

// addVary adds a list of field names to Vary, but for those that are there (RFC
// 9110, section 12.5.5).
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
