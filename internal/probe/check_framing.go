package probe

import (
	"net/http"
	"strconv"
)

// checkLengths checks where the content of whole answers ends.
func (p *urlProbe) checkLengths() {
	p.checked(lengthMissing, incomplete, unchecked)
	var without []*Answer
	for _, a := range p.full {
		switch c := a.Content; {
		case p.isTooMuch(a):
		case c.truncated != nil:
			p.addIncomplete(a, "content")
		case (c.TooLarge || c.decoded.tooLarge) && !p.found(unchecked, a.Coding):
			p.add(unchecked, a.Coding, a, "the content has more than %d bytes and was not checked", p.client.opts.MaxBody)
		case a.Length < 0 && c.truncated == nil && !c.TooLarge:
			without = append(without, a)
		}
	}
	if len(without) > 0 {
		p.addAll(lengthMissing, without[0].Coding, without, "no Content-Length with %s", codingNames(without))
	}
}

// checkConnections checks what the connections show: invalid header lines, and where
// answers end.
func (p *urlProbe) checkConnections() {
	seen := make(map[string]bool)
	for _, a := range p.result.Answers {
		if !a.framing.observed {
			continue
		}
		p.checked(framingWrong)
		if l := a.framing.invalidLine; l.text != "" && !seen[l.text] {
			seen[l.text] = true
			p.add(malformed.citing(l.reference), a.Coding, a, "%s", l.text)
		}
		if c, text := wrongFraming(a); text != "" && !seen[text] {
			seen[text] = true
			p.add(c, a.Coding, a, "%s", text)
		}
	}
}

// wrongFraming says what is wrong about where an answer ends, "" for nothing.
func wrongFraming(a *Answer) (c Check, text string) {
	switch {
	case a.framing.twoLengths:
		return framingWrong.advising("send Content-Length or Transfer-Encoding, not both: a proxy may use the other one, and read one answer as two"),
			"an answer has both Content-Length and Transfer-Encoding"
	case !a.framing.excess:
		return Check{}, ""
	case a.Request.Method == http.MethodHead:
		return framingWrong, "the answer to HEAD has content"
	case a.isBodiless():
		return framingWrong, "a " + strconv.Itoa(a.Status) + " has content"
	}
	return framingWrong, "the content has more bytes than Content-Length says"
}
