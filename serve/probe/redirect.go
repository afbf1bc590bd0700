package probe

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"path"
	"strings"
)

// maxRedirects is how many redirects are followed.
const maxRedirects = 10

// errNothingThere ends the examination of a URL about which a finding says all.
var errNothingThere = errors.New("nothing there")

// arrive asks the first question, of a client that says nothing of codings, where
// the URL leads to. Redirects are followed on the same host only.
func (e *examination) arrive(ctx context.Context) (*Answer, error) {
	e.look(redirect, redirectElsewhere, redirectLoop)
	var told *Answer // of the redirects, the first that is worth a word
	for hops := 0; ; hops++ {
		a, err := e.ask(ctx, get(""))
		if err != nil {
			return nil, err
		}
		next, ok := location(e.at, a)
		switch {
		case !ok:
			if told != nil {
				e.find(redirect, "", []*Answer{told}, "%d leads to %s", told.Status, shown(bare(e.at)))
			}
			return a, nil
		case hops == maxRedirects:
			e.find(redirectLoop, "", []*Answer{a}, "more than %d redirects, the last to %s", maxRedirects, shown(bare(next)))
			return nil, errNothingThere
		case !sameHost(e.at, next):
			e.find(redirectElsewhere, "", []*Answer{a}, "%d leads to %s, which is another host, or not as safe", a.Status, shown(bare(next)))
			return nil, errNothingThere
		case told == nil && !e.isFolderOfIndex(next):
			told = a
		}
		next.User = e.at.User
		e.at = next
	}
}

// location returns where an answer leads to.
func location(from *url.URL, a *Answer) (*url.URL, bool) {
	switch a.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
	default:
		return nil, false
	}
	lines := a.Header.Values("Location")
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

// sameHost tells whether a redirect stays where it was: at the same host and port,
// or goes from http to https there, each at its own port.
func sameHost(from, to *url.URL) bool {
	if !strings.EqualFold(from.Hostname(), to.Hostname()) {
		return false
	}
	if from.Scheme == to.Scheme {
		return port(from) == port(to)
	}
	return from.Scheme == "http" && port(from) == "80" && port(to) == "443"
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

// isFolderOfIndex tells whether an asset's index.html leads to its folder: that
// is the same page by its usual name.
func (e *examination) isFolderOfIndex(next *url.URL) bool {
	folder, file := path.Split(e.at.Path)
	return e.asset != nil && file == "index.html" && next.Path == folder && next.Host == e.at.Host
}
