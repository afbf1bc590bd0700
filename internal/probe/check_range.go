package probe

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// ranges asks for a part of what comes without a coding, and of what browsers get.
// A whole answer is right, too (RFC 9110, section 14.2). Of what a part came of last,
// it asks with If-Range, and for what is past its end.
func (e *examination) ranges(ctx context.Context) error {
	e.checkStray()
	asked := []*Answer{e.rep("")}
	if b := e.answerTo(browser); b != nil && b.Coding != "" {
		asked = append(asked, b)
	}
	var got *partialAnswer
	for _, rep := range asked {
		if rep == nil || !rep.complete() || rep.Content.Size < 2 {
			continue
		}
		first, last := part(rep.Content.Size)
		a, err := e.askAgain(ctx, rep.Question.with(func(q *Question) { q.Range = fmt.Sprintf("bytes=%d-%d", first, last) }))
		if err != nil {
			return err
		}
		e.look(partial)
		switch a.Status {
		case http.StatusOK, http.StatusNonAuthoritativeInfo: // ranges are the server's choice
		case http.StatusPartialContent:
			whole := e.rep(a.Coding)
			if whole == nil || !whole.complete() {
				e.find(partial, rep.Coding, []*Answer{a}, "206 with Content-Encoding %s, while 200 has %s", codingName(a.Coding), codingName(rep.Coding))
				continue
			}
			p := &partialAnswer{a, whole, first, last}
			if e.checkPart(p); !e.found(partial, whole.Coding) {
				got = p
			}
		default:
			e.find(partial.citing(statusReference(a.Status)), rep.Coding, []*Answer{a}, "%d for bytes %d to %d of %d", a.Status, first, last, rep.Content.Size)
		}
	}
	if got == nil {
		return nil
	}
	if err := e.checkIfRange(ctx, got); err != nil {
		return err
	}
	return e.checkPastEnd(ctx, got)
}

// checkStray looks for Content-Range where it has no meaning.
func (e *examination) checkStray() {
	e.look(contentRange)
	for _, a := range e.full {
		if value := line(a.Header, "Content-Range"); value != "" && !e.found(contentRange, "") {
			e.find(contentRange, "", []*Answer{a}, "a 200 has Content-Range %s", shown(value))
		}
	}
}

// checkIfRange asks for the part that came, if what the client has is still there:
// with a validator that is not the present one, and with that.
func (e *examination) checkIfRange(ctx context.Context, got *partialAnswer) error {
	e.look(ifRangeWrong)
	coding, question := got.whole.Coding, got.answer.Question
	a, err := e.askAgain(ctx, question.with(func(q *Question) { q.IfRange = unknownTag }))
	if err != nil {
		return err
	}
	switch {
	case a.Status == http.StatusPartialContent:
		e.find(ifRangeWrong, coding, []*Answer{a}, "206 for If-Range with an ETag that it never had")
	default:
		e.checkOddStatus(a, "If-Range with an ETag that it never had")
	}
	tag := got.whole.etag()
	if tag == "" || strings.HasPrefix(tag, "W/") {
		return nil // nothing to ask with
	}
	e.look(ifRangeIgnored)
	a, err = e.askAgain(ctx, question.with(func(q *Question) { q.IfRange = tag }))
	switch {
	case err != nil:
		return err
	case a.Status == http.StatusPartialContent:
		e.checkPart(&partialAnswer{a, got.whole, got.first, got.last})
	case isWhole(a.Status):
		e.find(ifRangeIgnored, coding, []*Answer{a}, "%d for If-Range with the ETag of the answer, not 206", a.Status)
	default:
		e.checkOddStatus(a, "If-Range with its own ETag")
	}
	return nil
}

// checkPastEnd asks for what there is behind the last byte (RFC 9110, section
// 15.5.17). The whole is no wrong answer.
func (e *examination) checkPastEnd(ctx context.Context, got *partialAnswer) error {
	size, coding := got.whole.Content.Size, got.whole.Coding
	a, err := e.askAgain(ctx, got.answer.Question.with(func(q *Question) { q.Range = fmt.Sprintf("bytes=%d-", size) }))
	if err != nil {
		return err
	}
	value, want := line(a.Header, "Content-Range"), fmt.Sprintf("bytes */%d", size)
	switch {
	case a.Status == http.StatusOK:
	case a.Status != http.StatusRequestedRangeNotSatisfiable:
		e.find(partial.citing(statusReference(a.Status)), coding, []*Answer{a}, "%d for what is past the end, not 416", a.Status)
	case value == "":
		e.find(contentRange, coding, []*Answer{a}, "416 without Content-Range: %s", want)
	case !strings.EqualFold(value, want):
		e.find(partial, coding, []*Answer{a}, "416 with Content-Range %s, not %s", shown(value), want)
	}
	return nil
}

