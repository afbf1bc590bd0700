package probe

import (
	"context"
	"fmt"
	"net/http"
)

// statusCheck is the check of an answer that is not 200, with the section that its
// status is from, and what to do about it.
func statusCheck(code int) Check {
	c := status
	c.Reference = statusReference(code)
	switch code {
	case http.StatusUnauthorized, http.StatusProxyAuthRequired:
		c.Advice = "give what the server asks for: user and password in the URL, or a field with --header"
	case http.StatusNotFound, http.StatusGone:
		c.Advice = "upload the file, or ask for the URL that it has"
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		c.Advice = "ask again later, with a lower --rate if the probe is too much for the server: the URL was not asked about any further"
	}
	return c
}

// statusReference returns where a status is defined. The sections of RFC 9110 are
// in the order of the codes.
func statusReference(code int) string {
	other := map[int]string{
		226: "RFC 3229, section 10.4.1", 425: "RFC 8470, section 5.2", 428: "RFC 6585, section 3", 429: "RFC 6585, section 4",
		431: "RFC 6585, section 5", 451: "RFC 7725, section 3", 511: "RFC 6585, section 6",
		421: "RFC 9110, section 15.5.20", 422: "RFC 9110, section 15.5.21", 426: "RFC 9110, section 15.5.22",
	}
	last := map[int]int{2: 206, 3: 308, 4: 418, 5: 505}
	class := code / 100
	switch {
	case other[code] != "":
		return other[code]
	case code >= 200 && code <= last[class]:
		return fmt.Sprintf("RFC 9110, section 15.%d.%d", class+1, code%100+1)
	case last[class] > 0:
		return fmt.Sprintf("RFC 9110, section 15.%d", class+1)
	}
	return "RFC 9110, section 15"
}

// isWhole reports whether a status is that of a whole representation: 200, or 203,
// which proxies give it that have changed the content.
func isWhole(code int) bool {
	return code == http.StatusOK || code == http.StatusNonAuthoritativeInfo
}

// checkServed ends the examination with the answer of a server that does not take
// further requests: 429, 503, or any other error of the server that it gives to a
// question, too, which it has answered before. What would be found about such
// answers is not about the file.
func (e *examination) checkServed(ctx context.Context, a *Answer) error {
	switch before := e.result.Answers[0].Status < 500; {
	case a.Status == http.StatusTooManyRequests, a.Status == http.StatusServiceUnavailable:
	case a.Status >= 500 && before:
		again, err := e.send(ctx, get(""))
		if err != nil {
			return err
		}
		if again.Status < 500 && again.Status != http.StatusTooManyRequests {
			return nil // this question alone fails
		}
		a = again
	default:
		return nil
	}
	e.look(status)
	text := fmt.Sprintf("the answer is %d", a.Status)
	if after := line(a.Header, "Retry-After"); after != "" {
		text += " with Retry-After: " + shown(after)
	}
	text += fmt.Sprintf(" (request %d: %s)", len(e.result.Answers), a.Question)
	e.find(statusCheck(a.Status), "", []*Answer{a}, "%s", text)
	return errNothingThere
}
