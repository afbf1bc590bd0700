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
// A whole answer is right, too (RFC 9110, section 14.2).
func (e *examination) ranges(ctx context.Context) error {
	asked := []*Answer{e.rep("")}
	if b := e.answerTo(browser); b != nil && b.Coding != "" {
		asked = append(asked, b)
	}
	for _, rep := range asked {
		if rep == nil || !rep.complete() || rep.Content.Size < 2 {
			continue
		}
		first, last := part(rep.Content.Size)
		a, err := e.ask(ctx, rep.Question.with(func(q *Question) { q.Range = fmt.Sprintf("bytes=%d-%d", first, last) }))
		if err != nil {
			return err
		}
		e.look(partial)
		switch a.Status {
		case http.StatusOK, http.StatusNonAuthoritativeInfo: // ranges are the server's choice
		case http.StatusPartialContent:
			e.checkPart(rep, a, first, last)
		default:
			e.find(partial, rep.Coding, []*Answer{a}, "%d for bytes %d to %d of %d", a.Status, first, last, rep.Content.Size)
		}
	}
	return nil
}

// part picks some bytes from the middle, of those that are kept.
func part(size int64) (first, last int64) {
	first = min(size/3, startSize/2)
	return first, min(first+99, size-1)
}

// checkPart compares a part with the whole that it is to be of: in the coding that
// it says it has, which need not be that of the whole answer to the same request.
func (e *examination) checkPart(rep, a *Answer, first, last int64) {
	whole := e.rep(a.Coding)
	if whole == nil || !whole.complete() {
		e.find(partial, rep.Coding, []*Answer{a}, "206 with Content-Encoding %s, while 200 has %s", codingName(a.Coding), codingName(rep.Coding))
		return
	}
	e.checkBare(partialBare, whole, a)
	value := line(a.Header, "Content-Range")
	from, to, size, ok := parseContentRange(value)
	content := a.Content.start // a part is smaller than what is kept
	switch {
	case !ok:
		e.find(partial, rep.Coding, []*Answer{a}, "206 with Content-Range %s", orNone(value))
	case size >= 0 && size != whole.Content.Size:
		e.find(partial, rep.Coding, []*Answer{a}, "Content-Range %s is of %d bytes, but %s has %d", shown(value), size, codingName(a.Coding), whole.Content.Size)
	case from < first || to > last:
		e.find(partial, rep.Coding, []*Answer{a}, "Content-Range %s for bytes %d to %d", shown(value), first, last)
	case a.Content.Cut != nil || a.Content.TooLarge || a.Content.Size != to-from+1:
		e.find(partial, rep.Coding, []*Answer{a}, "%d bytes with Content-Range %s", a.Content.Size, shown(value))
	case to >= int64(len(whole.Content.start)) || !bytes.Equal(content, whole.Content.start[from:to+1]):
		e.find(partial, rep.Coding, []*Answer{a}, "the bytes with Content-Range %s are not those of the whole content with %s", shown(value), codingName(a.Coding))
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
