package probe

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
)

// checkStatus separates the answers that are not whole, and picks the representations
// from the others.
func (p *urlProbe) checkStatus(all []*Answer) {
	others := make(map[int][]*Answer)
	for _, a := range all {
		if a.isWhole() {
			p.full = append(p.full, a)
		} else {
			others[a.Status] = append(others[a.Status], a)
		}
	}
	for code, answers := range others {
		p.addAll(statusCheck(code), "", answers, "the answer to %s is %s", acceptEncodings(answers), statusText(code))
	}
	p.checked(transformed)
	if a := first(p.full, func(a *Answer) bool { return a.Status == http.StatusNonAuthoritativeInfo }); a != nil {
		p.add(transformed, a.Coding, a, "the answer to %s is 203: a proxy says that it has changed the content", acceptEncodings([]*Answer{a}))
	}
	codings := append([]string{""}, buildCodings()...)
	for _, a := range p.full {
		if !slices.Contains(codings, a.Coding) {
			codings = append(codings, a.Coding)
		}
	}
	for _, c := range codings {
		rep := first(p.full, func(a *Answer) bool { return a.Coding == c })
		if identity := p.answerTo("identity"); c == "" && identity != nil && identity.Coding == "" {
			rep = identity // from a client that wants no other
		}
		if rep != nil {
			p.reps = append(p.reps, rep)
		}
	}
}

// statusText returns a status that is not as expected, for a message.
func statusText(code int) string {
	if code == http.StatusTooManyRequests {
		return fmt.Sprintf("%d: the probe sends more requests than the server allows, so lower its rate", code)
	}
	return strconv.Itoa(code)
}

// checkFieldStatus checks that a field does not cause an error: every visitor who returns
// sends such requests. Whether a 304 is right is for the callers to check.
func (p *urlProbe) checkFieldStatus(a *Answer, request string) {
	if !a.isWhole() {
		c := statusCheck(a.Status).advising("answer 200 with the whole content, as without the field, if a condition is false or a dictionary is of no use, and 304 if the client has the content")
		p.addOnce(c, "", a, "the answer to %s is %s", request, statusText(a.Status))
	}
}
