package probe

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
)

// ranges requests a range of identity, and of what browsers get. The whole content is a
// right answer, too (RFC 9110, section 14.2). For the last one that gets a 206, it sends
// If-Range, and a range past the end.
func (p *urlProbe) ranges(ctx context.Context) error {
	p.checkStrayContentRange()
	reps := []*Answer{p.representation("")}
	if b := p.answerTo(browser); b != nil && b.Coding != "" {
		reps = append(reps, b)
	}
	var got *partialAnswer
	for _, rep := range reps {
		if rep == nil || !rep.isComplete() || rep.Content.Size < 2 {
			continue
		}
		part, err := p.checkRange(ctx, rep)
		if err != nil {
			return err
		}
		if part != nil {
			got = part
		}
	}
	if got == nil {
		return nil
	}
	if err := p.checkIfRange(ctx, got); err != nil {
		return err
	}
	return p.checkPastEnd(ctx, got)
}

// partialAnswer is a 206 with the representation that it is a part of, and the requested
// range of bytes.
type partialAnswer struct {
	answer, whole *Answer
	first, last   int64
}

// checkRange requests a range of a representation, and returns the part if it is right.
func (p *urlProbe) checkRange(ctx context.Context, rep *Answer) (*partialAnswer, error) {
	first, last := middle(rep.Content.Size)
	a, err := p.askAgain(ctx, rep.Request.with(func(r *Request) { r.Range = fmt.Sprintf("bytes=%d-%d", first, last) }))
	if err != nil {
		return nil, err
	}
	p.checked(rangeWrong)
	if a.isWhole() {
		return nil, nil // servers may ignore Range
	}
	if a.Status != http.StatusPartialContent {
		p.add(rangeWrong.citing(statusReference(a.Status)), rep.Coding, a, "the answer to a request for bytes %d to %d of %d is %d", first, last, rep.Content.Size, a.Status)
		return nil, nil
	}
	whole := p.representation(a.Coding)
	if whole == nil || !whole.isComplete() {
		p.add(rangeWrong, rep.Coding, a, "206 has Content-Encoding %s, while 200 has %s", a.codingName(), rep.codingName())
		return nil, nil
	}
	part := &partialAnswer{a, whole, first, last}
	p.checkPart(part)
	if p.found(rangeWrong, whole.Coding) {
		return nil, nil
	}
	return part, nil
}

// middle picks a range of at most 100 bytes, within the bytes that are kept.
func middle(size int64) (first, last int64) {
	first = min(size/3, startSize/2)
	return first, min(first+99, size-1)
}

// checkStrayContentRange finds Content-Range where it has no meaning.
func (p *urlProbe) checkStrayContentRange() {
	p.checked(contentRange)
	for _, a := range p.full {
		if value := a.value("Content-Range"); value != "" {
			p.addOnce(contentRange, "", a, "a 200 has Content-Range %s", shown(value))
		}
	}
}

// checkIfRange requests the same range if a representation is unchanged: with an ETag that
// the URL never had, and with its own.
func (p *urlProbe) checkIfRange(ctx context.Context, got *partialAnswer) error {
	p.checked(ifRangeWrong)
	coding, request := got.whole.Coding, got.answer.Request
	a, err := p.askAgain(ctx, request.with(func(r *Request) { r.IfRange = unknownTag }))
	if err != nil {
		return err
	}
	if a.Status == http.StatusPartialContent {
		p.add(ifRangeWrong, coding, a, "the answer to If-Range with an ETag that the URL never had is 206")
	} else {
		p.checkFieldStatus(a, "If-Range with an ETag that the URL never had")
	}
	tag := got.whole.etag()
	if tag == "" || isWeak(tag) {
		return nil // If-Range needs a strong one
	}
	p.checked(ifRangeIgnored)
	a, err = p.askAgain(ctx, request.with(func(r *Request) { r.IfRange = tag }))
	switch {
	case err != nil:
		return err
	case a.Status == http.StatusPartialContent:
		p.checkPart(&partialAnswer{a, got.whole, got.first, got.last})
	case a.isWhole():
		p.add(ifRangeIgnored, coding, a, "the answer to If-Range with the current ETag is %d, not 206", a.Status)
	default:
		p.checkFieldStatus(a, "If-Range with its own ETag")
	}
	return nil
}