// part picks some bytes from the middle, of those that are kept.
func part(size int64) (first, last int64) {
	first = min(size/3, startSize/2)
	return first, min(first+99, size-1)
}

// partialAnswer is a 206 with the whole that it is to be of, and the bytes of it that
// were asked for.
type partialAnswer struct {
	answer, whole *Answer
	first, last   int64
}

// checkPart compares a part with the whole that it is to be of: in the coding that
// it says it has, which need not be that of the whole answer to the same request.
// Who asks with If-Range has the fields of the whole already, so that Content-Encoding
// and others may be left out then (RFC 9110, section 15.3.7).
func (e *examination) checkPart(p *partialAnswer) {
	a, whole := p.answer, p.whole
	e.checkPartFields(p)
	value := line(a.Header, "Content-Range")
	from, to, size, ok := parseContentRange(value)
	content := a.Content.start // a part is smaller than what is kept
	media, _, _ := mediaType(line(a.Header, "Content-Type"))
	switch {
	case a.Coding != whole.Coding && a.Coding != "":
		e.badPart(partial, p, "206 with Content-Encoding %s for If-Range with the ETag of %s", codingName(a.Coding), codingName(whole.Coding))
	case media == "multipart/byteranges":
		e.badPart(partial.citing("RFC 9110, section 15.3.7.2"), p, "206 of several parts, %s, for a request for one", media)
	case !ok:
		e.badPart(partial, p, "206 with Content-Range %s", orNone(value))
	case size >= 0 && size != whole.Content.Size:
		e.badPart(partial, p, "Content-Range %s is of %d bytes, but %s has %d", shown(value), size, codingName(whole.Coding), whole.Content.Size)
	case from < p.first || to > p.last:
		e.badPart(partial, p, "Content-Range %s for bytes %d to %d", shown(value), p.first, p.last)
	case a.Content.Cut != nil || a.Content.TooLarge || a.Content.Size != to-from+1:
		e.badPart(partial, p, "%d bytes with Content-Range %s", a.Content.Size, shown(value))
	case to >= int64(len(whole.Content.start)) || !bytes.Equal(content, whole.Content.start[from:to+1]):
		e.badPart(partial, p, "the bytes with Content-Range %s are not those of the whole content with %s", shown(value), codingName(whole.Coding))
	}
}

// badPart adds a finding about a part, unless there is one about its coding.
func (e *examination) badPart(c Check, p *partialAnswer, format string, args ...any) {
	if e.found(c, p.whole.Coding) {
		return
	}
	if p.answer.Question.IfRange != "" {
		format = "with If-Range: " + format
	}
	e.find(c, p.whole.Coding, []*Answer{p.answer}, format, args...)
}

// checkPartFields compares the fields of a part with those of the whole.
func (e *examination) checkPartFields(p *partialAnswer) {
	lacks := bareFields(p.whole, p.answer)
	names := []string{"Expires"}
	if p.answer.Question.IfRange == "" { // all that are about the representation
		names = append(names, "Content-Type", "Last-Modified")
	}
	for _, name := range names {
		if line(p.whole.Header, name) != "" && line(p.answer.Header, name) == "" {
			lacks = append(lacks, name+" is absent")
		}
	}
	e.look(partialBare)
	if len(lacks) > 0 {
		e.badPart(partialBare, p, "206 with %s: %s", codingName(p.whole.Coding), strings.Join(lacks, ", "))
	}
}

// parseContentRange reads a Content-Range of bytes (RFC 9110, section 14.4). size
// is -1 for "*".
func parseContentRange(value string) (first, last, size int64, ok bool) {
	rest, found := strings.CutPrefix(strings.ToLower(strings.TrimSpace(value)), "bytes ")
	positions, total, found2 := strings.Cut(rest, "/")
	from, to, found3 := strings.Cut(positions, "-")
	if !found || !found2 || !found3 {
		return 0, 0, 0, false
	}
	size = -1
	var err1, err2, err3 error
	first, err1 = number(from)
	last, err2 = number(to)
	if total != "*" {
		size, err3 = number(total)
	}
	ok = err1 == nil && err2 == nil && err3 == nil && first <= last && (size < 0 || last < size)
	return first, last, size, ok
}

// number reads digits, and nothing else.
func number(s string) (int64, error) {
	n, err := strconv.ParseUint(s, 10, 63)
	return int64(n), err
}
