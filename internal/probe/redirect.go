package probe

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// maxRedirects is how many redirects are followed.
const maxRedirects = 10

// errNothingThere ends the examination of a URL about which a finding says all.
var errNothingThere = errors.New("nothing there")

// RedirectError is a redirect that is not followed. Nothing was asked of where it
// leads to, and of the URL itself there is nothing to be said.
type RedirectError struct {
	Status int
	To     string // without user and password
	Reason string // "which is another host"
	Ask    string // the URL to ask for instead
}

func (e *RedirectError) Error() string {
	return fmt.Sprintf("%d leads to %s, %s: if you trust it, ask for %s", e.Status, shown(e.To), e.Reason, shown(e.Ask))
}

// arrive asks the first question, of a client that says nothing of codings, where
// the URL leads to. Redirects are followed on the same host only.
func (e *examination) arrive(ctx context.Context) (*Answer, error) {
	e.look(redirect, redirectLoop)
	var told *Answer // of the redirects, the first that is worth a word
	for hops := 0; ; hops++ {
		a, err := e.ask(ctx, get(""))
		if err != nil {
			return nil, err
		}
		next, ok := location(e.at, a)
		if !ok {
			if told != nil {
				e.find(redirect, "", []*Answer{told}, "%d leads to %s", told.Status, shown(e.hidden(e.at)))
			}
			return a, nil
		}
		if hops == maxRedirects {
			e.find(redirectLoop, "", []*Answer{a}, "more than %d redirects, the last to %s", maxRedirects, shown(e.hidden(next)))
			return nil, errNothingThere
		}
		next, err = e.follow(a, next)
		if err != nil {
			return nil, err
		}
		if told == nil && !e.isDirectoryOfIndex(next) {
			told = a
		}
		next.User = e.at.User
		e.at = next
	}
}

// follow returns the URL to ask for where a redirect leads to. With a Host field,
// that names what the address has in another way.
func (e *examination) follow(a *Answer, next *url.URL) (*url.URL, error) {
	to := e.hidden(next)
	elsewhere := &RedirectError{a.Status, to, "which is another host", to}
	named := e.asker.opts.Header.Get("Host")
	switch {
	case named != "" && sameHost(&url.URL{Scheme: e.at.Scheme, Host: named}, next):
		here := *next
		here.Host = e.at.Host
		if here.Scheme != e.at.Scheme {
			here.Host = strings.TrimSuffix(e.at.Host, ":"+e.at.Port())
			return nil, &RedirectError{a.Status, to, "which is the host of the Host field", e.hidden(&here) + " with the same field"}
		}
		return &here, nil
	case e.at.Scheme == "https" && next.Scheme == "http" && strings.EqualFold(e.at.Hostname(), next.Hostname()):
		elsewhere.Reason = "which is not encrypted"
		return nil, elsewhere
	case strings.EqualFold(e.at.Hostname(), next.Hostname()) && !sameHost(e.at, next):
		elsewhere.Reason = "which is another port"
		return nil, elsewhere
	case !sameHost(e.at, next):
		return nil, elsewhere
	}
	return next, nil
}

// location returns where an answer leads to.
func location(from *url.URL, a *Answer) (*url.URL, bool) {
	switch a.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, false
	}
	lines := a.location
	if len(lines) != 1 {
		return nil, false
	}
	next, err := from.Parse(lines[0])
	if err != nil || next.Scheme != "http" && next.Scheme != "https" || next.Host == "" {
		return nil, false
	}
	if next.Path == "" {
		next.Path = "/"
	}
	next.Fragment, next.RawFragment = "", ""
	return next, true
}

// sameHost reports whether a redirect stays where it was: at the same host and port,
// or goes from http to https there, whatever the ports.
func sameHost(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	if from.Scheme == to.Scheme {
		return port(from) == port(to)
	}
	return from.Scheme == "http"
}

func port(u *url.URL) string {
	if p := u.Port(); p != "" {
		return p
	}
	if u.Scheme == "https" {
		return "443"
	}
	return "80"
}

// isDirectoryOfIndex reports whether an asset's index.html leads to its directory: that
// is the same page by its usual name.
func (e *examination) isDirectoryOfIndex(next *url.URL) bool {
	directory, file := path.Split(e.at.Path)
	return e.asset != nil && file == "index.html" && next.Path == directory && next.Host == e.at.Host
}