// checkPastEnd requests a range past the last byte (RFC 9110, section 15.5.17). The whole
// content is a right answer, too.
func (p *urlProbe) checkPastEnd(ctx context.Context, got *partialAnswer) error {
	size, coding := got.whole.Content.Size, got.whole.Coding
	a, err := p.askAgain(ctx, got.answer.Request.with(func(r *Request) { r.Range = fmt.Sprintf("bytes=%d-", size) }))
	if err != nil {
		return err
	}
	value, want := a.value("Content-Range"), fmt.Sprintf("bytes */%d", size)
	switch {
	case a.Status == http.StatusOK:
	case a.Status != http.StatusRequestedRangeNotSatisfiable:
		p.add(rangeWrong.citing(statusReference(a.Status)), coding, a, "the answer to a range past the end is %d, not 416", a.Status)
	case value == "":
		p.add(contentRange, coding, a, "416 has no Content-Range: it should be %s", want)
	case !strings.EqualFold(value, want):
		p.add(rangeWrong, coding, a, "416 has Content-Range %s, not %s", shown(value), want)
	}
	return nil
}

// checkPart compares a part with the representation that it is from: in the coding that it
// says, which need not be that of the 200 for the same request. For If-Range,
// Content-Encoding and other fields that the client has may be left out (RFC 9110, section
// 15.3.7).
func (p *urlProbe) checkPart(part *partialAnswer) {
	a, whole := part.answer, part.whole
	p.checkPartFields(part)
	value := a.value("Content-Range")
	first, last, size, ok := parseContentRange(value)
	start := whole.Content.start
	switch {
	case a.Coding != whole.Coding && a.Coding != "":
		p.addPart(rangeWrong, part, "206 has Content-Encoding %s, but the ETag in If-Range is that of %s", a.codingName(), whole.codingName())
	case a.mediaType() == "multipart/byteranges":
		p.addPart(rangeWrong.citing("RFC 9110, section 15.3.7.2"), part, "206 has several parts (multipart/byteranges) for one range")
	case !ok:
		p.addPart(rangeWrong, part, "Content-Range of a 206 is %s, not a range of bytes", orAbsent(value))
	case size >= 0 && size != whole.Content.Size:
		p.addPart(rangeWrong, part, "Content-Range is %s, of %d bytes, but %s has %d", shown(value), size, whole.codingName(), whole.Content.Size)
	case first < part.first || last > part.last:
		p.addPart(rangeWrong, part, "Content-Range is %s, but bytes %d to %d were requested", shown(value), part.first, part.last)
	case a.Content.truncated != nil || a.Content.TooLarge || a.Content.Size != last-first+1:
		p.addPart(rangeWrong, part, "there are %d bytes with Content-Range %s", a.Content.Size, shown(value))
	case last >= int64(len(start)) || !bytes.Equal(a.Content.start, start[first:last+1]):
		p.addPart(rangeWrong, part, "the bytes with Content-Range %s are not those of the whole content with %s", shown(value), whole.codingName())
	}
}

// addPart adds a finding about a part, once for each coding.
func (p *urlProbe) addPart(c Check, part *partialAnswer, format string, args ...any) {
	if part.answer.Request.IfRange != "" {
		format = "with If-Range: " + format
	}
	p.addOnce(c, part.whole.Coding, part.answer, format, args...)
}

// checkPartFields compares the fields of a part with those of the whole.
func (p *urlProbe) checkPartFields(part *partialAnswer) {
	wrong := wrongFields(part.whole, part.answer)
	names := []string{"Expires"}
	if part.answer.Request.IfRange == "" {
		names = append(names, "Content-Type", "Last-Modified")
	}
	for _, name := range names {
		if part.whole.value(name) != "" && part.answer.value(name) == "" {
			wrong = append(wrong, name+" is absent")
		}
	}
	p.checked(rangeFields)
	if len(wrong) > 0 {
		p.addPart(rangeFields, part, "206 for %s: %s", part.whole.codingName(), strings.Join(wrong, ", "))
	}
}

// parseContentRange parses a Content-Range of bytes (RFC 9110, section 14.4). size is -1
// for "*".
func parseContentRange(value string) (first, last, size int64, ok bool) {
	rest, isBytes := strings.CutPrefix(strings.ToLower(strings.TrimSpace(value)), "bytes ")
	positions, total, hasTotal := strings.Cut(rest, "/")
	from, to, hasLast := strings.Cut(positions, "-")
	if !isBytes || !hasTotal || !hasLast {
		return 0, 0, 0, false
	}
	size = -1
	var err1, err2, err3 error
	first, err1 = parseNumber(from)
	last, err2 = parseNumber(to)
	if total != "*" {
		size, err3 = parseNumber(total)
	}
	ok = err1 == nil && err2 == nil && err3 == nil && first <= last && (size < 0 || last < size)
	return first, last, size, ok
}
